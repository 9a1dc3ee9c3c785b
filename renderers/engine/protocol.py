"""The interface of all engines: requests, rendered audio, limits, and the Renderer protocol.

Imports no engine, and no NumPy: a child process that speaks starts twice as fast without it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol, TypeAlias, runtime_checkable

from audiomill.inputs.segmentation.lengths import n_characters
from audiomill.renderers.engine.faults import Finding
from audiomill.renderers.host.waiting import UNATTENDED, Waiter

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from audiomill.inputs.model.book import Pronunciation
    from audiomill.renderers.engine.pcm import PcmAudio

Samples: TypeAlias = "NDArray[np.float32]"  # mono, [n_samples], full scale is ±1


@dataclass(frozen=True, slots=True)
class WordTiming:
    """When the word at characters [start, end) of `Request.spoken` sounds."""

    start: int
    end: int
    start_s: float
    end_s: float


@dataclass(frozen=True, slots=True)
class Remark:
    """How an engine handled characters [start, end) of `Request.spoken` that it cannot speak."""

    start: int
    end: int
    words: str  # for example "spelled out" or "left out"


@dataclass(frozen=True, slots=True)
class Request:
    """Everything that decides the sound of one segment. `key`: see `planning.request_for`."""

    key: str
    spoken: str
    voice: str
    speed: float
    pronunciations: tuple[Pronunciation, ...] = ()  # in `spoken`, in the engine's own phonemes
    # What is said before and after it, for an engine whose sound depends on that: see
    # `EngineLimits.context_chars`. Part of the key.
    before: str = ""
    after: str = ""


@dataclass(frozen=True, slots=True)
class Batch:
    """Requests of similar length that an engine renders together. Never empty."""

    requests: tuple[Request, ...]
    # The number of the first take, for an engine whose takes differ: earlier ones were wanting.
    first_take: int = 0


@dataclass(frozen=True, slots=True)
class Window:
    """Consecutive batches that one task renders, ten minutes of audio or more. Never empty."""

    index: int
    batches: tuple[Batch, ...]
    estimated_s: float  # of audio

    @property
    def requests(self) -> tuple[Request, ...]:
        """Those of all batches, in their order."""
        return tuple(request for batch in self.batches for request in batch.requests)


@dataclass(frozen=True, slots=True)
class Usage:
    """What it took to render one request, or several."""

    n_takes: int = 1  # times that a request was rendered, those that were not kept included
    n_characters_billed: int = 0  # by a service that is paid by character, in all takes
    n_bytes_billed: int = 0  # by a service that is paid by byte of UTF-8, in all takes


NO_USAGE = Usage(n_takes=0)


@dataclass(frozen=True, slots=True)
class Rendered:
    """One request's audio as the engine returns it."""

    samples: Samples
    timings: tuple[WordTiming, ...] = ()
    remarks: tuple[Remark, ...] = ()
    usage: Usage = Usage()
    findings: tuple[Finding, ...] = ()  # what is wrong with the samples, if it was checked
    pcm: PcmAudio | None = None  # the samples with `exact_bits`, if that was done beside the model


@dataclass(frozen=True, slots=True)
class ShardInfo:
    """What is known of one segment's stored audio, without its samples."""

    key: str
    n_samples: int
    sample_rate: int
    timings: tuple[WordTiming, ...] = ()
    remarks: tuple[Remark, ...] = ()
    findings: tuple[Finding, ...] = ()  # what was wrong with its best take
    # The SHA-256 of all of this as it is stored, and of the audio; "" if it is not stored.
    digest: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Voice:
    """A voice that can be selected by `name`."""

    name: str
    language: str  # BCP 47
    gender: str = ""
    description: str = ""
    display_name: str = ""  # as people say it; "": it is made of `name`


def never_joins_sentences(_voice: str) -> bool:
    """For engines of which all voices pause between sentences."""
    return False


@dataclass(frozen=True, slots=True)
class EngineLimits:
    """Limits of an engine, for planning. Lengths are in the unit of its `length` function."""

    max_length: int  # longer text is split before it becomes a request
    max_rows: int  # requests in a batch
    chars_per_s: float  # of speech at speed 1, for estimates
    exact_bits: int  # PCM bits that store its output exactly, or well enough: 16 or 24
    speeds: tuple[float, float]  # slowest and fastest; 1 is the engine's normal speed
    # The length of a spoken text in a voice, exact or nearly so. Never raises for a voice that the
    # engine has. A text is at most as long as its parts, plus 1 for each space between them.
    length: Callable[[str, str], int] = n_characters
    best_length: tuple[int, int] | None = None  # (min, max) that sounds best, if any
    # A voice that makes no pause between sentences. Each of them becomes a request of its own.
    joins_sentences: Callable[[str], bool] = never_joins_sentences
    window_s: float = 600.0  # of audio; larger windows make batches more uniform
    n_at_once: int = 1  # concurrent calls of `render` that keep it busy
    # Of a million of what a paid service counts. 0: it is free, or the price is not known.
    price_per_million: float = 0.0
    # How many of these a spoken text has, and what they are.
    n_billed: Callable[[str], int] = len
    billed_unit: str = "characters"
    is_paid: bool = False  # even if the price is not known
    is_elsewhere: bool = False  # another program does the work, with memory of its own
    shares_audio: bool = False  # child processes can read the audio where it lies: `SharedPiece`
    # Of the text before and after a segment, within its chapter, by which the engine chooses how to
    # say it. They are part of the key, so a change there renders the segment anew.
    context_chars: int = 0
    # How often a segment may be rendered again because it sounds wrong. 0: it would sound the same.
    n_retakes: int = 0


