"""The decoder on packed rows, in kernels that fuse the operations between two convolutions.

    phonemes, F0, energy ─▶ trunk ─▶ up, + source ─▶ 3 snake blocks ─▶ up, + source ─▶ … ─▶ samples
         40 a second          80           800                           4800            24000

It computes the same as `model/decoder.py`, which names the source of each step. Weights and stored
values have the dtype of `Arithmetic`. Statistics, source, phases and both Fourier transforms are
float32 throughout, apart from sums of phases in float64.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import cast

import torch
from torch import Tensor, nn

from audiomill.renderers.kokoro.gpu.blocks import (
    Activations,
    FusedSnakeBlock,
    FusedStyledBlock,
    Stage,
    concatenated,
    packed,
)
from audiomill.renderers.kokoro.gpu.conv import (
    Arithmetic,
    Filter,
    convolution,
    filter_of,
    filter_of_transposed,
    padded_width,
)
from audiomill.renderers.kokoro.gpu.layout import TILE, Layout, Margins
from audiomill.renderers.kokoro.gpu.norm import StyleLayers, activate, new_moments
from audiomill.renderers.kokoro.gpu.source import FusedSource, FusedWaveform, noise
from audiomill.renderers.kokoro.model.config import VocoderConfig
from audiomill.renderers.kokoro.model.decoder import Decoder, Generator
from audiomill.renderers.kokoro.model.layers import SnakeBlock, StyledBlock
from audiomill.renderers.kokoro.model.padding import PaddingMask


class FusedDecoder(nn.Module):
    """A `Decoder` with the same weights, and called like it. Audio is float32."""

    is_packed = True  # the rows of a batch are packed end to end, not padded

    def __init__(self, decoder: Decoder, arithmetic: Arithmetic) -> None:
        super().__init__()
        self.bytes_per_frame = bytes_per_frame(decoder.generator.config, arithmetic.dtype)
        styles, dtype = StyleLayers(), arithmetic.dtype
        self._arithmetic = arithmetic
        self._pitch, self._loudness = decoder.F0_conv, decoder.N_conv
        asr_res = cast(nn.Conv1d, decoder.asr_res[0])
        self._asr_res, self._n_asr_res = filter_of(asr_res, dtype), asr_res.out_channels
        self._n_trunk = decoder.encode.conv2.out_channels
        self._margins = _margins_for(decoder)
        self._trunk = [
            FusedStyledBlock(cast(StyledBlock, block), styles, dtype)
            for block in (decoder.encode, *decoder.decode)
        ]
        self._generator = FusedGenerator(decoder.generator, styles, arithmetic)
        self._styles = styles.merged()

    def noise(self, seeds: Sequence[int], n_samples: int, device: torch.device) -> Tensor:
        """Implement `Decoder.noise`: (B, n_samples) in float32."""
        return noise(seeds, n_samples, device)

    def forward(
        self,
        aligned: Tensor,
        f0: Tensor,
        energy: Tensor,
        style: Tensor,
        noise: Tensor,
        mask: PaddingMask,
    ) -> Tensor:
        """Implement `Decoder.forward`: audio (B, F * 600) in float32."""
        layout = Layout(mask.lengths, aligned.device, self._margins)
        styles = self._styles(style).float()
        first, doubled = (
            Stage(layout, rate, layout.tiles(rate), styles, self._arithmetic) for rate in (1, 2)
        )
        curves = torch.cat((self._pitch(f0.unsqueeze(1)), self._loudness(energy.unsqueeze(1))), 1)
        # Called inside the expression, so that the trunk's buffers are freed before the generator
        # allocates its own.
        return self._generator(
            self._through_trunk(aligned, curves, mask, first, doubled),
            f0,
            noise,
            mask.scaled(2),
            doubled,
        )

    def _through_trunk(
        self, aligned: Tensor, curves: Tensor, mask: PaddingMask, first: Stage, doubled: Stage
    ) -> Tensor:
        """Phonemes (B, hidden, F) and curves (B, 2, F) to (positions, C) at `doubled`."""
        phonemes, curves = (packed(x, first, mask.size) for x in (aligned, curves))
        asr_res = first.empty(self._asr_res.n_out)
        wide = concatenated(first, phonemes)
        convolution(wide, self._asr_res, asr_res, first.tiles, self._arithmetic)
        x = self._trunk[0](concatenated(first, phonemes, curves), first, doubled)
        for block in self._trunk[1:]:
            parts = (x[:, : self._n_trunk], asr_res[:, : self._n_asr_res], curves)
            x = block(concatenated(first, *parts), first, doubled)
        return x


class FusedGenerator:
    """A `Generator` with the same weights, on packed rows."""

    def __init__(self, generator: Generator, styles: StyleLayers, arithmetic: Arithmetic) -> None:
        self._config = config = generator.config
        dtype, n_kernels = arithmetic.dtype, len(config.resblock_kernel_sizes)
        self._source = FusedSource(generator.m_source, config)
        self._steps = [
            _UpsampleStep(
                rate=rate,
                # The blocks of a step are averaged. Here they are summed, and the weights that
                # read the sum are divided by their number.
                up=filter_of_transposed(
                    cast(nn.ConvTranspose1d, generator.ups[step]),
                    dtype,
                    n_summed=n_kernels if step else 1,
                ),
                source_conv=filter_of(cast(nn.Conv1d, generator.noise_convs[step]), torch.float32),
                source_block=_snake(generator.noise_res[step], styles, dtype),
                blocks=[
                    _snake(block, styles, dtype)
                    for block in generator.resblocks[step * n_kernels : (step + 1) * n_kernels]
                ],
            )
            for step, rate in enumerate(config.upsample_rates)
        ]
        self._post = filter_of(generator.conv_post, dtype, n_summed=n_kernels)
        self._waveform = FusedWaveform(config, generator.conv_post.weight.detach())

    def __call__(
        self, x: Tensor, f0: Tensor, noise: Tensor, mask: PaddingMask, stage: Stage
    ) -> Tensor:
        """(positions, C) at F0's rate, which is that of `stage`, to audio (B, T * 300)."""
        samples = self._source.waveform(f0, noise, mask)
        last = _faster(stage, prod(self._config.upsample_rates), extra=1)
        spectrum = self._source.spectrum(samples, last.layout, last.rate, last.tiles)
        for step in self._steps:
            is_last = step is self._steps[-1]
            following = last if is_last else _faster(stage, step.rate)
            x, stage = (
                step.run(self._upsampled(x, step, stage, following), spectrum, following),
                following,
            )
        active = activate(x, stage.empty(x.shape[1]), stage.tiles, slope=0.01)
        bins = stage.layout.empty(stage.rate, self._post.n_out, torch.float32)
        convolution(active, self._post, bins, stage.tiles, stage.arithmetic)
        return self._waveform(bins, stage.tiles, samples.shape[1])

    def _upsampled(self, x: Tensor, step: _UpsampleStep, stage: Stage, following: Stage) -> Tensor:
        """Leaky ReLU and upsampling: (positions, C) to (positions, C / 2) at `following`.

        In the last step each row gets one position more at its start, equal to y1:

            following    · · y1 y0 y1 y2 …      y is written one position later, then y1 is copied
        """
        active = activate(x, stage.empty(x.shape[1]), stage.tiles, slope=0.1)
        channels = step.up.n_out // step.rate
        out = following.empty(channels)
        delay = int(step is self._steps[-1])
        n_positions = stage.layout.n_frames * stage.rate
        by_phase = out[delay : delay + n_positions * step.rate].view(n_positions, step.up.n_out)
        convolution(active, step.up, by_phase, stage.tiles, stage.arithmetic)
        if delay:
            starts = following.tiles.rows[:, 1].long()
            out[starts] = out[starts + 2]
        return out


