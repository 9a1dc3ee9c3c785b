"""Each convolution of the decoder by itself, beside cuDNN and cuBLAS."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from audiomill.renderers.kokoro.gpu.conv import Arithmetic, convolution, filter_of
from audiomill.renderers.kokoro.gpu.layout import Layout, Margins
from audiomill.renderers.kokoro.gpu.norm import new_moments
from audiomill.renderers.kokoro.gpu.self_test import ARITHMETIC
from audiomill.renderers.kokoro.loading import set_precision
from benchmarks.gpu.clock import device_s
from benchmarks.gpu.models import kernels
from benchmarks.gpu.stages import StageRun

N_FRAMES, N_ROWS, DRY_FRAMES = 16384, 64, 6
MARGINS = Margins(2, 6)
LEAST_S = 6.0
MOST_MATRIX_BYTES = 40e9  # of the input of a convolution, written out as a matrix


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


def measure(run: StageRun) -> None:
    """Implement `StageModule.measure`."""
    set_precision("tf32" if run.is_gpu else "float32")
    with kernels(run):
        for precision in ("fp16", "bf16", "tf32"):
            for shape in SHAPES if run.is_gpu else DRY_SHAPES:
                _within_time(run, f"{precision} {shape}", partial(_layer, run, precision, shape))


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
