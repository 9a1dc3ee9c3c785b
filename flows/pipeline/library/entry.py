"""The folder and the records of one edition in the library.

    a whole file ─▶ announced in the records ─▶ appears under its name ─▶ finished

A run that is killed leaves files announced. Whether they have appeared, their content says. So a
file is known as ours at any moment, and what somebody has put there or changed is never taken for
it.
"""

from __future__ import annotations

import shutil
from collections.abc import Collection, Generator, Iterable
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Lock

from audiomill.flows.pipeline.library.changes import (
    LibraryChanges,
    StaleFiles,
    other_files,
    remove_stale,
)
from audiomill.flows.pipeline.library.measured_chapters import MeasuredChapters, measured_path
from audiomill.flows.pipeline.library.ownership import OwnReports, recover_pending, require_own
from audiomill.flows.pipeline.library.places import Place
from audiomill.flows.pipeline.library.records import (
    ChapterLengths,
    Edition,
    FileRecord,
    Origin,
    RecordedLevels,
    Records,
    save_records,
)
from audiomill.flows.pipeline.library.reusable import (
    FinishedFolder,
    Reusable,
    find_reusable,
    folders_of_edition,
    other_folders,
)
from audiomill.flows.pipeline.planning.cuts import CutKeys, KnownCuts, cuts_elsewhere, with_found
from audiomill.flows.pipeline.planning.output_specs import OutputSpec
from audiomill.inputs.files import file_sha256
from audiomill.outputs.files import Announce
from audiomill.outputs.formats.region_tasks import RegionCache
from audiomill.outputs.metadata.sidecars import SidecarBook, SidecarRecord, write_sidecars
from audiomill.outputs.targets import Sidecar
from audiomill.outputs.types import OutputFile


