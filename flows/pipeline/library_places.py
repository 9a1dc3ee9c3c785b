"""Whose folder is whose in the library: its records, and the search for an edition's folder.

    <title>/                      the edition that came first
    <title> (en-gb, speed 1.2)/   another one of the same book
    <title> (2)/                  another book of the same name

Locks nothing; `library.py` does.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from itertools import count
from pathlib import Path, PurePath

from audiomill.flows.pipeline.edition import Edition
from audiomill.inputs.book import Book
from audiomill.outputs.files import write_atomically
from audiomill.outputs.text import library_folder


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a book came from: the source's path, and the SHA-256 of its bytes."""

    path: str
    id: str


@dataclass(frozen=True, slots=True)
class FileRecord:
    """A finished file, and the fingerprint of what it was made from."""

    fingerprint: str
    sha256: str
    format: str
    duration_s: float
    chapters: int
    source_id: str = ""  # of the source as it was read then; "" in old records


@dataclass(frozen=True, slots=True)
class Records:
    """The records of a folder: the content of its JSON file."""

    origin: Origin | None = None
    files: dict[str, FileRecord] = field(default_factory=dict[str, FileRecord])  # by file name
    edition: Edition | None = None  # None in old records


@dataclass(frozen=True, slots=True)
class Place:
    """A folder that an edition may have, and the file of its records."""

    folder: Path
    records_path: Path
    ending: str

    def load(self) -> Records:
        """The records; empty ones if the file is absent, damaged or of another program."""
        try:
            loaded = json.loads(self.records_path.read_bytes())
            files = {name: FileRecord(**fields) for name, fields in loaded["files"].items()}
            edition = Edition(**loaded["edition"]) if loaded.get("edition") else None
            return Records(Origin(**loaded["origin"]), files, edition)
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return Records()

    def save(self, records: Records) -> None:
        """Replace the records. Raises OutputUnwritable."""
        write_atomically(self.records_path, json.dumps(asdict(records), indent=1).encode())

    def is_free(self) -> bool:
        """Whether there is nothing in the folder."""
        return not self.folder.is_dir() or not any(self.folder.iterdir())


@dataclass(frozen=True, slots=True)
class PlaceSearch:
    """What a run looks for in the library."""

    origin: Origin
    edition: Edition
    fingerprints: frozenset[str]

    def choose(self, first: Place, beside: Place) -> Place | None:
        """The folder that has the edition, else the one to begin it in; None if both are taken."""
        for place in (first, beside):
            if not place.is_free() and self._is_mine(place):
                return place
        if first.is_free():
            return first
        return beside if beside.is_free() and self._is_of_book(first.load()) else None

    def _is_of_book(self, records: Records) -> bool:
        known = records.origin
        return known is not None and (known.path == self.origin.path or known.id == self.origin.id)

    def _is_mine(self, place: Place) -> bool:
        records = place.load()
        if not self._is_of_book(records):
            return False
        if records.edition is not None:
            return records.edition == self.edition or not _has_files(place, records)
        made_from = {record.fingerprint for record in records.files.values()}
        return bool(
            not _has_files(place, records)
            or made_from & self.fingerprints
            or self._is_in_reports(place.folder)
        )

    def _is_in_reports(self, folder: Path) -> bool:
        """Whether a report in the folder, which has old records, is of a run of this edition."""
        for path in folder.glob("report*.json"):
            try:
                report = json.loads(path.read_bytes())
                voice = report["voice"] or self.edition.voice
                if Edition(report["engine"], voice, report["speed"]) == self.edition:
                    return True
            except (OSError, ValueError, KeyError, TypeError):
                continue
        return False


def _has_files(place: Place, records: Records) -> bool:
    return any((place.folder / name).is_file() for name in records.files)


def places(book: Book, edition: Edition, library: Path) -> Iterator[tuple[Place, Place]]:
    """The folders that the edition may have: as the book's first one, or beside another one."""
    for number in count(1):
        numbered = "" if number == 1 else f" ({number})"
        plain = library_folder(book.title, book.authors)
        named = library_folder(book.title, book.authors, f"{numbered}{edition.ending}")
        yield (
            _place(library, plain.with_name(f"{plain.name}{numbered}"), ""),
            _place(library, named, edition.ending),
        )


def _place(library: Path, name: PurePath, ending: str) -> Place:
    digest = hashlib.sha256(str(name).encode()).hexdigest()
    return Place(library / name, library / ".audiomill" / f"{digest[:24]}.json", ending)
