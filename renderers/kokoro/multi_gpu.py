"""Runs rows on one device in this process, or on several devices in a child process each."""

from __future__ import annotations

import logging
import multiprocessing
from collections import deque
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from threading import Lock, Thread

import numpy as np
import torch
from numpy.typing import NDArray

from audiomill.renderers.engine.errors import EngineFailed, EngineMissing, RenderError, reason_of
from audiomill.renderers.host.devices import devices_of
from audiomill.renderers.host.threads import WorkerPool
from audiomill.renderers.kokoro.inference.gpu_process import (
    GpuFailed,
    GpuProcess,
    LoadModel,
    RowRequest,
    RowResult,
    StartRows,
)
from audiomill.renderers.kokoro.inference.gpu_queue import GpuQueue, WorkItem, split_by_phonemes
from audiomill.renderers.kokoro.inference.rows import RowAudio
from audiomill.renderers.kokoro.inference.runner import Row, Runner
from audiomill.renderers.kokoro.loading import chosen_device, load_runner
from audiomill.renderers.kokoro.model.config import KokoroConfig
from audiomill.renderers.kokoro.model.model import Utterance
from audiomill.renderers.kokoro.options import KokoroOptions

LOG = logging.getLogger("audiomill")
POLL_S = 0.1  # between two looks at the queue: is there more to send, or is it closed
MAX_FAILURES = 3  # of a GPU in a row
N_IN_FLIGHT = 2  # items at a GPU: the one it computes, and the next, so that it never idles

RowsItem = WorkItem[list[RowRequest], list[RowAudio]]
RowsQueue = GpuQueue[list[RowRequest], list[RowAudio]]


class GpuWorkerThread:
    """Serves one GPU with items, until the queue is closed or the GPU is given up."""

    def __init__(self, gpu: int, device: str, load: LoadModel, queue: RowsQueue) -> None:
        """`gpu` is its index in the queue; `device` is its name, for messages."""
        self._gpu, self._device, self._load, self._queue = gpu, device, load, queue
        self._process: GpuProcess | None = None
        self._n_failures = 0  # since the last result
        self._thread = Thread(target=self._serve, name=f"GPU {device}", daemon=True)
        self._thread.start()

    def join(self) -> None:
        """Wait until the child has ended; the queue must be closed."""
        self._thread.join()

    def _serve(self) -> None:
        try:
            while self._n_failures < MAX_FAILURES and (item := self._queue.take(self._gpu)):
                self._handle(deque([item]))
        finally:
            self._queue.give_up(self._gpu)
            self._kill_process()

    def _handle(self, in_flight: deque[RowsItem]) -> None:
        """Run the items in flight, and those taken meanwhile. Give back what is not done."""
        try:
            self._run(in_flight)
        except GpuFailed as error:
            self._n_failures += 1
            LOG.warning("Kokoro has failed on %s: %s.", self._device, error)
            self._queue.fail(self._gpu, in_flight.popleft(), str(error))
            self._kill_process()
        except RenderError as error:
            for item in in_flight:
                item.future.set_exception(error)
            in_flight.clear()
            self._queue.refuse(error)
            self._kill_process()
        while in_flight:
            self._queue.give_back(in_flight.pop())

    def _run(self, in_flight: deque[RowsItem]) -> None:
        """Raises GpuFailed or RenderError, always for the first item in flight."""
        is_new = self._process is None
        process = self._process = self._process or GpuProcess(self._load)
        process.send(in_flight[0].request)
        while in_flight and not self._queue.is_closed:
            # A new process loads its model first; another GPU may be free before.
            if not is_new and len(in_flight) < N_IN_FLIGHT:
                self._take_ahead(process, in_flight)
            if (results := process.receive(POLL_S)) is not None:
                in_flight.popleft().future.set_result(results)
                is_new, self._n_failures = False, 0

    def _take_ahead(self, process: GpuProcess, in_flight: deque[RowsItem]) -> None:
        if item := self._queue.take_ahead(self._gpu):
            in_flight.append(item)
            process.send(item.request)

    def _kill_process(self) -> None:
        if self._process:
            self._process.kill()
        self._process = None


