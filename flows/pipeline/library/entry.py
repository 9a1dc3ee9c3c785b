"""The folder and the records of one edition in the library."""

from __future__ import annotations

import os
from collections.abc import Collection, Generator, Iterable
from contextlib import contextmanager
from pathlib import Path

from audiomill.flows.pipeline.library.changes import LibraryChanges, OtherFile
from audiomill.flows.pipeline.library.edition import Edition
from audiomill.flows.pipeline.library.places import Place
from audiomill.flows.pipeline.library.records import (
    ChapterLengths,
    FileRecord,
    Origin,
    Records,
    save_records,
)
from audiomill.flows.pipeline.library.reusable import (
    FinishedFolder,
    Reusable,
    find_reusable,
    other_folders,
)
from audiomill.flows.pipeline.library.stale import StaleFiles, remove_stale
from audiomill.flows.pipeline.planning.output_specs import OutputSpec
from audiomill.outputs.delivery.profile import Sidecar
from audiomill.outputs.files import file_sha256
from audiomill.outputs.sidecars.sidecar_book import SidecarBook
from audiomill.outputs.sidecars.writing import write_sidecars
from audiomill.outputs.types import OutputFile, OutputUnwritable


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
