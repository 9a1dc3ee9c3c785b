"""An edition's place in the library: its folder, its lock, the records of its finished files.

library/
  .audiomill/<hash>.lock   held (flock) while a run works on the folder; the kernel releases it
  .audiomill/<hash>.regions/   encoded parts of its files, from an interrupted run to the next
  .audiomill/<hash>.measured   what was measured of its chapters, for the next run
  .audiomill/<hash>.json   whose folder it is, what each file was made from, and its SHA-256
  <folder>/                finished files and report.json
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Generator, Iterable
from contextlib import contextmanager, suppress
from pathlib import Path

from audiomill.flows.console import say
from audiomill.flows.execution.run_context import RunContext
from audiomill.flows.file_lock import FileLock
from audiomill.flows.pipeline.library.entry import LibraryEntry
from audiomill.flows.pipeline.library.measured_chapters import measured_path
from audiomill.flows.pipeline.library.places import PlaceSearch, places, records_folder
from audiomill.flows.pipeline.library.records import Edition, Origin
from audiomill.flows.pipeline.planning.output_specs import OutputSpec
from audiomill.inputs.model.book import Book
from audiomill.outputs.files import sweep, unwritable, unwritable_errors

LOCK_POLL_S = 0.1
KEPT_S = 14 * 24 * 3600.0  # encoded parts of a book whose run was interrupted


@contextmanager
def open_library_entry(
    book: Book,
    source: Path,
    edition: Edition,
    possible: Iterable[OutputSpec],
    library: Path,
    context: RunContext,
) -> Generator[LibraryEntry]:
    """Lock the edition's entry in `library` while the block runs. Waits for another run to end.

    The first edition of a book has the plain name; another one beside it is named by its voice and
    speed. A folder of the same name that holds another book, or files of the user, is left alone;
    the next free name is taken. `possible` tells which edition old records are of.

    Raises OutputUnwritable, Interrupted.
    """
    origin = Origin(str(source.resolve()), book.source_id)
    search = PlaceSearch(origin, edition, frozenset(spec.fingerprint for spec in possible))
    try:
        records_folder(library).mkdir(parents=True, exist_ok=True)
        with _locked_entry(book, search, library, context) as entry:
            yield entry
    except OSError as error:
        path = Path(error.filename) if isinstance(error.filename, str) else library
        raise unwritable(path, error) from error


@contextmanager
def _locked_entry(
    book: Book, search: PlaceSearch, library: Path, context: RunContext
) -> Generator[LibraryEntry]:
    for first, beside in places(book, search.edition, library):
        for place in (first, beside):
            if problem := place.problem():
                say(f"Warning: {problem}")
        # Chosen before locking too, so as not to wait for a run that works on another book.
        while place := search.choose(first, beside):
            with _locked(place.records_path.with_suffix(".lock"), book.title, context):
                if search.choose(first, beside) != place:
                    continue  # another run was faster
                _sweep(place.folder, place.records_path)
                begins = place is beside and place.is_free()
                first_folder = first.folder if begins else None
                entry = LibraryEntry(place, search.origin, search.edition, library, first_folder)
                entry.save()  # from now on the folder belongs to this source
                try:
                    yield entry
                except BaseException:
                    _remove_if_empty(place.folder, library)
                    raise
                entry.save()
                return


def _sweep(folder: Path, records_path: Path) -> None:
    """Remove partial files that killed runs left."""
    for path in (records_path, measured_path(records_path)):
        sweep(path.parent, path.name)
    if folder.is_dir():
        sweep(folder)
    _drop_old_regions(records_path.parent)


def _drop_old_regions(folder: Path) -> None:
    """Remove encoded parts of any book that no run has needed for long."""
    for regions in folder.glob("*.regions"):
        with suppress(OSError):
            if regions.stat().st_mtime < time.time() - KEPT_S:
                shutil.rmtree(regions)


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
        lock = FileLock(path)
    with lock:
        _acquire(lock, title, context)
        yield


def _acquire(lock: FileLock, title: str, context: RunContext) -> None:
    """Wait for the lock. Raises Interrupted."""
    is_announced = False
    while not _is_taken(lock):
        if not is_announced:
            say(f"Another run is working on {title}; waiting for it.")
            is_announced = True
        context.check()
        time.sleep(LOCK_POLL_S)


def _is_taken(lock: FileLock) -> bool:
    """True once the lock is ours, or if this file system has none."""
    try:
        return lock.try_acquire()
    except OSError as error:
        say(f"No locks on this file system ({error.strerror}): run one at a time there.")
        return True
