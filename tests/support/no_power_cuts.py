"""Tests do not wait for the disk: a kill, unlike a power cut, loses nothing that was written.

A render asks for it 16 times, each of which takes some milliseconds and half a millisecond of
processor time. Programs that are started, not forked, do wait.
"""

import os


def written(descriptor: int) -> None:
    """What stands in for `os.fsync`, whose original is `posix.fsync`. Raises OSError if closed."""
    os.fstat(descriptor)


def wait_for_no_disk() -> None:
    os.fsync = written
