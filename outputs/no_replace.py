"""Gives a file a name, atomically, and loses nothing that had the name.

    a name that no file has
        link, unlink         most file systems
        RENAME_NOREPLACE     those without hard links: FAT, exFAT, many of CIFS and FUSE
        a look, a rename     those with neither
    a name that a file has
        RENAME_EXCHANGE      ext4, XFS, Btrfs, tmpfs, overlays and others of Linux

Source: rename(2) and link(2) of the Linux manual.
"""

from __future__ import annotations

import ctypes
import errno
import os
from contextlib import suppress
from functools import cache
from pathlib import Path

AT_FDCWD = -100
RENAME_NOREPLACE, RENAME_EXCHANGE = 1, 2
# What link(2) and renameat2(2) say where the file system cannot do so.
_NOT_SUPPORTED = {
    errno.EPERM,
    errno.ENOSYS,
    errno.EOPNOTSUPP,
    errno.ENOTSUP,
    errno.EINVAL,
    errno.EMLINK,
    errno.EACCES,
    errno.EXDEV,
}


def rename_to_free(source: Path, target: Path) -> None:
    """Rename a file to a name that must be free. Raises FileExistsError, OSError.

    A process that is killed meanwhile may leave the file under both names, and so may a folder that
    lets none be removed.
    """
    try:
        os.link(source, target, follow_symlinks=False)
    except OSError as error:
        if error.errno not in _NOT_SUPPORTED:
            raise
        _rename_without_links(source, target)
    else:
        with suppress(OSError):  # the file has its name, which counts
            source.unlink()


def exchange(source: Path, target: Path) -> bool:
    """Give two files each other's names. False: that cannot be done here, and nothing is changed.

    Raises FileNotFoundError if one of them is gone, OSError.
    """
    code = _renameat2(os.fsencode(source), os.fsencode(target), RENAME_EXCHANGE)
    if code and code not in _NOT_SUPPORTED:
        raise OSError(code, os.strerror(code), str(target))
    return not code


def _rename_without_links(source: Path, target: Path) -> None:
    code = _renameat2(os.fsencode(source), os.fsencode(target), RENAME_NOREPLACE)
    if code == errno.EEXIST:
        raise FileExistsError(code, os.strerror(code), str(target))
    if code in _NOT_SUPPORTED:
        # Neither is known here, so that a file may come between the look and the rename.
        if os.path.lexists(target):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(target))
        source.replace(target)
    elif code:
        raise OSError(code, os.strerror(code), str(target))


def _renameat2(source: bytes, target: bytes, flags: int) -> int:
    """The error of the system call; 0 if it did what it was asked for."""
    function = _library_function()
    if function is None:
        return errno.ENOSYS
    ctypes.set_errno(0)
    failed = function(AT_FDCWD, source, AT_FDCWD, target, flags)
    return ctypes.get_errno() or errno.ENOSYS if failed else 0


@cache
def _library_function() -> ctypes._NamedFuncPointer | None:  # pyright: ignore[reportPrivateUsage]
    """`renameat2` of the C library; None if it has none (glibc before 2.28, macOS)."""
    function = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None)
    if function is not None:
        function.argtypes = [
            *(ctypes.c_int, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p),
            ctypes.c_uint,
        ]
    return function
