"""The decoder on packed rows, in kernels that fuse what stands between two convolutions.

    phonemes, F0, energy ─▶ trunk ─▶ up, + source ─▶ 3 snake blocks ─▶ up, + source ─▶ … ─▶ samples
         40 a second          80           800                           4800            24000

It computes what `kokoro/decoder.py` computes, which says where each step comes from. Products are
made of what `Arithmetic` stores; statistics, source, phases and both Fourier transforms are
float32 throughout.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import cast

import torch
from torch import Tensor, nn

from audiomill.renderers.kokoro.config import VocoderConfig
from audiomill.renderers.kokoro.gpu.blocks import FusedSnakeBlock, FusedStyledBlock, Activations, Stage
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
from audiomill.renderers.kokoro.model.decoder import Decoder, Generator
from audiomill.renderers.kokoro.model.layers import SnakeBlock, StyledBlock
from audiomill.renderers.kokoro.model.padding import PaddingMask


class FusedDecoder(nn.Module):
    """Of the same weights as a `Decoder`, and called like it."""

    packs = True

    def __init__(self, decoder: Decoder, arithmetic: Arithmetic) -> None:
        super().__init__()
        self.bytes_per_frame = bytes_per_frame(decoder.generator.config, arithmetic.dtype)
        styles, dtype = StyleLayers(), arithmetic.dtype
        self._arithmetic = arithmetic
        self._pitch, self._loudness = decoder.F0_conv, decoder.N_conv
        reminder = cast(nn.Conv1d, decoder.asr_res[0])
        self._again, self._n_again = filter_of(reminder, dtype), reminder.out_channels
        self._width = decoder.encode.conv2.out_channels
        self._room = _room_for(decoder)
        self._trunk = [
            FusedStyledBlock(cast(StyledBlock, block), styles, dtype)
            for block in (decoder.encode, *decoder.decode)
        ]
        self._generator = FusedGenerator(decoder.generator, styles, arithmetic)
        self._styles = styles.finished()

    def noise(self, seeds: Sequence[int], n_samples: int, device: torch.device) -> Tensor:
        """See `Decoder.noise`."""
        return noise(seeds, n_samples, device)

    def forward(
        self,
        aligned: Tensor,
        f0: Tensor,
        energy: Tensor,
        style: Tensor,
        noise: Tensor,
        rows: PaddingMask,
    ) -> Tensor:
        """See `Decoder.forward`. Audio is float32."""
        layout = Layout(rows.lengths, aligned.device, self._room)
        styles = self._styles(style).float()
        first, doubled = (
            Stage(layout, rate, layout.tiles(rate), styles, self._arithmetic) for rate in (1, 2)
        )
        curves = torch.cat((self._pitch(f0.unsqueeze(1)), self._loudness(energy.unsqueeze(1))), 1)
        # What the trunk has worked with is gone before the generator needs the room.
        return self._generator(
            self._through_trunk(aligned, curves, rows, first, doubled),
            f0,
            noise,
            rows.scaled(2),
            doubled,
        )

    def _through_trunk(
        self, aligned: Tensor, curves: Tensor, rows: PaddingMask, first: Stage, doubled: Stage
    ) -> Tensor:
        """Phonemes (B, hidden, F), F0 and energy (B, 2, F), to (places, C) at `doubled`."""
        phonemes, curves = (_packed(one, first, rows.size) for one in (aligned, curves))
        again = first.empty(self._again.n_out)
        wide = _side_by_side(first, phonemes)
        convolution(wide, self._again, again, first.tiles, self._arithmetic)
        x = self._trunk[0](_side_by_side(first, phonemes, curves), first, doubled)
        for block in self._trunk[1:]:
            told = (x[:, : self._width], again[:, : self._n_again], curves)
            x = block(_side_by_side(first, *told), first, doubled)
        return x


class FusedGenerator:
    """Of the same weights as a `Generator`."""

    def __init__(self, generator: Generator, styles: StyleLayers, arithmetic: Arithmetic) -> None:
        self._config = config = generator.config
        dtype, n_kernels = arithmetic.dtype, len(config.resblock_kernel_sizes)
        self._source = FusedSource(generator.m_source, config)
        self._steps = [
            _UpsampleStep(
                rate=rate,
                # The three blocks of a step are averaged; here the next weights divide their sum.
                up=filter_of_transposed(
                    cast(nn.ConvTranspose1d, generator.ups[step]),
                    dtype,
                    n_summed=n_kernels if step else 1,
                ),
                heard=filter_of(cast(nn.Conv1d, generator.noise_convs[step]), torch.float32),
                source=_snake(generator.noise_res[step], styles, dtype),
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
        self, x: Tensor, f0: Tensor, noise: Tensor, rows: PaddingMask, stage: Stage
    ) -> Tensor:
        """(places, C) at F0's rate, where `stage` is, to audio (B, T * 300)."""
        samples = self._source.waveform(f0, noise, rows)
        last = _faster(stage, prod(self._config.upsample_rates), extra=1)
        seen = self._source.spectrum(samples, last.layout, last.rate, last.tiles)
        for step in self._steps:
            is_last = step is self._steps[-1]
            following = last if is_last else _faster(stage, step.rate)
            x, stage = (
                step.spoken(self._upsampled(x, step, stage, following), seen, following),
                following,
            )
        active = activate(x, stage.empty(x.shape[1]), stage.tiles, slope=0.01)
        drawn = stage.layout.empty(stage.rate, self._post.n_out, torch.float32)
        convolution(active, self._post, drawn, stage.tiles, stage.arithmetic)
        return self._waveform(drawn, stage.tiles, samples.shape[1])

    def _upsampled(self, x: Tensor, step: _UpsampleStep, stage: Stage, following: Stage) -> Tensor:
        """(places, C) at `stage` to (places, C / 2) at `following`."""
        active = activate(x, stage.empty(x.shape[1]), stage.tiles, slope=0.1)
        channels = step.up.n_out // step.rate
        out = following.empty(channels)
        # At the last step rows are a place longer, reflected at the start: all is a place late.
        late = int(step is self._steps[-1])
        n_places = stage.layout.n_frames * stage.rate
        by_phase = out[late : late + n_places * step.rate].view(n_places, step.up.n_out)
        convolution(active, step.up, by_phase, stage.tiles, stage.arithmetic)
        if late:
            starts = following.tiles.rows[:, 1].long()
            out[starts] = out[starts + 2]
        return out


