"""The process that speaks on one card. Knows a pipe and a speaker, no queue and no other card.

    pipe ─▶ a thread that listens ─▶ begun ─▶ a thread that waits and writes ─▶ pipe, memory

So the next rows are there when the last are begun: they are read while these are spoken, and the
card is at work while these are written out. It ends when the pipe is closed, whatever it is doing
then: by its owner, or by the kernel once the owner is dead.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from multiprocessing.connection import Connection
from multiprocessing.reduction import send_handle
from queue import SimpleQueue
from threading import Thread
from typing import Never

import numpy as np
from numpy.typing import NDArray

from renderers.kokoro.card_memory import written
from renderers.reasons import reason_of
from renderers.shard import EngineFailed, RenderError, Samples

# A row as it is sent: tokens, style, speed, seed of its noise. And what it comes to: samples, how
# many frames each token lasts, and how long a frame is. Plain, and without PyTorch.
Asked = tuple[tuple[int, ...], NDArray[np.float32], float, int]
Told = tuple[Samples, tuple[int, ...], float]
# To begin rows, and what waits until they are spoken, in their order. Both raise RenderError.
Begin = Callable[[Sequence[Asked]], Callable[[], list[Told]]]
Make = Callable[[], Begin]
# What is to be done, and word of what is.
Orders = SimpleQueue[list[Asked] | Future[None]]
# Of each row: its size in samples, which are in memory, and the rest. Or the error that any card
# would meet; or why this one failed.
Answer = list[tuple[int, tuple[int, ...], float]] | RenderError | str


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


def _send(pipe: Connection, coming: Callable[[], list[Told]], before: Future[None] | None) -> None:
    if before:
        before.result()  # after one that has failed, an answer would be taken for its
    told = coming()
    memory = written([samples for samples, _, _ in told])
    try:
        pipe.send([(samples.size, *rest) for samples, *rest in told])
        send_handle(pipe, memory, os.getppid())
    finally:
        os.close(memory)
