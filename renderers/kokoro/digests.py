"""Whether a file is whole, and what it is: SHA-256. Knows no model and no network.

327 MB take 0.2 s where the processor has instructions for it: too little to remember anywhere.
"""

from __future__ import annotations

import hashlib
import zlib
from pathlib import Path
from zipfile import BadZipFile, ZipFile, is_zipfile

from renderers.shard import WeightsUnfit

ZIP_MAGIC = b"PK\x03\x04"
FOLDER = 0x10  # MS-DOS's attribute: of a part that has it, `torch.load` reads nothing
LFS_POINTER = b"version https://git-lfs"


def sha256_of(path: Path) -> str:
    """In hexadecimal. Raises WeightsUnfit if the file cannot be read."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise _unreadable(path, error) from error


def published_sha256(path: Path, published: str) -> str:
    """The SHA-256 of a fetched file. Raises WeightsUnfit if another was published; "" is any."""
    found = sha256_of(path)
    if published and found != published:
        raise WeightsUnfit(
            f"{path} is damaged: its SHA-256 is {found[:16]}…, but {published} was published."
            f" Delete {path.resolve()} and run again to fetch it anew."
        )
    return found


def refuse_damaged(path: Path) -> None:
    """Raise WeightsUnfit for a file of tensors that is cut short, or not as it was written.

    `torch.save` writes a ZIP archive, whose directory comes last and holds a CRC of each part;
    `torch.load` looks at none of them. What is no archive is left to `torch.load`.
    """
    try:
        with path.open("rb") as file:
            head = file.read(len(LFS_POINTER))
        if head == LFS_POINTER:
            raise WeightsUnfit(
                f"{path} only says where Git LFS keeps the file. Run `git lfs pull` in its folder."
            )
        if not head:
            raise WeightsUnfit(f"{path} is empty. Copy or fetch it again.")
        if head.startswith(ZIP_MAGIC):
            _read_through(path)
    except OSError as error:
        raise _unreadable(path, error) from error


def _read_through(path: Path) -> None:
    try:
        if not is_zipfile(path):
            size = f"{path.stat().st_size:,} bytes"
            raise WeightsUnfit(f"{path} is cut short, at {size}. Copy or fetch it again.")
        with ZipFile(path) as archive:
            folders = (one.filename for one in archive.infolist() if one.external_attr & FOLDER)
            damaged = archive.testzip() or next(folders, None)
    # What a flipped bit makes of an archive: wrong, packed, encrypted, from the future, ...
    except (BadZipFile, RuntimeError, EOFError, ValueError, OverflowError, zlib.error) as error:
        damaged = str(error)
    if damaged is not None:
        raise WeightsUnfit(f"{path} is damaged ({damaged}). Copy or fetch it again.")


def _unreadable(path: Path, error: OSError) -> WeightsUnfit:
    return WeightsUnfit(f"{path} cannot be read: {error.strerror or error}.")
