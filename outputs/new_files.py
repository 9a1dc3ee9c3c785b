"""Files whose place a person names (`--out`): what is there is not ours, so it stays."""

from __future__ import annotations

import os
from pathlib import Path

from audiomill.outputs.files import temporary_file, unwritable_errors, write_atomically
from audiomill.outputs.types import OutputOccupied


def require_new(path: Path) -> None:
    """Make sure that nothing is at `path`, and that a file can be written there, before the work.

    Makes the folders to it. Raises OutputOccupied, OutputUnwritable.
    """
    with unwritable_errors(path):
        is_there = os.path.lexists(path)
        path.exists()  # which, unlike `lexists`, tells of a name that cannot be looked up
    if is_there:
        raise OutputOccupied(
            f"{path} is there already, so it stays as it is. Name another with --out, or move it"
            " away."
        )
    _make_folder(path)
    with temporary_file(path):
        pass


def write_new(path: Path, content: bytes) -> None:
    """Write a file where nothing is, and the folders to it.

    Raises OutputOccupied for what has come there meanwhile, OutputUnwritable.
    """
    _make_folder(path)
    write_atomically(path, content, own=())


def _make_folder(path: Path) -> None:
    with unwritable_errors(path):
        path.parent.mkdir(parents=True, exist_ok=True)