class GpuPool(WorkerPool[GpuWorkerThread]):
    """Runs rows on several devices. Any thread may use it.

    If it is not closed, it is closed when the interpreter ends.
    """

    def __init__(self, gpus: Sequence[tuple[str, LoadModel]]) -> None:
        """`gpus`: each device's name, and the function that loads the model in its child."""
        super().__init__()
        self._gpus = tuple(gpus)
        self._queue: RowsQueue = GpuQueue(device for device, _ in gpus)

    def run(self, rows: Sequence[Row]) -> list[RowAudio]:
        """Audio of all `rows`, in their order. Raises EngineFailed, and what loading raises."""
        self._start_workers()
        parts = split_by_phonemes([len(row.utterance.tokens) for row in rows], len(self._gpus))
        items: list[RowsItem] = [
            WorkItem([_request(rows[index]) for index in part]) for part in parts
        ]
        self._queue.put(items)
        audio: dict[int, RowAudio] = {}
        for part, item in zip(parts, items, strict=True):
            audio.update(zip(part, item.future.result(), strict=True))
        return [audio[index] for index in range(len(rows))]

    def _stop(self) -> None:
        """Run no more rows."""
        self._queue.close()

    def _start_workers(self) -> None:
        with self._lock:
            for gpu in range(len(self._workers), len(self._gpus)):
                self._workers.append(GpuWorkerThread(gpu, *self._gpus[gpu], self._queue))


def _request(row: Row) -> RowRequest:
    """The row as it is sent. NumPy, because a pickled tensor brings all that it is a view of."""
    utterance = row.utterance
    return utterance.tokens, utterance.style.float().numpy(), utterance.speed, row.seed


class SingleDevice:
    """Runs rows on one device, in this process. Any thread may use it."""

    def __init__(self, runner: Runner, device: str) -> None:
        self._runner, self._device = runner, device
        self._lock = Lock()

    def run(self, rows: Sequence[Row]) -> list[RowAudio]:
        """Audio of all `rows`, in their order. Raises EngineFailed."""
        with _device_errors(self._device):
            with self._lock:
                pending = self._runner.start(rows)
            # Without the lock: the next batch can start while these samples are copied.
            return [row.finished() for row in pending]


def open_devices(
    weights: Path, config: KokoroConfig, options: KokoroOptions
) -> SingleDevice | GpuPool:
    """The devices that are set, ready to run rows. Any thread may use the result.

    Raises EngineMissing, EngineFailed, WeightsUnfit; with several devices, at the first rows.
    """
    first, *others = devices_of(options.device)
    # A worker of somebody else's pool must not start processes.
    if not others or multiprocessing.current_process().daemon:
        with _device_errors(first):
            return SingleDevice(load_runner(weights, config, replace(options, device=first)), first)
    own_options = [replace(options, device=device) for device in (first, *others)]
    return GpuPool(
        [(own.device, partial(load_on_gpu, weights, config, own)) for own in own_options]
    )


@contextmanager
def _device_errors(device: str) -> Generator[None]:
    """Raise a GPU's own errors as EngineFailed; a CPU has none."""
    try:
        yield
    except RuntimeError as error:
        if device == "cpu":
            raise
        raise EngineFailed(
            f"Kokoro has failed on {device}: {reason_of(error)}. What is finished is kept: run the"
            " same command again. If that ends the same way, set kokoro.device to cpu."
        ) from error


def load_on_gpu(weights: Path, config: KokoroConfig, options: KokoroOptions) -> StartRows:
    """Load the model, in a process that has one device only.

    Raises EngineFailed, WeightsUnfit; EngineFailed also where the device is missing.
    """
    try:
        device = chosen_device(options.device)
    except EngineMissing as error:  # its memory may be full, or another process may own it alone
        raise EngineFailed(str(error)) from error
    if device.type == "cuda":
        torch.cuda.set_device(device)  # for code that names no device
    return partial(_start_rows, load_runner(weights, config, options))


def _start_rows(runner: Runner, requests: Sequence[RowRequest]) -> Callable[[], list[RowResult]]:
    pending = runner.start([_row(*request) for request in requests])

    def finish() -> list[RowResult]:
        finished = [row.finished() for row in pending]
        return [(audio.samples, audio.durations, audio.frame_s) for audio in finished]

    return finish


def _row(tokens: tuple[int, ...], style: NDArray[np.float32], speed: float, seed: int) -> Row:
    return Row(Utterance(tokens, torch.from_numpy(style), speed), seed)
