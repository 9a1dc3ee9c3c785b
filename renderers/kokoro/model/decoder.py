"""From aligned phonemes, F0 and energy to a waveform. Knows padding only as `PaddingMask`.

Source: `Decoder` and `Generator` of hexgrad/kokoro, `kokoro/istftnet.py`; iSTFTNet is
arXiv 2203.02395. Rates: 40 frames a second, then 80, 800 and 4800, then 24000 samples.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from audiomill.renderers.kokoro.config import KokoroConfig, VocoderConfig
from audiomill.renderers.kokoro.model.layers import Conv1d, ConvTranspose1d, SnakeBlock, StyledBlock
from audiomill.renderers.kokoro.model.padding import PaddingMask
from audiomill.renderers.kokoro.model.source import Source, normal_noise, spectrum, window

WIDE = 1024  # channels of the trunk
TOLD_AGAIN = 64  # channels of the phonemes that each block of the trunk is reminded of


class Decoder(nn.Module):
    """The trunk, at frame rate, and the generator."""

    packs = False  # rows are padded
    # Of memory, for a frame at the widest: some ten arrays of 120 places, 128 channels.
    bytes_per_frame = 10 * 120 * 128 * 4

    def __init__(self, config: KokoroConfig) -> None:
        super().__init__()
        style, wide = config.style_dim, WIDE + TOLD_AGAIN + 2
        narrow = config.vocoder.upsample_initial_channel
        self.encode = StyledBlock(config.hidden_dim + 2, WIDE, style)
        self.decode = nn.ModuleList(
            [
                StyledBlock(wide, WIDE, style),
                StyledBlock(wide, WIDE, style),
                StyledBlock(wide, WIDE, style),
                StyledBlock(wide, narrow, style, doubles=True),
            ]
        )
        self.F0_conv = Conv1d(1, 1, 3, stride=2, padding=1)
        self.N_conv = Conv1d(1, 1, 3, stride=2, padding=1)
        self.asr_res = nn.Sequential(Conv1d(config.hidden_dim, TOLD_AGAIN, 1))
        self.generator = Generator(config.vocoder, style)

    def noise(self, seeds: Sequence[int], n_samples: int, device: torch.device) -> Tensor:
        """What `forward` wants of it, (B, n_samples), drawn from the rows' seeds."""
        dtype = self.generator.m_source.l_linear.weight.dtype
        return normal_noise(seeds, n_samples, device, dtype)

    def forward(
        self,
        aligned: Tensor,
        f0: Tensor,
        energy: Tensor,
        style: Tensor,
        noise: Tensor,
        rows: PaddingMask,
    ) -> Tensor:
        """Audio (B, F * 600), zero in the padding, of phonemes (B, hidden, F).

        F0 and energy are (B, 2 F), `style` (B, style_dim), `noise` (B, F * 600); `rows` counts
        frames.
        """
        # Of stride 2 and even at its end, they reach no padding.
        pitch, loudness = self.F0_conv(f0.unsqueeze(1)), self.N_conv(energy.unsqueeze(1))
        x, at = self.encode(torch.cat((aligned, pitch, loudness), 1), style, rows)
        again = self.asr_res(aligned)
        for block in self.decode:
            x, at = block(torch.cat((x, again, pitch, loudness), 1), style, at)
        return self.generator(x, style, f0, noise, at)


