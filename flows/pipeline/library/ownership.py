"""Tells files that runs have made from those that somebody has put there or changed."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from audiomill.flows.pipeline.library.changes import listed_names
from audiomill.flows.pipeline.library.records import FileRecord
from audiomill.flows.pipeline.library.reusable import is_inner_name
from audiomill.inputs.files import file_sha256
from audiomill.outputs.files import read_file, unwritable_errors, write_atomically
from audiomill.outputs.types import OutputOccupied, OutputUnwritable

MAX_REPORT_BYTES = 1 << 28  # one of 30 hours has some 5 MB
# What is in every report of versions that did not record the reports that they had written.
_MARKS = {".json": b'"realtime_factor"', ".html": b"made by audiomill."}
# Why one file, or several, are not replaced.
_FOREIGN = ("is not a file that audiomill made", "are not files that audiomill made")
_CHANGED = (
    "was changed after audiomill had made it",
    "were changed after audiomill had made them",
)
_MOVE_AWAY = "Move away what you want to keep, or choose another folder with --out."


def require_own(folder: Path, names: Iterable[str], files: Mapping[str, FileRecord]) -> None:
    """Make sure that what has these names, if anything has, is as it was made; `files` by name.

    Raises OSError; OutputUnwritable, which names files of the user's own, or changed ones.
    """
    there = [name for name in names if os.path.lexists(folder / name)]
    foreign = [name for name in there if name not in files]
    if foreign:
        raise _refusal(folder, foreign, *_FOREIGN)
    changed = [name for name in there if not _is_as_made(folder / name, files[name])]
    if changed:
        raise _refusal(folder, changed, *_CHANGED)


def recover_pending(folder: Path, pending: Mapping[str, FileRecord]) -> dict[str, FileRecord]:
    """Those of the files that a killed run had announced which have appeared. Raises OSError."""
    return {
        name: record
        for name, record in pending.items()
        if is_inner_name(name) and _is_as_made(folder / name, record)
    }


def is_own_report(path: Path, digests: Collection[str] | None) -> bool:
    """Whether a report may be written to `path`: there is none, or one that a run has written.

    `digests` are the recorded SHA-256s; None if no report of that name is recorded.
    """
    try:
        content = read_file(path, MAX_REPORT_BYTES)
    except FileNotFoundError:
        return True
    except OSError:  # a folder, a link, a larger file, one that cannot be read
        return False
    if digests is None:
        return _MARKS[path.suffix] in content
    return hashlib.sha256(content).hexdigest() in digests


class OwnReports:
    """The reports that runs have written to a folder."""

    def __init__(self, folder: Path, digests: Mapping[str, tuple[str, ...]]) -> None:
        """`digests`: the recorded SHA-256s by the name of a report."""
        self._folder = folder
        self.digests = dict(digests)

    def foreign(self, names: Iterable[str]) -> tuple[str, ...]:
        """Those of the names under which somebody has put or changed something."""
        return tuple(
            name for name in names if not is_own_report(self._folder / name, self.digests.get(name))
        )

    def write(self, name: str, content: bytes, save: Callable[[], None]) -> None:
        """Write a report, unless a foreign one is there. `save` keeps its digest before.

        Raises OutputUnwritable.
        """
        if self.foreign([name]):
            return
        path = self._folder / name
        with unwritable_errors(path):
            before = [file_sha256(path)] if path.exists() else []
        self.digests[name] = (hashlib.sha256(content).hexdigest(), *before)
        save()
        with suppress(OutputOccupied):  # somebody has been faster: theirs stays
            write_atomically(path, content, before)


def _is_as_made(path: Path, record: FileRecord) -> bool:
    """Whether a file is the recorded one. Raises OSError."""
    return path.is_file() and file_sha256(path) == record.sha256


def _refusal(folder: Path, names: Sequence[str], one: str, several: str) -> OutputUnwritable:
    """The error of files that stay; `one` and `several` say why, of one and of more."""
    what = (
        f"{folder / names[0]} {one}, so it stays as it is."
        if len(names) == 1
        else f"In {folder} these {several}, so they stay as they are: {listed_names(names)}."
    )
    return OutputUnwritable(f"{what} {_MOVE_AWAY}")
