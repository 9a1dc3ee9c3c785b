"""One job: a source, the files to make of it, and every setting. Plain frozen data."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from audiomill.flows.errors import UsageError
from audiomill.flows.options import PassedOn
from audiomill.inputs.articles.addresses import NetworkPolicy
from audiomill.inputs.casting.cast import Cast
from audiomill.inputs.metadata.corrections import Corrections
from audiomill.inputs.metadata.credits import Credits
from audiomill.inputs.model.book import Limits
from audiomill.inputs.reading.choices import ReadingSettings
from audiomill.inputs.segmentation.pauses import Pauses
from audiomill.outputs.audio.music import Music
from audiomill.outputs.checking.profiles import DEFAULT_PROFILE, PROFILES, Delivery
from audiomill.outputs.targets import Mastering
from audiomill.renderers.engine.options import EngineOptions
from audiomill.renderers.host.waiting import OUTAGE_S

MAX_RANGES_CHARS = 60

# Who reads passages in other languages than the book's: the narrator, with their pronunciation, or
# the voice that the engine has for each language.
Foreign = Literal["narrator", "voice"]


@dataclass(frozen=True, slots=True)
class Job(PassedOn):
    """Everything that decides what a run produces, and where. Can be pickled."""

    source: Path  # of an article on the web: where its page is kept
    out: Path
    store: str
    engine: str
    voice: str | None = None  # None: the engine's default for the book's language
    speed: float = 1.0
    formats: tuple[str, ...] = PROFILES[DEFAULT_PROFILE].formats
    transcripts: tuple[str, ...] = ()  # formats of a transcript beside each recording
    readalongs: tuple[str, ...] = ()  # formats of the book with its sound
    split: bool = False  # a file for each chapter
    window_s: float | None = None  # None: the engine's default
    # Of audio in the first window, where somebody listens meanwhile; 0: one segment. None: nobody.
    first_window_s: float | None = None
    check_speech: str = ""  # the model of Whisper that checks all speech; "": none does
    outage_s: float = OUTAGE_S  # for so long a store or a server that does not answer is waited for
    corrections: Corrections = field(default_factory=Corrections)  # of the source's metadata
    lexicons: tuple[Path, ...] = ()  # besides those of the source; the later ones win
    limits: Limits = field(default_factory=Limits)
    cast: Cast = field(default_factory=Cast)  # the voices of other parts than the narrator's
    foreign: Foreign = "narrator"
    read: str | None = None  # a preset of what is read; None: what `reading` says
    reading: ReadingSettings = field(default_factory=ReadingSettings)
    pauses: Pauses = field(default_factory=Pauses)
    credits: Credits = field(default_factory=Credits)
    mastering: Mastering = field(default_factory=Mastering)
    delivery: Delivery = field(default_factory=Delivery)
    music: Music = field(default_factory=Music)
    options: EngineOptions = field(default_factory=EngineOptions)
    address: str = ""  # of an article on the web; "": the source is a file
    network: NetworkPolicy = field(default_factory=NetworkPolicy)
    warnings: tuple[str, ...] = ()  # from before the run, for its report


def name_of_source(job: Job) -> str:
    """The source as people know it: its address, or its path."""
    return job.address or str(job.source)


def parse_chapters(text: str, n_chapters: int) -> tuple[int, ...]:
    """Chapter indices (from 0, ascending) of a range like "1-3,7" (from 1); all for "".

    Raises UsageError for a malformed range, and for a chapter that does not exist.
    """
    if not text:
        return tuple(range(n_chapters))
    chosen: set[int] = set()
    for part in text.split(","):
        match = re.fullmatch(r"\s*(\d{1,6})\s*(?:-\s*(\d{1,6})\s*)?", part)
        if match is None:
            raise UsageError(f"--chapters {text}: write numbers and ranges, like 1-3,7.")
        first, last = int(match[1]), int(match[2] or match[1])
        if first > last:
            raise UsageError(f"--chapters {text}: write the smaller number first, {last}-{first}.")
        if not 1 <= first <= last <= n_chapters:
            raise UsageError(
                f"--chapters {text}: this book has chapters 1 to {n_chapters}"
                " (audiomill inspect lists them)."
            )
        chosen.update(range(first - 1, last))
    return tuple(sorted(chosen))


def describe_chapters(chosen: Iterable[int]) -> str:
    """Ascending chapter numbers in words: "chapter 7", "chapters 1-3,7".

    File names hold these words. So a long list is counted, and a hash tells it from others:
    "150 chapters of 1-299, 5e0c1a7b".
    """
    numbers = tuple(chosen)
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    ranges = ",".join(f"{run[0]}-{run[-1]}" if run[1:] else str(run[0]) for run in runs)
    if len(ranges) > MAX_RANGES_CHARS:
        digest = hashlib.sha256(ranges.encode()).hexdigest()
        return f"{len(numbers)} chapters of {numbers[0]}-{numbers[-1]}, {digest[:8]}"
    return f"chapter{'' if ranges.isdigit() else 's'} {ranges}"
