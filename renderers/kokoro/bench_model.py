"""What `audiomill bench` knows of this model: devices, precisions, its phonemes, what is tuned.

Imports next to nothing: `--help` asks for the precisions. What a method needs is loaded when it is
called, in a child process.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Self, cast

from audiomill.inputs import samples
from audiomill.renderers.engine.benchmarking import (
    BenchEngine,
    BenchModel,
    Device,
    DeviceMemory,
    MeasuredChoice,
    PreparedCorpus,
    ToRows,
    Tuning,
)
from audiomill.renderers.kokoro.model.precision import PRECISIONS, Precision
from audiomill.renderers.kokoro.options import KokoroOptions

if TYPE_CHECKING:
    from audiomill.renderers.kokoro.model.config import KokoroConfig

PREPARED = Path(samples.__file__).parent / "bench-corpus.phonemes.json"
WORDS = {"cpu": 60, "cuda": 4_000}


@dataclass(frozen=True)
class KokoroTuning(Tuning):
    """What is tuned. The precisions are compared by tests/renderers/kokoro/gpu/test_decoder.py."""

    release: str  # of the model that renders use; random weights have none of their own
    precisions: ClassVar[Sequence[str]] = ("fp16", "tf32", "float32")
    budgets: ClassVar[Mapping[str, Sequence[int]]] = {
        "cpu": (0, 300),
        "cuda": (0, 4096, 16384, 65536),
    }

    def default_workers(self) -> int:
        """Processes that turn text into phonemes."""
        from audiomill.renderers.kokoro.front_end import default_workers

        return default_workers()

    def content(self, measured: MeasuredChoice) -> bytes:
        """The choice with the release and this machine."""
        from audiomill.renderers.host.hardware import this_fingerprint
        from audiomill.renderers.kokoro.tuning import Tuned, tuned_to_json

        facts = {one.name: getattr(measured, one.name) for one in fields(measured)}
        return tuned_to_json(Tuned(**facts, release=self.release, machine=this_fingerprint()))


@dataclass(frozen=True)
class KokoroBenchModel(BenchModel):
    """Kokoro with PyTorch, with the weights of its options."""

    options: KokoroOptions
    precisions: ClassVar[Sequence[str]] = PRECISIONS
    words: ClassVar[Mapping[str, int]] = WORDS
    packages: ClassVar[Sequence[str]] = ("kokoro", "misaki", "spacy")

    @property
    def prepared(self) -> PreparedCorpus:
        """The corpus as phonemes, of the official model."""
        return PreparedCorpus(PREPARED, official_rows, official_fingerprint)

    @property
    def tuning(self) -> KokoroTuning:
        """See `KokoroTuning`."""
        from audiomill.renderers.kokoro.tuning import tuned_file

        return KokoroTuning(tuned_file(), self.options.release)

    def check(self) -> None:
        """Raise EngineMissing without PyTorch."""
        from audiomill.renderers.kokoro.weights.files import check_pytorch

        check_pytorch()

    def device(self, name: str) -> Device:
        """The device of this name, which may be "auto". Raises EngineMissing."""
        from audiomill.renderers.kokoro.loading import chosen_device, missing_support

        device = chosen_device(name)
        reasons = {precision: missing_support(precision, device) for precision in PRECISIONS}
        return Device(str(device), {name: reason for name, reason in reasons.items() if reason})

    def with_random_weights(self, folder: Path) -> Self:
        """With files of random weights in a new folder. Raises OSError."""
        from audiomill.renderers.kokoro.weights.random_weights import write_random_model
        from audiomill.renderers.kokoro.weights.releases import DEFAULT_VOICES

        place = folder / "random-weights"
        place.mkdir()
        write_random_model(place, DEFAULT_VOICES)
        return replace(self, options=replace(self.options, weights=place))

    def variant(self, device: str, precision: str, batch_frames: int = 0) -> Self:
        """The same weights on one device: "auto" would stand for every GPU in a render."""
        chosen = cast("Precision", precision)
        options = replace(self.options, device=device, precision=chosen, batch_frames=batch_frames)
        return replace(self, options=options)

    def open(self, voice: str) -> BenchEngine:
        """The model alone. Raises EngineMissing, WeightsUnfit, UnknownVoice."""
        from audiomill.renderers.kokoro.benchmark import RowsEngine

        return RowsEngine(self.options, voice)

    def memory(self) -> DeviceMemory:
        """PyTorch's, of the device."""
        from audiomill.renderers.kokoro.benchmark import TorchDevice
        from audiomill.renderers.kokoro.loading import chosen_device

        return TorchDevice(chosen_device(self.options.device))

    def to_rows(self, voice: str) -> ToRows:
        """Text to rows of phonemes, for these weights. Raises EngineMissing, WeightsUnfit."""
        from audiomill.renderers.kokoro.model.config import read_config
        from audiomill.renderers.kokoro.weights.files import find_files
        from audiomill.renderers.kokoro.weights.releases import release_named

        release = release_named(self.options.release)
        config = read_config(find_files(self.options.weights, release).config)
        return _rows(voice, config, self.options.release)


def bench_model(options: KokoroOptions) -> KokoroBenchModel:
    """The weights that renders use. All else is the benchmark's to choose, tuned values too."""
    return KokoroBenchModel(KokoroOptions(weights=options.weights, release=options.release))


def official_rows(voice: str) -> ToRows:
    """Text to rows of phonemes of the official model. Raises EngineMissing."""
    from audiomill.renderers.kokoro.model.config import OFFICIAL, parse_config

    return _rows(voice, parse_config(OFFICIAL), KokoroOptions().release)


def official_fingerprint(voice: str) -> str:
    """What decides the phonemes of a voice."""
    from audiomill.renderers.kokoro.g2p.requirements import Alphabet, fingerprint_of
    from audiomill.renderers.kokoro.model.config import OFFICIAL, parse_config
    from audiomill.renderers.kokoro.weights.mixes import parse_mix

    alphabet = Alphabet(frozenset(parse_config(OFFICIAL).vocab))
    return fingerprint_of(parse_mix(voice).language, alphabet)


def _rows(voice: str, config: KokoroConfig, release: str) -> ToRows:
    """Loads the G2P now. Raises EngineMissing."""
    from audiomill.renderers.kokoro.g2p.g2p import open_g2p
    from audiomill.renderers.kokoro.g2p.phonemes import split
    from audiomill.renderers.kokoro.g2p.requirements import Alphabet
    from audiomill.renderers.kokoro.weights.mixes import parse_mix

    g2p = open_g2p(parse_mix(voice).language, Alphabet(frozenset(config.vocab), release))
    g2p.phonemes("Wake up.")

    @cache  # several chunkings have segments in common
    def to_rows(spoken: str) -> tuple[str, ...]:
        parts = split(g2p.phonemes(spoken), config.max_phonemes)
        return tuple(part.text for part in parts if part.text)

    return to_rows
