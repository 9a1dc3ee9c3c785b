"""The roofline of a device: operations and memory traffic of speech, and the device's ceilings.

    operations and traffic of the model  ÷  ceiling, measured here  =  share of the ceiling

A multiplication and an addition count as two operations. PyTorch counts convolutions and matrix
products, we count LSTMs, by their definition, even where a device computes them in fewer
operations. Activations, norms and Fourier transforms are not counted: they are a few percent.

Traffic is that of a decoder that fuses as much as `gpu/` does: each convolution reads and writes
its arrays once, and norm, style, activation and mask are one pass between two convolutions. A
decoder that fuses less moves more than is counted here.

A ceiling is the rate of a large matrix product or copy, measured on the device.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from functools import partial
from typing import Any

import torch
from torch import Tensor, nn
from torch.utils.flop_counter import FlopCounterMode

from audiomill.flows.bench.measure import ReportProgress
from audiomill.flows.bench.variants import Variant
from audiomill.renderers.kokoro.inference.cpu_convolution import PackedLinear, can_pack
from audiomill.renderers.kokoro.inference.runner import is_out_of_memory
from audiomill.renderers.kokoro.loading import (
    chosen_device,
    missing_support,
    set_precision,
)
from audiomill.renderers.kokoro.model.config import SAMPLE_RATE, KokoroConfig, VocoderConfig
from audiomill.renderers.kokoro.model.model import Kokoro, Utterance
from audiomill.renderers.kokoro.model.precision import PRECISIONS

HALVES = {"bf16": torch.bfloat16, "fp16": torch.float16}

# Sizes that are not in the configuration: see `model/decoder.py`.
TRUNK_CHANNELS, ASR_RES_CHANNELS = 1024, 64
NOISE_DILATIONS = (1, 3, 5)  # of the source's snake blocks
N_TOKENS = 12  # of the row whose operations are counted
FRAMES_PER_TOKEN = 3  # of speech, and of random weights
# Rows and columns of a square matrix: large enough that the cost of a launch does not matter.
MATRIX = {"cpu": 2048, "cuda": 8192}
COPY_BYTES = {"cpu": 256 << 20, "cuda": 1 << 30}  # larger than any cache
N_TRIES, N_WARM_UPS = 6, 2
# Bytes of a value that is stored in memory between two kernels.
BYTES_PER_VALUE = {"fp16": 2, "bf16": 2, "tf32": 4, "float32": 4}


@dataclass(frozen=True, slots=True)
class Cost:
    """The cost of a second of audio."""

    flop: float
    values: float  # that the decoder reads and writes


@dataclass(frozen=True, slots=True)
class Rates:
    """Rates of work and traffic. None: unknown."""

    flop_per_s: float | None = None
    ceiling_share: float | None = None  # of the device's matrix products in that precision
    bytes_per_s: float | None = None  # of the decoder, if everything is fused that can be
    copy_share: float | None = None  # of the bandwidth of a copy on the device


def rates_of(speed: float, variant: Variant, cost: Cost, ceilings: Mapping[str, float]) -> Rates:
    """The rates at `speed` seconds of audio per second.

    `ceilings` are the measured limits of the device.
    """
    flop_per_s = speed * cost.flop
    bytes_per_s = speed * cost.values * BYTES_PER_VALUE.get(variant.precision, 0)
    peak_flops = ceilings.get(f"{variant.precision}_flops")
    copy_rate = ceilings.get("copy_bytes_per_s")
    return Rates(
        flop_per_s=flop_per_s,
        ceiling_share=flop_per_s / peak_flops if peak_flops else None,
        bytes_per_s=bytes_per_s or None,
        copy_share=bytes_per_s / copy_rate if bytes_per_s and copy_rate else None,
    )


def cost_of(config: KokoroConfig) -> Cost:
    """The cost of a second of audio of a model of this configuration."""
    per_token, per_frame = counted_flop(config)
    frames_per_s = SAMPLE_RATE / config.samples_per_frame
    flop = frames_per_s * (per_frame + per_token / FRAMES_PER_TOKEN)
    return Cost(flop, frames_per_s * values_per_frame(config))


def counted_flop(config: KokoroConfig) -> tuple[float, float]:
    """Operations for each phoneme and for each frame of 25 ms, in a short row."""
    model = Kokoro(config).eval()
    for weight in model.parameters():
        weight.data.fill_(0.01)
    lstm_flop: list[float] = []

    def count(module: nn.Module, inputs: tuple[Any, ...]) -> None:
        if isinstance(module, nn.LSTM):
            lstm_flop.append(_lstm_flop(module, inputs[0].data.numel() // module.input_size))

    for module in model.modules():
        module.register_forward_pre_hook(count)
    row = Utterance((0, *[5] * (N_TOKENS - 2), 0), torch.zeros(2 * config.style_dim), 8.0)
    with FlopCounterMode(display=False) as reading:
        (read,) = model.encode_text([row])
    per_token = (reading.get_total_flops() + sum(lstm_flop)) / N_TOKENS
    lstm_flop.clear()
    with FlopCounterMode(display=False) as speaking:
        model.speak([read], torch.zeros(1, read.n_frames * config.samples_per_frame))
    return per_token, (speaking.get_total_flops() + sum(lstm_flop)) / read.n_frames


def _lstm_flop(module: nn.LSTM, n_steps: int) -> float:
    """Four gates in each of two directions."""
    gate = module.hidden_size * (module.input_size + module.hidden_size)
    return 2 * n_steps * 2 * 4 * gate


def values_per_frame(config: KokoroConfig) -> int:
    """Values that the decoder reads and writes for each frame of 25 ms.

    Weights are not counted: they are read once per batch.
    """
    hidden, n_in = config.hidden_dim, TRUNK_CHANNELS + ASR_RES_CHANNELS + 2
    n_out = config.vocoder.upsample_initial_channel
    trunk = (
        _pair(hidden + 2, TRUNK_CHANNELS) + 3 * _pair(n_in, TRUNK_CHANNELS) + _pair(n_in, 2 * n_out)
    )
    return trunk + _generator_values(config.vocoder)


def _generator_values(config: VocoderConfig) -> int:
    # `previous` and `current` are the values of an array before and after a step, for one frame.
    previous, positions, total = 2 * config.upsample_initial_channel, 2, 0
    channels, n_in = config.upsample_initial_channel, config.n_fft + 2
    n_sums = len(config.resblock_kernel_sizes) - 1
    n_pairs = len(NOISE_DILATIONS) + sum(map(len, config.resblock_dilation_sizes))
    for rate in config.upsample_rates:
        positions, channels = positions * rate, channels // 2
        current = positions * channels
        upsampled, source = 3 * previous + current, 2 * current
        total += upsampled + source + n_pairs * _pair(current, current) + n_sums * current
        previous = current
    return total + 3 * previous + 2 * positions * n_in


def _pair(n_in: int, n_out: int) -> int:
    """Values of two convolutions, the pass before each, and the residual."""
    shortcut = n_in + n_out if n_in != n_out else 0
    return shortcut + 3 * n_in + 6 * n_out


def ceilings(device: torch.device) -> Mapping[str, float]:
    """Measure FLOP/s of matrix products, as `<precision>_flops`, and `copy_bytes_per_s`.

    A copy counts the bytes read and the bytes written. A measurement that runs out of memory is
    left out. Afterwards the precision of the process is float32.
    """
    found: dict[str, float] = {}
    # CUDA events are recorded on the current device.
    with torch.cuda.device(device) if device.type == "cuda" else nullcontext():
        for name, measure in _measures(device):
            try:
                found[name] = measure()
            except (RuntimeError, MemoryError) as error:
                if not is_out_of_memory(error):
                    raise
    set_precision("float32")
    return found


def _measures(device: torch.device) -> Iterator[tuple[str, Callable[[], float]]]:
    for precision in PRECISIONS:
        if not missing_support(precision, device):
            set_precision(precision)
            dtype = HALVES.get(precision, torch.float32)
            yield f"{precision}_flops", partial(matrix_flops, device, dtype)
    yield "copy_bytes_per_s", lambda: copy_bytes_per_s(device)


def matrix_flops(device: torch.device, dtype: torch.dtype, size: int = 0) -> float:
    """FLOP/s of a product of two square matrices (size, size); 0: the size in MATRIX.

    On a CPU, the rate of one thread, by its own CPU time, times the number of threads.
    """
    size = size or MATRIX[device.type]
    left, right = (torch.randn(size, size, device=device, dtype=dtype) for _ in range(2))
    product = _product(left, right)
    timed = on_gpu_s if device.type == "cuda" else _of_thread_s
    with _one_thread(device) as n_threads:
        return n_threads * 2 * size**3 / _least_s(lambda: timed(product))


def copy_bytes_per_s(device: torch.device, n_bytes: int = 0) -> float:
    """B/s of a copy within the device; each byte counts twice, as read and as written."""
    n_bytes = n_bytes or COPY_BYTES[device.type]
    source = torch.ones(n_bytes, dtype=torch.uint8, device=device)
    target = torch.zeros_like(source)
    timed = on_gpu_s if device.type == "cuda" else _on_cpu_s
    return 2 * n_bytes / _least_s(lambda: timed(lambda: target.copy_(source)))


def _product(left: Tensor, right: Tensor) -> Callable[[], Tensor]:
    """A call that multiplies. On a CPU it uses oneDNN if possible: on some, MKL is half as fast."""
    if left.device.type == "cpu" and can_pack(left.dtype):
        linear = nn.Linear(*right.shape, bias=False)
        linear.weight = nn.Parameter(right, requires_grad=False)
        return partial(PackedLinear(linear), left)
    return partial(torch.mm, left, right, out=torch.empty_like(left))


@contextmanager
def _one_thread(device: torch.device) -> Generator[int]:
    """Limit PyTorch to one thread; yields the usual number of threads, or 1 on a GPU."""
    n_threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield 1 if device.type == "cuda" else n_threads
    finally:
        torch.set_num_threads(n_threads)


def _least_s(measure: Callable[[], float]) -> float:
    """The least time of N_TRIES measurements after N_WARM_UPS others."""
    return min([measure() for _ in range(N_WARM_UPS + N_TRIES)][N_WARM_UPS:])


def _of_thread_s(work: Callable[[], Tensor]) -> float:
    began = time.thread_time()
    work()
    return time.thread_time() - began


def _on_cpu_s(work: Callable[[], Tensor]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def on_gpu_s(work: Callable[[], object]) -> float:
    """Seconds of some work by the GPU's own clock."""
    began, ended = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    began.record()
    work()
    ended.record()
    ended.synchronize()
    return began.elapsed_time(ended) / 1000


class CeilingMeter:
    """Measures ceilings in a child process, which then ends with the memory that it took."""

    def __init__(self, _report: ReportProgress) -> None:
        """Loads nothing."""

    def ceilings(self, name: str) -> Mapping[str, float]:
        """Those of the device with this name; see `ceilings`. Raises EngineMissing."""
        return ceilings(chosen_device(name))
