"""From aligned phonemes, F0 and energy to a waveform. Knows padding only as `PaddingMask`.

                     ┌── F0, energy ──┐                 ┌── spectrum of the source ──┐
                     ▼                ▼                 ▼                            ▼
    phonemes ─▶ encode ─▶ decode x 4 ─▶ upsample x 10 ─▶ upsample x 6 ─▶ inverse STFT ─▶ samples
       40 a second             80             800             4800                        24000

Source: `Decoder` and `Generator` of hexgrad/kokoro, `kokoro/istftnet.py`; iSTFTNet is
arXiv 2203.02395.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from audiomill.renderers.kokoro.model.config import KokoroConfig, VocoderConfig
from audiomill.renderers.kokoro.model.layers import Conv1d, ConvTranspose1d, SnakeBlock, StyledBlock
from audiomill.renderers.kokoro.model.padding import PaddingMask
from audiomill.renderers.kokoro.model.source import Source, normal_noise, spectrum, window

TRUNK_CHANNELS = 1024
# Channels of `asr_res`: a projection of the phonemes that each decode block gets again.
ASR_RES_CHANNELS = 64


class Decoder(nn.Module):
    """The trunk (encode and decode blocks, at frame rate) and the generator."""

    is_packed = False  # the rows of a batch are padded, not packed end to end
    # Peak memory of a frame, in the generator's last step: about ten float32 arrays of 120
    # positions and 128 channels.
    bytes_per_frame = 10 * 120 * 128 * 4

    def __init__(self, config: KokoroConfig) -> None:
        super().__init__()
        style, n_in = config.style_dim, TRUNK_CHANNELS + ASR_RES_CHANNELS + 2
        n_out = config.vocoder.upsample_initial_channel
        self.encode = StyledBlock(config.hidden_dim + 2, TRUNK_CHANNELS, style)
        self.decode = nn.ModuleList(
            [
                StyledBlock(n_in, TRUNK_CHANNELS, style),
                StyledBlock(n_in, TRUNK_CHANNELS, style),
                StyledBlock(n_in, TRUNK_CHANNELS, style),
                StyledBlock(n_in, n_out, style, doubles=True),
            ]
        )
        self.F0_conv = Conv1d(1, 1, 3, stride=2, padding=1)
        self.N_conv = Conv1d(1, 1, 3, stride=2, padding=1)
        self.asr_res = nn.Sequential(Conv1d(config.hidden_dim, ASR_RES_CHANNELS, 1))
        self.generator = Generator(config.vocoder, style)

    def noise(self, seeds: Sequence[int], n_samples: int, device: torch.device) -> Tensor:
        """The noise that `forward` takes, (B, n_samples), drawn from one seed per row."""
        dtype = self.generator.m_source.l_linear.weight.dtype
        return normal_noise(seeds, n_samples, device, dtype)

    def forward(
        self,
        aligned: Tensor,
        f0: Tensor,
        energy: Tensor,
        style: Tensor,
        noise: Tensor,
        mask: PaddingMask,
    ) -> Tensor:
        """Audio (B, F * 600), zero in the padding.

        `aligned` holds the encoded phonemes (B, hidden, F), `f0` in Hz and `energy` are (B, 2 F),
        `style` is the timbre (B, style_dim), `noise` is standard normal (B, F * 600). `mask` counts
        frames.
        """
        # Not masked first: an F0 curve has an even length, so these convolutions, of kernel 3 and
        # stride 2, read no padding for a real frame.
        pitch, loudness = self.F0_conv(f0.unsqueeze(1)), self.N_conv(energy.unsqueeze(1))
        x, mask = self.encode(torch.cat((aligned, pitch, loudness), 1), style, mask)
        phonemes = self.asr_res(aligned)
        for block in self.decode:
            x, mask = block(torch.cat((x, phonemes, pitch, loudness), 1), style, mask)
        return self.generator(x, style, f0, noise, mask)


class Generator(nn.Module):
    """Upsampling steps, each of which adds the source's spectrum, then an inverse STFT.

    x ─ leaky ReLU ─ transposed conv ─┐
                                      +─▶ mean of the snake blocks ─▶ x of the next step
    spectrum ─ conv ─ snake block ────┘
    """

    def __init__(self, config: VocoderConfig, style_dim: int) -> None:
        super().__init__()
        self.config = config
        initial_channels = config.upsample_initial_channel
        self.m_source = Source(config)
        self.ups, self.noise_convs = nn.ModuleList(), nn.ModuleList()
        self.noise_res, self.resblocks = nn.ModuleList(), nn.ModuleList()
        for step, rate in enumerate(config.upsample_rates):
            channels = initial_channels >> (step + 1)
            kernel = config.upsample_kernel_sizes[step]
            padding = (kernel - rate) // 2
            self.ups.append(ConvTranspose1d(2 * channels, channels, kernel, rate, padding))
            self.noise_convs.append(_source_conv(config, step, channels))
            is_last = step + 1 == len(config.upsample_rates)
            self.noise_res.append(SnakeBlock(channels, 11 if is_last else 7, (1, 3, 5), style_dim))
            for kernel, dilations in zip(
                config.resblock_kernel_sizes, config.resblock_dilation_sizes, strict=True
            ):
                self.resblocks.append(SnakeBlock(channels, kernel, dilations, style_dim))
        self.conv_post = Conv1d(initial_channels >> len(self.ups), config.n_fft + 2, 7, padding=3)

    def forward(
        self, x: Tensor, style: Tensor, f0: Tensor, noise: Tensor, mask: PaddingMask
    ) -> Tensor:
        """(B, C, T) at F0's rate to audio (B, T * 300), zero in the padding.

        `f0` is (B, T) in Hz, `noise` (B, T * 300), `style` (B, style_dim). `mask` counts values of
        F0.
        """
        config = self.config
        n_kernels = len(config.resblock_kernel_sizes)
        source = self.m_source(f0, noise, mask)
        sample_mask = mask.scaled(config.samples_per_f0)
        stft_mask = mask.scaled(prod(config.upsample_rates), extra=1)
        source_spectrum = stft_mask.apply(spectrum(source, sample_mask, config))
        for step, rate in enumerate(config.upsample_rates):
            x = self.ups[step](mask.apply(F.leaky_relu(x, 0.1)))
            mask = mask.scaled(rate)
            if step + 1 == len(config.upsample_rates):
                x, mask = torch.cat((x[..., 1:2], x), -1), stft_mask  # reflect one at the start
            x = x + self.noise_res[step](self.noise_convs[step](source_spectrum), style, mask)
            blocks = self.resblocks[step * n_kernels : (step + 1) * n_kernels]
            x = torch.stack([block(x, style, mask) for block in blocks]).sum(0) / n_kernels
        bins = self.conv_post(mask.apply(F.leaky_relu(x)))
        return sample_mask.apply(waveform(bins, mask, config).unsqueeze(1)).squeeze(1)


def _source_conv(config: VocoderConfig, step: int, channels: int) -> Conv1d:
    """Brings the source's spectrum, (B, n_fft + 2, K), to the rate after an upsampling step."""
    n_in = config.n_fft + 2
    stride = prod(config.upsample_rates[step + 1 :])
    if step + 1 == len(config.upsample_rates):
        return Conv1d(n_in, channels, 1)
    return Conv1d(n_in, channels, 2 * stride, stride, (stride + 1) // 2)


def waveform(bins: Tensor, mask: PaddingMask, config: VocoderConfig) -> Tensor:
    """The inverse STFT of log magnitudes and phases, (B, n_fft + 2, K) to (B, (K - 1) * hop).

    The phase of a bin is the sine of its channel, as upstream has it. Each row is divided by the
    sum of the squared windows of its own frames: fewer windows overlap its last samples.
    """
    n_bins = config.n_fft // 2 + 1
    magnitude, phase = torch.exp(bins[:, :n_bins]), torch.sin(bins[:, n_bins:])
    hann = window(config, bins)
    frames = torch.fft.irfft(torch.polar(magnitude, phase).transpose(1, 2), config.n_fft) * hann
    is_real = mask.apply(torch.ones_like(bins[:, :1])).transpose(1, 2)
    samples = _overlap_add(frames * is_real, config)
    windows = _overlap_add(hann * hann * is_real, config)
    half = config.n_fft // 2
    # The sum of windows is zero only in the padding.
    return (samples / windows.clamp(min=1e-11))[:, half:-half]


def _overlap_add(frames: Tensor, config: VocoderConfig) -> Tensor:
    """The sum of frames (B, K, n_fft) one hop apart, (B, (K - 1) * hop + n_fft).

    n_fft = 4 hops    frame 0   a0 a1 a2 a3
                      frame 1      b0 b1 b2 b3
                      frame 2         c0 c1 c2 c3
                      ─────────────────────────────
                      summed by column, one hop wide
    """
    hops = frames.unflatten(-1, (-1, config.hop))  # (B, K, n_fft / hop, hop)
    n_hops = hops.shape[2]
    shifted = [F.pad(hops[:, :, i], (0, 0, i, n_hops - 1 - i)) for i in range(n_hops)]
    return sum(shifted[1:], shifted[0]).flatten(1)
