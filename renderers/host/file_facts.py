"""Keeps what was found out about large files, such as their digests, until they change.

    file ─▶ size, times, inode, device ─▶ are they as they were? ─▶ what is kept
                                              └─ no ─▶ it is found out again ─▶ kept

Nothing is kept of a file that changed shortly before it was read: another change might come in the
same tick of the file system's clock, and show in neither of its times. So does git (its
documentation, "racy-git").
"""

from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any, cast

from audiomill.renderers.host.folders import cache_folder

MIN_BYTES = 4 << 20  # of a file; a smaller one is read in milliseconds
MAX_KEPT = 256  # facts; those that were found last stay
SETTLED_NS = 2_000_000_000  # the coarsest clock of a file system, that of FAT


@dataclass(frozen=True, slots=True)
class FileFacts:
    """Facts about files, in one file of JSON. Any thread or process may use it.

    Of two that keep a fact at the same moment, one may be lost: it is found out again.
    """

    kept_in: Path | None  # None: nothing is kept
    now_ns: Callable[[], int] = time.time_ns

    def find(self, path: Path, kind: str, find_out: Callable[[Path], str]) -> str:
        """What `find_out` says of a file, or said when the file was the same.

        `kind` names what is found out. Raises OSError, and what `find_out` raises.
        """
        state = _state(path)
        if self.kept_in is None or state[0] < MIN_BYTES:
            return find_out(path)
        name = f"{kind} {path.absolute()}"
        match _kept(self.kept_in).get(name):
            case [*kept, str() as fact] if kept == state:
                return fact
            case _:
                pass
        began_ns = self.now_ns()
        fact = find_out(path)
        if state == _state(path) and max(_times_ns(state)) < began_ns - SETTLED_NS:
            _keep(self.kept_in, name, [*state, fact])
        return fact


def file_facts() -> FileFacts:
    """Those of the user's files, in the cache folder; none where PyTorch alone is installed."""
    has_folder = find_spec("platformdirs") is not None
    return FileFacts(cache_folder() / "files.json" if has_folder else None)


def _kept(file: Path) -> dict[str, Any]:
    """What is kept, by kind and path; nothing if it is damaged."""
    try:
        content = json.loads(file.read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return cast("dict[str, Any]", content) if isinstance(content, dict) else {}


def _keep(file: Path, name: str, entry: list[int | str]) -> None:
    kept = _kept(file)
    kept.pop(name, None)
    last = dict([*kept.items(), (name, entry)][-MAX_KEPT:])
    unfinished = file.with_suffix(f".{os.getpid()}-{threading.get_ident()}")
    with suppress(OSError, UnicodeEncodeError):  # a name that is no text
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        try:
            unfinished.write_text(json.dumps(last), "utf-8")
            unfinished.replace(file)
        finally:
            unfinished.unlink(missing_ok=True)


def _state(path: Path) -> list[int]:
    """What changes with a file: bytes, times, inode and device. Raises OSError.

    Its second time changes with every change of the file, whatever its first one is set to.
    """
    found = path.stat()
    times_ns = found.st_mtime_ns, found.st_ctime_ns
    return [found.st_size, *times_ns, found.st_ino, found.st_dev]


def _times_ns(state: list[int]) -> list[int]:
    return state[1:3]