class Renderer(Protocol):
    """An engine, loaded and ready. One per process; `render` may be called from any thread."""

    @property
    def name(self) -> str:
        """The value of `--engine`."""
        ...

    @property
    def title(self) -> str:
        """The engine's name for people."""
        ...

    @property
    def sample_rate(self) -> int:
        """In Hz, of all audio that it renders."""
        ...

    @property
    def limits(self) -> EngineLimits:
        """The limits that planning must respect."""
        ...

    def voices(self) -> Sequence[Voice]:
        """All voices, sorted by name."""
        ...

    def default_voice(self, language: str) -> str:
        """The voice for text in `language` (BCP 47) if the user chooses none.

        Raises UnknownVoice if the engine does not speak the language.
        """
        ...

    def known_voice(self, name: str) -> str:
        """The canonical form of a voice's name, as used in keys. Raises UnknownVoice."""
        ...

    def display_name(self, voice: str) -> str:
        """The name of a canonical `voice` as people say it: "Heart". Raises UnknownVoice."""
        ...

    def in_language(self, voice: str, language: str) -> str:
        """The form of a canonical `voice` that pronounces `language` (BCP 47).

        It is `voice` itself if that pronounces some region's form of the language. Raises
        UnknownVoice if the engine does not pronounce it, EngineMissing if a package for it is
        missing.
        """
        ...

    def warnings(self, voices: Sequence[str]) -> Sequence[str]:
        """Warnings to show once per run that uses these voices."""
        ...

    def prefetch(self, requests: Sequence[Request]) -> None:
        """Start work ahead for requests that will be rendered soon. Returns at once."""
        ...

    def fingerprint(self, voice: str) -> str:
        """Everything besides the request that decides the sound: engine, version, weights, voice.

        A voice that speaks several languages has one fingerprint, and only the spoken text selects
        the language: see `planning.request_for`. Raises UnknownVoice.
        """
        ...

    def normalized_text(self, spoken: str) -> str:
        """`spoken` as the engine takes it; it differs where the engine cannot take it as it is.

        The key is made of this text, so a change here renders only texts anew that it changes.
        """
        ...

    def own_phonemes(self, phonemes: str, voice: str) -> str:
        """Phonemes (IPA, or as Kokoro writes them) as the engine takes them from this voice.

        "": it takes none, and says the text. Raises UnknownPhoneme, UnknownVoice.
        """
        ...

    def model_input(self, request: Request) -> str:
        """What the engine's model or library gets for `request`, for people. Raises RenderError."""
        ...

    def known_words(self, words: Sequence[str], voice: str) -> frozenset[str] | None:
        """Those of `words` that the engine's dictionary has; None if it tells of none.

        Raises RenderError.
        """
        ...

    def phonemes(self, texts: Sequence[str], voice: str) -> Sequence[str]:
        """The phonemes that the engine finds for each text; "" if it has none.

        Raises RenderError.
        """
        ...

    def render(self, batch: Batch, waiter: Waiter = UNATTENDED) -> list[Rendered]:
        """One `Rendered` per request, in order. Raises RenderError, and what stops the run.

        The sound of a request must not depend on the other requests. An engine that may take long
        waits with `waiter`.
        """
        ...


@runtime_checkable
class LoadsAhead(Protocol):
    """A renderer whose model takes long to load, which it can do before it has a request."""

    def load_ahead(self) -> None:
        """Start loading in the background. `render` meets the errors."""
        ...


def price_of_units(n_billed: int, price_per_million: float) -> float:
    """The price of so many billed units, in the currency of `price_per_million`."""
    return n_billed * price_per_million / 1_000_000


def total_usage(usages: Iterable[Usage]) -> Usage:
    """The sum of what requests took; no take for none."""
    n_takes, n_characters_billed, n_bytes_billed = 0, 0, 0
    for one in usages:
        n_takes += one.n_takes
        n_characters_billed += one.n_characters_billed
        n_bytes_billed += one.n_bytes_billed
    return Usage(n_takes, n_characters_billed, n_bytes_billed)
