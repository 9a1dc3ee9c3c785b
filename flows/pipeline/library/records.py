"""The records of a book's finished files: a JSON file, of which nothing is believed unchecked.

A library may be shared, so that others can write to it. What is too large, no regular file, or has
a field of another type or out of range counts as absent. Then files are encoded again.

Records are those of an edition: the same text, read by another voice or at another speed, has a
folder of its own in the library, so none replaces another.
"""

from __future__ import annotations

import hashlib
import json
import math
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, cast

from audiomill.flows.job import Job
from audiomill.flows.pipeline.planning.cuts import KnownCuts
from audiomill.flows.pipeline.planning.voices import book_narrator
from audiomill.inputs.model.book import Book
from audiomill.outputs.files import read_file, write_atomically
from audiomill.outputs.formats.registry import (
    EPISODE_TEXT,
    FORMATS,
    LISTS,
    PLOT,
    READALONGS,
    TRANSCRIPTS,
)
from audiomill.outputs.metadata.sidecars import SidecarRecord
from audiomill.outputs.text import safe_name
from audiomill.renderers.engine.protocol import Renderer

MAX_BYTES = 1 << 24  # of a records file; a finished file takes some 700
MAX_TEXT_CHARS = 1 << 16
MAX_DURATION_S = 1e9
MAX_CHAPTERS = 1 << 31
MAX_SPEED = 1000.0
MAX_SAMPLE_RATE = 1 << 20
MAX_SAMPLES = 1 << 40  # of a chapter
LOWEST_DB, HIGHEST_DB = -1000.0, 1000.0  # of a level
_KEYS = {"audio_fingerprint": "audio"}  # of fields that have another name in the JSON
MAX_VOICE_CHARS = 40  # in the name of a folder; a mix of voices may be longer


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a book came from: the source's path, and the SHA-256 of its bytes."""

    path: str
    id: str


@dataclass(frozen=True, slots=True)
class ChapterLengths:
    """How long the chapters of a recording are, so that they can be marked in it again."""

    sample_rate: int
    n_samples: tuple[int, ...]  # of each chapter, with its music


@dataclass(frozen=True, slots=True)
class RecordedLevels:
    """How loud a file is as it was encoded. A level is None for silence, except for room tone."""

    loudness_lufs: float | None
    rms_db: float | None
    true_peak_dbtp: float | None
    gain_db: float  # that it got
    room_tone_db: float | None  # None: it has none
    chapters_lufs: tuple[float | None, ...]  # of each chapter by itself


@dataclass(frozen=True, slots=True)
class FileRecord:
    """A finished file, and the fingerprints of what it was made from."""

    fingerprint: str
    sha256: str
    format: str
    duration_s: float
    chapters: int
    source_id: str = ""  # of the source as it was read then; "" in old records
    audio_fingerprint: str = ""  # "audio" in the JSON; "" in old records
    lengths: ChapterLengths | None = None  # None for a transcript, and in old records
    is_split: bool = False  # as in OutputSpec; False in old records, too
    is_sample: bool = False  # it is a retail sample
    levels: RecordedLevels | None = None  # None for what is no audio, and in old records


