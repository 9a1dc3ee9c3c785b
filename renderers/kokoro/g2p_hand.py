"""One worker process and the thread that serves it: brings it orders, takes its answers.

The process starts with the first order that it must read, so that whoever finds all in the cache
starts none. One that dies is replaced, and what it was reading is read once more, by itself: a text
that ends a process natively must not reach the one that renders.
"""

from __future__ import annotations

import multiprocessing
import shutil
import tempfile
from collections import deque
from collections.abc import Callable, Generator
from contextlib import ExitStack, contextmanager
from itertools import islice
from multiprocessing.connection import Connection
from threading import Thread

from renderers.deaf import start_deaf
from renderers.kokoro.g2p_orders import Order, Orders
from renderers.kokoro.g2p_versions import Alphabet
from renderers.kokoro.g2p_worker import Answer, work

# A fork would copy locks that other threads hold.
_PROCESSES = multiprocessing.get_context("spawn")
LISTEN_S = 0.2  # between two looks at whether it is still wanted
MOST_DEATHS = 6  # of workers in a row, without an answer between: not the texts are to blame then


class Hand:
    """Takes orders until they are closed, or too many workers have died in a row."""

    def __init__(
        self,
        orders: Orders,
        alphabet: Alphabet,
        has: Callable[[Order], bool],
        keep: Callable[[Order, bytes], None],
        lose: Callable[[Order], None],
    ) -> None:
        """`has` says what is not to be read again; `keep` is given each answer.

        `lose` is given what two workers have died of.
        """
        self._orders = orders
        self._alphabet = alphabet
        self._has = has
        self._keep = keep
        self._lose = lose
        self._worker = ExitStack()
        self._pipe: Connection | None = None
        self._n_deaths = 0  # since the last answer
        self._thread = Thread(target=self._serve, name="g2p", daemon=True)
        orders.hire()
        self._thread.start()

    def join(self) -> None:
        """Wait until the worker has ended; orders must be closed."""
        self._thread.join()

    def _serve(self) -> None:
        try:
            while self._n_deaths < MOST_DEATHS and (orders := self._orders.take()):
                try:
                    self._see_to(deque(one for one in orders if not self._has(one)))
                finally:
                    self._orders.settle(orders)
        finally:
            self._worker.close()
            self._orders.dismiss()

    def _see_to(self, orders: deque[Order]) -> None:
        """Have `orders` read in turn. What is left when too many workers died stays unread."""
        is_suspect = False  # the first one: a worker died while it was to read that
        while (
            orders and not self._orders.is_closed and (is_suspect or self._n_deaths < MOST_DEATHS)
        ):
            asked = 1 if is_suspect else len(orders)
            is_reading = False
            try:
                if (pipe := self._ask(list(islice(orders, asked)))) is None:
                    return
                is_reading = True
                self._listen(pipe, orders, asked)
                is_suspect = False
            except (EOFError, OSError):  # it is dead, or could not be started
                self._bury()
                if is_suspect:
                    self._lose(orders.popleft())
                is_suspect = is_reading and not is_suspect

    def _ask(self, orders: list[Order]) -> Connection | None:
        """Bring `orders` to a worker; None if it cannot read them. Raises EOFError, OSError."""
        if self._pipe is None:
            self._pipe = self._worker.enter_context(_worker(self._alphabet))
        self._pipe.send((orders[0].code, [order.text for order in orders]))
        return self._pipe if self._hear(self._pipe) else None

    def _listen(self, pipe: Connection, orders: deque[Order], n_asked: int) -> None:
        """Keep the answers to the first of `orders`, and take these away. Raises as above."""
        for _ in range(n_asked):
            if not isinstance(packed := self._hear(pipe), bytes):
                return
            self._keep(orders.popleft(), packed)
            self._n_deaths = 0

    def _hear(self, pipe: Connection) -> Answer | None:
        """The next answer, or None once nothing is wanted any more. Raises as above."""
        while not pipe.poll(LISTEN_S):
            if self._orders.is_closed:
                return None
        return pipe.recv()

    def _bury(self) -> None:
        self._worker.close()
        self._pipe = None
        self._n_deaths += 1


@contextmanager
def _worker(alphabet: Alphabet) -> Generator[Connection]:
    """A new process at the other end of a pipe, and a folder for it. Raises OSError."""
    # No TemporaryDirectory: at the interpreter's end that goes, with a warning, before workers do.
    folder = tempfile.mkdtemp(prefix="audiomill-")
    try:
        with _started(alphabet, folder) as pipe:
            yield pipe
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def _started(alphabet: Alphabet, folder: str) -> Generator[Connection]:
    ours, theirs = _PROCESSES.Pipe()
    process = _PROCESSES.Process(target=work, args=(theirs, alphabet, folder), daemon=True)
    with theirs:
        start_deaf(process)
    try:
        with ours:
            yield ours
    finally:
        process.kill()  # it has nothing to lose, and its folder is ours
        process.join()
        process.close()
