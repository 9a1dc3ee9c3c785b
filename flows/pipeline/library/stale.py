"""Removes files of chapters that are gone: of an earlier text, and as they were made.

Only files of split books are removed, and retail samples; only those of the formats that the run
has made anew, and only if their SHA-256 is the recorded one: what the user has changed stays.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from audiomill.flows.pipeline.library.records import FileRecord
from audiomill.flows.pipeline.library.reusable import is_plain_name
from audiomill.inputs.files import file_sha256
from audiomill.outputs.files import unwritable_errors


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
            and is_plain_name(name)
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
