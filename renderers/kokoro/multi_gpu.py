"""Runs rows on GPUs, each in a child process, or on a CPU in this process. Loads no PyTorch itself.

    rows ─▶ GpuPool ─▶ GpuQueue ─▶ GpuWorkerThread ── rows ─▶ child: the model on one GPU
                                           │      ◀─ samples ─
                                           └── one for each GPU

A GPU waits for the interpreter that starts its kernels. Its own process does nothing else, while
this one finds phonemes and stores audio.
"""

from __future__ import annotations

import logging
import multiprocessing
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING

from audiomill.renderers.engine.errors import EngineFailed, EngineMissing, RenderError
from audiomill.renderers.host.devices import AUTO, devices_of, has_gpu, is_one_gpu
from audiomill.renderers.host.threads import WorkerPool
from audiomill.renderers.kokoro.inference.gpu_process import (
    GpuFailed,
    GpuProcess,
    LoadModel,
    StartRows,
)
from audiomill.renderers.kokoro.inference.gpu_queue import GpuQueue, WorkItem, split_by_phonemes
from audiomill.renderers.kokoro.inference.rows import RowAudio, RowRequest
from audiomill.renderers.kokoro.model.config import KokoroConfig
from audiomill.renderers.kokoro.options import KokoroOptions

if TYPE_CHECKING:
    from audiomill.renderers.kokoro.single_device import SingleDevice

LOG = logging.getLogger("audiomill")
POLL_S = 0.1  # between two looks at the queue: is there more to send, or is it closed
MAX_FAILURES = 3  # of a GPU in a row
N_IN_FLIGHT = 2  # items at a GPU: the one it computes, and the next, so that it never idles

RowsItem = WorkItem[list[RowRequest], list[RowAudio]]
RowsQueue = GpuQueue[list[RowRequest], list[RowAudio]]


class GpuWorkerThread:
    """Serves one GPU with items, until the queue is closed or the GPU is given up."""

    def __init__(
        self,
        gpu: int,
        device: str,
        load: LoadModel,
        queue: RowsQueue,
        process: GpuProcess | None = None,
    ) -> None:
        """`gpu` is its index in the queue; `device` is its name, for messages.

        `process`: one that loads the model already; None: it is started for the first item.
        """
        self._gpu, self._device, self._load, self._queue = gpu, device, load, queue
        self._process = process
        self._is_new = True  # its process has answered nothing yet
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
        process = self._process = self._process or GpuProcess(self._load)
        process.send(in_flight[0].request)
        while in_flight and not self._queue.is_closed:
            # A new process loads its model first; another GPU may be free before.
            is_next_wanted = self._queue.has_one_gpu or not self._is_new
            if is_next_wanted and len(in_flight) < N_IN_FLIGHT:
                self._take_ahead(process, in_flight)
            if (results := process.receive(POLL_S)) is not None:
                in_flight.popleft().future.set_result(results)
                self._is_new, self._n_failures = False, 0

    def _take_ahead(self, process: GpuProcess, in_flight: deque[RowsItem]) -> None:
        if item := self._queue.take_ahead(self._gpu):
            in_flight.append(item)
            process.send(item.request)

    def _kill_process(self) -> None:
        if self._process:
            self._process.kill()
        self._process, self._is_new = None, True


class GpuPool(WorkerPool[GpuWorkerThread]):
    """Runs rows on several devices. Any thread may use it.

    If it is not closed, it is closed when the interpreter ends.
    """

    def __init__(self, gpus: Sequence[tuple[str, LoadModel]]) -> None:
        """`gpus`: each device's name, and the function that loads the model in its child."""
        super().__init__()
        self._gpus = tuple(gpus)
        self._queue: RowsQueue = GpuQueue(device for device, _ in gpus)

    def load_ahead(self) -> None:
        """Have the first GPU's process load the model before there are rows for it."""
        with self._lock, suppress(GpuFailed):  # the first rows meet the error again
            if not self._workers:
                device, load = self._gpus[0]
                process = GpuProcess(load)
                self._workers.append(GpuWorkerThread(0, device, load, self._queue, process))

    def run(self, rows: Sequence[RowRequest]) -> list[RowAudio]:
        """Audio of all `rows`, in their order. Raises EngineFailed, and what loading raises."""
        self._start_workers()
        parts = split_by_phonemes([len(tokens) for tokens, *_ in rows], len(self._gpus))
        items: list[RowsItem] = [WorkItem([rows[index] for index in part]) for part in parts]
        self._queue.put(items)
        audio: dict[int, RowAudio] = {}
        for part, item in zip(parts, items, strict=True):
            audio.update(zip(part, item.future.result(), strict=True))
        return [audio[index] for index in range(len(rows))]

    def drop(self) -> None:
        """End all processes soon, for an owner that is gone. Waits for nothing."""
        self._stop()

    def _stop(self) -> None:
        """Run no more rows."""
        self._queue.close()

    def _start_workers(self) -> None:
        with self._lock:
            for gpu in range(len(self._workers), len(self._gpus)):
                self._workers.append(GpuWorkerThread(gpu, *self._gpus[gpu], self._queue))


def open_devices(
    weights: Path, config: KokoroConfig, options: KokoroOptions
) -> SingleDevice | GpuPool:
    """The devices that are set, which run rows or load the model for them. Any thread may use them.

    Raises EngineMissing, EngineFailed, WeightsUnfit; with processes, at the first rows.
    """
    devices = (AUTO,) if is_one_gpu(options.device) else devices_of(options.device)
    only = len(devices) == 1
    # A worker of somebody else's pool must not start processes.
    if multiprocessing.current_process().daemon or (only and not has_gpu(devices[0])):
        from audiomill.renderers.kokoro.single_device import open_here

        return open_here(weights, config, replace(options, device=devices[0]))
    load = load_only_gpu if only else load_on_gpu
    pool = GpuPool(
        [
            (device, partial(load, weights, config, replace(options, device=device)))
            for device in devices
        ]
    )
    pool.load_ahead()
    return pool


def load_only_gpu(weights: Path, config: KokoroConfig, options: KokoroOptions) -> StartRows:
    """In a child: load the model. Raises EngineMissing, EngineFailed, WeightsUnfit."""
    from audiomill.renderers.kokoro.single_device import start_on

    return start_on(weights, config, options)


def load_on_gpu(weights: Path, config: KokoroConfig, options: KokoroOptions) -> StartRows:
    """The same for one of several GPUs: the others go on where this one is missing.

    Raises EngineFailed, WeightsUnfit.
    """
    try:
        return load_only_gpu(weights, config, options)
    except EngineMissing as error:  # its memory may be full, or another process may own it alone
        raise EngineFailed(str(error)) from error
