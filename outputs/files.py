"""A whole file or nothing: parts under temporary names, and names given once they are safe.

Knows bytes and places, not what they mean. A part of "Title.m4b" is ".Title.m4b.3f9a01c2.part"
beside it; only a run that was killed leaves one.
"""

from __future__ import annotations

import errno
import os
import re
import secrets
from collections.abc import Generator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from audiomill.outputs.types import OutputUnwritable

_PART = re.compile(r"\.(.+)\.[0-9a-f]{8}\.part", re.DOTALL)
_STEM_BYTES = 200  # file systems stop at 255; the token and the suffix need some
_FULL = "Free some space there, or choose another place."
_TOO_LARGE = "Choose a place that takes files that large, or split the book."
_FORBIDDEN = "Ask for permission to write there, or choose another place."
_ADVICE = {
    errno.ENOSPC: _FULL,
    errno.EDQUOT: _FULL,
    errno.EFBIG: _TOO_LARGE,
    errno.EACCES: _FORBIDDEN,
    errno.EPERM: _FORBIDDEN,
    errno.EROFS: "Choose another place.",
}


def unwritable(path: Path, error: OSError | ValueError) -> OutputUnwritable:
    """What to say of a `path` that cannot be written: why, and what helps against just that."""
    code = error.errno if isinstance(error, OSError) else None
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    advice = _ADVICE.get(code or 0, "Choose another place.")
    return OutputUnwritable(f"{path} cannot be written ({reason}). {advice}")


@contextmanager
def blamed_on(path: Path) -> Generator[None]:
    """What the system refuses inside the block becomes OutputUnwritable, about `path`."""
    try:
        yield
    except (OSError, ValueError) as error:
        raise unwritable(path, error) from error


@contextmanager
def part_of(path: Path) -> Generator[Path]:
    """An empty file beside `path`, to be filled; gone afterwards unless published.

    Raises OutputUnwritable.
    """
    with blamed_on(path):
        part = path.with_name(f".{_stem(path.name)}.{secrets.token_hex(4)}.part")
        part.touch(exist_ok=False)
    try:
        yield part
    finally:
        part.unlink(missing_ok=True)


def publish(parts: Mapping[Path, Path]) -> None:
    """Give each part the name it maps to, once all of them are on the disk.

    Whoever looks finds what was there before or the whole new file. Raises OutputUnwritable; then
    none has its name unless it was the naming itself that failed.
    """
    for part, path in parts.items():
        with blamed_on(path):
            _sync(part)
    for part, path in parts.items():
        with blamed_on(path):
            part.replace(path)
            _sync(path.parent)


def write_atomically(path: Path, content: bytes) -> None:
    """Put `content` in place of what `path` holds. Raises OutputUnwritable."""
    with part_of(path) as part:
        with blamed_on(path):
            part.write_bytes(content)
        publish({part: path})


def sweep(folder: Path, name: str | None = None) -> list[Path]:
    """Remove parts that a killed run left in `folder`, or only those of `name`; returns them.

    For whoever holds the lock on them. What the system does not let go of stays.
    """
    removed: list[Path] = []
    with suppress(OSError):  # parts are in nobody's way: no reason to stop
        for path in sorted(folder.iterdir()):
            found = _PART.fullmatch(path.name)
            if found and (name is None or found[1] == _stem(name)) and _is_removed(path):
                removed.append(path)
    return removed


def _stem(name: str) -> str:
    """As much of a name as leaves room for the rest of a part's."""
    return os.fsencode(name)[:_STEM_BYTES].decode(errors="ignore")


def _is_removed(path: Path) -> bool:
    try:
        path.unlink()
    except OSError:
        return False
    return True


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
