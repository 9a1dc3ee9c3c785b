"""The engine paradee: a student of Kokoro a tenth of its size, for machines with weak processors.

    request ─▶ phonemes ─▶ rows of at most 510 ─▶ the voice's model ─▶ rows joined ─▶ samples

Pronunciation and names of voices are those of the engine kokoro; each voice is a model of its own
(`paradee_files.py`), so there are no mixes, and it pronounces what it was trained with: one
language. Everything is loaded as late as possible: ONNX Runtime and a model by the first `render`
with its voice.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from audiomill.renderers.engine.errors import UnknownVoice, WeightsUnfit
from audiomill.renderers.engine.protocol import Request
from audiomill.renderers.kokoro.front_end import (
    language_of_mix,
)
from audiomill.renderers.kokoro.g2p.requirements import Alphabet
from audiomill.renderers.kokoro.inference.rows import seed_of, tokens_of
from audiomill.renderers.kokoro.model.config import SAMPLE_RATE, VOCAB
from audiomill.renderers.kokoro.onnx_files import check_onnxruntime
from audiomill.renderers.kokoro.onnx_renderer import OnnxRenderer
from audiomill.renderers.kokoro.onnx_session import (
    KokoroGraph,
    OnnxRow,
    OnnxRunner,
    rewritten,
)
from audiomill.renderers.kokoro.options import ParadeeOptions
from audiomill.renderers.kokoro.paradee_files import ParadeeFiles
from audiomill.renderers.kokoro.weights.mixes import Mix, codes_of
from audiomill.renderers.kokoro.weights.voices import VoiceTable
from audiomill.renderers.onnx.reading import read_onnx

SOUND_VERSION = 1  # raised by hand when samples change although model and phonemes do not


class SingleVoices(VoiceTable):
    """Voices that cannot be mixed, nor pronounce another language than their own."""

    def __init__(self, names: Iterable[str], engine: str) -> None:
        super().__init__(names, engine, title="Paradee")

    def resolve(self, expression: str) -> Mix:
        """The voice of that name. Raises UnknownVoice, with similar names."""
        mix = super().resolve(expression)
        if len(mix.weights) > 1:
            raise UnknownVoice(
                f"Paradee does not mix voices, as {expression!r} asks for: each is a model of its"
                " own. Name one, or use the engine kokoro."
            )
        if mix.pronounced:
            raise self.other_language(expression, mix.pronounced.tag)
        return mix

    def other_language(self, voice: str, language: str) -> UnknownVoice:
        """The error for a voice that should pronounce another language."""
        return UnknownVoice(f"Paradee's voice {voice!r} does not pronounce {language!r}.")


class ParadeeRenderer(OnnxRenderer):
    """Paradee in ONNX Runtime, on the CPU. A segment's samples do not depend on its batch."""

    name = "paradee"
    title = "Paradee"
    settings = "paradee"
    sample_rate = SAMPLE_RATE

    def __init__(self, options: ParadeeOptions) -> None:
        """Raises EngineMissing if a folder that is named has no models."""
        self._files = ParadeeFiles(options)
        self._table = SingleVoices(self._files.voices, self.name)
        super().__init__(self._table, lambda: Alphabet(frozenset(VOCAB)), options)
        self._graphs: dict[str, KokoroGraph] = {}
        self._runners: dict[str, OnnxRunner] = {}

    def in_language(self, voice: str, language: str) -> str:
        """The voice itself if that is its language, in any region. Raises UnknownVoice."""
        if language_of_mix(voice).code not in codes_of(language):
            raise self._table.other_language(voice, language)
        return voice

    def fingerprint(self, voice: str) -> str:
        """Everything besides text and speed that decides the sound of `voice`.

        These are a version of this code, the model and the pronunciation. Raises UnknownVoice,
        EngineMissing.
        """
        pronunciation = self._text.fingerprint(voice)
        sound = f"{self.name} sound {SOUND_VERSION}"
        return f"{sound} {self._files.sha256(self.known_voice(voice))} {pronunciation}"

    def warnings(self, voices: Sequence[str]) -> tuple[str, ...]:
        """Warnings for the user about models and pronunciation. Raises WeightsUnfit."""
        without_times = [
            f"{self._files.path(voice)} does not tell how long each phoneme is, so words have no"
            " times of their own."
            for voice in voices
            if not self._graph(voice).durations
        ]
        return tuple(dict.fromkeys((*without_times, *self._text.warnings(voices))))

    def _row(self, phonemes: str, request: Request, number: int) -> tuple[OnnxRunner, OnnxRow]:
        seed = seed_of(request.key, number)
        row = OnnxRow(tokens_of(phonemes, VOCAB), None, request.speed, seed)
        return self._runner(request.voice), row

    def _runner(self, voice: str) -> OnnxRunner:
        if voice not in self._runners:
            check_onnxruntime(self.name)
            path = self._files.path(voice)
            self._runners[voice] = OnnxRunner(self._graph(voice), path, self.settings)
        return self._runners[voice]

    def _graph(self, voice: str) -> KokoroGraph:
        if voice not in self._graphs:
            path = self._files.path(self.known_voice(voice))
            self._graphs[voice] = _one_voice(rewritten(read_onnx(path)))
        return self._graphs[voice]


def _one_voice(graph: KokoroGraph) -> KokoroGraph:
    """The graph itself. Raises WeightsUnfit if it is one of Kokoro, which takes a style."""
    if graph.style is not None:
        raise WeightsUnfit(
            f"{graph.model.path} takes styles of many voices, so it is no model of Paradee. Use it"
            " with the engine kokoro-onnx."
        )
    return graph
