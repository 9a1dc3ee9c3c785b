"""Finds the finished files that a command names, in folders or one by one."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from audiomill.outputs.checking.streams import Uncheckable, open_streams
from audiomill.outputs.formats.registry import FORMATS

# Of files in a folder that are looked at; one that is named may end in anything.
SUFFIXES = (
    *(entry.suffix for entry in FORMATS.values()),
    *(".aac", ".aif", ".mka", ".mp4", ".oga", ".ogg", ".wma", ".aa", ".aax"),
)
UNKNOWN_S = 600.0  # how long a file is taken to be that does not tell


@dataclass(frozen=True, slots=True)
class FileSet:
    """Files that belong together: of one folder, or named in one command."""

    folder: Path | None  # None: named one by one
    paths: tuple[Path, ...]


def find_sets(paths: Sequence[Path]) -> tuple[FileSet, ...]:
    """The files that `paths` name, in order; each folder with audio below a path is a set.

    Raises Uncheckable for a folder without audio, and one that cannot be read.
    """
    named = tuple(dict.fromkeys(path for path in paths if not _is_folder(path)))
    sets = [FileSet(None, named)] if named else []
    for path in dict.fromkeys(paths):
        if _is_folder(path):
            found = [*_sets_below(path)]
            if not found:
                raise Uncheckable(
                    f"There is no audio in “{path}”. Name a folder with finished files."
                )
            sets += found
    return tuple(sets)


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except OSError as error:
        raise Uncheckable(f"{path} cannot be read ({error.strerror}).") from error


def expected_s(path: Path) -> float:
    """How long a file says that it is, for the progress only."""
    with suppress(Uncheckable):
        return open_streams(path)[0].duration_s or UNKNOWN_S
    return 0.0


def _sets_below(folder: Path) -> Iterator[FileSet]:
    def unreadable(error: OSError) -> None:
        raise Uncheckable(f"{error.filename} cannot be read ({error.strerror}).") from error

    for name, folders, files in os.walk(folder, onerror=unreadable):
        folders[:] = sorted(one for one in folders if not one.startswith("."))
        audio = [Path(name) / one for one in sorted(files) if _is_audio(one)]
        if audio:
            yield FileSet(Path(name), tuple(audio))


def _is_audio(name: str) -> bool:
    return not name.startswith(".") and Path(name).suffix.lower() in SUFFIXES
