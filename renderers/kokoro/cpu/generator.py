"""`Generator` on a CPU, in arrays that are used again. Knows no padding.

    spectrum of the source ── convolve ── snake block ──┐
    frames ── leaky ReLU ── upsample ───────────────────┴── snake blocks, averaged ──▶ frames

Rows are taken one by one: a single one keeps a core busy, and what is padding is not computed.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import cast

import torch.nn.functional as F
from torch import Tensor, nn

from audiomill.renderers.kokoro.cpu.blockwise import BlockwiseSnakeBlock, stretches, within
from audiomill.renderers.kokoro.cpu.conv import (
    PackedConv1d,
    PackedLinear,
    Taps,
    Workspace,
    can_pack,
)
from audiomill.renderers.kokoro.model.decoder import Generator, waveform
from audiomill.renderers.kokoro.model.layers import Conv1d, ConvTranspose1d, SnakeBlock
from audiomill.renderers.kokoro.model.model import Kokoro
from audiomill.renderers.kokoro.model.padding import PaddingMask
from audiomill.renderers.kokoro.model.source import spectrum


class CpuGenerator(nn.Module):
    """Does what the generator it is made from does."""

    def __init__(self, generator: Generator) -> None:
        super().__init__()
        self.m_source = generator.m_source
        self._config = generator.config
        self._space = Workspace(generator.conv_post.weight.dtype)
        self._steps = [self._step(generator, step) for step in range(len(generator.ups))]
        self._last = _Convolution(generator.conv_post, self._space)

    def _step(self, generator: Generator, step: int) -> _UpsampleStage:
        n_steps, n_blocks = len(generator.ups), len(generator.resblocks) // len(generator.ups)
        blocks = generator.resblocks[step * n_blocks : (step + 1) * n_blocks]
        heard = generator.noise_res[step]
        return _UpsampleStage(
            _Upsampling(
                cast(ConvTranspose1d, generator.ups[step]),
                self._space,
                reflects=step + 1 == n_steps,
            ),
            _Convolution(cast(Conv1d, generator.noise_convs[step]), self._space),
            BlockwiseSnakeBlock(cast(SnakeBlock, heard), self._space),
            [BlockwiseSnakeBlock(cast(SnakeBlock, block), self._space) for block in blocks],
            self._space,
        )

    def forward(
        self, x: Tensor, style: Tensor, f0: Tensor, noise: Tensor, rows: PaddingMask
    ) -> Tensor:
        """(B, C, T) at F0's rate to audio (B, T * 300), zero in the padding."""
        rate = self._config.samples_per_f0
        out = x.new_zeros((x.shape[0], x.shape[2] * rate))
        for row, n in enumerate(rows.lengths):
            own = slice(row, row + 1)
            curve, noise_of_row = f0[own, :n], noise[own, : n * rate]
            out[own, : n * rate] = self._row(x[row, :, :n].t(), style[own], curve, noise_of_row)
        return out

    def _row(self, x: Tensor, style: Tensor, f0: Tensor, noise: Tensor) -> Tensor:
        """Frames (T, C) to audio (1, T * 300)."""
        rows = PaddingMask([len(x)], x.device)
        source = self.m_source(f0, noise, rows)
        spoken = rows.times(self._config.samples_per_f0)
        seen = spectrum(source, spoken, self._config)[0].t()
        for step in self._steps:
            x = step.run(x, seen, style)
        drawn = self._space.frames("drawn", len(x), self._last.c_out)
        self._last.run(x, drawn, slope=0.01)
        frames = rows.times(prod(self._config.upsample_rates), extra=1)
        return waveform(drawn.t().unsqueeze(0), frames, self._config)


