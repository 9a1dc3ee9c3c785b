"""The files beside a page, each named by its content: `audio/3f9a01c2b45d6e7f.m4a`.

A page that is made again so writes only what has changed, the old page stays whole until the new
one takes its place, and a file whose name is no digest of its content is nobody's but the user's.
"""

from __future__ import annotations

import hashlib
import re
import shutil
from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from audiomill.inputs.files import file_sha256
from audiomill.outputs.files import publish, sweep, temporary_file, unwritable_errors
from audiomill.outputs.types import OutputOccupied

AUDIO, PICTURES, READER, TIMES = FOLDERS = ("audio", "pictures", "reader", "times")
_DIGITS = 16  # of the SHA-256, in hexadecimal
_NAME = re.compile(rf"(?:{'|'.join(FOLDERS)})/[0-9a-f]{{{_DIGITS}}}\.[a-z0-9]{{1,5}}")
_REFERENCE = re.compile(_NAME.pattern.encode())


@dataclass(frozen=True, slots=True)
class Asset:
    """A file beside a page. `name` is its path from the page, `content` its bytes or a file."""

    name: str
    content: bytes | Path


def asset(folder: str, suffix: str, content: bytes | Path) -> Asset:
    """The asset of a content. `folder` is one of FOLDERS. Raises OutputUnwritable."""
    return Asset(f"{folder}/{_digest(content)}{suffix}", content)


def write_assets(folder: Path, assets: Iterable[Asset]) -> None:
    """Write those that the folder lacks.

    Raises OutputOccupied if something else has the name of one, and OutputUnwritable.
    """
    for one in assets:
        path = folder / one.name
        with unwritable_errors(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            is_there = path.exists()
        if not is_there:
            _write(path, one.content)
        elif not _is_whole(path):
            raise OutputOccupied(
                f"{path} was changed after audiomill had made it, so it stays as it is."
                " Move away what you want to keep, or choose another folder with --out."
            )


def remove_unused(folder: Path, used: Collection[str]) -> None:
    """Remove the assets whose names are not `used`, and what killed runs have left."""
    for name in _names(folder):
        path = folder / name
        if name not in used:
            with suppress(OSError):  # a file too many does no harm
                if _is_whole(path):
                    path.unlink()
    for name in FOLDERS:
        if (folder / name).is_dir():
            sweep(folder / name)


def has_assets(page: Path) -> bool:
    """Whether all that a page refers to is beside it, and what that refers to.

    Contents are not compared. Raises OSError.
    """
    found, folder = set[str](), page.parent
    waiting = [page]
    while waiting:
        for match in _REFERENCE.finditer(waiting.pop().read_bytes()):
            name = match[0].decode()
            if name not in found:
                found.add(name)
                if not (folder / name).is_file():
                    return False
                if name.startswith(f"{TIMES}/"):
                    waiting.append(folder / name)
    return True


def _names(folder: Path) -> Iterator[str]:
    for part in FOLDERS:
        with suppress(OSError):
            names = [f"{part}/{path.name}" for path in sorted((folder / part).iterdir())]
            yield from filter(_NAME.fullmatch, names)


def _write(path: Path, content: bytes | Path) -> None:
    with temporary_file(path) as temporary:
        with unwritable_errors(path):
            if isinstance(content, bytes):
                temporary.write_bytes(content)
            else:
                shutil.copyfile(content, temporary)
        publish({temporary: path}, {path: ()})


def _is_whole(path: Path) -> bool:
    """Whether a file is named by its content."""
    with unwritable_errors(path):
        return path.is_file() and path.stem == _digest(path)


def _digest(content: bytes | Path) -> str:
    if isinstance(content, bytes):
        return hashlib.sha256(content).hexdigest()[:_DIGITS]
    with unwritable_errors(content):
        return file_sha256(content)[:_DIGITS]
