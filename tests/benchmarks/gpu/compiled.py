"""The decoder by PyTorch alone, eager and compiled, beside ours: what own kernels must beat."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import nullcontext
from functools import partial
from importlib import import_module

import torch
from torch import Tensor, nn

from audiomill.renderers.kokoro.model.config import KokoroConfig
from audiomill.renderers.kokoro.model.padding import PaddingMask
from audiomill.renderers.kokoro.model.precision import Precision
from benchmarks.gpu.clock import device_s, free_memory, peak_mib, reset_peak, wait_for
from benchmarks.gpu.models import fast_model, kernels, plain_model
from benchmarks.gpu.stages import StageRun

N_ROWS, N_FRAMES = 64, 256
DRY_ROWS, DRY_FRAMES = 2, 12
LEAST_S = 25.0  # a compilation takes that long
RECOMPILE_LIMIT = 64
# Name, the type of products (None: tf32), and whether the snake blocks are compiled.
VARIANTS: tuple[tuple[str, torch.dtype | None, bool], ...] = (
    ("eager tf32", None, False),
    ("eager bf16", torch.bfloat16, False),
    ("compiled bf16", torch.bfloat16, True),
    ("compiled fp16", torch.float16, True),
    ("compiled tf32", None, True),
)


def measure(run: StageRun) -> None:
    """Implement `StageModule.measure`. Ours comes first: compiling may take what time there is."""
    precisions: tuple[Precision, ...] = ("fp16", "bf16") if run.is_gpu else ("fp16",)
    for precision in precisions:
        with run.step(f"ours {precision}"), kernels(run):
            _ours(run, precision)
        free_memory(torch.device(run.device))
    for name, dtype, is_compiled in VARIANTS:
        if run.is_gpu and run.left_s < LEAST_S:
            run.keep(name, {"left out": "no time"})
            continue
        with run.step(name):
            _by_pytorch(run, name, dtype, is_compiled=is_compiled)
        free_memory(torch.device(run.device))


@torch.inference_mode()
def _ours(run: StageRun, precision: Precision) -> None:
    model = fast_model(run, precision).model
    decode = partial(model.decoder, *_inputs(run, model.config))
    _keep_speed(run, f"ours {precision}", decode)
    if run.is_gpu:
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            decode()
        _keep_speed(run, f"ours {precision}, as a CUDA graph", graph.replay)


@torch.inference_mode()
def _by_pytorch(run: StageRun, name: str, dtype: torch.dtype | None, *, is_compiled: bool) -> None:
    model = plain_model(run, "tf32")
    decoder, inputs = model.decoder, _inputs(run, model.config)
    if is_compiled and run.is_gpu:
        # Each block is compiled for a shape of its own.
        import_module("torch._dynamo").config.recompile_limit = RECOMPILE_LIMIT
        blocks = (*decoder.generator.resblocks, *decoder.generator.noise_res)
        for block in blocks:
            nn.Module.compile(block, dynamic=False)
    device = torch.device(run.device)

    def decode() -> Tensor:
        with torch.autocast(device.type, dtype) if dtype and run.is_gpu else nullcontext():
            return decoder(*inputs)

    begun_s = time.perf_counter()
    decode()
    wait_for(device)
    run.keep(name, {"first_call_s": time.perf_counter() - begun_s})
    _keep_speed(run, name, decode)


def _keep_speed(run: StageRun, name: str, decode: Callable[[], object]) -> None:
    device = torch.device(run.device)
    reset_peak(device)
    decode()
    seconds = device_s(decode, device, 0.5)
    n_rows, n_frames = _size(run)
    audio_s = n_rows * n_frames / 40
    run.keep(
        name,
        {
            "decode_x_real_time": audio_s / seconds,
            "decode_ms": 1e3 * seconds,
            "peak_mib": peak_mib(device),
        },
    )


def _size(run: StageRun) -> tuple[int, int]:
    return (N_ROWS, N_FRAMES) if run.is_gpu else (DRY_ROWS, DRY_FRAMES)


def _inputs(run: StageRun, config: KokoroConfig) -> tuple[Tensor | PaddingMask, ...]:
    """Random phonemes, F0, energy, style and noise of rows of the same length."""
    n_rows, n_frames = _size(run)
    generator = torch.Generator().manual_seed(0)

    def normal(*shape: int) -> Tensor:
        return torch.randn(n_rows, *shape, generator=generator).to(run.device)

    return (
        normal(config.hidden_dim, n_frames),
        120 + 30 * normal(2 * n_frames),
        normal(2 * n_frames),
        0.2 * normal(config.style_dim),
        normal(n_frames * config.samples_per_frame),
        PaddingMask([n_frames] * n_rows, torch.device(run.device)),
    )
