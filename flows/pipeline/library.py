"""A book's place in the library: its folder, its lock, and what is known of the files in it.

library/
  .audiomill/<hash>.lock   held (flock) while a run works on the book; the kernel lets go of it
  .audiomill/<hash>.json   what each finished file was made from, and its SHA-256
  <folder>/                  finished files and report.json
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import time
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from itertools import count
from pathlib import Path

from audiomill.flows.console import say
from audiomill.flows.pipeline.plan import OutputSpec
from audiomill.flows.pipeline.run_context import RunContext
from audiomill.inputs.book import Book
from audiomill.outputs.files import sweep, unwritable, write_atomically
from audiomill.outputs.text import library_folder
from audiomill.outputs.types import OutputFile

LOOK_AGAIN_S = 0.1


@dataclass(frozen=True, slots=True)
class _Origin:
    """Where a book came from: the source's path, and the SHA-256 of its bytes."""

    path: str
    id: str


@dataclass(frozen=True, slots=True)
class _Record:
    """What is known of a finished file."""

    fingerprint: str
    sha256: str
    format: str
    duration_s: float
    chapters: int


@dataclass(frozen=True, slots=True)
class _Records:
    """All that is known of a folder."""

    origin: _Origin | None
    files: dict[str, _Record]


class LibraryEntry:
    """One book's place, held by this run: nobody else changes its records meanwhile."""

    def __init__(self, folder: Path, records: Path, origin: _Origin) -> None:
        self.folder = folder
        self._path = records
        self._origin = origin
        self._files = _load(records).files

    def open(self) -> None:
        """Make the folder, now that there is something to put into it. Raises OSError."""
        self.folder.mkdir(parents=True, exist_ok=True)

    def find_finished(self, product: OutputSpec) -> OutputFile | None:
        """The finished file, if it is whole and was made from just this. Raises OSError."""
        record = self._files.get(product.name)
        path = self.folder / product.name
        if record is None or record.fingerprint != product.fingerprint or not path.is_file():
            return None
        if _sha256(path) != record.sha256:
            return None
        return OutputFile(path, record.format, record.duration_s, record.chapters, record.sha256)

    def record(self, made: Iterable[tuple[OutputSpec, OutputFile]]) -> None:
        """Remember what the files of a recording were made from. Raises OutputUnwritable."""
        for product, file in made:
            self._files[product.name] = _Record(
                product.fingerprint, file.sha256, file.format, file.duration_s, file.chapters
            )
        _save(self._path, _Records(self._origin, self._files))


@contextmanager
def open_library_entry(
    book: Book, source: Path, library: Path, watch: RunContext
) -> Generator[LibraryEntry]:
    """Hold the book's place in `library` while the block runs, waiting for another run to let go.

    A folder of the same name that holds another book's files, or a person's own, is left alone
    and the next free name is taken. Raises OutputUnwritable, Interrupted.
    """
    try:
        with _held(book, _Origin(str(source.resolve()), book.source_id), library, watch) as shelf:
            yield shelf
    except OSError as error:
        raise unwritable(library, error) from error


@contextmanager
def _held(book: Book, origin: _Origin, library: Path, watch: RunContext) -> Generator[LibraryEntry]:
    hidden = library / ".audiomill"
    hidden.mkdir(parents=True, exist_ok=True)
    for number in count(1):
        place = library_folder(book.title, book.authors)
        place = place if number == 1 else place.with_name(f"{place.name} ({number})")
        folder = library / place
        records = hidden / f"{hashlib.sha256(str(place).encode()).hexdigest()[:24]}.json"
        # Looked at before as well: nobody waits for a run that works on another book.
        if not _is_ours(folder, records, origin):
            continue
        with _locked(records.with_suffix(".lock"), book.title, watch):
            if not _is_ours(folder, records, origin):
                continue
            _sweep(folder, records)
            shelf = LibraryEntry(folder, records, origin)
            shelf.record(())  # whose it is, from now on
            try:
                yield shelf
            except BaseException:
                _leave_nothing(folder, library)
                raise
            return


def _sweep(folder: Path, records: Path) -> None:
    """Remove what killed runs left half-written."""
    sweep(records.parent, records.name)
    if folder.is_dir():
        sweep(folder)


def _leave_nothing(folder: Path, library: Path) -> None:
    """Remove the folder, and its author's, if nothing was put into them."""
    for empty in (folder, *folder.parents):
        if empty == library:
            return
        try:
            empty.rmdir()
        except OSError:
            return  # there is something in it, or it was never made


@contextmanager
def _locked(path: Path, name: str, watch: RunContext) -> Generator[None]:
    """Hold `path`'s kernel lock, which goes with this process however it ends."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
    try:
        _acquire(descriptor, name, watch)
        yield
    finally:
        os.close(descriptor)


def _acquire(descriptor: int, name: str, watch: RunContext) -> None:
    is_told = False
    while True:
        try:
            return fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if not is_told:
                say(f"Another run is working on {name}; waiting for it.")
                is_told = True
        except OSError as error:
            say(f"No locks on this file system ({error.strerror}): run one at a time there.")
            return None
        watch.check()
        time.sleep(LOOK_AGAIN_S)


def _is_ours(folder: Path, records: Path, origin: _Origin) -> bool:
    """Whether `folder` is free, or holds files made from this source before."""
    if not folder.is_dir() or not any(folder.iterdir()):
        return True
    known = _load(records).origin
    return known is not None and (known.path == origin.path or known.id == origin.id)


def _load(records: Path) -> _Records:
    """What is written in `records`; nothing if it is not there, not whole, or not ours."""
    try:
        loaded = json.loads(records.read_bytes())
        files = {name: _Record(**fields) for name, fields in loaded["files"].items()}
        return _Records(_Origin(**loaded["origin"]), files)
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return _Records(None, {})


def _save(records: Path, content: _Records) -> None:
    write_atomically(records, json.dumps(asdict(content), indent=1).encode())


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
