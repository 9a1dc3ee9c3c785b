"""The content of the page of a run: a typed view of the report file, `report.json`.

The keys of that file are read here and nowhere else. What an older report lacks, or what a run did
not measure, is empty or None.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

from audiomill.outputs.formats.registry import name_in_folder

Json = Mapping[str, Any]
Fact = tuple[str, str]  # a name and a value


@dataclass(frozen=True, slots=True)
class FileEntry:
    """A finished file. Levels are None where they were not measured."""

    name: str
    format: str
    n_bytes: int | None
    duration_s: float
    n_chapters: int
    loudness_lufs: float | None
    rms_db: float | None
    true_peak_dbtp: float | None
    is_changed: bool  # by somebody, since it was made

    @property
    def levels(self) -> tuple[float | None, float | None, float | None]:
        """LUFS, RMS in dB, dBTP."""
        return self.loudness_lufs, self.rms_db, self.true_peak_dbtp

    @property
    def recording(self) -> str:
        """The name without suffix, which all files of a recording share."""
        return PurePath(self.name).stem


@dataclass(frozen=True, slots=True)
class ChapterEntry:
    """A chapter, and where it begins in the file of its recording."""

    title: str
    level: int
    is_credits: bool
    words: int | None
    recording: str
    at_s: float
    start_s: float  # in the whole run
    duration_s: float
    loudness_lufs: float | None


@dataclass(frozen=True, slots=True)
class PlaceEntry:
    """A place to listen to: what is the matter there, and the text that is spoken."""

    recording: str
    at_s: float | None
    chapter: str
    what: str
    text: str


@dataclass(frozen=True, slots=True)
class SkippedEntry:
    """Text that is not spoken, and its place in the source."""

    where: str
    text: str


@dataclass(frozen=True, slots=True)
class VoiceEntry:
    """How much a voice reads."""

    name: str
    parts: tuple[str, ...]
    segments: int
    words: int
    spoken_s: float | None


@dataclass(frozen=True, slots=True)
class ReportContent:
    """All that the page shows but pictures."""

    title: str
    authors: tuple[str, ...]
    language: str
    source: str
    audio_s: float
    wall_s: float
    realtime_factor: float | None  # None where segments came from the store: it is no speed then
    work: tuple[Fact, ...]  # how many segments were rendered, and the like
    files: tuple[FileEntry, ...]
    other_files: tuple[tuple[str, bool], ...]  # names, and whether they are out of date
    chapters: tuple[ChapterEntry, ...]
    credits: tuple[Fact, ...]  # titles and what is said
    suspects: tuple[PlaceEntry, ...]
    remarks: tuple[PlaceEntry, ...]
    skipped: Mapping[str, tuple[SkippedEntry, ...]]  # by reason, the most frequent first
    warnings: tuple[str, ...]
    notes: tuple[str, ...]
    voices: tuple[VoiceEntry, ...]
    stages: tuple[tuple[str, float], ...]  # what was done, and the seconds that it took
    levels: tuple[Fact, ...]
    settings: tuple[Fact, ...]


_STAGES = {
    "reading_s": "reading the book",
    "synthesis_s": "speaking",
    "waiting_s": "waiting for the store or for text",
    "measuring_s": "joining and measuring",
    "encoding_s": "encoding",
}
_WORK = {
    "segments": "segments",
    "rendered": "rendered",
    "cached": "from the store",
    "repeated": "repeated",
    "extra_takes": "extra takes",
    "characters_billed": "characters billed",
    "bytes_billed": "bytes billed",
}
_LEVELS = {
    "loudness_before_lufs": ("loudness before mastering", "LUFS"),
    "gain_db": ("gain", "dB"),
    "loudness_lufs": ("loudness", "LUFS"),
    "true_peak_dbtp": ("true peak", "dBTP"),
}
_SETTINGS = {
    "profile": "made for",
    "formats": "formats",
    "transcripts": "transcripts",
    "split": "one file per chapter",
    "chapters": "chapters",
    "read": "read",
    "check_speech": "speech checked by Whisper",
    "target_lufs": "loudness aimed at (LUFS)",
    "target_rms_db": "RMS aimed at (dB)",
    "ceiling_dbtp": "ceiling of peaks (dBTP)",
}


def read_content(report: Json) -> ReportContent:
    """The content of a report file. Raises KeyError, TypeError, ValueError if it is none."""
    work: Json = report.get("work", {})
    return ReportContent(
        title=report["title"],
        authors=tuple(report.get("authors", ())),
        language=report.get("language", ""),
        source=report["source"],
        audio_s=report["audio_s"],
        wall_s=report["wall_s"],
        realtime_factor=None if report.get("cached") else report["realtime_factor"],
        work=tuple(_counts(report)),
        files=tuple(map(_file, (*report["files"], *report.get("samples", ())))),
        other_files=tuple(
            (name_in_folder(PurePath(one["path"]), one["format"]), one["outdated"])
            for one in report["other_files"]
        ),
        chapters=tuple(map(_chapter, work.get("chapters", ()))),
        credits=tuple((one["title"], one["text"]) for one in report["credits"]),
        suspects=tuple(map(_suspect, report.get("suspects", ()))),
        remarks=tuple(map(_remark, report["remarks"])),
        skipped=_skipped(report),
        warnings=tuple(report["warnings"]),
        notes=tuple(report["notes"]),
        voices=tuple(map(_voice, report["voices"])),
        stages=tuple(
            (words, work["spent"][name])
            for name, words in _STAGES.items()
            if name in work.get("spent", {})
        ),
        levels=tuple(_levels(work)),
        settings=tuple(_settings(report)),
    )


def _counts(report: Json) -> Iterable[Fact]:
    for name, words in _WORK.items():
        if (count := report.get(name)) is not None and (count or name == "segments"):
            yield words, f"{count:,}"


def _file(file: Json) -> FileEntry:
    return FileEntry(
        name_in_folder(PurePath(file["path"]), file["format"]),
        file["format"],
        file.get("bytes"),
        file["duration_s"],
        file["chapters"],
        file.get("loudness_lufs"),
        file.get("rms_db"),
        file.get("true_peak_dbtp"),
        file.get("changed", False),
    )


def _chapter(chapter: Json) -> ChapterEntry:
    return ChapterEntry(
        chapter["title"],
        chapter["level"],
        chapter["is_credits"],
        chapter.get("words"),
        chapter.get("recording", ""),
        chapter.get("at_s", chapter["start_s"]),
        chapter["start_s"],
        chapter["duration_s"],
        chapter.get("loudness_lufs"),
    )


def _suspect(one: Json) -> PlaceEntry:
    what = f"{one['fault']}: {one['words']}"
    return PlaceEntry(one.get("recording", ""), one["at_s"], one["chapter"], what, one["text"])


def _remark(one: Json) -> PlaceEntry:
    place = one.get("recording", ""), one.get("at_s")
    return PlaceEntry(*place, one["where"], one["done"], one["text"])


def _skipped(report: Json) -> dict[str, tuple[SkippedEntry, ...]]:
    by_reason: dict[str, list[SkippedEntry]] = {}
    for one in report["skipped_text"]:
        by_reason.setdefault(one["reason"], []).append(SkippedEntry(one["where"], one["text"]))
    most_first = sorted(by_reason.items(), key=lambda item: -len(item[1]))
    return {reason: tuple(entries) for reason, entries in most_first}


def _voice(one: Json) -> VoiceEntry:
    parts = tuple(one["parts"])
    return VoiceEntry(one["voice"], parts, one["segments"], one["words"], one["spoken_s"])


def _levels(work: Json) -> Iterable[Fact]:
    for name, (words, unit) in _LEVELS.items():
        if (level := work.get(name)) is not None:
            yield words, f"{level:.1f} {unit}".replace("-", "−")
    for voice, gain_db in work.get("voice_gains_db", {}).items():
        yield f"gain of {voice}", f"{gain_db:+.1f} dB".replace("-", "−")


def _settings(report: Json) -> Iterable[Fact]:
    yield "source", report["source"]
    yield "engine", report["engine"]
    for name in ("voice", "speed", "cast"):
        if report.get(name) is not None:
            yield name, _shown(report[name])
    chosen: Json = report.get("settings", {})
    for name, words in _SETTINGS.items():
        value = chosen.get(name)
        if value not in (None, "", [], False):
            yield words, _shown(value)


def _shown(value: object) -> str:
    match value:
        case bool():
            return "yes" if value else "no"
        case float():
            return f"{value:g}".replace("-", "−")
        case list():
            return ", ".join(map(str, value))
        case _:
            return str(value)
