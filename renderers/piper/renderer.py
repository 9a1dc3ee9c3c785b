"""The Piper engine: voices in a folder, spoken in this process. Knows no store.

    request ─▶ phonemes ─▶ sentences ─▶ model ─▶ resampled ─▶ joined ─▶ samples, timings
               (a child that     (noise of the      (if the voice has
                texts may kill)   request's key)     another rate)

An engine has one rate and voices have several (16,000, 22,050 and 44,100 Hz among the published
ones): `PiperOptions.sample_rate` is that of all audio, and a voice of another rate is resampled.
The rate does not depend on which voices are there: adding one must not change what is stored.
"""

from __future__ import annotations

import json
import threading
from collections import OrderedDict
from collections.abc import Sequence
from contextlib import closing
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import numpy as np

from audiomill.inputs.languages.codes import primary_subtag
from audiomill.renderers.engine.errors import EngineFailed, EngineMissing, UnknownVoice
from audiomill.renderers.engine.protocol import (
    Batch,
    EngineLimits,
    Rendered,
    Request,
    Samples,
    Voice,
    WordTiming,
)
from audiomill.renderers.engine.text_process import NoChild, Part, TextPool, left_out
from audiomill.renderers.engine.text_renderer import TextRenderer, silence
from audiomill.renderers.engine.weights_digest import weights_sha256
from audiomill.renderers.espeak.long_words import break_long_words
from audiomill.renderers.host.child_process import ChildProcess
from audiomill.renderers.host.cores import usable_cores
from audiomill.renderers.host.installation import this_installation
from audiomill.renderers.host.waiting import UNATTENDED, Waiter
from audiomill.renderers.piper.child import PhonemeText, read_texts
from audiomill.renderers.piper.model import PiperModel, PiperScales
from audiomill.renderers.piper.options import SPEEDS, PiperOptions
from audiomill.renderers.piper.voices import PiperSpeaker, PiperVoices
from audiomill.renderers.piper.words import (
    SpokenSentence,
    of_spoken,
    own_phonemes,
    said_text,
    word_timings,
)
from audiomill.renderers.speech.resampling import resampled
from audiomill.renderers.takes.seeds import seed_of

SOUND = 2  # version of the samples; increment by hand when they change although no file does
PACKAGE = "piper-tts"
# A graph runs on one core, and each core has its own text: see `onnx/sessions.py`.
N_AT_ONCE = usable_cores()
MAX_MODELS = 4  # that are kept loaded; one of medium quality takes some 150 MB
NOT_FREE = ("nc", "noncommercial", "non-commercial", "research", "blizzard")  # words of licences
CHUNK_BYTES = 1 << 20