@dataclass(frozen=True, slots=True)
class _UpsampleStep:
    """One upsampling step: adds the source's spectrum, then sums the snake blocks."""

    rate: int  # output positions for each input position
    up: Filter
    source_conv: Filter  # of the source's spectrum
    source_block: FusedSnakeBlock
    blocks: list[FusedSnakeBlock]

    def run(self, upsampled: Tensor, spectrum: Tensor, stage: Stage) -> Tensor:
        """The sum of all blocks, (positions, C) at `stage`.

        `upsampled` is (positions, C), `spectrum` (positions, n_fft + 2 or more) at the last rate.
        """
        moments = new_moments(stage.tiles, self.source_conv.n_out)
        source = Activations(stage.empty(self.source_conv.n_out), moments)
        convolution(
            spectrum,
            self.source_conv,
            source.x,
            stage.tiles,
            stage.arithmetic,
            moments=source.moments,
        )
        # The block may write its result over its input: by then it no longer reads the input.
        features = self.source_block(source, stage, source.x, more=upsampled)
        del upsampled
        total = stage.empty(features.x.shape[1])
        for block in self.blocks:
            block(features, stage, total, more=None if block is self.blocks[0] else total)
        return total


def bytes_per_frame(config: VocoderConfig, dtype: torch.dtype) -> int:
    """Peak memory for each frame of a batch, reached when the blocks of the last step begin.

    Alive at that time, in `dtype`: five arrays of the step's width (the upsampled input or the sum
    of blocks; the blocks' input; its activation; the values between two convolutions; the running
    sum), the outputs of the trunk and of the step before. In float32: the moments of four arrays,
    the source's spectrum and samples, and the noise.
    """
    first, rate = config.upsample_initial_channel, 2 * prod(config.upsample_rates)
    channels = padded_width(first >> len(config.upsample_rates))
    previous_step = padded_width(2 * channels) * rate // config.upsample_rates[-1]
    trunk = 2 * padded_width(first)
    moments = 4 * 2 * channels * rate // TILE
    n_float32 = padded_width(config.n_fft + 2) * rate + 2 * rate * config.hop + moments
    return dtype.itemsize * (5 * channels * rate + (previous_step + trunk)) + 4 * n_float32


def _margins_for(decoder: Decoder) -> Margins:
    """A gap that at each rate is wider than any kernel reaches there to one side."""
    rate, gaps = 2, [1]
    rates = decoder.generator.config.upsample_rates
    for step, factor in enumerate(rates):
        rate *= factor
        blocks = decoder.generator.resblocks.children()
        reach = max(
            cast(int, conv.padding[0])
            for block in (*blocks, decoder.generator.noise_res[step])
            for conv in cast(SnakeBlock, block).convs1
            if isinstance(conv, nn.Conv1d)
        )
        gaps.append(-(-(reach + 1) // rate))
    return Margins(max(gaps), prod(rates[1:]))


def _snake(block: nn.Module, styles: StyleLayers, dtype: torch.dtype) -> FusedSnakeBlock:
    return FusedSnakeBlock(cast(SnakeBlock, block), styles, dtype)


def _faster(stage: Stage, factor: int, extra: int = 0) -> Stage:
    """`stage` at `factor` times its rate, each row `extra` positions longer."""
    rate = stage.rate * factor
    return replace(stage, rate=rate, tiles=stage.layout.tiles(rate, extra))
