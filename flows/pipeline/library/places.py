"""Whose folder is whose in the library: the search for an edition's folder.

    <title>/                      the edition that came first
    <title> (en-gb, speed 1.2)/   another one of the same book
    <title> (2)/                  another book of the same name

<title> is "Author/Series/Title". A book that gets another title, author or series has another
folder from then on; its finished files are copied (`reusable.py`), and the run names the old one.

Locks nothing; `opening.py` does.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import count
from pathlib import Path, PurePath

from audiomill.flows.pipeline.library.records import (
    MAX_BYTES,
    Edition,
    Origin,
    Records,
    RecordsInvalid,
    load_records,
)
from audiomill.inputs.model.book import Book
from audiomill.outputs.files import read_file
from audiomill.outputs.text import library_folder


@dataclass(frozen=True, slots=True)
class Place:
    """A folder that an edition may have, and the file of its records."""

    folder: Path
    records_path: Path
    ending: str

    def load(self) -> Records:
        """The records; empty ones if the file is absent or invalid."""
        try:
            return load_records(self.records_path)
        except RecordsInvalid:
            return Records()

    def problem(self) -> str:
        """The problem with the file of the records, for the user; "" if there is none."""
        try:
            load_records(self.records_path)
        except RecordsInvalid as error:
            return (
                f"{self.records_path} is not used ({error})."
                " The files that it lists are made again."
            )
        return ""

    def is_free(self) -> bool:
        """Whether there is nothing of that name, or an empty folder."""
        if self.folder.is_dir():
            return not any(self.folder.iterdir())
        return not os.path.lexists(self.folder)


@dataclass(frozen=True, slots=True)
class PlaceSearch:
    """The edition that a run looks for in the library."""

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
        recorded = {record.fingerprint for record in records.files.values()}
        return bool(
            not _has_files(place, records)
            or recorded & self.fingerprints
            or self._is_in_reports(place.folder)
        )

    def _is_in_reports(self, folder: Path) -> bool:
        """Whether a report in the folder, which has old records, is of a run of this edition."""
        for path in folder.glob("report*.json"):
            try:
                report = json.loads(read_file(path, MAX_BYTES))
                voice = report["voice"] or self.edition.voice
                if Edition(report["engine"], voice, report["speed"]) == self.edition:
                    return True
            except (OSError, ValueError, KeyError, TypeError, RecursionError):
                continue
        return False


def _has_files(place: Place, records: Records) -> bool:
    return any((place.folder / name).is_file() for name in records.files)


def places(book: Book, edition: Edition, library: Path) -> Iterator[tuple[Place, Place]]:
    """The folders that the edition may have: as the book's first one, or beside another one.

    The names have no number at first, then " (2)" and so on.
    """
    folder = partial(library_folder, book.title, book.authors, book.series)
    plain = folder()
    for number in count(1):
        numbered = "" if number == 1 else f" ({number})"
        first = plain.with_name(f"{plain.name}{numbered}")
        beside = folder(ending=f"{numbered}{edition.ending}")
        yield (
            _place(library, first, ""),
            _place(library, beside, edition.ending),
        )


def _place(library: Path, name: PurePath, ending: str) -> Place:
    return Place(library / name, records_path_of(library, name), ending)


def records_path_of(library: Path, name: PurePath) -> Path:
    """The file of the records of the folder `name` in the library."""
    digest = hashlib.sha256(str(name).encode()).hexdigest()
    return records_folder(library) / f"{digest[:24]}.json"


def records_folder(library: Path) -> Path:
    """The folder of the records of all books in the library."""
    return library / ".audiomill"


def has_finished_files(book: Book, library: Path) -> bool:
    """Whether the folder of the book's first edition has files, by its records."""
    folder = library_folder(book.title, book.authors, book.series)
    place = _place(library, folder, "")
    return _has_files(place, place.load())


def has_records_of(source_id: str, library: Path) -> bool:
    """Whether a book in the library was made of a source; no record is parsed for it."""
    for path in records_folder(library).glob("*.json"):
        with suppress(OSError):
            if source_id.encode() in read_file(path, MAX_BYTES):
                return True
    return False
