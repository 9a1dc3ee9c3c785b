"""Who speaks: one model in this process, or several, each on its device in a process of its own."""

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

from audiomill.renderers.base import EngineFailed, EngineMissing, RenderError, reason_of
from audiomill.renderers.host.threads import WorkerPool
from audiomill.renderers.kokoro.config import KokoroConfig
from audiomill.renderers.kokoro.devices import devices_of
from audiomill.renderers.kokoro.inference.gpu_queue import GpuQueue, WorkItem, split_by_phonemes
from audiomill.renderers.kokoro.inference.gpu_worker import (
    Begin,
    GpuFailed,
    GpuProcess,
    Make,
    RowRequest,
    RowResult,
)
from audiomill.renderers.kokoro.inference.loading import chosen_device, load_runner
from audiomill.renderers.kokoro.inference.runner import Row, RowAudio, Runner
from audiomill.renderers.kokoro.model.model import Utterance
from audiomill.renderers.options import KokoroOptions

# A thread that serves one card:

LOG = logging.getLogger("audiomill")
LISTEN_S = 0.1  # between two looks at whether there is more to do, or nothing any more
MOST_FAILURES = 3  # of a card in a row
# Shares that a card has: the one it speaks, and the next, so that it does not wait for us.
N_UNDER_WAY = 2

Work = WorkItem[list[RowResult]]


class GpuWorkerThread:
    """Takes shares until the queue is closed, or the card is given up."""

    def __init__(
        self, card: int, device: str, make: Make, queue: GpuQueue[list[RowResult]]
    ) -> None:
        self._card, self._device, self._make, self._queue = card, device, make, queue
        self._process: GpuProcess | None = None
        self._n_failures = 0  # since the last answer
        self._thread = Thread(target=self._serve, name=f"card {device}", daemon=True)
        self._thread.start()

    def join(self) -> None:
        """Wait until the process has ended; the queue must be closed."""
        self._thread.join()

    def _serve(self) -> None:
        try:
            while self._n_failures < MOST_FAILURES and (share := self._queue.take(self._card)):
                self._see_to(deque([share]))
        finally:
            self._queue.give_up(self._card)
            self._bury()

    def _see_to(self, under_way: deque[Work]) -> None:
        """Have it spoken, and what else can be taken meanwhile. What is not begun goes back."""
        try:
            self._speak(under_way)
        except GpuFailed as error:
            self._n_failures += 1
            LOG.warning("Kokoro has failed on %s: %s.", self._device, error)
            self._queue.fail(self._card, under_way.popleft(), str(error))
            self._bury()
        except RenderError as error:
            for share in under_way:
                share.done.set_exception(error)
            under_way.clear()
            self._queue.refuse(error)
            self._bury()
        while under_way:
            self._queue.give_back(under_way.pop())

    def _speak(self, under_way: deque[Work]) -> None:
        """Raises GpuFailed, RenderError: of the first that is under way."""
        is_new = self._process is None
        process = self._process = self._process or GpuProcess(self._make)
        process.send(under_way[0].order)
        while under_way and not self._queue.is_closed:
            # A new process has its model to load first, when another card may be free.
            if not is_new and len(under_way) < N_UNDER_WAY:
                self._take_ahead(process, under_way)
            if (spoken := process.hear(LISTEN_S)) is not None:
                under_way.popleft().done.set_result(spoken)
                is_new, self._n_failures = False, 0

    def _take_ahead(self, process: GpuProcess, under_way: deque[Work]) -> None:
        if share := self._queue.take_ahead(self._card):
            under_way.append(share)
            process.send(share.order)

    def _bury(self) -> None:
        if self._process:
            self._process.kill()
        self._process = None


# Several devices that speak as one:


