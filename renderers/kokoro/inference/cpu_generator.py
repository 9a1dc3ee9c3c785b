"""`Generator` on a CPU, in scratch arrays that are reused. Knows no padding.

    spectrum of the source ── conv ── snake block ──┐
    frames ── leaky ReLU ── upsample ───────────────+── snake blocks, averaged ──▶ frames
                                                        (repeated at each upsampling step)

The rows of a batch run one by one: a single row keeps a core busy, and nothing is computed for
padding. `for_cpu` prepares a whole model.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import cast

import torch.nn.functional as F
from torch import Tensor, nn

from audiomill.renderers.kokoro.inference.cpu_blocks import (
    BlockwiseSnakeBlock,
    MakeTaps,
    MapBlocks,
    frame_blocks,
    one_by_one,
    overlap,
)
from audiomill.renderers.kokoro.inference.cpu_convolution import (
    PackedConv1d,
    PackedLinear,
    RoundedTaps,
    Taps,
    Workspace,
    can_pack,
    fastest_taps,
)
from audiomill.renderers.kokoro.inference.cpu_tiles import TiledTaps, tiles_are_faster
from audiomill.renderers.kokoro.model.decoder import Generator, waveform
from audiomill.renderers.kokoro.model.layers import Conv1d, ConvTranspose1d, SnakeBlock
from audiomill.renderers.kokoro.model.model import Kokoro
from audiomill.renderers.kokoro.model.padding import PaddingMask
from audiomill.renderers.kokoro.model.precision import Precision
from audiomill.renderers.kokoro.model.source import spectrum


def for_cpu(
    model: Kokoro, map_blocks: MapBlocks = one_by_one, precision: Precision = "float32"
) -> Kokoro:
    """`model` itself, changed in place: its generator and some layers replaced by faster ones.

    `map_blocks` computes the blocks of a row. In bf16 the generator's snake blocks, which are nine
    tenths of its multiplications, round what they multiply; all else is float32. A model in float64
    stays exact.
    """
    rounds = precision == "bf16" and can_pack(model.dtype)
    exact = TiledTaps if tiles_are_faster() else fastest_taps
    make_taps = RoundedTaps if rounds else exact
    generator = CpuGenerator(model.decoder.generator, map_blocks, make_taps)
    model.set_submodule("decoder.generator", generator)
    if can_pack(model.dtype):
        for name, module in [*model.named_modules()]:
            faster = _packed(name, module)
            if faster is not None:
                model.set_submodule(name, faster)
    return model


def _packed(name: str, module: nn.Module) -> nn.Module | None:
    """The replacement for a layer; None if the layer stays."""
    if isinstance(module, Conv1d):
        return PackedConv1d(module)
    # The other linear layers multiply one vector per row.
    if isinstance(module, nn.Linear) and name.startswith("bert."):
        return PackedLinear(module)
    return None


class CpuGenerator(nn.Module):
    """A `Generator` with the same weights, and called like it."""

    def __init__(
        self,
        generator: Generator,
        map_blocks: MapBlocks = one_by_one,
        make_taps: MakeTaps = fastest_taps,
    ) -> None:
        super().__init__()
        self._map_blocks, self._make_taps = map_blocks, make_taps
        self.m_source = generator.m_source
        self._config = generator.config
        self._space = Workspace(generator.conv_post.weight.dtype)
        self._stages = [self._stage(generator, step) for step in range(len(generator.ups))]
        self._post = _Convolution(generator.conv_post, self._space)

    def _stage(self, generator: Generator, step: int) -> _UpsampleStage:
        n_steps, n_blocks = len(generator.ups), len(generator.resblocks) // len(generator.ups)
        blocks = generator.resblocks[step * n_blocks : (step + 1) * n_blocks]
        source_block = generator.noise_res[step]
        return _UpsampleStage(
            _Upsampling(
                cast(ConvTranspose1d, generator.ups[step]),
                self._space,
                reflects=step + 1 == n_steps,
            ),
            _Convolution(cast(Conv1d, generator.noise_convs[step]), self._space),
            self._snake_block(source_block),
            [self._snake_block(block) for block in blocks],
            self._space,
        )

    def _snake_block(self, block: nn.Module) -> BlockwiseSnakeBlock:
        return BlockwiseSnakeBlock(
            cast(SnakeBlock, block), self._space, self._map_blocks, self._make_taps
        )

    def forward(
        self, x: Tensor, style: Tensor, f0: Tensor, noise: Tensor, mask: PaddingMask
    ) -> Tensor:
        """(B, C, T) at F0's rate to audio (B, T * 300), zero in the padding."""
        rate = self._config.samples_per_f0
        out = x.new_zeros((x.shape[0], x.shape[2] * rate))
        for row, n in enumerate(mask.lengths):
            own = slice(row, row + 1)
            row_f0, row_noise = f0[own, :n], noise[own, : n * rate]
            out[own, : n * rate] = self._row(x[row, :, :n].t(), style[own], row_f0, row_noise)
        return out

    def _row(self, x: Tensor, style: Tensor, f0: Tensor, noise: Tensor) -> Tensor:
        """Frames (T, C) to audio (1, T * 300)."""
        mask = PaddingMask([len(x)], x.device)
        source = self.m_source(f0, noise, mask)
        sample_mask = mask.scaled(self._config.samples_per_f0)
        source_spectrum = spectrum(source, sample_mask, self._config)[0].t()
        for stage in self._stages:
            x = stage.run(x, source_spectrum, style)
        bins = self._space.frames("bins", len(x), self._post.c_out)
        self._post.run(x, bins, slope=0.01)
        stft_mask = mask.scaled(prod(self._config.upsample_rates), extra=1)
        return waveform(bins.t().unsqueeze(0), stft_mask, self._config)


