"""Finished files whose audio a run needs again, with other metadata.

    records of this folder   ─┐
    records of other folders ─┴─▶ the same audio? whole? ─▶ Reusable

A book that was renamed has another folder than before. Its records are found by the source.
Nothing of the records is believed: a file counts only if its SHA-256 is the recorded one.
"""

from __future__ import annotations

import json
from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from itertools import chain
from pathlib import Path, PurePath

from audiomill.flows.file_lock import FileLock
from audiomill.flows.pipeline.library.places import records_folder, records_path_of
from audiomill.flows.pipeline.library.records import (
    MAX_BYTES,
    Edition,
    FileRecord,
    Origin,
    Records,
    RecordsInvalid,
    load_records,
)
from audiomill.flows.pipeline.planning.cuts import KnownCuts
from audiomill.flows.pipeline.planning.output_specs import OutputSpec
from audiomill.inputs.files import file_sha256
from audiomill.outputs.files import read_file


@dataclass(frozen=True, slots=True)
class FinishedFolder:
    """A folder of the library, the records of its files by name, and where chapters are cut."""

    folder: Path
    files: Mapping[str, FileRecord]
    cuts: KnownCuts


@dataclass(frozen=True, slots=True)
class Reusable:
    """A whole finished file, and its record."""

    path: Path
    record: FileRecord


def find_reusable(
    specs: Iterable[OutputSpec], own: FinishedFolder, others: Iterable[FinishedFolder]
) -> dict[OutputSpec, Reusable]:
    """A file for each of the `specs` whose audio a folder has, their own first. Raises OSError.

    A file that another one of the specs replaces is not used, as it may be gone by then.
    """
    specs = tuple(specs)
    targets = {spec: own.folder / spec.name for spec in specs}
    found: dict[OutputSpec, Reusable] = {}
    for folder in chain([own], others):
        for spec in specs:
            replaced = {path for one, path in targets.items() if one != spec}
            if spec not in found and (file := _reusable(spec, folder, replaced)):
                found[spec] = file
        if len(found) == len(specs):
            break
    return {spec: found[spec] for spec in specs if spec in found}


def _reusable(spec: OutputSpec, folder: FinishedFolder, replaced: set[Path]) -> Reusable | None:
    for name, record in _named_first(folder.files, spec.name):
        path = folder.folder / name
        if (
            spec.audio_fingerprint
            and record.audio_fingerprint == spec.audio_fingerprint
            and _has_all(record, spec)
            and path not in replaced
            and is_inner_name(name)
            and path.is_file()
            and file_sha256(path) == record.sha256
        ):
            return Reusable(path, record)
    return None


def _named_first(files: Mapping[str, FileRecord], name: str) -> Iterator[tuple[str, FileRecord]]:
    """The records, that of `name` first."""
    if name in files:
        yield name, files[name]
    yield from (item for item in files.items() if item[0] != name)


def _has_all(record: FileRecord, spec: OutputSpec) -> bool:
    """Whether the record has what is needed to write the file's chapters again."""
    if spec.is_transcript:
        return True
    n_chapters = spec.recording.n_marks
    return record.lengths is not None and len(record.lengths.n_samples) == n_chapters


@contextmanager
def other_folders(
    library: Path, own_records: Path, origin: Origin
) -> Generator[Iterator[FinishedFolder]]:
    """Other folders with files of the same source, each locked until the block ends.

    They are looked for one after the other, as far as the caller asks. A folder that another run
    works on is passed over.
    """
    with ExitStack() as stack:
        yield _other_folders(library, own_records, origin, stack)


def folders_of_edition(
    library: Path, own_records: Path, origin: Origin, edition: Edition
) -> Iterator[Path]:
    """Other folders with files of the same source in the same edition: of a book that was renamed.

    Locks none. Raises OSError.
    """
    for _, records in _other_records(library, own_records, origin):
        folder = library / records.folder
        if records.edition == edition and any((folder / name).is_file() for name in records.files):
            yield folder


def recorded_editions(library: Path, origin: Origin) -> list[Edition]:
    """The editions of a source that the library has files of, the last used one first.

    Locks none. Raises OSError.
    """
    found = [
        (path.stat().st_mtime, records.edition)
        for path, records in _other_records(library, Path(), origin)
        if records.edition
        and any((library / records.folder / name).is_file() for name in records.files)
    ]
    return [edition for _, edition in sorted(found, key=lambda one: one[0], reverse=True)]


def _other_folders(
    library: Path, own_records: Path, origin: Origin, stack: ExitStack
) -> Iterator[FinishedFolder]:
    for path, records in _other_records(library, own_records, origin):
        if _is_locked(path, stack):
            yield FinishedFolder(library / records.folder, records.files, records.cuts)


def _other_records(
    library: Path, own_records: Path, origin: Origin
) -> Iterator[tuple[Path, Records]]:
    """The records of other folders of the same source, and the files that hold them."""
    for path in sorted(records_folder(library).glob("*.json")):
        if path == own_records or not (records := _records_of(path, origin)):
            continue
        folder = PurePath(records.folder)
        is_inside = not folder.is_absolute() and ".." not in folder.parts
        # The records say where they belong; the name of their file must agree.
        if is_inside and records_path_of(library, folder) == path:
            yield path, records


def _records_of(path: Path, origin: Origin) -> Records | None:
    """The records in `path` if they are of the same source."""
    # Most are of other books. Looking for the source's name is faster than parsing them.
    marks = [json.dumps(text).encode() for text in (origin.id, origin.path)]
    with suppress(OSError, RecordsInvalid):
        content = read_file(path, MAX_BYTES)
        if any(mark in content for mark in marks):
            records = load_records(path)
            known = records.origin
            if known and (known.id == origin.id or known.path == origin.path):
                return records
    return None


def _is_locked(records_path: Path, stack: ExitStack) -> bool:
    """Lock the folder of these records, unless another run has it."""
    try:
        lock = stack.enter_context(FileLock(records_path.with_suffix(".lock")))
        return lock.try_acquire()
    except OSError:  # no locks on this file system, or a forged one
        return False


def is_inner_name(name: str) -> bool:
    """Whether a name of the records is that of a file in its folder, or in one in that."""
    parts = PurePath(name).parts
    return len(parts) in {1, 2} and "/".join(parts) == name and ".." not in parts