class PiperRenderer(TextRenderer):
    """Piper voices. The sound of a request depends on that request alone, to the last bit."""

    name = "piper"
    title = "Piper"

    def __init__(self, options: PiperOptions) -> None:
        """Raises EngineMissing if there are no voices."""
        if options.voices is None:
            raise EngineMissing(
                "Piper has no folder of voices. Name one: piper.voices in the settings."
            )
        self._options = options
        self._voices = PiperVoices(options.voices)
        self._phonemes = TextPool[Path, PhonemeText](N_AT_ONCE, lambda: ChildProcess(read_texts))
        self._models: OrderedDict[Path, PiperModel] = OrderedDict()
        self._hashes: dict[Path, str] = {}
        self._lock = threading.Lock()
        self.sample_rate: int = options.sample_rate
        self.limits = EngineLimits(
            max_length=400,
            max_rows=8,
            chars_per_s=15.0,
            exact_bits=16,
            speeds=SPEEDS,
            n_at_once=N_AT_ONCE,
        )

    def voices(self) -> Sequence[Voice]:
        """The voices of the folder, and the speakers of those that have several."""
        return self._voices.voices

    def default_voice(self, language: str) -> str:
        """The best voice for `language` (BCP 47) in the folder. Raises UnknownVoice."""
        return self._voices.for_language(language)

    def known_voice(self, name: str) -> str:
        """The voice with its speaker, who may be named or numbered.

        Raises UnknownVoice, WeightsUnfit.
        """
        return self._voices.resolve(name).name

    def in_language(self, voice: str, language: str) -> str:
        """The voice, which speaks the language of its file only. Raises UnknownVoice."""
        own = self._voices.resolve(voice).file.language
        if primary_subtag(own) != primary_subtag(language):
            raise UnknownVoice(f"The Piper voice {voice} speaks {own} only.")
        return voice

    def warnings(self, voices: Sequence[str]) -> Sequence[str]:
        """What is lost by resampling, and licences that forbid selling."""
        warnings: list[str] = []
        files = {file.name: file for file in (self._voices.resolve(one).file for one in voices)}
        for file in files.values():
            if file.sample_rate > self.sample_rate:
                warnings.append(
                    f"{file.name} has {file.sample_rate:,} Hz, of which {self.sample_rate:,} are"
                    f" kept. Set piper.sample_rate = {file.sample_rate} to keep all."
                )
            words = file.licence.lower().replace("-nc", " nc ").replace("/", " ").split()
            if any(word in NOT_FREE for word in words):
                warnings.append(f"{file.name} may not be used commercially: {file.licence}.")
        return warnings

    def fingerprint(self, voice: str) -> str:
        """Versions of this code and of the package, hashes of both files, and the options.

        The package has the espeak-ng that reads. Raises UnknownVoice, WeightsUnfit, EngineMissing.
        """
        speaker = self._voices.resolve(voice)
        options = self._options
        noises = (options.noise_scale, options.noise_w_scale)
        noise = "" if noises == (None, None) else f" noise {noises[0]} {noises[1]}"
        return (
            f"piper sound {SOUND} {_package_version()} {self._hash(speaker.file.model)}"
            f" {self._hash(speaker.file.config)} {self.sample_rate} Hz{noise}"
        )

    def normalized_text(self, spoken: str) -> str:
        """The text with spaces in words whose ends espeak-ng would drop."""
        return break_long_words(spoken).text

    def own_phonemes(self, phonemes: str, voice: str) -> str:
        """Phonemes as the voice takes them; "" if its text does not become phonemes by espeak-ng.

        Raises UnknownPhoneme, UnknownVoice, WeightsUnfit.
        """
        file = self._voices.resolve(voice).file
        if file.phoneme_type != "espeak":
            return ""
        config = json.loads(file.config.read_text("utf-8"))
        return own_phonemes(phonemes, config["phoneme_id_map"])

    def model_input(self, request: Request) -> str:
        """The phonemes that the model gets. Raises RenderError."""
        (parts,) = self._read([request])
        return _joined(parts)

    def phonemes(self, texts: Sequence[str], voice: str) -> Sequence[str]:
        """The phonemes of each text. Raises RenderError."""
        requests = [Request("", text, voice, 1.0) for text in texts]
        return [_joined(parts) for parts in self._read(requests)]

    def render(self, batch: Batch, waiter: Waiter = UNATTENDED) -> list[Rendered]:  # noqa: ARG002
        """Render the requests one by one. Raises RenderError.

        What kills espeak-ng is left out, with a remark. Text without phonemes becomes a short
        silence.
        """
        for request in batch.requests:
            slowest, fastest = self.limits.speeds
            if not slowest <= request.speed <= fastest:
                raise EngineFailed(
                    f"Piper speaks at speeds from {slowest} to {fastest}, not {request.speed}."
                )
        read = self._read(batch.requests)
        return [
            self._rendered(request, parts)
            for request, parts in zip(batch.requests, read, strict=True)
        ]

    def _read(self, requests: Sequence[Request]) -> list[tuple[Part[PhonemeText], ...]]:
        """The phonemes of each request's text, by a child."""
        _package_version()
        tasks = [
            (self._voices.resolve(request.voice).file.config, said_text(request))
            for request in requests
        ]
        try:
            with closing(self._phonemes.answers(tasks)) as answers:
                return [*answers]
        except NoChild as error:
            raise EngineFailed(f"Piper's espeak-ng cannot read here: {error}.") from error

    def _rendered(self, request: Request, parts: Sequence[Part[PhonemeText]]) -> Rendered:
        """One request's audio: the sentences of its parts, one after the other."""
        speaker = self._voices.resolve(request.voice)
        speech = PiperUtterance(self._model(speaker), speaker, self._scales(speaker, request.speed))
        text = said_text(request)
        timings: list[WordTiming] = []
        for part in parts:
            timings += speech.add(text, part, request.key)
        samples = resampled(speech.samples(), speaker.file.sample_rate, self.sample_rate)
        if not samples.size:
            samples = silence(self.sample_rate).samples
        rendered = Rendered(samples, tuple(timings), left_out(parts))
        return of_spoken(rendered, request)

    def _scales(self, speaker: PiperSpeaker, speed: float) -> PiperScales:
        own, options = speaker.file, self._options
        return PiperScales(
            own.noise_scale if options.noise_scale is None else options.noise_scale,
            own.length_scale / speed,
            own.noise_w_scale if options.noise_w_scale is None else options.noise_w_scale,
        )

    def _model(self, speaker: PiperSpeaker) -> PiperModel:
        """The speaker's model, which is loaded on first use. Raises EngineMissing, WeightsUnfit."""
        path = speaker.file.model
        with self._lock:
            model = self._models.pop(path, None) or PiperModel(speaker.file)
            self._models[path] = model  # the last of them is the one that was used last
            if len(self._models) > MAX_MODELS:
                self._models.popitem(last=False)
        return model

    def _hash(self, path: Path) -> str:
        with self._lock:
            if path not in self._hashes:
                self._hashes[path] = weights_sha256(path)[:16]
        return self._hashes[path]