@dataclass(frozen=True, slots=True)
class Records:
    """The records of a folder: the content of its JSON file."""

    origin: Origin | None = None
    files: dict[str, FileRecord] = field(default_factory=dict[str, FileRecord])  # by file name
    # Whole files that are about to appear under their names; whether they have, their content says.
    pending: dict[str, FileRecord] = field(default_factory=dict[str, FileRecord])
    edition: Edition | None = None  # None in old records
    # Files beside the audio, by name; none in old records.
    sidecars: dict[str, SidecarRecord] = field(default_factory=dict[str, SidecarRecord])
    # The SHA-256s of reports, by name: of the one that is there, and of the next one.
    reports: dict[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    folder: str = ""  # of the files, in the library; "" in old records
    # Where chapters are cut that are too long for a file; none in old records.
    cuts: KnownCuts = field(default_factory=dict[str, tuple[int, ...]])


class RecordsInvalid(Exception):
    """The file is no records file."""


def load_records(path: Path) -> Records:
    """The records in `path`; empty ones if there is no such file. Raises RecordsInvalid."""
    try:
        loaded = _object(json.loads(read_file(path, MAX_BYTES)))
        files = _object(loaded["files"])
        return Records(
            _origin(_object(loaded["origin"])),
            {name: _file_record(_object(record)) for name, record in files.items()},
            {
                name: _file_record(_object(record))
                for name, record in _object(loaded.get("pending", {})).items()
            },
            _edition(_object(loaded["edition"])) if loaded.get("edition") else None,
            {
                name: _sidecar_record(_object(record))
                for name, record in _object(loaded.get("sidecars", {})).items()
            },
            {
                name: tuple(map(_text, _list(digests)))
                for name, digests in _object(loaded.get("reports", {})).items()
            },
            _text(loaded.get("folder", "")),
            {key: _numbers(cuts) for key, cuts in _object(loaded.get("cuts", {})).items()},
        )
    except FileNotFoundError:
        return Records()
    except OSError as error:
        raise RecordsInvalid(error.strerror or str(error)) from error
    except (ValueError, KeyError, RecursionError) as error:
        raise RecordsInvalid("it is damaged, or of another program") from error


def save_records(path: Path, records: Records) -> None:
    """Write the records to `path`. Raises OutputUnwritable."""
    # Once for each file of a book. Neither `asdict` nor indented JSON: both take twice as long.
    write_atomically(path, json.dumps(records, default=_as_object).encode())


def _as_object(value: Any) -> dict[str, Any]:
    return {_KEYS.get(one.name, one.name): getattr(value, one.name) for one in fields(value)}


def _origin(fields: dict[str, Any]) -> Origin:
    return Origin(_text(fields["path"]), _text(fields["id"]))


def _file_record(fields: dict[str, Any]) -> FileRecord:
    lengths = _lengths(_object(fields["lengths"])) if fields.get("lengths") else None
    levels = _levels(_object(fields["levels"])) if fields.get("levels") else None
    if levels and (not lengths or len(levels.chapters_lufs) != len(lengths.n_samples)):
        raise ValueError("levels of other chapters")
    return FileRecord(
        fingerprint=_text(fields["fingerprint"]),
        sha256=_text(fields["sha256"]),
        format=_format(fields["format"]),
        duration_s=_number(fields["duration_s"], MAX_DURATION_S),
        chapters=math.floor(_number(fields["chapters"], MAX_CHAPTERS)),
        source_id=_text(fields.get("source_id", "")),
        audio_fingerprint=_text(fields.get("audio", "")),
        lengths=lengths,
        is_split=fields.get("is_split") is True,
        is_sample=fields.get("is_sample") is True,
        levels=levels,
    )


def _numbers(value: object) -> tuple[int, ...]:
    return tuple(math.floor(_number(one, MAX_CHAPTERS)) for one in _list(value))


def _lengths(fields: dict[str, Any]) -> ChapterLengths:
    return ChapterLengths(
        math.floor(_number(fields["sample_rate"], MAX_SAMPLE_RATE)),
        tuple(math.floor(_number(one, MAX_SAMPLES)) for one in _list(fields["n_samples"])),
    )


def _levels(fields: dict[str, Any]) -> RecordedLevels:
    return RecordedLevels(
        loudness_lufs=_level(fields["loudness_lufs"]),
        rms_db=_level(fields["rms_db"]),
        true_peak_dbtp=_level(fields["true_peak_dbtp"]),
        gain_db=_number(fields["gain_db"], HIGHEST_DB, LOWEST_DB),
        room_tone_db=_level(fields["room_tone_db"]),
        chapters_lufs=tuple(map(_level, _list(fields["chapters_lufs"]))),
    )


def _level(value: object) -> float | None:
    return None if value is None else _number(value, HIGHEST_DB, LOWEST_DB)


def _sidecar_record(fields: dict[str, Any]) -> SidecarRecord:
    before = _text(fields.get("before", ""))
    return SidecarRecord(_text(fields["sha256"]), _text(fields["made_from"]), before)


def _edition(fields: dict[str, Any]) -> Edition:
    speed = _number(fields["speed"], MAX_SPEED)
    is_cast = fields.get("is_cast") is True
    return Edition(_text(fields["engine"]), _text(fields["voice"]), speed, is_cast)


def _object(value: object) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ValueError("not an object")  # noqa: TRY004  whatever is wrong is a ValueError
    return cast("dict[str, Any]", value)


def _list(value: object) -> list[Any]:
    if not isinstance(value, list):
        raise ValueError("not a list")  # noqa: TRY004  whatever is wrong is a ValueError
    return cast("list[Any]", value)


def _text(value: object) -> str:
    if not isinstance(value, str) or len(value) > MAX_TEXT_CHARS:
        raise ValueError("not a text")
    return value


def _format(value: object) -> str:
    if _text(value) not in {*FORMATS, *TRANSCRIPTS, *READALONGS, *LISTS, PLOT, EPISODE_TEXT.name}:
        raise ValueError("not a format")
    return _text(value)


def _number(value: object, highest: float, lowest: float = 0.0) -> float:
    # NaN fails this test, too.
    if not isinstance(value, int | float) or not lowest <= value <= highest:
        raise ValueError("not a number, or out of range")
    return value


@dataclass(frozen=True, slots=True)
class Edition:
    """Choices that a listener hears as another reading. Their names are part of the records."""

    engine: str
    voice: str  # that reads the book's own language
    speed: float
    is_cast: bool = False  # other voices read dialogue, headings, …

    @property
    def ending(self) -> str:
        """The end of the folder's name if another edition has the plain name."""
        speed = "" if self.speed == 1 else f", speed {self.speed:g}"
        cast = ", cast" if self.is_cast else ""
        return f" {safe_name(f'({_short(self.voice)}{cast}{speed})')}"


def edition_of(job: Job, book: Book, renderer: Renderer) -> Edition:
    """The edition that `job` asks for. Raises UnknownVoice."""
    narrator = book_narrator(job, book, renderer)
    return Edition(job.engine, narrator, job.speed, job.cast.has_voices)


def _short(voice: str) -> str:
    """The voice's name. A long one is cut, and a hash tells it from others."""
    if len(voice) <= MAX_VOICE_CHARS:
        return voice
    digest = hashlib.sha256(voice.encode()).hexdigest()
    return f"{voice[:MAX_VOICE_CHARS]} {digest[:8]}"
