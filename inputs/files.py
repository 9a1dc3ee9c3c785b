"""Opens files that settings name: regular ones, of a size that can be read.

A device such as `/dev/zero` has no end, and opening a named pipe waits for ever.
"""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path
from typing import BinaryIO, cast

MAX_CONFIG_BYTES = 16 << 20  # of a file that people write


def open_regular(path: Path, max_bytes: int) -> BinaryIO:
    """The file, opened to be read. Raises OSError if it is none, or larger than `max_bytes`."""
    file = open(path, "rb", opener=_open_at_once)  # noqa: SIM115 - for the caller
    if problem := _problem(os.fstat(file.fileno()), max_bytes):
        file.close()
        raise problem
    return cast("BinaryIO", file)


def _open_at_once(name: str, flags: int) -> int:
    return os.open(name, flags | os.O_NONBLOCK)


def _problem(found: os.stat_result, max_bytes: int) -> OSError | None:
    if not stat.S_ISREG(found.st_mode):
        return OSError(errno.EINVAL, "it is a device or a pipe, not a file")
    if found.st_size > max_bytes:
        return OSError(errno.EFBIG, f"it is larger than {max_bytes >> 20} MiB")
    return None


def read_regular(path: Path, max_bytes: int = MAX_CONFIG_BYTES) -> bytes:
    """The content of a file. Raises OSError as `open_regular`."""
    with open_regular(path, max_bytes) as file:
        return file.read(max_bytes)