class Generator(nn.Module):
    """Upsampling, each step with its share of the source, to an inverse STFT."""

    def __init__(self, config: VocoderConfig, style_dim: int) -> None:
        super().__init__()
        self.config = config
        first = config.upsample_initial_channel
        self.m_source = Source(config)
        self.ups, self.noise_convs = nn.ModuleList(), nn.ModuleList()
        self.noise_res, self.resblocks = nn.ModuleList(), nn.ModuleList()
        for step, rate in enumerate(config.upsample_rates):
            channels = first >> (step + 1)
            kernel = config.upsample_kernel_sizes[step]
            padding = (kernel - rate) // 2
            self.ups.append(ConvTranspose1d(2 * channels, channels, kernel, rate, padding))
            self.noise_convs.append(_source_conv(config, step, channels))
            last = step + 1 == len(config.upsample_rates)
            self.noise_res.append(SnakeBlock(channels, 11 if last else 7, (1, 3, 5), style_dim))
            for kernel, dilations in zip(
                config.resblock_kernel_sizes, config.resblock_dilation_sizes, strict=True
            ):
                self.resblocks.append(SnakeBlock(channels, kernel, dilations, style_dim))
        self.conv_post = Conv1d(first >> len(self.ups), config.n_fft + 2, 7, padding=3)

    def forward(
        self, x: Tensor, style: Tensor, f0: Tensor, noise: Tensor, rows: PaddingMask
    ) -> Tensor:
        """(B, C, T) at F0's rate to audio (B, T * 300)."""
        config = self.config
        n_kernels = len(config.resblock_kernel_sizes)
        source = self.m_source(f0, noise, rows)
        spoken = rows.times(config.samples_per_f0)
        frames = rows.times(prod(config.upsample_rates), extra=1)
        seen = frames.clear(spectrum(source, spoken, config))
        for step, rate in enumerate(config.upsample_rates):
            x = self.ups[step](rows.clear(F.leaky_relu(x, 0.1)))
            rows = rows.times(rate)
            if step + 1 == len(config.upsample_rates):
                x, rows = torch.cat((x[..., 1:2], x), -1), frames  # reflected by one at the start
            x = x + self.noise_res[step](self.noise_convs[step](seen), style, rows)
            blocks = self.resblocks[step * n_kernels : (step + 1) * n_kernels]
            x = torch.stack([block(x, style, rows) for block in blocks]).sum(0) / n_kernels
        drawn = self.conv_post(rows.clear(F.leaky_relu(x)))
        return spoken.clear(waveform(drawn, rows, config).unsqueeze(1)).squeeze(1)


def _source_conv(config: VocoderConfig, step: int, channels: int) -> Conv1d:
    """From the source's spectrum to what is added after an upsampling step."""
    n_in = config.n_fft + 2
    stride = prod(config.upsample_rates[step + 1 :])
    if step + 1 == len(config.upsample_rates):
        return Conv1d(n_in, channels, 1)
    return Conv1d(n_in, channels, 2 * stride, stride, (stride + 1) // 2)


def waveform(drawn: Tensor, rows: PaddingMask, config: VocoderConfig) -> Tensor:
    """The inverse STFT of log magnitudes and phases, (B, n_fft + 2, K) to (B, (K - 1) * hop).

    Each row is divided by the sum of its own squared windows: its last samples lie under fewer.
    """
    size = config.n_fft // 2 + 1
    magnitude, phase = torch.exp(drawn[:, :size]), torch.sin(drawn[:, size:])
    hann = window(config, drawn)
    frames = torch.fft.irfft(torch.polar(magnitude, phase).transpose(1, 2), config.n_fft) * hann
    real = rows.clear(torch.ones_like(drawn[:, :1])).transpose(1, 2)
    sound = _overlap_add(frames * real, config)
    windows = _overlap_add(hann * hann * real, config)
    half = config.n_fft // 2
    # Under no window there is only padding.
    return (sound / windows.clamp(min=1e-11))[:, half:-half]


def _overlap_add(frames: Tensor, config: VocoderConfig) -> Tensor:
    """(B, K, n_fft) laid one hop apart and summed, (B, (K - 1) * hop + n_fft)."""
    hops = frames.unflatten(-1, (-1, config.hop))  # (B, K, n_fft / hop, hop)
    n_hops = hops.shape[2]
    laid = [F.pad(hops[:, :, i], (0, 0, i, n_hops - 1 - i)) for i in range(n_hops)]
    return sum(laid[1:], laid[0]).flatten(1)
