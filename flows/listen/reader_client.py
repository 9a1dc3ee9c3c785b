"""Asks a process that is ready to read books, which a server of speech keeps, how a book begins.

    arguments, folder ─▶ ready reader: settings, book, first chapters ─▶ its beginning ─▶ sound
                          └─ none, or too late: this process finds out by itself

It is asked only by the same user, in the same environment and by the same code: these are the name
of its socket. Imports little, as `beginning_cache`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from audiomill.flows.listen.beginning_cache import BeginningRequest, state_of
from audiomill.flows.listen.user_socket import connected_to, received_message, send_message
from audiomill.flows.variables import deciding_variables
from audiomill.inputs.own_code import environment_states
from audiomill.renderers.host.folders import cache_folder

CONNECT_S = 0.3
MAX_QUESTION_BYTES, MAX_ANSWER_BYTES = 1 << 18, 1 << 22
# For the first segments: a long novel takes half a second, and its listener three times that.
ANSWER_TIMEOUT_S = 10.0


@dataclass(frozen=True, slots=True)
class WantedBook:
    """The book of a command line."""

    arguments: tuple[str, ...]
    folder: str  # where the command runs
    options: str  # what it has read of the arguments
    state: list[list[Any]]  # of the file: a server in a container may have another one there


def socket_path() -> Path:
    """Where a ready reader of this user, environment and code listens."""
    what = (deciding_variables(), *environment_states())
    name = hashlib.sha256(repr(what).encode()).hexdigest()[:32]  # a path has 104 bytes at most
    return cache_folder() / "readers" / name


def wanted_book(arguments: Sequence[str], options: object, source: Path) -> WantedBook:
    """The book at a path."""
    return WantedBook(tuple(arguments), str(Path.cwd()), repr(options), state_of(source))


def beginning_by_reader(wanted: WantedBook, path: Path) -> BeginningRequest | None:
    """How a book begins, as the reader at a path finds; None if there is none that finds it."""
    with suppress(OSError, ValueError, TypeError), connected_to(path, CONNECT_S) as connection:
        send_message(connection, asdict(wanted))
        answer = received_message(connection, MAX_ANSWER_BYTES, ANSWER_TIMEOUT_S)
        return BeginningRequest(**answer) if answer else None
    return None