class _UpsampleStage:
    """One upsampling step: adds the source's spectrum, then averages the snake blocks."""

    def __init__(
        self,
        up: _Upsampling,
        source_conv: _Convolution,
        source_block: BlockwiseSnakeBlock,
        blocks: Sequence[BlockwiseSnakeBlock],
        workspace: Workspace,
    ) -> None:
        self._up, self._source_conv, self._source_block = up, source_conv, source_block
        self._blocks, self._workspace = blocks, workspace

    def run(self, x: Tensor, source_spectrum: Tensor, style: Tensor) -> Tensor:
        """Frames (T, C_in) and the source's spectrum (K, n_fft + 2) to frames (T', C_out)."""
        upsampled = self._up.run(x)
        branch = self._workspace.frames("branch", *upsampled.shape)
        self._source_conv.run(source_spectrum, branch)
        self._source_block.run(branch, style)
        upsampled += branch
        total = self._workspace.frames("total", *upsampled.shape).zero_()
        for block in self._blocks:
            block.run(branch.copy_(upsampled), style)
            total += branch
        return total.div_(len(self._blocks))


class _Upsampling:
    """Leaky ReLU, then a transposed convolution of stride s.

    It runs as a convolution of stride 1 with s * C_out output channels: each input frame gives s
    output frames, side by side in memory.

        x (T, C_in)            x0              x1              x2
        out (T, s * C_out)     [y0 y1 … y s-1] [y s … y 2s-1]  …
        as (T * s, C_out)      y0, y1, y2, …
    """

    def __init__(self, conv: ConvTranspose1d, workspace: Workspace, *, reflects: bool) -> None:
        """`reflects` puts one frame in front, equal to the second output frame."""
        self._workspace, self._reflects = workspace, reflects
        self._rate, self._padding = conv.stride[0], cast(int, conv.padding[0])
        _, self._c_out, kernel = conv.weight.shape
        n_taps = -(-kernel // self._rate)
        self._n_before = n_taps - 1  # earlier frames that contribute to the output of a frame
        weight = F.pad(conv.weight, (0, n_taps * self._rate - kernel))
        weight = weight.unflatten(2, (n_taps, self._rate)).flip(2).permute(3, 1, 0, 2)
        bias = None if conv.bias is None else conv.bias.repeat(self._rate)
        self._taps = Taps(weight.flatten(0, 1), bias)  # (s * C_out, C_in, taps)

    def run(self, x: Tensor) -> Tensor:
        """(T, C_in) to (T * s, C_out), or to one frame more if it reflects."""
        n_out = len(x) * self._rate
        n_wide = -(-(n_out + self._padding) // self._rate)
        wide = self._workspace.frames("wide", n_wide + self._n_before, x.shape[1])
        inside, window = overlap(x, -self._n_before, wide)
        F.leaky_relu_(window.copy_(inside), 0.1)
        # One frame more than the convolution fills: room for the reflected one.
        out = self._workspace.frames("upsampled", 1 + n_wide * self._rate, self._c_out).zero_()
        self._taps.add(wide, out[1:].view(n_wide, -1), self._workspace)
        upsampled = out[1 + self._padding :][:n_out]
        if not self._reflects:
            return upsampled
        out[self._padding] = upsampled[1]
        return out[self._padding :][: 1 + n_out]


class _Convolution:
    """Leaky ReLU, then a convolution with padding and stride, block by block."""

    def __init__(self, conv: Conv1d, workspace: Workspace) -> None:
        self._workspace = workspace
        self._padding, self._stride = cast(int, conv.padding[0]), conv.stride[0]
        self._taps = Taps(conv.weight, conv.bias, stride=self._stride)
        self.c_out = self._taps.c_out

    def run(self, x: Tensor, out: Tensor, slope: float = 1.0) -> None:
        """Overwrite `out` (T', C_out) with the result for `x` (T, C_in).

        `slope` is that of the leaky ReLU; 1 leaves `x` as it is.
        """
        for start, stop in frame_blocks(len(out)):
            size = self._taps.frames_for(stop - start)
            wide = self._workspace.frames("convolved", size, x.shape[1])
            inside, window = overlap(x, start * self._stride - self._padding, wide)
            F.leaky_relu_(window.copy_(inside), slope)
            self._taps.put(wide, out[start:stop], self._workspace)
