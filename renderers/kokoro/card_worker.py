"""The process that speaks on one card. Knows a pipe and a speaker, no queue and no other card.

    pipe ─▶ a thread that listens ─▶ speaker ─▶ a thread that writes ─▶ pipe, memory without a name

So the next rows are there when the last are spoken, and while these are written out the card is at
work. It ends when the pipe is closed, whatever it is doing then: by its owner, or by the kernel
once the owner is dead.
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
from typing import Never, Protocol

import numpy as np
import torch
from numpy.typing import NDArray

from renderers.kokoro.card_memory import written
from renderers.kokoro.model import Utterance
from renderers.kokoro.speaker import Row, Spoken
from renderers.shard import EngineFailed, RenderError

# A row: tokens, style, speed, seed. What is spoken: samples, frames of each token, their length.
Asked = tuple[tuple[int, ...], NDArray[np.float32], float, int]
Told = tuple[int, tuple[int, ...], float]
# What all rows came to, with the samples in memory; or the error that any card would meet; or why
# this one failed.
Answer = list[Told] | RenderError | str


class Speaking(Protocol):
    """Somebody who speaks rows."""

    def speak(self, rows: Sequence[Row]) -> list[Spoken]:
        """All `rows`, in their order. Raises RenderError."""
        ...


Make = Callable[[], Speaking]


def asked(row: Row) -> Asked:
    """A row as it is sent: a tensor would bring along all that it is a part of."""
    one = row.utterance
    return one.tokens, np.array(one.style, np.float32), one.speed, row.seed


def work(pipe: Connection, make: Make) -> Never:
    """Answer every `list[Asked]` until one cannot be answered, or the pipe is closed.

    Never returns: the interpreter's own end would wait for what the card is doing.
    """
    # Ctrl-C goes to the whole group of processes; the owner decides what it means.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    orders: SimpleQueue[list[Asked]] = SimpleQueue()
    Thread(target=_listen, args=(pipe, orders), daemon=True).start()
    with suppress(OSError):
        pipe.send(_served(pipe, make, orders))
    os._exit(1)


def _listen(pipe: Connection, orders: SimpleQueue[list[Asked]]) -> Never:
    while True:
        try:
            orders.put(pipe.recv())
        except (EOFError, OSError):
            os._exit(0)


def _served(pipe: Connection, make: Make, orders: SimpleQueue[list[Asked]]) -> RenderError | str:
    """Why it ended."""
    try:
        _serve(pipe, make(), orders)
    # An error of the card is a RuntimeError, and nothing can be done in this process after it.
    except (EngineFailed, RuntimeError, MemoryError, OSError) as error:
        return (str(error).strip() or type(error).__name__).splitlines()[0]
    except RenderError as error:
        return error


def _serve(pipe: Connection, speaker: Speaking, orders: SimpleQueue[list[Asked]]) -> Never:
    with ThreadPoolExecutor(1) as writer:  # which has sent everything before an error is told
        sent: Future[None] | None = None
        while True:
            spoken = speaker.speak([_row(*one) for one in orders.get()])
            if sent:
                sent.result()
            sent = writer.submit(_send, pipe, spoken)


def _row(tokens: tuple[int, ...], style: NDArray[np.float32], speed: float, seed: int) -> Row:
    return Row(Utterance(tokens, torch.from_numpy(style), speed), seed)


def _send(pipe: Connection, spoken: list[Spoken]) -> None:
    memory = written([one.samples for one in spoken])
    try:
        pipe.send([(one.samples.size, one.durations, one.frame_s) for one in spoken])
        send_handle(pipe, memory, os.getppid())
    finally:
        os.close(memory)
