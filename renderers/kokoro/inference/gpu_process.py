"""A child process that runs the model on one GPU. Knows no queue, no other GPU and no PyTorch.

    pipe ─▶ receiving thread ─▶ main thread: start ─▶ writing thread: finish ─▶ pipe, shared memory

While the GPU computes some rows, the main thread already receives and starts the next ones, and the
writing thread copies out the samples of the last. It also makes of them what the store keeps: the
parent, which has the rows of all GPUs, then never reads the samples. When the pipe is closed, the
child ends at once, whatever it is doing.
"""

from __future__ import annotations

import mmap
import os
import signal
import sys
import tempfile
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from itertools import accumulate, pairwise
from multiprocessing.connection import Connection
from multiprocessing.reduction import send_handle
from queue import SimpleQueue
from threading import Thread
from typing import Any, Never

import numpy as np
from numpy.typing import NDArray

from audiomill.renderers.engine.errors import EngineFailed, RenderError, reason_of
from audiomill.renderers.engine.pcm import PcmAudio, pcm_of
from audiomill.renderers.engine.protocol import Samples
from audiomill.renderers.host.child_process import ChildDied, ChildProcess
from audiomill.renderers.host.shared_memory import OpenMemory, SharedPiece, kept_open
from audiomill.renderers.kokoro.inference.rows import RowAudio, RowRequest
from audiomill.renderers.kokoro.model.config import EXACT_BITS

# A row as the model returns it: samples, the number of frames of each token, seconds of a frame.
RowResult = tuple[Samples, tuple[int, ...], float]
# Starts rows; the function that it returns waits for their results, in the same order. Both raise
# RenderError.
StartRows = Callable[[Sequence[RowRequest]], Callable[[], list[RowResult]]]
LoadModel = Callable[[], StartRows]
# Rows to start, and the writing thread's futures once they are done.
Inbox = SimpleQueue[list[RowRequest] | Future[None]]
SAMPLE_BYTES = np.dtype(np.float32).itemsize


@dataclass(frozen=True)  # without slots, which Python 3.11 would pickle in Python
class SentRow:
    """A row as it is sent back, without what is in shared memory: its samples and its PCM."""

    n_samples: int
    durations: tuple[int, ...]
    frame_s: float
    pcm: SentPcm | None  # None if the samples are no audio, of which the store tells


@dataclass(frozen=True)
class SentPcm:
    """What is known of a row's PCM of EXACT_BITS."""

    exponent: int
    sha256: str


# The rows; or the error that every GPU would meet; or the reason why this one has failed.
GpuAnswer = list[SentRow] | RenderError | str


def to_shared_memory(pieces: Sequence[NDArray[Any]]) -> int:
    """A file descriptor of memory that holds `pieces` one after the other; to be closed."""
    descriptor = _unnamed_file()
    try:
        if n_bytes := sum(piece.nbytes for piece in pieces):
            os.ftruncate(descriptor, n_bytes)
            with mmap.mmap(descriptor, 0) as memory:
                _fill(np.frombuffer(memory, np.uint8), pieces)
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


def _fill(content: NDArray[np.uint8], pieces: Sequence[NDArray[Any]]) -> None:
    """Copy `pieces` one after the other, without the GIL: kernels are started meanwhile."""
    ends = accumulate((piece.nbytes for piece in pieces), initial=0)
    for piece, (first, end) in zip(pieces, pairwise(ends), strict=True):
        np.copyto(content[first:end], piece.view(np.uint8))


def from_shared_memory(descriptor: int, sizes: Sequence[int]) -> list[NDArray[np.uint8]]:
    """The pieces of these sizes, in bytes, without a copy. Closes the descriptor.

    A change to a piece stays in this process. The memory lasts until the last piece is gone.
    """
    try:
        if not any(sizes):
            return [np.zeros(0, np.uint8) for _ in sizes]
        memory = mmap.mmap(descriptor, 0, access=mmap.ACCESS_COPY)
    finally:
        os.close(descriptor)
    content = np.frombuffer(memory, np.uint8)
    ends = accumulate(sizes, initial=0)
    return [content[first:end] for first, end in pairwise(ends)]


def _unnamed_file() -> int:
    if sys.platform == "linux":
        return os.memfd_create("audiomill")
    with tempfile.TemporaryFile() as file:
        return os.dup(file.fileno())


def work(pipe: Connection, load: LoadModel) -> None:
    """In the child: answer every `list[RowRequest]` until one cannot be answered."""
    inbox: Inbox = SimpleQueue()
    Thread(target=_receive, args=(pipe, inbox), daemon=True).start()
    pipe.send(_failure(pipe, load, inbox))


def _receive(pipe: Connection, inbox: Inbox) -> None:
    while True:
        try:
            inbox.put(pipe.recv())
        except (EOFError, OSError):
            return  # `ChildProcess` ends this process


