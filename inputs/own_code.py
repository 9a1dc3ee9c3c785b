"""Tells when our own code has changed.

code_digest          by what the files say, so that machines can compare it
code_states          by size and time, which is quick, for what is kept on one machine
environment_states   that, and Python with all packages that are installed for it
"""

from __future__ import annotations

import hashlib
import os
import site
import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path

PACKAGES = ("flows", "inputs", "outputs", "renderers")
_ROOT = Path(__file__).parents[1]


@cache
def code_digest() -> str:
    """A SHA-256, in hexadecimal, of all source code of this audiomill."""
    return digest_of(_ROOT)


def digest_of(root: Path) -> str:
    """The digest of the code in a folder, by names and content, wherever that is."""
    digest = hashlib.sha256()
    for path in sorted(path for name in PACKAGES for path in (root / name).rglob("*.py")):
        digest.update(f"{path.relative_to(root).as_posix()}\0".encode())
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def code_states(*packages: str) -> Iterator[str]:
    """Each file of some of PACKAGES by size and time. Raises OSError."""
    for name in packages:
        yield from _file_states(_ROOT / name)


def _file_states(folder: str | Path) -> Iterator[str]:
    for entry in sorted(os.scandir(folder), key=lambda one: one.name):
        if entry.is_dir():
            if entry.name != "__pycache__":
                yield from _file_states(entry.path)
        else:
            found = entry.stat()
            yield f"{entry.path} {found.st_size} {found.st_mtime_ns}"


@cache
def environment_states() -> tuple[object, ...]:
    """What changes with Python, with any package of it, and with our code. Raises OSError.

    As of the first call: what a process runs stays what it was then.
    """
    folders = list[tuple[str, int]]()
    # The time of a folder changes when a package is installed, removed or replaced.
    for folder in (*site.getsitepackages(), site.getusersitepackages()):
        with suppress(OSError):
            folders.append((folder, Path(folder).stat().st_mtime_ns))
    return sys.version, *folders, *code_states(*PACKAGES)
