"""Work that overlaps on a GPU: text and prosody of the next batch, decoding, copies to the host.

    ahead     encode, prosody ─┐ encode, prosody ─┐          the host waits only for frame counts
    default                    └▶ decode ─────────└▶ decode
    copies                             └▶ copy ────────▶     the host waits when it needs samples

On a CPU everything happens in order, and there is nothing to wait for.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from threading import Lock
from typing import Generic, Protocol, TypeVar, cast

import torch
from torch import Tensor

from audiomill.renderers.engine.protocol import Samples

T = TypeVar("T")
R = TypeVar("R")
# As many threads as PyTorch uses, by the cores or by OMP_NUM_THREADS. Read once: when one of our
# threads sets the number to one, that holds for every thread that starts after it.
N_THREADS = torch.get_num_threads()


class CudaEvent(Protocol):
    """Something on a device that the host can wait for."""

    def synchronize(self) -> None:
        """Wait until it has happened."""
        ...


class HostCopy:
    """Samples of a batch, (n_rows, n_samples), that are being copied to the host."""

    def __init__(self, host: Tensor, copied: CudaEvent | None, streams: Streams) -> None:
        self._host, self._copied, self._streams = host, copied, streams

    def row(self, row: int, n_samples: int) -> Samples:
        """Wait for the copy and return the first `n_samples` of a row."""
        if self._copied is not None:
            with self._streams.device():
                self._copied.synchronize()
        samples = self._host[row, :n_samples].float().numpy()
        # A view would keep the whole batch in memory; a batch of one row on a CPU is no loss.
        return samples if self._host.shape[0] == 1 and self._copied is None else samples.copy()


class Streams:
    """The CUDA streams of one device; does nothing for a CPU."""

    def __init__(self, device: torch.device) -> None:
        self._device = device
        if device.type == "cuda":
            # Encoding is short and the next batch waits for it, so it goes before decoding.
            self._ahead = torch.cuda.Stream(device, priority=-1)
            self._copies = torch.cuda.Stream(device)

    @contextmanager
    def device(self) -> Generator[None]:
        """Make this device current, for kernels that name none. Each thread has its own."""
        if self._device.type != "cuda":
            yield
            return
        with torch.cuda.device(self._device):
            yield

    @contextmanager
    def ahead(self) -> Generator[None]:
        """Compute without waiting for what was started before."""
        if self._device.type != "cuda":
            yield
            return
        with torch.cuda.stream(self._ahead):
            yield

    def hand_over(self, tensors: Iterable[Tensor]) -> None:
        """Let the default stream use `tensors` that were computed ahead."""
        if self._device.type != "cuda":
            return
        default = torch.cuda.current_stream(self._device)
        default.wait_stream(self._ahead)
        for tensor in tensors:
            tensor.record_stream(default)

    def copy_to_host(self, audio: Tensor) -> HostCopy:
        """Start to copy `audio`, (n_rows, n_samples), to the host."""
        if self._device.type != "cuda":
            return HostCopy(audio, None, self)
        host = torch.empty(audio.shape, dtype=audio.dtype, pin_memory=True)
        self._copies.wait_stream(torch.cuda.current_stream(self._device))
        with torch.cuda.stream(self._copies):
            host.copy_(audio, non_blocking=True)
        audio.record_stream(self._copies)
        return HostCopy(host, cast(CudaEvent, self._copies.record_event()), self)


@contextmanager
def one_torch_thread() -> Generator[None]:
    """Have this thread compute alone what is little work for each operation.

    PyTorch's other threads wait for the next operation in a loop, at full load. While the model is
    loaded that took four fifths of the processor time.
    """
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


class TorchThreadPool:
    """Threads that compute side by side; in each, PyTorch uses one thread."""

    def __init__(self, n_threads: int = N_THREADS) -> None:
        self._executor = ThreadPoolExecutor(
            n_threads, "kokoro", initializer=torch.set_num_threads, initargs=(1,)
        )
        self._n_idle = n_threads
        self._idle_lock = Lock()

    def map(self, function: Callable[[T], R], items: Iterable[T]) -> Iterator[R]:
        """`function` of each item, in their order. Raises what `function` raises."""

        def compute(item: T) -> R:
            with self._busy():
                return function(item)

        return self._executor.map(compute, items)

    def share(self, function: Callable[[T], R], items: Sequence[T]) -> list[R]:
        """The same for a caller that is one of these threads: those that are idle help it.

        Work that waits for a thread goes before help. The result depends on no thread.
        """
        work = _SharedWork(function, items)
        n_helpers = max(0, min(self._n_idle, len(items) - 1))
        helpers = [self._executor.submit(self._help, work) for _ in range(n_helpers)]
        try:
            work.run()
        except BaseException:
            work.drop()
            raise
        finally:
            for helper in helpers:
                if not helper.cancel():  # it has begun
                    helper.result()
        return work.results()

    def _help(self, work: _SharedWork[T, R]) -> None:
        with self._busy():
            work.run()

    @contextmanager
    def _busy(self) -> Generator[None]:
        """Count this thread as busy."""
        with self._idle_lock:
            self._n_idle -= 1
        try:
            yield
        finally:
            with self._idle_lock:
                self._n_idle += 1


class _SharedWork(Generic[T, R]):
    """Items that several threads take, each the next one."""

    def __init__(self, function: Callable[[T], R], items: Sequence[T]) -> None:
        self._function, self._items = function, items
        self._left = deque(range(len(items)))
        self._results: dict[int, R] = {}
        self._infers = torch.is_inference_mode_enabled()

    def run(self) -> None:
        """Work until no item is left."""
        with torch.inference_mode(self._infers):
            while (index := self._next()) is not None:
                self._results[index] = self._function(self._items[index])

    def _next(self) -> int | None:
        try:
            return self._left.popleft()
        except IndexError:
            return None

    def drop(self) -> None:
        """Begin no more items."""
        self._left.clear()

    def results(self) -> list[R]:
        """Those of all items, in order."""
        return [self._results[index] for index in range(len(self._items))]
