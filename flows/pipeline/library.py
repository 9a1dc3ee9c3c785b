"""An edition's place in the library: its folder, its lock, the records of its finished files.

library/
  .audiomill/<hash>.lock   held (flock) while a run works on the folder; the kernel releases it
  .audiomill/<hash>.json   whose folder it is, what each file was made from, and its SHA-256
  <folder>/                finished files and report.json
"""

from __future__ import annotations

import os
import time
from collections.abc import Collection, Generator, Iterable, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from audiomill.flows.console import say
from audiomill.flows.execution.run_context import RunContext
from audiomill.flows.file_lock import FileLock
from audiomill.flows.pipeline.edition import Edition
from audiomill.flows.pipeline.finished.reusable import (
    FinishedFolder,
    Reusable,
    find_reusable,
    other_folders,
)
from audiomill.flows.pipeline.finished.stale import StaleFiles, remove_stale
from audiomill.flows.pipeline.library_places import (
    Place,
    PlaceSearch,
    places,
)
from audiomill.flows.pipeline.library_records import (
    ChapterLengths,
    FileRecord,
    Origin,
    Records,
    save_records,
)
from audiomill.flows.pipeline.plan import OutputSpec
from audiomill.inputs.book import Book
from audiomill.outputs.delivery.profile import Sidecar
from audiomill.outputs.files import file_sha256, sweep, unwritable, unwritable_errors
from audiomill.outputs.sidecars.sidecar_book import SidecarBook
from audiomill.outputs.sidecars.writing import write_sidecars
from audiomill.outputs.types import OutputFile, OutputUnwritable

LOCK_POLL_S = 0.1


@dataclass(frozen=True, slots=True)
class OtherFile:
    """A finished file in the folder that the run was not asked for."""

    path: Path
    format: str
    is_outdated: bool  # made from an earlier text, or with other settings


@dataclass(frozen=True, slots=True)
class LibraryChanges:
    """What a run means for files that earlier runs have finished."""

    folder: Path  # of the run's own files
    first_folder: Path | None  # of another edition, if this run begins one beside it
    outdated: tuple[str, ...]  # replaced: they were made from an earlier text or other settings
    altered: tuple[str, ...]  # replaced: their content was no longer as it had been made
    others: tuple[OtherFile, ...]
    kept_sidecars: tuple[str, ...] = ()  # not written, as somebody else has put them there
    retagged: tuple[str, ...] = ()  # got other metadata; their audio stayed as it was
    reused_from: tuple[Path, ...] = ()  # other folders whose files have the audio of `retagged`
    stale: StaleFiles = field(default_factory=StaleFiles)  # of chapters that are gone

    def with_retagged(self, found: Mapping[OutputSpec, Reusable]) -> LibraryChanges:
        """The changes, now that the files of `found` have got other metadata."""
        names = tuple(spec.name for spec in found)
        folders = dict.fromkeys(one.path.parent for one in found.values())
        return replace(
            self,
            outdated=tuple(name for name in self.outdated if name not in names),
            retagged=names,
            reused_from=tuple(folder for folder in folders if folder != self.folder),
        )

    def with_stale(self, stale: StaleFiles) -> LibraryChanges:
        """The changes, now that the files of chapters that are gone have been removed."""
        told = {*stale.removed, *stale.kept}
        others = tuple(other for other in self.others if other.path.name not in told)
        return replace(self, stale=stale, others=others)


