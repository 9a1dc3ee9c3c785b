"""A book's place in the library: its folder, its lock, and the records of its finished files.

library/
  .audiomill/<hash>.lock   held (flock) while a run works on the book; the kernel releases it
  .audiomill/<hash>.json   what each finished file was made from, and its SHA-256
  <folder>/                finished files and report.json
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import time
from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager
from dataclasses import replace
from itertools import count
from pathlib import Path

from audiomill.flows.console import say
from audiomill.flows.pipeline.library_records import (
    FileRecord,
    Origin,
    Records,
    RecordsInvalid,
    load_records,
    save_records,
)
from audiomill.flows.pipeline.plan import OutputSpec
from audiomill.flows.pipeline.run_context import RunContext
from audiomill.inputs.book import Book
from audiomill.outputs.files import sweep, unwritable, unwritable_errors
from audiomill.outputs.text import library_folder
from audiomill.outputs.types import OutputFile

LOCK_POLL_S = 0.1


class LibraryEntry:
    """One book's folder and records, locked by this run."""

    def __init__(self, folder: Path, records_path: Path, records: Records) -> None:
        self.folder = folder
        self._records_path = records_path
        self._records = records

    def create_folder(self) -> None:
        """Create the folder, now that there is a file for it. Raises OSError."""
        self.folder.mkdir(parents=True, exist_ok=True)

    def find_finished(self, spec: OutputSpec) -> OutputFile | None:
        """The file of `spec` if it is whole and its fingerprint matches. Raises OSError."""
        record = self._records.files.get(spec.name)
        path = self.folder / spec.name
        if record is None or record.fingerprint != spec.fingerprint or not path.is_file():
            return None
        if _sha256(path) != record.sha256:
            return None
        return OutputFile(path, record.format, record.duration_s, record.chapters, record.sha256)

    def record(self, finished: Iterable[tuple[OutputSpec, OutputFile]]) -> None:
        """Add finished files to the records. Raises OutputUnwritable."""
        for spec, file in finished:
            self._records.files[spec.name] = FileRecord(
                spec.fingerprint, file.sha256, file.format, file.duration_s, file.chapters
            )
        save_records(self._records_path, self._records)


@contextmanager
def open_library_entry(
    book: Book, source: Path, library: Path, context: RunContext
) -> Generator[LibraryEntry]:
    """Lock the book's entry in `library` while the block runs. Waits for another run to end.

    A folder of the same name that holds another book, or files of the user, is left alone; the next
    free name is taken. Raises OutputUnwritable, Interrupted.
    """
    origin = Origin(str(source.resolve()), book.source_id)
    try:
        with _locked_entry(book, origin, library, context) as entry:
            yield entry
    except OSError as error:
        raise unwritable(library, error) from error


@contextmanager
def _locked_entry(
    book: Book, origin: Origin, library: Path, context: RunContext
) -> Generator[LibraryEntry]:
    hidden = library / ".audiomill"
    hidden.mkdir(parents=True, exist_ok=True)
    for number in count(1):
        name = library_folder(book.title, book.authors)
        name = name if number == 1 else name.with_name(f"{name.name} ({number})")
        folder = library / name
        records_path = hidden / f"{hashlib.sha256(str(name).encode()).hexdigest()[:24]}.json"
        # Checked before locking too, so as not to wait for a run that works on another book.
        if not _is_usable(folder, _known_records(records_path, tell=say), origin):
            continue
        with _locked(records_path.with_suffix(".lock"), book.title, context):
            records = _known_records(records_path)
            if not _is_usable(folder, records, origin):
                continue
            _sweep(folder, records_path)
            entry = LibraryEntry(folder, records_path, replace(records, origin=origin))
            entry.record(())  # from now on the folder belongs to this source
            try:
                yield entry
            except BaseException:
                _remove_if_empty(folder, library)
                raise
            return


def _known_records(path: Path, tell: Callable[[str], None] | None = None) -> Records:
    """The records in `path`; empty ones, and a warning to the user, if they are not valid."""
    try:
        return load_records(path)
    except RecordsInvalid as error:
        if tell:
            tell(f"Warning: {path} is not used ({error}). The files that it lists are made again.")
        return Records()


def _is_usable(folder: Path, records: Records, origin: Origin) -> bool:
    """True if `folder` is free, or holds files that were made from this source."""
    if not folder.is_dir() or not any(folder.iterdir()):
        return True
    known = records.origin
    return known is not None and (known.path == origin.path or known.id == origin.id)


def _sweep(folder: Path, records_path: Path) -> None:
    """Remove partial files that killed runs left."""
    sweep(records_path.parent, records_path.name)
    if folder.is_dir():
        sweep(folder)


def _remove_if_empty(folder: Path, library: Path) -> None:
    """Remove the folder, and its parents below `library`, as far as they are empty."""
    for candidate in (folder, *folder.parents):
        if candidate == library:
            return
        try:
            candidate.rmdir()
        except OSError:
            return  # it is not empty, or was never created


@contextmanager
def _locked(path: Path, title: str, context: RunContext) -> Generator[None]:
    """Hold the kernel's lock on `path`, which ends with this process however it ends."""
    with unwritable_errors(path):
        # A link is not followed: in a shared library, a stranger could have any file created.
        flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
        descriptor = os.open(path, flags, 0o666)
    try:
        _acquire(descriptor, title, context)
        yield
    finally:
        os.close(descriptor)


def _acquire(descriptor: int, title: str, context: RunContext) -> None:
    """Wait for the lock. Raises Interrupted."""
    is_announced = False
    while True:
        try:
            return fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if not is_announced:
                say(f"Another run is working on {title}; waiting for it.")
                is_announced = True
        except OSError as error:
            say(f"No locks on this file system ({error.strerror}): run one at a time there.")
            return None
        context.check()
        time.sleep(LOCK_POLL_S)


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
