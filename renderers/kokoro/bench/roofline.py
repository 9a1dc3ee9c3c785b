"""What speech costs in operations and in memory traffic, by a model's configuration.

Pure arithmetic; loads nothing.

A multiplication and an addition are two. Convolutions, matrix products and LSTMs are counted, as
their definition has it and not as a device may do it in fewer; activations, norms and Fourier
transforms are not: they are some percent. So it is the numerator of every "share of the ceiling".

Traffic is that of a decoder which fuses what it can, as `gpu/` does: each convolution reads and
writes its arrays once, and norm, style, activation and mask are one pass between two of them. One
that fuses less moves more than it is credited with here.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from functools import partial

import torch
from torch import Tensor, nn

from audiomill.renderers.kokoro.config import SAMPLE_RATE, KokoroConfig, VocoderConfig
from audiomill.renderers.kokoro.cpu.conv import PackedLinear, can_pack
from audiomill.renderers.kokoro.inference.loading import missing_support, set_precision
from audiomill.renderers.kokoro.inference.runner import is_out_of_memory
from audiomill.renderers.options import PRECISIONS

# What the official configuration does not say: see `decoder.py`, `bert.py`.
WIDE, TOLD_AGAIN, EMBEDDING = 1024, 64, 128
NOISE_KERNELS = (7, 11)  # of the blocks for the source: all but the last, the last
NOISE_DILATIONS = (1, 3, 5)
FRAMES_PER_TOKEN = 3  # as speech has it, and random weights


def flop_per_audio_s(config: KokoroConfig) -> float:
    """For a second of audio, spoken as fast as speech is: 54.8e9 for the official model."""
    frames_per_s = SAMPLE_RATE / config.samples_per_frame
    return frames_per_s * (flop_per_frame(config) + flop_per_token(config) / FRAMES_PER_TOKEN)


def flop_per_frame(config: KokoroConfig) -> int:
    """For each frame of 25 ms: the curves of F0 and energy, trunk and generator."""
    return 2 * (_curves(config) + _trunk(config) + _generator(config.vocoder))


def flop_per_token(config: KokoroConfig) -> int:
    """For each phoneme, without attention, which adds up to 12 % of it in the longest rows."""
    bert, hidden = config.bert, config.hidden_dim
    layer = bert.hidden_size * (4 * bert.hidden_size + 2 * bert.intermediate_size)
    read = bert.hidden_size * (EMBEDDING + hidden) + bert.num_hidden_layers * layer
    told = _lstm(hidden + config.style_dim, hidden)
    heard = config.n_layer * hidden * hidden * config.text_encoder_kernel_size
    spoken = (config.n_layer + 1) * told + hidden * config.max_dur
    return 2 * (read + heard + _lstm(hidden, hidden) + spoken)


def values_per_audio_s(config: KokoroConfig) -> float:
    """Values that the decoder reads and writes for a second of audio: 97.6e6, official."""
    return SAMPLE_RATE / config.samples_per_frame * values_per_frame(config)


def values_per_frame(config: KokoroConfig) -> int:
    """The same for a frame of 25 ms. Weights are read once a batch, and not counted."""
    hidden, wide = config.hidden_dim, WIDE + TOLD_AGAIN + 2
    narrow = config.vocoder.upsample_initial_channel
    trunk = _pair(hidden + 2, WIDE) + 3 * _pair(wide, WIDE) + _pair(wide, 2 * narrow)
    return trunk + _moved_by_generator(config.vocoder)


def _moved_by_generator(config: VocoderConfig) -> int:
    before, places, total = 2 * config.upsample_initial_channel, 2, 0
    channels, n_in = config.upsample_initial_channel, config.n_fft + 2
    n_sums = len(config.resblock_kernel_sizes) - 1
    n_pairs = len(NOISE_DILATIONS) + sum(map(len, config.resblock_dilation_sizes))
    for rate in config.upsample_rates:
        places, channels = places * rate, channels // 2
        here = places * channels
        upsampled, heard = 3 * before + here, 2 * here
        total += upsampled + heard + n_pairs * _pair(here, here) + n_sums * here
        before = here
    return total + 3 * before + 2 * places * n_in


def _pair(n_in: int, n_out: int) -> int:
    """Two convolutions, a pass before each, and what they are added to."""
    shortcut = n_in + n_out if n_in != n_out else 0
    return shortcut + 3 * n_in + 6 * n_out


def _curves(config: KokoroConfig) -> int:
    hidden, half = config.hidden_dim, config.hidden_dim // 2
    blocks = _styled(hidden, hidden) + _styled(hidden, half, 2) + 2 * _styled(half, half)
    return _lstm(hidden + config.style_dim, hidden) + 2 * (blocks + 2 * half)


def _trunk(config: KokoroConfig) -> int:
    hidden, wide = config.hidden_dim, WIDE + TOLD_AGAIN + 2
    narrow = config.vocoder.upsample_initial_channel
    pitch_and_loudness = 2 * 3
    return (
        pitch_and_loudness
        + hidden * TOLD_AGAIN
        + _styled(hidden + 2, WIDE)
        + 3 * _styled(wide, WIDE)
        + _styled(wide, narrow, 2)
    )


def _generator(config: VocoderConfig) -> int:
    """Two places a frame come in, and each step makes `rate` of each."""
    places, total, n_in = 2, 0, config.n_fft + 2
    channels = config.upsample_initial_channel
    after = config.samples_per_f0 // config.hop
    for step, rate in enumerate(config.upsample_rates):
        n_up = places * channels * (channels // 2) * config.upsample_kernel_sizes[step]
        places, channels, after = places * rate, channels // 2, after // rate
        is_last = step + 1 == len(config.upsample_rates)
        n_taps = 1 if is_last else 2 * after
        total += n_up + places * (
            n_in * channels * n_taps + channels * channels * _taps(config, step)
        )
    return total + places * channels * n_in * 7


def _taps(config: VocoderConfig, step: int) -> int:
    """Of all convolutions of all residual blocks after an upsampling step."""
    is_last = step + 1 == len(config.upsample_rates)
    noise = NOISE_KERNELS[is_last] * len(NOISE_DILATIONS)
    blocks = zip(config.resblock_kernel_sizes, config.resblock_dilation_sizes, strict=True)
    return 2 * (noise + sum(kernel * len(dilations) for kernel, dilations in blocks))


def _styled(n_in: int, n_out: int, doubled: int = 1) -> int:
    """A block of two convolutions and a shortcut; `doubled` is 2 where it doubles the places."""
    shortcut = n_in * n_out if n_in != n_out else 0
    pool = 3 * n_in if doubled == 2 else 0
    return pool + doubled * (3 * n_in * n_out + 3 * n_out * n_out + shortcut)


def _lstm(n_in: int, n_out: int) -> int:
    """Four gates each way."""
    return 2 * 4 * (n_out // 2) * (n_in + n_out // 2)


# What a device could do at most, measured:

MATRIX = {"cpu": 2048, "cuda": 8192}  # rows and columns: enough that starting it costs nothing
COPY_BYTES = {"cpu": 256 << 20, "cuda": 1 << 30}  # past any cache
TRIES, WARM_UPS = 6, 2


def ceilings(device: torch.device) -> Mapping[str, float]:
    """FLOP/s of matrix products as `<precision>_flops`, and B/s of a copy, read and written.

    What there is no memory for is left out. Leaves the precision of the process at float32.
    """
    found: dict[str, float] = {}
    # A GPU's clock is that of the current one.
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
            dtype = torch.bfloat16 if precision == "bf16" else torch.float32
            yield f"{precision}_flops", partial(matrix_flops, device, dtype)
    yield "copy_bytes_per_s", lambda: copy_bytes_per_s(device)


def matrix_flops(device: torch.device, dtype: torch.dtype, size: int = 0) -> float:
    """FLOP/s of a product of two square matrices, (size, size) each."""
    size = size or MATRIX[device.type]
    left, right = (torch.randn(size, size, device=device, dtype=dtype) for _ in range(2))
    product = _product(left, right)
    timed = _on_gpu_s if device.type == "cuda" else _of_thread_s
    with _alone(device) as n_threads:
        return n_threads * 2 * size**3 / _least(lambda: timed(product))


def copy_bytes_per_s(device: torch.device, n_bytes: int = 0) -> float:
    """B/s of a copy within the device; each byte is read once and written once."""
    n_bytes = n_bytes or COPY_BYTES[device.type]
    source = torch.ones(n_bytes, dtype=torch.uint8, device=device)
    target = torch.zeros_like(source)
    timed = _on_gpu_s if device.type == "cuda" else _on_cpu_s
    return 2 * n_bytes / _least(lambda: timed(lambda: target.copy_(source)))


def _product(left: Tensor, right: Tensor) -> Callable[[], Tensor]:
    """Multiplies; on a CPU by oneDNN where it is there, as MKL is half as fast on some."""
    if left.device.type == "cpu" and can_pack(left.dtype):
        linear = nn.Linear(*right.shape, bias=False)
        linear.weight = nn.Parameter(right, requires_grad=False)
        return partial(PackedLinear(linear), left)
    return partial(torch.mm, left, right, out=torch.empty_like(left))


@contextmanager
def _alone(device: torch.device) -> Generator[int]:
    """One thread at work in PyTorch; yields how many there would be, on a GPU 1."""
    n_threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield 1 if device.type == "cuda" else n_threads
    finally:
        torch.set_num_threads(n_threads)


def _least(once: Callable[[], float]) -> float:
    return min([once() for _ in range(WARM_UPS + TRIES)][WARM_UPS:])


def _of_thread_s(work: Callable[[], Tensor]) -> float:
    began = time.thread_time()
    work()
    return time.thread_time() - began


def _on_cpu_s(work: Callable[[], Tensor]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def _on_gpu_s(work: Callable[[], Tensor]) -> float:
    began, ended = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    began.record()
    work()
    ended.record()
    ended.synchronize()
    return began.elapsed_time(ended) / 1000


# What a benchmark asks of PyTorch about its device:


class TorchDevice:
    """The part of a `BenchEngine` that every engine on PyTorch shares."""

    def __init__(self, device: torch.device) -> None:
        self._device = device

    def facts(self) -> Mapping[str, object]:
        """See `BenchEngine`."""
        facts = {
            "device": str(self._device),
            "torch_threads": torch.get_num_threads(),
            "cpu_capability": torch.backends.cpu.get_cpu_capability(),  # of what PyTorch takes
        }
        if self._device.type != "cuda":
            return facts
        properties = torch.cuda.get_device_properties(self._device)
        return facts | {
            "gpu": properties.name,
            "gpu_memory_bytes": properties.total_memory,
            "compute_capability": f"{properties.major}.{properties.minor}",
            "multiprocessors": properties.multi_processor_count,
            "cuda": torch.version.cuda,  # that PyTorch was built for
            "cudnn": torch.backends.cudnn.version(),
        }

    def rest(self) -> None:
        """See `BenchEngine`. To allocate it again takes a pass some milliseconds."""
        if self._device.type == "cuda":
            torch.cuda.empty_cache()

    def forget_gpu_peak(self) -> None:
        """See `BenchEngine`."""
        if self._device.type == "cuda":
            torch.cuda.reset_peak_memory_stats(self._device)

    def gpu_peak_bytes(self) -> int | None:
        """See `BenchEngine`: what PyTorch's tensors took, without CUDA's own context."""
        if self._device.type != "cuda":
            return None
        return torch.cuda.max_memory_allocated(self._device)