def _failure(pipe: Connection, load: LoadModel, inbox: Inbox) -> RenderError | str:
    """Run rows until one fails; return the reason."""
    try:
        _run(pipe, _loaded(load, inbox), inbox)
    # A GPU reports errors as RuntimeError; after one, this process can use it no more.
    except (EngineFailed, RuntimeError, MemoryError, OSError) as error:
        return reason_of(error)
    except RenderError as error:
        return error


def _loaded(load: LoadModel, inbox: Inbox) -> StartRows:
    """What `load` returns. What it raises is raised once there are rows, as the answer to them."""
    try:
        return load()
    except Exception:
        inbox.get()
        raise


def _run(pipe: Connection, start: StartRows, inbox: Inbox) -> Never:
    with ThreadPoolExecutor(1) as writer:  # its exit sends what is finished before an error
        written: Future[None] | None = None
        while True:
            message = inbox.get()
            if isinstance(message, Future):
                message.result()
                continue
            written = writer.submit(_write, pipe, start(message), written)
            # In the inbox, a writer's error does not wait for the next rows.
            written.add_done_callback(inbox.put)


def _write(
    pipe: Connection, finish: Callable[[], list[RowResult]], previous: Future[None] | None
) -> None:
    if previous:
        previous.result()  # after a failure, this answer would be taken for the failed one's
    results = finish()
    pcm = [_pcm_of(samples) for samples, _, _ in results]
    # The samples first: each then begins at a multiple of its size.
    memory = to_shared_memory(
        [*(samples for samples, _, _ in results), *(one.octets for one in pcm if one)]
    )
    try:
        pipe.send([_sent(*pair) for pair in zip(results, pcm, strict=True)])
        send_handle(pipe, memory, os.getppid())
    finally:
        os.close(memory)


def _pcm_of(samples: Samples) -> PcmAudio | None:
    try:
        return pcm_of(samples, EXACT_BITS)
    except EngineFailed:  # not this GPU's failure: the store tells which segment it is
        return None


def _sent(result: RowResult, pcm: PcmAudio | None) -> SentRow:
    samples, durations, frame_s = result
    return SentRow(
        samples.size, durations, frame_s, SentPcm(pcm.exponent, pcm.sha256) if pcm else None
    )


class GpuFailed(Exception):
    """The child is of no more use. The message is the reason, as a part of a sentence."""


class GpuProcess:
    """A child that runs rows with the model that `load` loads there. One thread at a time."""

    def __init__(self, load: LoadModel) -> None:
        """Raises GpuFailed."""
        try:
            self._child = ChildProcess(work, load)
        except OSError as error:
            raise GpuFailed(f"no process can be started ({error})") from error

    def send(self, requests: list[RowRequest]) -> None:
        """Have rows run after those that were sent before. Raises GpuFailed."""
        try:
            self._child.send(requests)
        except ChildDied as error:
            raise _died(error) from error

    def receive(self, timeout_s: float) -> list[RowAudio] | None:
        """The audio of the rows that were sent first; None if they are not there in time.

        Raises GpuFailed, or the RenderError that every GPU would meet. After either the child is of
        no more use.
        """
        if not self._child.poll(timeout_s):
            return None
        try:
            answer: GpuAnswer = self._child.receive()
            if isinstance(answer, list):
                return _received(answer, self._child.receive_descriptor())
        except ChildDied as error:
            raise _died(error) from error
        if isinstance(answer, RenderError):
            raise answer
        raise GpuFailed(answer)

    def kill(self) -> None:
        """End it at once: it has nothing to lose. One that hangs in a driver is left there."""
        self._child.kill()


def _received(rows: Sequence[SentRow], memory: int) -> list[RowAudio]:
    """The rows with what is in shared memory."""
    sizes = [row.n_samples * SAMPLE_BYTES for row in rows]
    sizes += [row.n_samples * EXACT_BITS // 8 for row in rows if row.pcm]
    kept = kept_open(memory)
    pieces = iter(
        zip(from_shared_memory(memory, sizes), accumulate(sizes, initial=0), strict=False)
    )
    samples = [next(pieces)[0].view(np.float32) for _ in rows]
    pcm = [_pcm(row.pcm, *next(pieces), kept) if row.pcm else None for row in rows]
    return [
        RowAudio(samples, row.durations, row.frame_s, pcm)
        for row, samples, pcm in zip(rows, samples, pcm, strict=True)
    ]


def _pcm(
    sent: SentPcm, octets: NDArray[np.uint8], first: int, memory: OpenMemory | None
) -> PcmAudio:
    shared = SharedPiece(memory, first, octets.size) if memory else None
    return PcmAudio(octets, sent.exponent, sent.sha256, shared)


def _died(error: ChildDied) -> GpuFailed:
    is_killed = error.exit_code == -signal.SIGKILL
    return GpuFailed(f"{error}, perhaps for want of memory" if is_killed else str(error))
