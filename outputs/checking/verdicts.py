"""Whether files are as a profile asks: the value of each requirement, and the verdict on it. Pure.

`wording.py` says it in words.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from audiomill.inputs.metadata.images import Picture
from audiomill.outputs.checking.measured_file import MeasuredFile
from audiomill.outputs.checking.requirements import CHAPTERS_FROM_S, Measure, Requirement
from audiomill.outputs.checking.signal import LEAST_DB
from audiomill.outputs.checking.streams import n_misplaced
from audiomill.outputs.formats.registry import LOSSY_CODECS

Value: TypeAlias = float | int | str | None  # None: it is not there


@dataclass(frozen=True, slots=True)
class BookFiles:
    """The files of one book, and what is beside them."""

    files: tuple[MeasuredFile, ...]
    cover: Picture | str | None  # beside them, or embedded in the first
    opening_titles: frozenset[str]  # what names a file of credits, in lower case
    closing_titles: frozenset[str]


def _bit_rate(file: MeasuredFile) -> Value:
    return file.frames.average_kbps if file.frames else file.sound.kbps


def _bit_rate_mode(file: MeasuredFile) -> Value:
    if file.frames is None:
        return None
    return "constant" if file.frames.is_constant else "variable"


def _channel_mode(file: MeasuredFile) -> Value:
    return " and ".join(sorted(file.frames.modes)) if file.frames else None


def _cover_kind(cover: Picture | str | None) -> Value:
    return cover.kind if isinstance(cover, Picture) else cover


def _cover_px(cover: Picture | str | None) -> Value:
    return min(cover.size) if isinstance(cover, Picture) else None


def _cover_aspect(cover: Picture | str | None) -> Value:
    return cover.size[0] / cover.size[1] if isinstance(cover, Picture) else None


def _chapter_spread_lu(file: MeasuredFile) -> Value:
    """The largest difference of loudness between chapters of one file; a silent one has none."""
    levels = [one for one in file.chapter_lufs if math.isfinite(one)]
    return max(levels) - min(levels) if levels else 0.0


def _silent_chapters(file: MeasuredFile) -> Value:
    """The chapters that are long enough and have no sound; a file without any is one."""
    n_silent = sum(not math.isfinite(one) for one in file.chapter_lufs)
    return n_silent or int(file.signal.lufs <= LEAST_DB)


def _tag(*names: str) -> Callable[[MeasuredFile], Value]:
    return lambda file: next(
        (file.streams.tags[one] for one in names if one in file.streams.tags), None
    )


FILE_VALUES: Mapping[Measure, Callable[[MeasuredFile], Value]] = {
    "container": lambda file: file.streams.container,
    "codec": lambda file: file.sound.codec,
    "sample_rate": lambda file: file.sound.sample_rate,
    "channels": lambda file: file.signal.n_channels,
    "bit_rate_kbps": _bit_rate,
    "bit_rate_mode": _bit_rate_mode,
    "channel_mode": _channel_mode,
    "missing_s": lambda file: file.missing_s,
    "damages": lambda file: len(file.damages),
    "junk_bytes": lambda file: file.frames.junk_bytes if file.frames else None,
    "length_s": lambda file: file.signal.length_s,
    "size_mb": lambda file: file.n_bytes / 1e6,
    "lufs": lambda file: file.signal.lufs,
    "rms_db": lambda file: file.signal.rms_db,
    "peak_db": lambda file: file.signal.peak_db,
    "true_peak_dbtp": lambda file: file.signal.true_peak_dbtp,
    "noise_floor_db": lambda file: file.signal.noise_floor_db,
    "silence_s": lambda file: file.signal.silence_s,
    "pause_s": lambda file: file.signal.pause_s,
    "head_s": lambda file: file.signal.head_s,
    "tail_s": lambda file: file.signal.tail_s,
    "clipped": lambda file: file.signal.clipped,
    "flat_tops": lambda file: file.signal.flat_tops,
    "dropouts": lambda file: file.signal.dropouts,
    "silent_channels": lambda file: file.signal.silent_channels,
    "mono_loss_s": lambda file: file.signal.mono_loss_s,
    "dc_offset": lambda file: file.signal.dc_offset,
    "chapters": lambda file: len(file.streams.chapters),
    "misplaced_chapters": lambda file: n_misplaced(file.streams.chapters, file.signal.length_s),
    "silent_chapters": _silent_chapters,
    "chapter_spread_lu": _chapter_spread_lu,
    "title": _tag("title"),
    "artist": _tag("artist", "album_artist"),
    "album": _tag("album"),
    "cover_kind": lambda file: _cover_kind(file.cover),
    "cover_px": lambda file: _cover_px(file.cover),
    "cover_aspect": lambda file: _cover_aspect(file.cover),
}


def _n_different(values: Iterable[int]) -> int:
    return len({*values})


def _spread_db(book: BookFiles) -> Value:
    """The largest difference of loudness between chapters.

    Credits are left out: they are short, so their room tone counts for much, and they may have
    music. So are the sample, which is a part of a chapter, and a file without sound.
    """
    titles = book.opening_titles | book.closing_titles
    levels = [
        one.signal.lufs
        for one in book.files
        if not (one.is_sample or _is_named(one, titles)) and one.signal.lufs > LEAST_DB
    ]
    return max(levels) - min(levels) if levels else 0.0


def _is_named(file: MeasuredFile, titles: frozenset[str]) -> bool:
    return not titles.isdisjoint(_titles(file))


def _named(book: BookFiles, titles: frozenset[str]) -> Value:
    """The file whose title or name is one of credits; None without one."""
    return next((one.path.name for one in book.files if _is_named(one, titles)), None)


def _titles(file: MeasuredFile) -> tuple[str, str]:
    """The titles of a file in its tag and in its name, without a number before it."""
    stem = file.path.stem.lstrip("0123456789-_. ")
    return file.streams.tags.get("title", "").strip().lower(), stem.replace("_", " ").lower()


def _sample_s(book: BookFiles) -> Value:
    return next((one.signal.length_s for one in book.files if one.is_sample), None)


BOOK_VALUES: Mapping[Measure, Callable[[BookFiles], Value]] = {
    "sample_rates": lambda book: _n_different(one.sound.sample_rate for one in book.files),
    "channel_counts": lambda book: _n_different(one.signal.n_channels for one in book.files),
    "loudness_spread_db": _spread_db,
    "opening_credits": lambda book: _named(book, book.opening_titles),
    "closing_credits": lambda book: _named(book, book.closing_titles),
    "retail_sample_s": _sample_s,
    "cover_kind": lambda book: _cover_kind(book.cover),
    "cover_px": lambda book: _cover_px(book.cover),
    "cover_aspect": lambda book: _cover_aspect(book.cover),
}


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
