"""Keeps a process ready that reads a book for a listener, beside a server of speech.

    prepared ─▶ socket ─▶ a book is wanted ─▶ no socket ─▶ read, cut ─▶ answer ─▶ the process ends
        ▲                                                                              │
        └──────────────────────────── some seconds later ──────────────────────────────┘

Each process reads one book: nothing of one is left for the next. While none is ready there is no
socket, and listeners read by themselves. Whatever happens to the process, the server only has no
answer.
"""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from audiomill.flows.listen.beginning_cache import BeginningRequest, is_used
from audiomill.flows.listen.reader_client import (
    ANSWER_TIMEOUT_S,
    MAX_QUESTION_BYTES,
    WantedBook,
    socket_path,
)
from audiomill.flows.listen.user_socket import (
    UserOf,
    is_left,
    listening_at,
    peer_uid,
    received_message,
    require_own_peer,
    send_message,
)
from audiomill.renderers.host.child_process import POLL_S
from audiomill.renderers.host.process_pool import Task, TaskProcess

# Before a process is prepared: what was asked for last sounds meanwhile.
PAUSE_S = 10.0
QUESTION_TIMEOUT_S = 1.0  # for the question of whoever has connected
PREPARE_TIMEOUT_S = 120.0


class _Ended(Exception):
    """The server ends, or nobody waits for an answer."""


@dataclass(frozen=True, slots=True)
class ReadingTasks:
    """What the process does, once each. What `prepare` raises leaves the server without one."""

    prepare: Task[None, None]
    read: Task[WantedBook, BeginningRequest | None]


class ReaderServer:
    """Has a process ready, in a thread, while it is entered."""

    def __init__(
        self,
        tasks: ReadingTasks,
        pause_s: float = PAUSE_S,
        uid_of: UserOf = peer_uid,
    ) -> None:
        self._tasks, self._pause_s, self._uid_of = tasks, pause_s, uid_of
        self._stop = threading.Event()

    @contextmanager
    def running(self) -> Generator[None]:
        """Have a process ready in the block, whenever nothing prevents it."""
        thread = threading.Thread(target=self._run, name="readers", daemon=True)
        thread.start()
        try:
            yield
        finally:
            self._stop.set()
            thread.join()

    def _run(self) -> None:
        # OSError: of the socket. It would come again.
        with suppress(_Ended, OSError):
            while not self._stop.wait(self._pause_s):
                if is_used():
                    self._read_one()

    def _read_one(self) -> None:
        """Prepare a process, and have it read the next book. Raises _Ended, OSError."""
        path, process = socket_path(), TaskProcess()
        try:
            self._prepare(process)
            connection, wanted = self._next_book(path)
            with connection:
                self._answer(connection, process, wanted)
        finally:
            process.stop()

    def _prepare(self, process: TaskProcess) -> None:
        """Have the process ready. Raises _Ended, also for what would prevent it again."""
        try:
            process.do(self._tasks.prepare, None, self._until(PREPARE_TIMEOUT_S))
        except Exception as error:
            raise _Ended from error

    def _next_book(self, path: Path) -> tuple[socket.socket, WantedBook]:
        """Wait for a question. Raises _Ended, OSError."""
        with listening_at(path) as listener:
            listener.settimeout(POLL_S)
            while not self._stop.is_set():
                with suppress(TimeoutError):
                    connection, _ = listener.accept()
                    if wanted := self._question(connection):
                        return connection, wanted
                    connection.close()
        raise _Ended

    def _question(self, connection: socket.socket) -> WantedBook | None:
        """What is asked; None for a stranger, or what is no question."""
        with suppress(OSError, ValueError, TypeError):
            require_own_peer(connection, self._uid_of)
            return WantedBook(
                **received_message(connection, MAX_QUESTION_BYTES, QUESTION_TIMEOUT_S)
            )
        return None

    def _answer(self, connection: socket.socket, process: TaskProcess, wanted: WantedBook) -> None:
        """Read a book. Sends nothing if it cannot be read: who listens is told by reading it."""
        check = self._until(ANSWER_TIMEOUT_S, lambda: is_left(connection))
        try:
            found = process.do(self._tasks.read, wanted, check)
        except Exception:  # noqa: BLE001  of whatever is wrong with the book, or the process
            return
        with suppress(OSError):
            send_message(connection, found and asdict(found))

    def _until(
        self, within_s: float, is_left: Callable[[], bool] = lambda: False
    ) -> Callable[[], None]:
        """A check that raises _Ended once it is late, or nobody waits."""
        until_s = time.monotonic() + within_s

        def check() -> None:
            if self._stop.is_set() or is_left() or time.monotonic() > until_s:
                raise _Ended

        return check
