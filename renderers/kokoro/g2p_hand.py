"""One worker process and the thread that serves it: brings it orders, takes its answers.

The process starts with the first order that it must read, so that whoever finds all in the cache
starts none. If it dies, its hand takes no more orders.
"""

from __future__ import annotations

import multiprocessing
import shutil
import tempfile
from collections.abc import Callable, Generator
from contextlib import ExitStack, contextmanager
from multiprocessing.connection import Connection
from threading import Thread

from renderers.deaf import start_deaf
from renderers.kokoro.g2p_orders import Order, Orders
from renderers.kokoro.g2p_versions import Alphabet
from renderers.kokoro.g2p_worker import Reply, work

# A fork would copy locks that other threads hold.
_PROCESSES = multiprocessing.get_context("spawn")
LISTEN_S = 0.2  # between two looks at whether it is still wanted


class Hand:
    """Takes orders until they are closed or its worker is dead."""

    def __init__(
        self,
        orders: Orders,
        alphabet: Alphabet,
        has: Callable[[Order], bool],
        keep: Callable[[Order, bytes], None],
    ) -> None:
        """`has` says what is not to be read again; `keep` is given each answer."""
        self._orders = orders
        self._alphabet = alphabet
        self._has = has
        self._keep = keep
        self._pipe: Connection | None = None
        self._thread = Thread(target=self._serve, name="g2p", daemon=True)
        orders.hire()
        self._thread.start()

    def join(self) -> None:
        """Wait until the worker has ended; orders must be closed."""
        self._thread.join()

    def _serve(self) -> None:
        try:
            with ExitStack() as stack:
                while orders := self._orders.take():
                    try:
                        self._bring([one for one in orders if not self._has(one)], stack)
                    finally:
                        self._orders.settle(orders)
        except (EOFError, OSError):
            pass  # the worker is dead, or none could be started
        finally:
            self._orders.dismiss()

    def _bring(self, orders: list[Order], stack: ExitStack) -> None:
        """Raises EOFError or OSError if the worker is dead."""
        if not orders:
            return
        if self._pipe is None:
            self._pipe = stack.enter_context(_worker(self._alphabet))
        self._pipe.send((orders[0].code, [order.text for order in orders]))
        while not self._pipe.poll(LISTEN_S):
            if self._orders.is_closed:
                return
        reply: Reply = self._pipe.recv()
        for order, packed in zip(orders, reply or (), strict=reply is not None):
            self._keep(order, packed)


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
