"""Each convolution of the decoder by itself, beside cuDNN and cuBLAS, and with other tiles."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from unittest import mock

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from audiomill.renderers.kokoro.gpu import conv
from audiomill.renderers.kokoro.gpu.conv import Arithmetic, convolution, filter_of
from audiomill.renderers.kokoro.gpu.layout import Layout, Margins
from audiomill.renderers.kokoro.gpu.norm import activate, new_moments, snake_params
from audiomill.renderers.kokoro.gpu.self_test import ARITHMETIC
from audiomill.renderers.kokoro.loading import set_precision
from benchmarks.gpu.clock import device_s
from benchmarks.gpu.models import kernels
from benchmarks.gpu.stages import StageRun

N_FRAMES, N_ROWS, DRY_FRAMES = 16384, 64, 6
MARGINS = Margins(2, 6)
LEAST_S = 6.0
MOST_MATRIX_BYTES = 40e9  # of the input of a convolution, written out as a matrix
VARIANT_S = 0.05


@dataclass(frozen=True, slots=True)
class Shape:
    """A convolution: channels, taps, dilation, and positions for each frame."""

    n_in: int
    n_out: int
    n_taps: int
    dilation: int
    rate: int

    def __str__(self) -> str:
        return f"{self.n_in}>{self.n_out} k{self.n_taps} d{self.dilation} rate {self.rate}"


# Those of the generator and of the trunk that take most of the time.
SHAPES = (
    *(Shape(128, 128, taps, 1, 120) for taps in (3, 7, 11)),
    Shape(128, 128, 11, 5, 120),
    *(Shape(256, 256, taps, 1, 20) for taps in (3, 7, 11)),
    Shape(1024, 1024, 3, 1, 2),
    Shape(1090, 1024, 3, 1, 2),
)
DRY_SHAPES = (Shape(16, 16, 3, 1, 6),)
VARIANT_SHAPES = (
    Shape(128, 128, 3, 1, 120),
    Shape(128, 128, 11, 3, 120),
    Shape(256, 256, 7, 3, 20),
)
# Each is tried in place of what `gpu/conv.py` says.
VARIANTS: tuple[dict[str, int], ...] = (
    {},
    {"MAX_REGISTERS": 168},
    {"MAX_REGISTERS": 255},
    {"N_STAGES": 4, "MAX_REGISTERS": 255},
    {"N_STAGES": 2},
    {"N_WARPS": 4, "MAX_REGISTERS": 255},
    {"BLOCK_N": 64},
    {"BLOCK_N": 256, "MAX_REGISTERS": 255},
    {"BLOCK_BYTES": 256, "N_STAGES": 2, "MAX_REGISTERS": 255},
    {"BLOCK_BYTES": 64, "N_STAGES": 4},
)


def measure(run: StageRun) -> None:
    """Implement `StageModule.measure`."""
    set_precision("tf32" if run.is_gpu else "float32")
    with kernels(run):
        for precision in ("fp16", "bf16", "tf32"):
            for shape in SHAPES if run.is_gpu else DRY_SHAPES:
                _within_time(run, f"{precision} {shape}", partial(_layer, run, precision, shape))
        for n_channels, rate in ((128, 120), (256, 20)) if run.is_gpu else ((16, 6),):
            name = f"activation {n_channels} rate {rate}"
            _within_time(run, name, partial(_activation, run, name, n_channels, rate))
    for variant in VARIANTS if run.is_gpu else ():
        name = ", ".join(f"{key} {value}" for key, value in variant.items()) or "as it is"
        _within_time(run, name, partial(_variant, run, name, variant))


def _within_time(run: StageRun, name: str, work: Callable[[], None]) -> None:
    if run.is_gpu and run.left_s < LEAST_S:
        run.keep(name, {"left out": "no time"})
        return
    with run.step(name):
        work()


@dataclass(frozen=True, slots=True)
class _Case:
    """A convolution and its operands."""

    conv: nn.Conv1d
    x: Tensor
    once: Callable[[], Tensor]
    flop: float


def _layout(run: StageRun) -> Layout:
    lengths = [N_FRAMES // N_ROWS] * N_ROWS if run.is_gpu else [DRY_FRAMES]
    return Layout(lengths, torch.device(run.device), MARGINS)


def _case(
    run: StageRun, shape: Shape, arithmetic: Arithmetic, *, moments: bool = True, residual: bool
) -> _Case:
    layout = _layout(run)
    tiles, pad = layout.tiles(shape.rate), shape.dilation * (shape.n_taps - 1) // 2
    module = nn.Conv1d(
        shape.n_in, shape.n_out, shape.n_taps, dilation=shape.dilation, padding=pad
    ).to(layout.device)
    by = filter_of(module, arithmetic.dtype)
    x = layout.empty(shape.rate, by.weight.shape[2], arithmetic.dtype).normal_()
    out = layout.empty(shape.rate, by.n_out, arithmetic.dtype)
    once = partial(
        *(convolution, x, by, out, tiles, arithmetic),
        moments=new_moments(tiles, by.n_out) if moments else None,
        residual=torch.randn_like(out) if residual else None,
    )
    n_frames = N_FRAMES if run.is_gpu else DRY_FRAMES
    flop = 2.0 * n_frames * shape.rate * shape.n_in * shape.n_out * shape.n_taps
    return _Case(module, x, once, flop)


@torch.inference_mode()
def _layer(run: StageRun, precision: str, shape: Shape) -> None:
    arithmetic, device = ARITHMETIC[precision], torch.device(run.device)
    figures: dict[str, float] = {}
    for name, options in {
        "tflops": {"residual": False},
        "without_moments": {"residual": False, "moments": False},
        "with_residual": {"residual": True},
    }.items():
        case = _case(run, shape, arithmetic, **options)
        figures[name] = case.flop / device_s(case.once, device) / 1e12
    case = _case(run, shape, arithmetic, residual=False)
    figures["cudnn"] = case.flop / device_s(_by_cudnn(case, shape, arithmetic), device) / 1e12
    n_positions = int(case.flop / (2 * shape.n_in * shape.n_out * shape.n_taps))
    n_summed = shape.n_in * shape.n_taps
    if n_positions * n_summed * case.x.element_size() < MOST_MATRIX_BYTES:
        left = torch.randn(n_positions, n_summed, device=device, dtype=arithmetic.dtype)
        right = torch.randn(n_summed, shape.n_out, device=device, dtype=arithmetic.dtype)
        figures["cublas"] = case.flop / device_s(lambda: left @ right, device) / 1e12
    run.keep(f"{precision} {shape}", figures)


def _by_cudnn(case: _Case, shape: Shape, arithmetic: Arithmetic) -> Callable[[], Tensor]:
    """The same convolution by PyTorch, channels last, the algorithm chosen by trying."""
    torch.backends.cudnn.benchmark = True
    module = case.conv.to(arithmetic.dtype)
    n_positions = int(case.flop / (2 * shape.n_in * shape.n_out * shape.n_taps))
    image = torch.randn(
        *(1, shape.n_in, 1, n_positions), device=case.x.device, dtype=arithmetic.dtype
    ).contiguous(memory_format=torch.channels_last)
    weight = module.weight.unsqueeze(2).contiguous(memory_format=torch.channels_last)
    pad, dilation = (0, shape.dilation * (shape.n_taps - 1) // 2), (1, shape.dilation)
    return lambda: F.conv2d(image, weight, module.bias, padding=pad, dilation=dilation)


@torch.inference_mode()
def _activation(run: StageRun, name: str, n_channels: int, rate: int) -> None:
    """GB/s of the pass between two convolutions, beside a copy."""
    layout, device = _layout(run), torch.device(run.device)
    tiles = layout.tiles(rate)
    x = layout.empty(rate, n_channels, torch.float16).normal_()
    out = torch.empty_like(x)
    alpha = snake_params(torch.ones(1, n_channels, 1, device=device))
    by = torch.ones(layout.n_rows, 2, n_channels, device=device)
    n_bytes = 2.0 * x.numel() * x.element_size()
    works: dict[str, Callable[[], object]] = {
        "snake": lambda: activate(x, out, tiles, by=by, alpha=alpha),
        "leaky_relu": lambda: activate(x, out, tiles, by=by, slope=0.1),
        "copy": lambda: out.copy_(x),
    }
    figures = {
        f"{key}_gb_per_s": n_bytes / device_s(work, device) / 1e9 for key, work in works.items()
    }
    run.keep(name, figures)


@torch.inference_mode()
def _variant(run: StageRun, name: str, variant: dict[str, int]) -> None:
    with ExitStack() as stack:
        for key, value in variant.items():
            stack.enter_context(mock.patch.object(conv, key, value))
        figures: dict[str, float] = {}
        for shape in VARIANT_SHAPES:
            case = _case(run, shape, ARITHMETIC["fp16"], residual=True)
            seconds = device_s(case.once, torch.device(run.device), VARIANT_S)
            figures[f"{shape.n_in} k{shape.n_taps}"] = case.flop / seconds / 1e12
    run.keep(name, figures)