@dataclass(frozen=True, slots=True)
class MadeFile:
    """A whole file, and what is known of its sound; None: of no recording, or not known."""

    spec: OutputSpec
    file: OutputFile
    lengths: ChapterLengths | None = None
    levels: RecordedLevels | None = None


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
        self._files = records.files | recover_pending(self.folder, records.pending)
        self._pending = dict[str, FileRecord]()
        self._sidecars = records.sidecars
        self._reports = OwnReports(self.folder, records.reports)
        self._cuts = records.cuts
        # What was measured of the chapters of this edition.
        self.measured_chapters = MeasuredChapters(measured_path(place.records_path))
        self._changed = dict[str, str]()  # SHA-256s of files that somebody has changed, by name
        self._lock = Lock()  # files are announced in any thread

    @property
    def region_cache(self) -> RegionCache:
        """Encoded parts of files that are not finished."""
        return RegionCache(self._place.records_path.with_suffix(".regions"))

    def drop_regions(self) -> None:
        """Remove the encoded parts, as the files that they are for are finished."""
        shutil.rmtree(self.region_cache.folder, ignore_errors=True)

    def create_folder(self) -> None:
        """Create the folder, now that there is a file for it. Raises OSError."""
        self.folder.mkdir(parents=True, exist_ok=True)

    def save(self) -> None:
        """Write the records. Raises OutputUnwritable."""
        with self._lock:
            self._save()

    def require_own(self, specs: Iterable[OutputSpec]) -> None:
        """Make sure that the files of `specs`, where there are any, may be replaced.

        Raises OSError; OutputUnwritable, which names files of the user's own, or changed ones.
        """
        require_own(self.folder, [spec.name for spec in specs], self._files)

    def remove_stale(
        self, made: Iterable[OutputSpec], formats: Collection[str], *, is_split: bool
    ) -> StaleFiles:
        """Remove files of chapters that are gone: a run of the whole book has all of `made`.

        Raises OutputUnwritable.
        """
        names = {spec.name for spec in made}
        stale = remove_stale(self.folder, self._files, names, formats, is_split=is_split)
        for name in stale.removed:
            del self._files[name]
        return stale

    def known_cuts(self, keys: CutKeys) -> KnownCuts:
        """Where chapters are cut, by the records, or by those of other folders of the book.

        Raises OSError.
        """
        if not keys.are_known(self._cuts):
            with other_folders(self._library, self._place.records_path, self._origin) as others:
                self._cuts = with_found(
                    self._cuts, cuts_elsewhere(keys, (one.cuts for one in others))
                )
        return self._cuts

    def remember_cuts(self, found: KnownCuts) -> None:
        """Note where chapters are cut, so that a later run knows it before it measures them."""
        self._cuts = with_found(self._cuts, found)

    def lengths_of(self, spec: OutputSpec) -> ChapterLengths | None:
        """The lengths of the chapters in the file of `spec`; None if they are not known."""
        record = self._files.get(spec.name)
        return record.lengths if record else None

    def levels_of(self, spec: OutputSpec) -> RecordedLevels | None:
        """How loud the file of `spec` is; None if it is not known."""
        record = self._files.get(spec.name)
        return record.levels if record and spec.name not in self._changed else None

    def find_finished(self, specs: Iterable[OutputSpec]) -> dict[OutputSpec, OutputFile]:
        """The files of `specs` whose fingerprint matches. What somebody has changed stays theirs.

        Raises OSError.
        """
        finished = {spec: file for spec in specs if (file := self._find(spec))}
        for spec in finished:
            self._files[spec.name] = replace(
                self._files[spec.name],
                source_id=self._origin.id,
                audio_fingerprint=spec.audio_fingerprint,
                is_split=spec.is_split,
                is_sample=spec.recording.is_sample,
            )
        return finished

    @contextmanager
    def reusable_files(self, specs: Iterable[OutputSpec]) -> Generator[dict[OutputSpec, Reusable]]:
        """Finished files that sound as those of `specs`: here, or in other folders of the book.

        Those stay locked while the block runs. Raises OSError.
        """
        own = FinishedFolder(self.folder, self._files, self._cuts)
        with other_folders(self._library, self._place.records_path, self._origin) as others:
            yield find_reusable(specs, own, others)

    def announce(self, made: Iterable[MadeFile]) -> dict[Path, Collection[str]]:
        """Record whole files that are about to appear, in any thread.

        Returns, by path, the SHA-256s of files of ours that they may replace. Raises
        OutputUnwritable.
        """
        with self._lock:
            pending = {one.spec.name: self._record_of(one) for one in made}
            self._pending |= pending
            self._save()
            return {self.folder / name: self._own_digests(name) for name in pending}

    def announcer(
        self,
        spec: OutputSpec,
        lengths: ChapterLengths | None = None,
        levels: RecordedLevels | None = None,
    ) -> Announce:
        """A function that announces the file of `spec`."""
        path = self.folder / spec.name
        return lambda file: self.announce([MadeFile(spec, file, lengths, levels)])[path]

    def record_finished(self, specs: Iterable[OutputSpec]) -> None:
        """Note that the files of `specs`, which were announced, have appeared."""
        with self._lock:
            for spec in specs:
                self._files[spec.name] = self._pending.pop(spec.name)

    def update_sidecars(
        self, names: Iterable[Sidecar], book: SidecarBook, audio_digest: str
    ) -> tuple[str, ...]:
        """Bring the files beside the audio up to date; the names of those that are not ours.

        Raises OutputUnwritable.
        """
        known, announce = self._sidecars, self._record_sidecars
        written = write_sidecars(self.folder, names, book, audio_digest, known, announce)
        if written.records != self._sidecars:
            self._record_sidecars(written.records)
        return written.kept

    def foreign_reports(self, names: Iterable[str]) -> tuple[str, ...]:
        """Those of the names under which somebody has put or changed something."""
        return self._reports.foreign(names)

    def write_report(self, name: str, content: bytes) -> None:
        """Write a report, unless a foreign one is there. Raises OutputUnwritable."""
        self._reports.write(name, content, self.save)

    def changes(
        self,
        specs: Iterable[OutputSpec],
        missing: Iterable[OutputSpec],
        possible: Iterable[OutputSpec],
    ) -> LibraryChanges:
        """Effects of a run that makes the `missing` files of `specs` on the others.

        `possible` are the files that this text and these settings would make in any format.
        """
        names = {spec.name for spec in specs}
        return LibraryChanges(
            folder=self.folder,
            first_folder=self._first_folder,
            outdated=tuple(
                spec.name
                for spec in missing
                if (self.folder / spec.name).exists() and not self._is_made_from(spec)
            ),
            changed=tuple(name for name in self._changed if name in names),
            others=other_files(self.folder, self._files, names, possible, self._origin.id),
            renamed_from=self._renamed_from(),
        )

    def _save(self) -> None:
        folder = self.folder.relative_to(self._library).as_posix()
        records = Records(
            origin=self._origin,
            files=self._files,
            pending=self._pending,
            edition=self._edition,
            sidecars=self._sidecars,
            reports=self._reports.digests,
            folder=folder,
            cuts=self._cuts,
        )
        save_records(self._place.records_path, records)

    def _own_digests(self, name: str) -> tuple[str, ...]:
        """The SHA-256s of the files of this name that runs have made, and that may be there."""
        known = (self._files.get(name), self._pending.get(name))
        return tuple(record.sha256 for record in known if record)

    def _record_sidecars(self, records: dict[str, SidecarRecord]) -> None:
        self._sidecars = records
        self.save()

    def _record_of(self, made: MadeFile) -> FileRecord:
        spec, file = made.spec, made.file
        return FileRecord(
            fingerprint=spec.fingerprint,
            sha256=file.sha256,
            format=file.format,
            duration_s=file.duration_s,
            chapters=file.chapters,
            source_id=self._origin.id,
            audio_fingerprint=spec.audio_fingerprint,
            lengths=made.lengths,
            is_split=spec.is_split,
            is_sample=spec.recording.is_sample,
            levels=made.levels,
        )

    def _renamed_from(self) -> tuple[Path, ...]:
        """Folders of the book under other names, if no run has come to its end in this one."""
        if self._reports.digests:
            return ()
        records_path = self._place.records_path
        return tuple(folders_of_edition(self._library, records_path, self._origin, self._edition))

    def _find(self, spec: OutputSpec) -> OutputFile | None:
        """The file of `spec` if its fingerprint matches. Raises OSError."""
        record, path = self._files.get(spec.name), self.folder / spec.name
        if record is None or not self._is_made_from(spec) or not path.is_file():
            return None
        digest = file_sha256(path)
        if digest != record.sha256:
            self._changed[spec.name] = digest
        return OutputFile(path, record.format, record.duration_s, record.chapters, digest)

    def _is_made_from(self, spec: OutputSpec) -> bool:
        """Whether the recorded file of that name was made from what `spec` is."""
        record = self._files.get(spec.name)
        return record is not None and record.fingerprint == spec.fingerprint
