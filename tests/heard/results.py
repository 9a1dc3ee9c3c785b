"""What was heard of one rendering, in figures."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from heard.breaks import HeardBreak
from heard.faults import FAULTS, VoiceFaults
from heard.listening import Difference
from heard.recognition import HEARD_FAULTS, Recognised
from heard.rendering import Rendering
from heard.word_times import TimedWord

TOLERANCE_S = 0.040  # of a pause, from what was asked
LOUD_CUT_DB = -38.0  # a breath between two sentences is as loud as that


@dataclass(frozen=True)
class Result:
    """`upstream` is None where upstream has no such engine."""

    rendering: Rendering
    duration_s: float
    n_words: int
    differences: tuple[Difference, ...]
    words: tuple[TimedWord, ...]  # none where no aligner knows the language
    breaks: tuple[HeardBreak, ...]
    upstream: tuple[Difference, ...] | None = None
    upstream_audio: Path | None = None

    @property
    def ours_alone(self) -> tuple[Difference, ...]:
        """What was not misheard in upstream's rendering of the same words."""
        theirs = {(one.expected, one.around) for one in self.upstream or ()}
        return tuple(one for one in self.differences if (one.expected, one.around) not in theirs)

    @property
    def cuts(self) -> list[HeardBreak]:
        """The breaks that were cut."""
        return [one for one in self.breaks if one.heard_s is not None]

    @property
    def off(self) -> list[HeardBreak]:
        """The breaks whose pause is not heard as long as it was asked for."""
        return [one for one in self.cuts if abs((one.heard_s or 0) - one.asked_s) > TOLERANCE_S]

    @property
    def loud(self) -> list[HeardBreak]:
        """The breaks that were cut in sound."""
        return [one for one in self.cuts if (one.cut_db or 0) > LOUD_CUT_DB]


def error_rate(differences: Sequence[Difference], n_words: int) -> float:
    """The share of words that were heard otherwise."""
    return sum(one.n_words for one in differences) / max(1, n_words)


HEADINGS = (
    *("text", "engine", "voice", "speed", "audio, s", "words", "errors, %", "upstream's, %"),
    *("ours alone", "words timed", "off, ms", "95 % within, ms"),
    *("breaks", "run on", "pause off by 40 ms", "cut in sound"),
)
HEARD_HEADINGS = ("heard by --check-speech", "false alarms", "which", *HEARD_FAULTS)
FAULTS_HEADINGS = ("engine and voice", "false alarms", *FAULTS)


def row(result: Result) -> list[str]:
    """The cells under HEADINGS."""
    case = result.rendering.case
    theirs = "" if result.upstream is None else _percent(result.upstream, result.n_words)
    return [
        *(case.source.stem, case.engine, case.voice, f"{case.speed:g}"),
        *(f"{result.duration_s:.0f}", str(result.n_words)),
        *(_percent(result.differences, result.n_words), theirs),
        str(len(result.ours_alone)) if result.upstream is not None else "",
        *(str(len(result.words)), *_off_ms(result.words)),
        *(str(len(result.breaks)), str(len(result.breaks) - len(result.cuts))),
        *(str(len(result.off)), str(len(result.loud))),
    ]


def faults_row(faults: VoiceFaults) -> list[str]:
    """The cells under FAULTS_HEADINGS."""
    alarms = f"{len(faults.false_alarms)} of {faults.n_segments}"
    found = (f"{one.n_found} of {one.n_planted}" for one in faults.detections)
    return [faults.voice, alarms, *found]


def tables(results: Sequence[Result], faults: Sequence[VoiceFaults]) -> str:
    """All results as two tables of Markdown."""
    of_texts = markdown_table(HEADINGS, map(row, results))
    return f"{of_texts}\n{markdown_table(FAULTS_HEADINGS, map(faults_row, faults))}"


def recognised_table(cases: Sequence[Recognised]) -> str:
    """What recognition tells, as a table of Markdown."""
    return markdown_table(HEARD_HEADINGS, map(_recognised_row, cases))


def _recognised_row(one: Recognised) -> list[str]:
    """The cells under HEARD_HEADINGS."""
    alarms = f"{len(one.false_alarms)} of {one.n_segments}"
    found = (f"{each.n_found} of {each.n_planted}" for each in one.detections)
    return [one.case, alarms, "; ".join(one.false_alarms), *found]


def markdown_table(headings: Sequence[str], cells: Iterable[Sequence[str]]) -> str:
    """A table of Markdown."""
    rows = [headings, ["---"] * len(headings), *cells]
    return "\n".join(f"| {' | '.join(one)} |" for one in rows) + "\n"


def _percent(differences: Sequence[Difference], n_words: int) -> str:
    return f"{100 * error_rate(differences, n_words):.1f}"


def _off_ms(words: Sequence[TimedWord]) -> tuple[str, str]:
    """How far starts are off: the median, and what 95 % do not exceed."""
    if not words:
        return "", ""
    off_ms = [1000 * abs(one.late_s) for one in words]
    return f"{np.median(off_ms):.0f}", f"{np.quantile(off_ms, 0.95):.0f}"