def _joined(parts: Sequence[Part[PhonemeText]]) -> str:
    sentences = [one for part in parts if part.answer for one in part.answer.sentences]
    return " ".join("".join(sentence) for sentence in sentences)


def _package_version() -> str:
    """The version of the package. Raises EngineMissing if it is not installed."""
    try:
        return version(PACKAGE)
    except PackageNotFoundError as error:
        raise EngineMissing(
            f"Piper is not installed. {this_installation().hint('piper')}"
        ) from error


class PiperUtterance:
    """A request's audio while it grows, sentence by sentence."""

    def __init__(self, model: PiperModel, speaker: PiperSpeaker, scales: PiperScales) -> None:
        self._model, self._speaker, self._scales = model, speaker, scales
        self._pieces: list[Samples] = []

    def samples(self) -> Samples:
        """All that has been said, at the voice's own rate."""
        return np.concatenate(self._pieces) if self._pieces else np.zeros(0, np.float32)

    def add(self, text: str, part: Part[PhonemeText], key: str) -> list[WordTiming]:
        """Say a part of `text`. The times of its words; none if the graph does not tell them."""
        if part.answer is None:
            return []
        spoken = [self._say(phonemes, key) for phonemes in part.answer.sentences]
        known = [one for one in spoken if one is not None]
        if len(known) < len(spoken):
            return []
        rate = self._speaker.file.sample_rate
        return [
            WordTiming(one.start + part.start, one.end + part.start, one.start_s, one.end_s)
            for one in word_timings(text[part.start : part.end], known, part.answer.alone, rate)
        ]

    def _say(self, phonemes: tuple[str, ...], key: str) -> SpokenSentence | None:
        ids = self._model.ids(phonemes)
        start_s = sum(piece.size for piece in self._pieces) / self._speaker.file.sample_rate
        seed = seed_of(key, part=len(self._pieces))
        speech = self._model.speak(ids, self._scales, self._speaker.number, seed)
        self._pieces.append(speech.samples)
        if speech.durations is None:
            return None
        return SpokenSentence(phonemes, ids, speech.durations, start_s)
