"""What a GPU does at the same time: reading ahead, speaking, and carrying samples to the host.

    ahead    read, intone ─┐ read, intone ─┐             the host waits for the frame counts only
    speak                  └▶ decode ──────└▶ decode
    land                               └▶ copy ──────▶   the host waits when it needs the samples

On a CPU there is one order of things and nothing to wait for.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Protocol, TypeVar, cast

import torch
from torch import Tensor

from audiomill.renderers.base import Samples


class Waited(Protocol):
    """Something on a device that the host can wait for."""

    def synchronize(self) -> None:
        """Wait until it has happened."""
        ...


class HostCopy:
    """Samples (B, S) of a batch, on their way to the host."""

    def __init__(self, host: Tensor, landed: Waited | None, streams: Streams) -> None:
        self._host, self._landed, self._streams = host, landed, streams

    def row(self, row: int, n_samples: int) -> Samples:
        """The first samples of a row, once they are there."""
        if self._landed is not None:
            with self._streams.here():
                self._landed.synchronize()
        samples = self._host[row, :n_samples].float().numpy()
        # A copy, where there are others: no row of a batch holds all of it in memory.
        return samples if self._host.shape[0] == 1 and self._landed is None else samples.copy()


class Streams:
    """Of one device."""

    def __init__(self, device: torch.device) -> None:
        self._device = device
        if device.type == "cuda":
            # Reading is short and the next batch waits for it: it goes before what is spoken.
            self._ahead = torch.cuda.Stream(device, priority=-1)
            self._landing = torch.cuda.Stream(device)

    @contextmanager
    def here(self) -> Generator[None]:
        """What names no device, a kernel that is started, is for this one: a thread has its own."""
        if self._device.type != "cuda":
            yield
            return
        with torch.cuda.device(self._device):
            yield

    @contextmanager
    def ahead(self) -> Generator[None]:
        """What is computed meanwhile does not wait for what was begun before."""
        if self._device.type != "cuda":
            yield
            return
        with torch.cuda.stream(self._ahead):
            yield

    def hand_over(self, tensors: Iterable[Tensor]) -> None:
        """What was computed ahead is used from now on by what is not."""
        if self._device.type != "cuda":
            return
        speaking = torch.cuda.current_stream(self._device)
        speaking.wait_stream(self._ahead)
        for tensor in tensors:
            tensor.record_stream(speaking)

    def land(self, audio: Tensor) -> HostCopy:
        """Begin to carry `audio` (B, S) to the host."""
        if self._device.type != "cuda":
            return HostCopy(audio, None, self)
        host = torch.empty(audio.shape, dtype=audio.dtype, pin_memory=True)
        self._landing.wait_stream(torch.cuda.current_stream(self._device))
        with torch.cuda.stream(self._landing):
            host.copy_(audio, non_blocking=True)
        audio.record_stream(self._landing)
        return HostCopy(host, cast(Waited, self._landing.record_event()), self)


# Threads that each do one piece of work at a time, alone.

T = TypeVar("T")
R = TypeVar("R")
# As many as PyTorch takes, by the cores or by OMP_NUM_THREADS. Looked up once: a lane's choice of
# one thread holds for every thread that is started after it.
N_LANES = torch.get_num_threads()


class TorchThreadPool:
    """Threads in each of which PyTorch takes one."""

    def __init__(self, n_lanes: int = N_LANES) -> None:
        self._pool = ThreadPoolExecutor(
            n_lanes, "kokoro", initializer=torch.set_num_threads, initargs=(1,)
        )

    def map(self, work: Callable[[T], R], items: Iterable[T]) -> Iterator[R]:
        """What `work` makes of each, in their order. Raises what `work` raises."""
        return self._pool.map(work, items)
