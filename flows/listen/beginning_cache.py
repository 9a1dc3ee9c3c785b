"""Keeps how a book begins, so that a server can sound with it before this process has read it.

    last time   first segments, and how they are joined ──────────────▶ kept
    this time   kept ─▶ does anything differ? ─▶ server, as fast as now ─▶ sound
                book ─▶ first segments ─▶ the same sound ─▶ it is heard on from there

It is asked for only where all that decides it is as it was: the arguments, the variables, each file
that the book was made of, and our code. Imports little: what reads a book takes a second.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import stat
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from audiomill.flows.variables import deciding_variables
from audiomill.flows.web_address import connection_to
from audiomill.inputs.kept_files import keep_file
from audiomill.inputs.own_code import environment_states
from audiomill.renderers.host.folders import cache_folder

MAX_KEPT = 32  # beginnings; those that were kept last stay
CONNECT_S = 0.3  # for a server on this machine or in its network; the run asks again, patiently
ANSWER_TIMEOUT_S = 30.0  # of the server, which may have others to serve first
# A file that changed after the command began may have been read before: nothing is kept. The clock
# of a file system is some milliseconds behind.
CLOCK_TOLERANCE_NS = 20_000_000
# Options that do not decide what is heard at the beginning of a book. Its speed is that of now.
_OF_NO_SOUND = frozenset(("command", "debug", "json", "listen", "play", "speed"))


def options_of_sound(arguments: argparse.Namespace) -> dict[str, object]:
    """The options that decide what is heard at the beginning of a book, but for its speed."""
    return {key: one for key, one in vars(arguments).items() if key not in _OF_NO_SOUND}


@dataclass(frozen=True, slots=True)
class BeginningRequest:
    """The beginning of a book, as a server is asked for its sound."""

    sound_url: str
    key_file: str | None  # of the server, if it wants a key
    sample_rate: int
    wanted: Mapping[str, Any]  # the body of the request


class CachedBeginning:
    """The beginning of a book, as it was heard with the same options but the speed."""

    def __init__(self, options: Mapping[str, object], speed: float | None) -> None:
        """The source is one of the options. No speed: as fast as the settings say."""
        self._begun_ns = time.time_ns()
        what = (sorted(options.items()), deciding_variables(), Path.cwd(), *environment_states())
        self._file = _folder() / hashlib.sha256(repr(what).encode()).hexdigest()
        self._speed = speed

    def keep(self, beginning: BeginningRequest, files: Iterable[Path]) -> None:
        """Keep it until one of the files is another one; those that are not there must not come."""
        states = {str(path.absolute()): state_of(path) for path in files}
        times_ns = [one[-1] for state in states.values() for one in state]
        if max(times_ns, default=0) > self._begun_ns - CLOCK_TOLERANCE_NS:
            return
        content = {name: getattr(beginning, name) for name in BeginningRequest.__slots__}
        content |= {"speed": self._speed, "files": states}
        keep_file(self._file, json.dumps(content).encode(), MAX_KEPT)

    def found(self) -> BeginningRequest | None:
        """What is kept, at the speed of now; None if there is nothing, or it may be otherwise."""
        try:
            content = json.loads(self._file.read_text())
            files, speed = content.pop("files"), content.pop("speed")
            if any(state_of(Path(name)) != state for name, state in files.items()):
                return None
            found = BeginningRequest(**content)
            wanted = dict(found.wanted) | {"speed": self._speed}
        except (OSError, ValueError, TypeError, LookupError, AttributeError):
            return None  # it was not kept, or is damaged
        if self._speed is None and speed is not None:
            return None  # how fast the settings say is not known yet
        return BeginningRequest(found.sound_url, found.key_file, found.sample_rate, wanted)


def request_sound(beginning: BeginningRequest) -> HTTPConnection | None:
    """A connection whose answer is the sound; None if there is no server that takes a request.

    While it is open, the server renders.
    """
    try:
        connection = connection_to(beginning.sound_url, CONNECT_S)
        connection.connect()
        connection.sock.settimeout(ANSWER_TIMEOUT_S)
        body, headers = json.dumps(beginning.wanted).encode(), _headers(beginning.key_file)
        connection.request("POST", urlsplit(beginning.sound_url).path, body, headers)
    except (OSError, HTTPException, ValueError, TypeError):
        return None  # the run tells what is wrong
    return connection


def is_used() -> bool:
    """Whether any book was ever heard from a server here."""
    return _folder().exists()


def _folder() -> Path:
    return cache_folder() / "beginnings"


def _headers(key_file: str | None) -> dict[str, str]:
    return {"Authorization": f"Bearer {Path(key_file).read_text().strip()}"} if key_file else {}


def state_of(path: Path) -> list[list[Any]]:
    """What changes with a file, or with the files of a folder: [name, bytes, times]; [] for none.

    Its second time changes with every change of a file, whatever its first time is set to.
    """
    try:
        found = path.stat()
        if not stat.S_ISDIR(found.st_mode):
            return [_numbers("", found)]
        entries = sorted(os.scandir(path), key=lambda one: one.name)
        return [_numbers(one.name, one.stat()) for one in entries if one.is_file()]
    except (OSError, ValueError):
        return []


def _numbers(name: str, found: os.stat_result) -> list[Any]:
    return [name, found.st_size, found.st_mtime_ns, found.st_ctime_ns]
