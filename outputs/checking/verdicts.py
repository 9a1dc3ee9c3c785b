"""Whether files are as a profile asks: what was measured of each requirement, and what it lacks.

Pure. `wording.py` says it in words.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from audiomill.inputs.metadata.images import Picture
from audiomill.outputs.checking.measured_file import MeasuredFile
from audiomill.outputs.checking.requirements import CHAPTERS_FROM_S, Requirement
from audiomill.outputs.checking.signal import LEAST_DB
from audiomill.outputs.checking.values import BOOK_VALUES, FILE_VALUES, BookFiles, Value
from audiomill.outputs.formats.registry import LOSSY_CODECS

DIGITS = 3  # of what is judged; less than any meter is sure of


@dataclass(frozen=True, slots=True)
class Judgement:
    """One requirement, and what was found."""

    requirement: Requirement
    value: Value  # None: it is not there
    least: float | None  # the bounds for this file
    most: float | None
    passed: bool
    off_by: float | None = None  # how far outside: below `least` if negative; None if not a number

    @property
    def is_failure(self) -> bool:
        """Whether a rule is broken, not only advice."""
        return self.requirement.is_rule and not self.passed


def judge(requirement: Requirement, value: Value, *, n_channels: int = 2) -> Judgement:
    """Whether a value is as required."""
    shift = requirement.mono_db if n_channels == 1 else 0.0
    least, most = (
        None if bound is None else bound + shift for bound in (requirement.least, requirement.most)
    )
    if requirement.one_of:
        return Judgement(requirement, value, least, most, value in requirement.one_of)
    if least is None and most is None:
        return Judgement(requirement, value, least, most, passed=bool(value))
    if value is None or isinstance(value, str):
        return Judgement(requirement, value, least, most, passed=False)
    off_by = _off_by(round(value, DIGITS), least, most)
    return Judgement(requirement, value, least, most, off_by == 0, off_by)


def judge_file(
    requirements: Sequence[Requirement], file: MeasuredFile, *, is_whole_book: bool = True
) -> tuple[Judgement, ...]:
    """The verdicts on one file; requirements that mean nothing to it are left out.

    A file that is a part of a book needs no chapters of its own.
    """
    n_channels = file.signal.n_channels
    judged = (
        judge(one, FILE_VALUES[one.measure](file), n_channels=n_channels)
        for one in requirements
        if _concerns(one, file) and (is_whole_book or one.measure != "chapters")
    )
    return tuple(judged)


def judge_book(requirements: Sequence[Requirement], book: BookFiles) -> tuple[Judgement, ...]:
    """The verdicts on all files of a book together."""
    judged = (judge(one, BOOK_VALUES[one.measure](book)) for one in requirements)
    return tuple(one for one in judged if not _is_repeated(one))


def _concerns(requirement: Requirement, file: MeasuredFile) -> bool:
    """False for the size of a missing cover, frames of what is no MP3, and levels of silence."""
    match requirement.measure:
        case "cover_px" | "cover_aspect":
            return isinstance(file.cover, Picture)
        case "channel_mode" | "junk_bytes":
            return file.frames is not None
        case "chapters":
            return file.signal.length_s >= CHAPTERS_FROM_S
        case "chapter_spread_lu":
            return len(file.chapter_lufs) > 1
        case "lufs" | "rms_db":
            return file.signal.lufs > LEAST_DB
        case "mono_loss_s":
            return file.signal.n_channels == 2
        case "silent_channels":
            return file.signal.n_channels > 1
        case "bit_rate_kbps":
            return file.sound.codec in (*LOSSY_CODECS, "vorbis")
        case _:
            return True


def _is_repeated(verdict: Judgement) -> bool:
    """Whether another verdict says already that there is no cover or no sample."""
    return verdict.value is None and (
        verdict.requirement.measure in ("cover_px", "cover_aspect")
        or (verdict.requirement.measure == "retail_sample_s" and not verdict.requirement.is_rule)
    )


def _off_by(value: float, least: float | None, most: float | None) -> float:
    if least is not None and value < least:
        return value - least
    if most is not None and value > most:
        return value - most
    return 0.0
