"""The process that speaks on one card. Knows a pipe and a speaker, no queue and no other card.

    pipe ─▶ a thread that listens ─▶ begun ─▶ a thread that waits and writes ─▶ pipe, memory

So the next rows are there when the last are begun: they are read while these are spoken, and the
card is at work while these are written out. It ends when the pipe is closed, whatever it is doing
then: by its owner, or by the kernel once the owner is dead.
"""

from __future__ import annotations

import mmap
import multiprocessing
import os
import signal
import sys
import tempfile
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from itertools import accumulate, pairwise
from multiprocessing.connection import Connection
from multiprocessing.reduction import recv_handle, send_handle
from queue import SimpleQueue
from threading import Thread
from typing import Never

import numpy as np
from numpy.typing import NDArray

from audiomill.renderers.base import EngineFailed, RenderError, Samples, reason_of
from audiomill.renderers.host.child_process import start_ignoring_sigint

# Samples that one process has made and another reads, without a copy.


def to_shared_memory(pieces: Sequence[Samples]) -> int:
    """A descriptor of memory that holds `pieces`, one after the other. To be closed."""
    descriptor = _nameless()
    try:
        n_samples = sum(piece.size for piece in pieces)
        if n_samples:
            os.ftruncate(descriptor, n_samples * np.dtype(np.float32).itemsize)
            with mmap.mmap(descriptor, 0) as room:
                np.concatenate(pieces, out=np.frombuffer(room, np.float32))
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


def from_shared_memory(descriptor: int, sizes: Sequence[int]) -> list[Samples]:
    """The pieces of those sizes, in samples. They may be changed here; nobody else sees it.

    Closes the descriptor. The memory lasts until the last of them is gone.
    """
    try:
        if not any(sizes):
            return [np.zeros(0, np.float32) for _ in sizes]
        room = mmap.mmap(descriptor, 0, access=mmap.ACCESS_COPY)
    finally:
        os.close(descriptor)
    samples = np.frombuffer(room, np.float32)
    ends = accumulate(sizes, initial=0)
    return [samples[first:end] for first, end in pairwise(ends)]


def _nameless() -> int:
    if sys.platform == "linux":
        return os.memfd_create("audiomill")
    with tempfile.TemporaryFile() as file:
        return os.dup(file.fileno())


# A row as it is sent: tokens, style, speed, seed of its noise. And what it comes to: samples, how
# many frames each token lasts, and how long a frame is. Plain, and without PyTorch.
RowRequest = tuple[tuple[int, ...], NDArray[np.float32], float, int]
RowResult = tuple[Samples, tuple[int, ...], float]
# To begin rows, and what waits until they are spoken, in their order. Both raise RenderError.
Begin = Callable[[Sequence[RowRequest]], Callable[[], list[RowResult]]]
Make = Callable[[], Begin]
# What is to be done, and word of what is.
Orders = SimpleQueue[list[RowRequest] | Future[None]]
# Of each row: its size in samples, which are in memory, and the rest. Or the error that any card
# would meet; or why this one failed.
GpuAnswer = list[tuple[int, tuple[int, ...], float]] | RenderError | str


def work(pipe: Connection, make: Make) -> Never:
    """Answer every `list[Asked]` until one cannot be answered, or the pipe is closed.

    Never returns: the interpreter's own end would wait for what the card is doing.
    """
    # Ctrl-C goes to the whole group of processes; the owner decides what it means.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    orders: Orders = SimpleQueue()
    Thread(target=_listen, args=(pipe, orders), daemon=True).start()
    with suppress(OSError):
        pipe.send(_served(pipe, make, orders))
    os._exit(1)


def _listen(pipe: Connection, orders: Orders) -> Never:
    while True:
        try:
            orders.put(pipe.recv())
        except (EOFError, OSError):
            os._exit(0)


def _served(pipe: Connection, make: Make, orders: Orders) -> RenderError | str:
    """Why it ended."""
    try:
        _serve(pipe, make(), orders)
    # An error of the card is a RuntimeError, and nothing can be done in this process after it.
    except (EngineFailed, RuntimeError, MemoryError, OSError) as error:
        return reason_of(error)
    except RenderError as error:
        return error


def _serve(pipe: Connection, begin: Begin, orders: Orders) -> Never:
    with ThreadPoolExecutor(1) as writer:  # which has sent everything before an error is told
        sent: Future[None] | None = None
        while True:
            one = orders.get()
            if isinstance(one, Future):
                one.result()
                continue
            sent = writer.submit(_send, pipe, begin(one), sent)
            # Comes round as soon as it is done, so that an error does not wait for an order.
            sent.add_done_callback(orders.put)


def _send(
    pipe: Connection, coming: Callable[[], list[RowResult]], before: Future[None] | None
) -> None:
    if before:
        before.result()  # after one that has failed, an answer would be taken for its
    told = coming()
    memory = to_shared_memory([samples for samples, _, _ in told])
    try:
        pipe.send([(samples.size, *rest) for samples, *rest in told])
        send_handle(pipe, memory, os.getppid())
    finally:
        os.close(memory)


# One worker process as its owner has it:

# A fork would copy locks that other threads hold, and CUDA does not survive it.
_PROCESSES = multiprocessing.get_context("spawn")
PATIENCE_S = 5.0  # with a process that has been killed, or has closed its pipe, until it is gone


class GpuFailed(Exception):
    """The process is of no more use. Says why, in a part of a sentence."""


class GpuProcess:
    """A process that speaks with what `make` makes there. One thread at a time."""

    def __init__(self, make: Make) -> None:
        """Raises GpuFailed."""
        self._pipe, theirs = _PROCESSES.Pipe()
        self._process = _PROCESSES.Process(target=work, args=(theirs, make), daemon=True)
        try:
            with theirs:
                start_ignoring_sigint(self._process)
        except OSError as error:
            self._pipe.close()
            raise GpuFailed(f"no process can be started ({error})") from error

    def send(self, order: object) -> None:
        """Have rows spoken after those that were sent before. Raises GpuFailed."""
        try:
            self._pipe.send(order)
        except OSError as error:
            raise GpuFailed(self._end()) from error

    def hear(self, patience_s: float) -> list[RowResult] | None:
        """What the first of the rows that are under way came to; None if that takes longer.

        Raises GpuFailed; and RenderError for what any card would fail at, when this one is of no
        more use either.
        """
        try:
            if not self._pipe.poll(patience_s):
                return None
            answer: GpuAnswer = self._pipe.recv()
            if isinstance(answer, list):
                samples = from_shared_memory(
                    recv_handle(self._pipe), [size for size, _, _ in answer]
                )
                pairs = zip(samples, answer, strict=True)
                return [(one, durations, frame_s) for one, (_, durations, frame_s) in pairs]
        # A process that dies between an answer and its memory sends a message without one.
        except (EOFError, OSError, RuntimeError) as error:
            raise GpuFailed(self._end()) from error
        if isinstance(answer, RenderError):
            raise answer
        raise GpuFailed(answer)

    def kill(self) -> None:
        """End it at once: it has nothing to lose. One that hangs in a driver is left there."""
        self._process.kill()
        self._process.join(PATIENCE_S)
        if self._process.exitcode is not None:
            self._process.close()
        self._pipe.close()

    def _end(self) -> str:
        self._process.join(PATIENCE_S)
        code = self._process.exitcode
        if code is None or code >= 0:
            return f"its process ended ({code})"
        memory = ", perhaps for want of memory" if -code == signal.SIGKILL else ""
        return f"its process was ended by signal {-code} ({signal.strsignal(-code)}){memory}"