class LibraryEntry:
    """The folder and the records of one edition, locked by this run."""

    def __init__(
        self,
        place: Place,
        origin: Origin,
        edition: Edition,
        library: Path,
        first_folder: Path | None,
    ) -> None:
        self.folder = place.folder
        self._library = library
        self.ending = place.ending
        self._first_folder = first_folder
        self._place = place
        self._origin = origin
        self._edition = edition
        records = place.load()
        self._files, self._sidecars = records.files, records.sidecars

    def create_folder(self) -> None:
        """Create the folder, now that there is a file for it. Raises OSError."""
        self.folder.mkdir(parents=True, exist_ok=True)

    def reserve(self, specs: Iterable[OutputSpec]) -> None:
        """Enter files that are about to be made. One that is there already must be of the records.

        A run that is killed right after it has finished a file leaves it recorded as unfinished.
        Raises OutputUnwritable, which names a file of the user's own.
        """
        for spec in specs:
            if spec.name not in self._files:
                path = self.folder / spec.name
                if os.path.lexists(path):
                    raise OutputUnwritable(
                        f"{path} is not a file that audiomill made, so it stays as it is. Move it"
                        " away, or choose another folder with --out."
                    )
                self._files[spec.name] = FileRecord(
                    spec.fingerprint, "", spec.format, 0.0, 0, self._origin.id
                )
        self.record(())

    def remove_stale(self, made: Iterable[OutputSpec], formats: Collection[str]) -> StaleFiles:
        """Remove files of chapters that are gone: a split run of the whole book has all of `made`.

        Raises OutputUnwritable.
        """
        names = {spec.name for spec in made}
        stale = remove_stale(self.folder, self._files, names, formats)
        if stale.removed:
            for name in stale.removed:
                del self._files[name]
            self.record(())
        return stale

    def lengths_of(self, spec: OutputSpec) -> ChapterLengths | None:
        """The lengths of the chapters in the file of `spec`; None if they are not known."""
        record = self._files.get(spec.name)
        return record.lengths if record else None

    def find_finished(self, specs: Iterable[OutputSpec]) -> dict[OutputSpec, OutputFile]:
        """The files of `specs` that are whole and whose fingerprint matches.

        Raises OSError, OutputUnwritable.
        """
        finished = {spec: file for spec in specs if (file := self._find(spec))}
        self.record(finished.items())
        return finished

    @contextmanager
    def reusable_files(self, specs: Iterable[OutputSpec]) -> Generator[dict[OutputSpec, Reusable]]:
        """Finished files that sound as those of `specs`: here, or in other folders of the book.

        Those stay locked while the block runs. Raises OSError.
        """
        own = FinishedFolder(self.folder, self._files)
        with other_folders(self._library, self._place.records_path, self._origin) as others:
            yield find_reusable(specs, own, others)

    def record(
        self,
        finished: Iterable[tuple[OutputSpec, OutputFile]],
        lengths: ChapterLengths | None = None,
    ) -> None:
        """Add finished files to the records. Raises OutputUnwritable.

        `lengths` are those of their chapters; None: as recorded of the same audio.
        """
        for spec, file in finished:
            known = self._files.get(spec.name)
            is_same = known is not None and known.sha256 == file.sha256
            self._files[spec.name] = FileRecord(
                spec.fingerprint,
                file.sha256,
                file.format,
                file.duration_s,
                file.chapters,
                self._origin.id,
                spec.audio,
                known.lengths if lengths is None and known and is_same else lengths,
                spec.is_split,
            )
        folder = self.folder.relative_to(self._library).as_posix()
        records = Records(self._origin, self._files, self._edition, self._sidecars, folder)
        save_records(self._place.records_path, records)

    def update_sidecars(
        self, names: Iterable[Sidecar], book: SidecarBook, audio_digest: str
    ) -> tuple[str, ...]:
        """Bring the files beside the audio up to date; the names of those that are not ours.

        Raises OutputUnwritable.
        """
        written = write_sidecars(self.folder, names, book, audio_digest, self._sidecars)
        if written.records != self._sidecars:
            self._sidecars = written.records
            self.record(())
        return written.kept

    def changes(
        self,
        specs: Iterable[OutputSpec],
        missing: Iterable[OutputSpec],
        possible: Iterable[OutputSpec],
    ) -> LibraryChanges:
        """What a run that makes the `missing` files of `specs` means for the others.

        `possible` are the files that this text and these settings would make in any format.
        """
        replaced = [spec for spec in missing if (self.folder / spec.name).exists()]
        return LibraryChanges(
            folder=self.folder,
            first_folder=self._first_folder,
            outdated=tuple(spec.name for spec in replaced if not self._is_made_from(spec)),
            altered=tuple(spec.name for spec in replaced if self._is_made_from(spec)),
            others=self._others({spec.name for spec in specs}, possible),
        )

    def _find(self, spec: OutputSpec) -> OutputFile | None:
        """The file of `spec` if it is whole and its fingerprint matches. Raises OSError."""
        record = self._files.get(spec.name)
        path = self.folder / spec.name
        if record is None or not self._is_made_from(spec) or not path.is_file():
            return None
        if file_sha256(path) != record.sha256:
            return None
        return OutputFile(path, record.format, record.duration_s, record.chapters, record.sha256)

    def _is_made_from(self, spec: OutputSpec) -> bool:
        """Whether the recorded file of that name was made from what `spec` is."""
        record = self._files.get(spec.name)
        return record is not None and record.fingerprint == spec.fingerprint

    def _others(
        self, asked: Collection[str], possible: Iterable[OutputSpec]
    ) -> tuple[OtherFile, ...]:
        by_name = {spec.name: spec for spec in possible}
        return tuple(
            OtherFile(path, record.format, self._is_outdated(record, by_name.get(name)))
            for name, record in sorted(self._files.items())
            if name not in asked and (path := self.folder / name).is_file()
        )

    def _is_outdated(self, record: FileRecord, spec: OutputSpec | None) -> bool:
        if spec is not None:
            return record.fingerprint != spec.fingerprint
        return record.source_id not in ("", self._origin.id)


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
        (library / ".audiomill").mkdir(parents=True, exist_ok=True)
        with _locked_entry(book, search, library, context) as entry:
            yield entry
    except OSError as error:
        raise unwritable(library, error) from error


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
                entry.record(())  # from now on the folder belongs to this source
                try:
                    yield entry
                except BaseException:
                    _remove_if_empty(place.folder, library)
                    raise
                return


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
