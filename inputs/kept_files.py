"""Keeps files in a folder: each whole or not at all, and only so many."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path


def keep_file(file: Path, content: bytes, max_files: int) -> None:
    """Write a file, and remove those of its folder that were written or touched longest ago.

    `max_files` stay. The folder is made for this user alone. What cannot be written is not kept.
    """
    unfinished = file.with_name(f"{file.name}.{os.getpid()}")
    with suppress(OSError):
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        try:
            unfinished.write_bytes(content)
            unfinished.replace(file)
        finally:
            unfinished.unlink(missing_ok=True)
        by_age = sorted(file.parent.iterdir(), key=lambda one: one.stat().st_mtime)
        for old in by_age[:-max_files]:
            old.unlink(missing_ok=True)