@dataclass(frozen=True, slots=True)
class _UpsampleStep:
    """From one rate to the next."""

    rate: int
    up: Filter
    heard: Filter  # of the source's spectrum
    source: FusedSnakeBlock
    blocks: list[FusedSnakeBlock]

    def spoken(self, up: Tensor, seen: Tensor, stage: Stage) -> Tensor:
        """What was upsampled, with its share of the source, through all blocks; their sum."""
        moments = new_moments(stage.tiles, self.heard.n_out)
        heard = Activations(stage.empty(self.heard.n_out), moments)
        convolution(seen, self.heard, heard.x, stage.tiles, stage.arithmetic, moments=heard.moments)
        # What was heard is needed no more once the block has begun to add to it.
        given = self.source(heard, stage, heard.x, more=up)
        del up
        total = stage.empty(given.x.shape[1])
        for block in self.blocks:
            block(given, stage, total, more=None if block is self.blocks[0] else total)
        return total


def bytes_per_frame(config: VocoderConfig, dtype: torch.dtype) -> int:
    """Of memory at the most, for each frame of a batch: where the last step's blocks begin.

    Five arrays of its width are alive then (what was upsampled or is to be summed, what was given,
    activated, between two convolutions, and carried past them), with the moments of four, and what
    the trunk and the step before have made; beside them, in float32, the source's spectrum and
    samples, and noise.
    """
    first, rate = config.upsample_initial_channel, 2 * prod(config.upsample_rates)
    channels = padded_width(first >> len(config.upsample_rates))
    before = padded_width(2 * channels) * rate // config.upsample_rates[-1] + 2 * padded_width(first)
    moments = 4 * 2 * channels * rate // TILE
    exact = padded_width(config.n_fft + 2) * rate + 2 * rate * config.hop + moments
    return dtype.itemsize * (5 * channels * rate + before) + 4 * exact


def _room_for(decoder: Decoder) -> Margins:
    """At each rate a gap is wider than the furthest that a kernel reaches there."""
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
    rate = stage.rate * factor
    return replace(stage, rate=rate, tiles=stage.layout.tiles(rate, extra))


def _packed(x: Tensor, stage: Stage, size: int) -> Tensor:
    """(B, C, size) to (places, C), zero in the gaps."""
    packing = stage.layout.gather_index(1, size)
    flat = x.transpose(1, 2).flatten(0, 1)
    return torch.where((packing >= 0).unsqueeze(1), flat[packing.clamp(min=0)], 0.0)


def _side_by_side(stage: Stage, *parts: Tensor) -> Tensor:
    """Channels of all parts, as wide as a filter takes them."""
    width = sum(part.shape[1] for part in parts)
    room = parts[0].new_zeros(parts[0].shape[0], padded_width(width) - width)
    dtype = stage.arithmetic.dtype
    return torch.cat([part.to(dtype) for part in (*parts, room)], 1)
