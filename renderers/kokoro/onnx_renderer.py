"""The engine kokoro-onnx: Kokoro by the published ONNX files, on machines without PyTorch.

    request ─▶ phonemes ─▶ rows of at most 510 ─▶ ONNX Runtime ─▶ rows joined ─▶ samples, timings

Pronunciation, voices, mixes and limits are those of the engine kokoro; keys and noise are its own.
Everything is loaded as late as possible: ONNX Runtime and the weights by the first `render`.
"""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property

from audiomill.renderers.engine.protocol import Batch, EngineLimits, Rendered, Request
from audiomill.renderers.host.waiting import UNATTENDED, Waiter
from audiomill.renderers.kokoro.front_end import (
    G2POptions,
    KokoroFrontEnd,
    WithFrontEnd,
    check_speeds,
    kokoro_limits,
    n_workers,
)
from audiomill.renderers.kokoro.g2p.phonemes import split
from audiomill.renderers.kokoro.g2p.requirements import Alphabet
from audiomill.renderers.kokoro.inference.rows import joined, seed_of, tokens_of
from audiomill.renderers.kokoro.model.config import PACK_SHAPE, SAMPLE_RATE, VOCAB
from audiomill.renderers.kokoro.onnx_files import (
    OnnxFiles,
    check_onnxruntime,
    find_onnx_files,
    voices_here,
)
from audiomill.renderers.kokoro.onnx_session import (
    KokoroGraph,
    OnnxRow,
    OnnxRunner,
    RowPool,
    default_threads,
    rewritten,
    with_style,
)
from audiomill.renderers.kokoro.onnx_voices import (
    Pack,
    pack_sha256,
    read_mix,
    voice_names,
)
from audiomill.renderers.kokoro.options import KokoroOnnxOptions, OnnxOptions
from audiomill.renderers.kokoro.weights.releases import V1_0, V1_1_ZH
from audiomill.renderers.kokoro.weights.voices import VoiceTable
from audiomill.renderers.onnx.reading import read_onnx

SOUND_VERSION = 2  # raised by hand when samples change although weights and phonemes do not
MAX_PHONEMES = PACK_SHAPE[0]
WINDOW_S = 600.0
# Calls of `render`, each with a row for each core: one has its last rows while the next one begins.
CALLS_AT_ONCE = 2
BOPOMOFO = "ㄅ"  # a phoneme of the release v1.1-zh only


class OnnxRenderer(WithFrontEnd, ABC):
    """An engine that runs each row by itself, side by side with others."""

    def __init__(
        self, table: VoiceTable, alphabet: Callable[[], Alphabet], options: OnnxOptions
    ) -> None:
        """`alphabet` is that of `KokoroFrontEnd`."""
        n_threads = options.threads or default_threads()
        g2p = G2POptions(n_workers(options.workers), options.phonemes)
        self._text = KokoroFrontEnd(table, alphabet, g2p)
        self._pool = RowPool(n_threads)
        self._load_lock = threading.Lock()
        self.limits: EngineLimits = kokoro_limits(
            max_rows=n_threads, window_s=WINDOW_S, n_at_once=CALLS_AT_ONCE
        )

    def render(self, batch: Batch, waiter: Waiter = UNATTENDED) -> list[Rendered]:  # noqa: ARG002
        """Render each request of `batch`, in order.

        Raises UnknownVoice, EngineMissing, WeightsUnfit, EngineFailed.
        """
        check_speeds(batch)
        self.prefetch(batch.requests)
        parts_of_each = [
            split(self._text.phonemes_of(request), MAX_PHONEMES) for request in batch.requests
        ]
        with self._load_lock:
            rows = [
                self._row(part.text, request, number)
                for request, parts in zip(batch.requests, parts_of_each, strict=True)
                for number, part in enumerate(parts)
                if part.text
            ]
        audio = iter(self._pool.run(rows))
        return [joined(parts, audio) for parts in parts_of_each]

    @abstractmethod
    def _row(self, phonemes: str, request: Request, number: int) -> tuple[OnnxRunner, OnnxRow]:
        """A row and the model that speaks it, which is loaded on first use."""


class KokoroOnnxRenderer(OnnxRenderer):
    """Kokoro-82M in ONNX Runtime, on the CPU. A segment's samples do not depend on its batch."""

    name = "kokoro-onnx"
    title = "Kokoro"
    settings = "kokoro_onnx"
    sample_rate = SAMPLE_RATE

    def __init__(self, options: KokoroOnnxOptions) -> None:
        """Raises EngineMissing, WeightsUnfit if the file of voices is missing or damaged."""
        self._options = options
        here = voices_here(options)
        self._table = VoiceTable(voice_names(here) if here else V1_0.voices, self.name)
        super().__init__(self._table, self._alphabet, options)
        self._packs: dict[str, Pack] = {}
        self._digests: dict[str, str] = {}

    def fingerprint(self, voice: str) -> str:
        """Everything besides text and speed that decides the sound of `voice`.

        These are a version of this code, the model, the voice's packs and the pronunciation.
        Raises UnknownVoice, EngineMissing, WeightsUnfit.
        """
        pronunciation = self._text.fingerprint(voice)
        packs = self._table.resolve(voice).fingerprint(self._pack_digest)
        sound = f"{self.name} sound {SOUND_VERSION}"
        return f"{sound} {self._files.model_sha256} {packs} {pronunciation}"

    def warnings(self, voices: Sequence[str]) -> tuple[str, ...]:
        """Warnings for the user about the model and the pronunciation."""
        model, warnings = self._files.model, list[str]()
        if not self._files.is_official:
            warnings.append(f"Kokoro speaks with a model that is not official: {model}.")
        if not self._graph.durations:
            warnings.append(
                f"{model} does not tell how long each phoneme is, so words have no times of their"
                " own."
            )
        return tuple(dict.fromkeys((*warnings, *self._text.warnings(voices))))

    def _row(self, phonemes: str, request: Request, number: int) -> tuple[OnnxRunner, OnnxRow]:
        style = self._pack(request.voice)[len(phonemes) - 1]
        tokens = tokens_of(phonemes, self._vocab)
        row = OnnxRow(tokens, style, request.speed, seed_of(request.key, number))
        return self._runner, row

    def _pack(self, voice: str) -> Pack:
        if voice not in self._packs:
            self._packs[voice] = read_mix(self._files.voices, self._table.resolve(voice))
        return self._packs[voice]

    def _pack_digest(self, name: str) -> str:
        if name not in self._digests:
            self._digests[name] = pack_sha256(self._files.voices, name)
        return self._digests[name]

    def _alphabet(self) -> Alphabet:
        release = V1_1_ZH if BOPOMOFO in self._vocab else V1_0
        return Alphabet(frozenset(self._vocab), release.name)

    @cached_property
    def _files(self) -> OnnxFiles:
        return find_onnx_files(self._options)

    @cached_property
    def _graph(self) -> KokoroGraph:
        return with_style(rewritten(read_onnx(self._files.model)))

    @cached_property
    def _vocab(self) -> Mapping[str, int]:
        return self._graph.vocab or VOCAB

    @cached_property
    def _runner(self) -> OnnxRunner:
        check_onnxruntime(self.name)
        return OnnxRunner(self._graph, self._files.model, self.settings)
