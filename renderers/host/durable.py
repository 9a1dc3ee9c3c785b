"""Has the disk keep files and names, as far as the file system can.

Source: `fsync_fname_ext` of PostgreSQL (src/common/file_utils.c): some systems cannot sync a
folder, and say EBADF or EINVAL, or do not let it be opened. FUSE, CIFS and 9p are among them.
"""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

_NO_FOLDERS = {errno.EBADF, errno.EINVAL}  # what fsync says where it cannot sync a folder


def fsync(descriptor: int) -> None:
    """Have the disk keep an open file, or the names in a folder. Raises OSError.

    A folder that its file system cannot sync is passed over: the names then are as safe as they get
    there.
    """
    try:
        os.fsync(descriptor)
    except OSError as error:
        is_folder = stat.S_ISDIR(os.fstat(descriptor).st_mode)
        if not (is_folder and error.errno in _NO_FOLDERS):
            raise


def sync(path: Path) -> None:
    """The same of a path. A folder that may be written but not read is passed over, too."""
    try:
        descriptor = os.open(path, os.O_RDONLY)
    except PermissionError:
        if path.is_dir():
            return
        raise
    try:
        fsync(descriptor)
    finally:
        os.close(descriptor)
