"""Opens files that people name: regular ones, of a size that can be read.

A device such as `/dev/zero` has no end, and opening a named pipe waits for ever.
"""

from __future__ import annotations

import errno
import hashlib
import os
import stat
from io import BufferedReader
from pathlib import Path

MAX_CONFIG_BYTES = 16 << 20  # of a file that people write
MIN_BLOCK_BYTES, MAX_BLOCK_BYTES = 4 << 10, 16 << 20  # of a file that is digested


def open_regular(path: Path, max_bytes: int, flags: int = 0) -> BufferedReader:
    """The file, opened to be read; `flags` are further ones of `os.open`.

    Raises OSError, whose `strerror` says why, if it is no file, or larger than `max_bytes`.
    """

    def open_at_once(name: str, reading: int) -> int:
        return os.open(name, reading | os.O_NONBLOCK | flags)

    if problem := _problem(path.stat(), max_bytes):  # opening a device may change it
        raise problem
    file = open(path, "rb", opener=open_at_once)  # noqa: SIM115 - for the caller
    if problem := _problem(os.fstat(file.fileno()), max_bytes):
        file.close()
        raise problem
    return file


def _problem(found: os.stat_result, max_bytes: int) -> OSError | None:
    if stat.S_ISDIR(found.st_mode):
        return IsADirectoryError(errno.EISDIR, "it is a folder, not a file")
    if not stat.S_ISREG(found.st_mode):
        return OSError(errno.EINVAL, "it is a device or a pipe, not a file")
    if found.st_size > max_bytes:
        return OSError(errno.EFBIG, f"it is larger than {_size(max_bytes)}")
    return None


def _size(n_bytes: int) -> str:
    return f"{n_bytes >> 20} MiB" if n_bytes >= 1 << 20 else f"{n_bytes:,} bytes"


def require_regular(path: Path, max_bytes: int) -> None:
    """Raise OSError as `open_regular`, before a library or a program opens the file."""
    open_regular(path, max_bytes).close()


def read_regular(path: Path, max_bytes: int = MAX_CONFIG_BYTES, flags: int = 0) -> bytes:
    """The content of a file. Raises OSError as `open_regular`, and for one that grows beyond."""
    with open_regular(path, max_bytes, flags) as file:
        content = file.read(max_bytes + 1)
    if len(content) > max_bytes:  # it grew, or it is one of /proc, which have no size
        raise OSError(errno.EFBIG, f"it is larger than {_size(max_bytes)}")
    return content


def read_text(path: Path, max_bytes: int = MAX_CONFIG_BYTES) -> str:
    """The text of a file in UTF-8, with or without a mark, with line feeds at the ends of lines.

    Raises OSError as `read_regular`, and for another encoding.
    """
    data = read_regular(path, max_bytes)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        reason = f"line {line} is not UTF-8; save the file as UTF-8"
        raise OSError(errno.EILSEQ, reason) from error
    return text.replace("\r\n", "\n").replace("\r", "\n")


def file_sha256(path: Path, max_bytes: int | None = None) -> str:
    """The hexadecimal SHA-256 of a file. Raises OSError; with `max_bytes`, as `open_regular`."""
    with path.open("rb") if max_bytes is None else open_regular(path, max_bytes) as file:
        return _sha256(file)


def _sha256(file: BufferedReader) -> str:
    """The digest of what is left of a file.

    Not `hashlib.file_digest`, whose blocks have 256 KiB: after each of them a thread has to ask for
    the interpreter, and waits up to 5 ms for it where another thread computes.
    """
    digest, block = hashlib.sha256(), bytearray(_block_size(file))
    view = memoryview(block)
    while n_read := file.readinto(block):
        digest.update(view[:n_read])
    return digest.hexdigest()


def _block_size(file: BufferedReader) -> int:
    return min(max(os.fstat(file.fileno()).st_size, MIN_BLOCK_BYTES), MAX_BLOCK_BYTES)