class GpuPool(WorkerPool[GpuWorkerThread]):
    """Any thread may use it. What is not closed is closed when the interpreter ends."""

    def __init__(self, cards: Sequence[tuple[str, Make]]) -> None:
        """Devices, and what makes a speaker for each, in a process that has the same modules."""
        super().__init__()
        self._cards = tuple(cards)
        self._queue: GpuQueue[list[RowResult]] = GpuQueue(device for device, _ in cards)

    def run(self, rows: Sequence[Row]) -> list[RowAudio]:
        """All `rows`, in their order. Raises EngineFailed, and what making a speaker raises."""
        self._hire()
        cut = split_by_phonemes([len(row.utterance.tokens) for row in rows], len(self._cards))
        works: list[Work] = [WorkItem([_asked(rows[index]) for index in one]) for one in cut]
        self._queue.put(works)
        told: dict[int, RowResult] = {}
        for one, share in zip(cut, works, strict=True):
            told.update(zip(one, share.done.result(), strict=True))
        return [RowAudio(*told[index]) for index in range(len(rows))]

    def _stop(self) -> None:
        """Nothing can be spoken any more."""
        self._queue.close()

    def _hire(self) -> None:
        with self._lock:
            for card in range(len(self._hands), len(self._cards)):
                self._hands.append(GpuWorkerThread(card, *self._cards[card], self._queue))


def _asked(row: Row) -> RowRequest:
    """A row as it is sent: a tensor would bring along all that it is a part of."""
    one = row.utterance
    return one.tokens, one.style.float().numpy(), one.speed, row.seed


class SingleDevice:
    """A speaker that any thread may use."""

    def __init__(self, speaker: Runner, device: str) -> None:
        self._speaker, self._device = speaker, device
        self._one_at_a_time = Lock()

    def run(self, rows: Sequence[Row]) -> list[RowAudio]:
        """All `rows`, in their order. Raises EngineFailed."""
        with _in_words(self._device):
            with self._one_at_a_time:
                coming = self._speaker.start(rows)
            # The next batch can begin while this one comes in.
            return [one.finished() for one in coming]


def open_devices(
    weights: Path, config: KokoroConfig, options: KokoroOptions
) -> SingleDevice | GpuPool:
    """Ready to speak on every device that is set. Any thread may use it.

    Raises EngineMissing, EngineFailed, WeightsUnfit; of several devices when they are first asked.
    """
    first, *others = devices_of(options.device)
    # A worker of somebody else's pool may have no children.
    if not others or multiprocessing.current_process().daemon:
        with _in_words(first):
            return SingleDevice(load_runner(weights, config, replace(options, device=first)), first)
    own = [replace(options, device=device) for device in (first, *others)]
    return GpuPool([(one.device, partial(load_on_gpu, weights, config, one)) for one in own])


@contextmanager
def _in_words(device: str) -> Generator[None]:
    """Raise a GPU's own errors as EngineFailed; on a CPU there are none."""
    try:
        yield
    except RuntimeError as error:
        if device == "cpu":
            raise
        raise EngineFailed(
            f"Kokoro has failed on {device}: {reason_of(error)}. What is finished is kept: run the"
            " same command again. If that ends the same way, set kokoro.device to cpu."
        ) from error


def load_on_gpu(weights: Path, config: KokoroConfig, options: KokoroOptions) -> Begin:
    """A speaker for a process that has one device only. Raises as above."""
    try:
        device = chosen_device(options.device)
    except EngineMissing as error:  # full, perhaps, or somebody else's alone: others may do
        raise EngineFailed(str(error)) from error
    if device.type == "cuda":
        torch.cuda.set_device(device)  # what names no device is for this one too
    return partial(_begin, load_runner(weights, config, options))


def _begin(speaker: Runner, asked: Sequence[RowRequest]) -> Callable[[], list[RowResult]]:
    coming = speaker.start([_row(*one) for one in asked])

    def finish() -> list[RowResult]:
        spoken = [one.finished() for one in coming]
        return [(one.samples, one.durations, one.frame_s) for one in spoken]

    return finish


def _row(tokens: tuple[int, ...], style: NDArray[np.float32], speed: float, seed: int) -> Row:
    return Row(Utterance(tokens, torch.from_numpy(style), speed), seed)