class _UpsampleStage:
    """To a higher rate, with the source's share."""

    def __init__(
        self,
        up: _Upsampling,
        heard: _Convolution,
        heard_block: BlockwiseSnakeBlock,
        blocks: Sequence[BlockwiseSnakeBlock],
        space: Workspace,
    ) -> None:
        self._up, self._heard, self._heard_block = up, heard, heard_block
        self._blocks, self._space = blocks, space

    def run(self, x: Tensor, seen: Tensor, style: Tensor) -> Tensor:
        """Frames (T, C_in) and the source's spectrum (K, n_fft + 2) to (T', C_out)."""
        raised = self._up.run(x)
        branch = self._space.frames("branch", *raised.shape)
        self._heard.run(seen, branch)
        self._heard_block.run(branch, style)
        raised += branch
        total = self._space.frames("total", *raised.shape).zero_()
        for block in self._blocks:
            block.run(branch.copy_(raised), style)
            total += branch
        return total.div_(len(self._blocks))


class _Upsampling:
    """A transposed convolution of stride s after leaky ReLU.

    It is carried out as a convolution of stride 1 that makes s frames of each, side by side.
    """

    def __init__(self, conv: ConvTranspose1d, space: Workspace, *, reflects: bool) -> None:
        """`reflects`: a frame is put in front that is equal to the second."""
        self._space, self._reflects = space, reflects
        self._rate, self._padding = conv.stride[0], cast(int, conv.padding[0])
        _, self._c_out, kernel = conv.weight.shape
        n_taps = -(-kernel // self._rate)
        self._before = n_taps - 1  # frames before one that go into what is made of it
        weight = F.pad(conv.weight, (0, n_taps * self._rate - kernel))
        weight = weight.unflatten(2, (n_taps, self._rate)).flip(2).permute(3, 1, 0, 2)
        bias = None if conv.bias is None else conv.bias.repeat(self._rate)
        self._taps = Taps(weight.flatten(0, 1), bias)  # (s * C_out, C_in, taps)

    def run(self, x: Tensor) -> Tensor:
        """(T, C_in) to (T * s, C_out), or one more."""
        n_made = len(x) * self._rate
        n_wide = -(-(n_made + self._padding) // self._rate)
        wide = self._space.frames("wide", n_wide + self._before, x.shape[1])
        inside, places = within(x, -self._before, wide)
        F.leaky_relu_(places.copy_(inside), 0.1)
        out = self._space.frames("raised", 1 + n_wide * self._rate, self._c_out).zero_()
        self._taps.add(wide, out[1:].view(n_wide, -1), self._space)
        made = out[1 + self._padding :][:n_made]
        if not self._reflects:
            return made
        out[self._padding] = made[1]
        return out[self._padding :][: 1 + n_made]


class _Convolution:
    """One with padding and stride, stretch by stretch."""

    def __init__(self, conv: Conv1d, space: Workspace) -> None:
        self._space = space
        self._padding, self._stride = cast(int, conv.padding[0]), conv.stride[0]
        self._taps = Taps(conv.weight, conv.bias, stride=self._stride)
        self.c_out = self._taps.c_out

    def run(self, x: Tensor, out: Tensor, slope: float = 1.0) -> None:
        """Puts in `out` (T', C_out) what comes of leaky ReLU, of this slope, of `x` (T, C_in)."""
        for start, stop in stretches(len(out)):
            size = self._taps.frames_for(stop - start)
            wide = self._space.frames("convolved", size, x.shape[1])
            inside, places = within(x, start * self._stride - self._padding, wide)
            F.leaky_relu_(places.copy_(inside), slope)
            self._taps.add(wide, out[start:stop].zero_(), self._space)


# A model made ready for a CPU, once.


def for_cpu(model: Kokoro) -> Kokoro:
    """The model itself, on the CPU, some of its parts replaced."""
    model.set_submodule("decoder.generator", CpuGenerator(model.decoder.generator))
    if can_pack(model.dtype):
        for name, module in [*model.named_modules()]:
            faster = _packed(name, module)
            if faster is not None:
                model.set_submodule(name, faster)
    return model


def _packed(name: str, module: nn.Module) -> nn.Module | None:
    """What takes the place of a layer; None where it stays."""
    if isinstance(module, Conv1d):
        return PackedConv1d(module)
    # The others multiply one vector by a matrix for each row, or an LSTM does it for them.
    if isinstance(module, nn.Linear) and name.startswith("bert."):
        return PackedLinear(module)
    return None
