"""Effects of a run on files in the library that earlier runs have finished.

Files of chapters that are gone are removed: only those of split books, and retail samples; only of
the formats that the run has made anew; and only if their SHA-256 is the recorded one: what the user
has changed stays.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from audiomill.flows.pipeline.library.records import FileRecord
from audiomill.flows.pipeline.library.reusable import Reusable, is_inner_name
from audiomill.flows.pipeline.planning.output_specs import OutputSpec
from audiomill.inputs.files import file_sha256
from audiomill.outputs.files import unwritable_errors
from audiomill.outputs.formats.registry import name_in_folder

MAX_LISTED = 5


@dataclass(frozen=True, slots=True)
class StaleFiles:
    """Names of files that the text and the settings make no more."""

    removed: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()  # they were changed since they had been made


def remove_stale(
    folder: Path,
    files: Mapping[str, FileRecord],
    made: Collection[str],
    formats: Collection[str],
    *,
    is_split: bool,
) -> StaleFiles:
    """Remove files of the records that a run, which has all its files in `made`, does not make.

    It makes a split book or a whole one, and leaves the files of the other. Raises
    OutputUnwritable.
    """
    removed: list[str] = []
    kept: list[str] = []
    for name, record in _stale(folder, files, made, formats, is_split=is_split):
        path = folder / name
        with unwritable_errors(path):
            if file_sha256(path) == record.sha256:
                path.unlink()
                removed.append(name)
            else:
                kept.append(name)
    return StaleFiles(tuple(removed), tuple(kept))


def _stale(
    folder: Path,
    files: Mapping[str, FileRecord],
    made: Collection[str],
    formats: Collection[str],
    *,
    is_split: bool,
) -> Iterator[tuple[str, FileRecord]]:
    for name, record in sorted(files.items()):
        path = folder / name
        if (
            record.is_split == is_split
            and (record.is_split or record.is_sample)
            and record.format in formats
            and name not in made
            and is_inner_name(name)
            and path.is_file()
            and not any(_is_same(path, folder / one) for one in made)
        ):
            yield name, record


def _is_same(path: Path, other: Path) -> bool:
    """Whether both names are of one file, as where upper and lower case are the same."""
    if path.name.casefold() != other.name.casefold():
        return False
    with suppress(OSError):
        return path.samefile(other)
    return False


@dataclass(frozen=True, slots=True)
class OtherFile:
    """A finished file in the folder that the run was not asked for."""

    path: Path
    format: str
    is_outdated: bool  # made from an earlier text, or with other settings
    is_split: bool = False  # it holds one chapter

    @property
    def name(self) -> str:
        """Its name in the book's folder."""
        return name_in_folder(self.path, self.format)


def other_files(
    folder: Path,
    files: Mapping[str, FileRecord],
    asked: Collection[str],
    possible: Iterable[OutputSpec],
    source_id: str,
) -> tuple[OtherFile, ...]:
    """The recorded `files` that are in `folder`, and whose names are not those `asked` for.

    `possible` are the files that this text, whose source has the id `source_id`, and these settings
    would make in any format.
    """
    by_name = {spec.name: spec for spec in possible}

    def is_outdated(name: str, record: FileRecord) -> bool:
        if name in by_name:
            return record.fingerprint != by_name[name].fingerprint
        return record.source_id not in ("", source_id)

    return tuple(
        OtherFile(path, record.format, is_outdated(name, record), record.is_split)
        for name, record in sorted(files.items())
        if name not in asked and (path := folder / name).is_file()
    )


@dataclass(frozen=True, slots=True)
class LibraryChanges:
    """Effects of a run on files that earlier runs have finished."""

    folder: Path  # of the run's own files
    first_folder: Path | None  # of another edition, if this run begins one beside it
    outdated: tuple[str, ...]  # replaced: they were made from an earlier text or other settings
    changed: tuple[str, ...]  # by somebody, since they were made: they stay
    others: tuple[OtherFile, ...]
    kept_beside: tuple[str, ...] = ()  # sidecars and reports of somebody else: they stay
    retagged: tuple[str, ...] = ()  # got other metadata; their audio stayed as it was
    reused_from: tuple[Path, ...] = ()  # other folders whose files have the audio of `retagged`
    renamed_from: tuple[Path, ...] = ()  # folders that the book had under other names
    stale: StaleFiles = field(default_factory=StaleFiles)  # of chapters that are gone

    def with_retagged(self, found: Mapping[OutputSpec, Reusable]) -> LibraryChanges:
        """The changes, now that the files of `found` have got other metadata."""
        names = tuple(spec.name for spec in found)
        folders = dict.fromkeys(one.path.parent for one in found.values())
        reused_from = tuple(folder for folder in folders if folder != self.folder)
        return replace(
            self,
            outdated=tuple(name for name in self.outdated if name not in names),
            retagged=names,
            reused_from=reused_from,
            renamed_from=tuple(dict.fromkeys((*reused_from, *self.renamed_from))),
        )

    def with_stale(self, stale: StaleFiles) -> LibraryChanges:
        """The changes, now that the files of chapters that are gone have been removed."""
        known = {*stale.removed, *stale.kept}
        others = tuple(other for other in self.others if other.name not in known)
        return replace(self, stale=stale, others=others)


def listed_names(names: Sequence[str]) -> str:
    """The first few names, and how many more there are."""
    more = len(names) - MAX_LISTED
    return ", ".join(names[:MAX_LISTED]) + (f" and {more} more" if more > 0 else "")
