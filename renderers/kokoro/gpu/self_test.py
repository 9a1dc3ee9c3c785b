"""The decoder of GPUs, put to the test on the card it shall run on. Knows both decoders.

Kernels are compiled for the card they meet, by what is installed there; whether the result is right
is not taken for granted. A second of sound is decoded both ways when a model is loaded: that also
compiles what will be needed, and Triton keeps it on disk for the next start.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from subprocess import SubprocessError

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from triton.errors import TritonError

from audiomill.renderers.base import EngineFailed, Samples, reason_of
from audiomill.renderers.kokoro.config import SAMPLE_RATE
from audiomill.renderers.kokoro.gpu.conv import Arithmetic
from audiomill.renderers.kokoro.gpu.decoder import FusedDecoder
from audiomill.renderers.kokoro.model.decoder import Decoder
from audiomill.renderers.kokoro.model.model import Kokoro
from audiomill.renderers.kokoro.model.padding import PaddingMask
from audiomill.renderers.kokoro.model.source import normal_noise
from audiomill.renderers.options import Precision

# How far two recordings of the same words are apart, as far as an ear is concerned.

Spectrum = NDArray[np.float64]

N_MELS, MEL_FFT, MEL_HOP = 80, 1024, 256
RESOLUTIONS = ((512, 128), (1024, 256), (2048, 512))  # size and hop, in samples
QUIETEST = 1e-5  # of a full-scale sine's magnitude: -100 dB, under which nothing counts
BREAK_HZ, BELOW_HZ, LOG_STEP = 1000.0, 200 / 3, np.log(6.4) / 27  # of the mel scale


@dataclass(frozen=True, slots=True)
class Distance:
    """Between two recordings, or the mean over several pairs."""

    log_mel_db: float
    convergence: float  # relative error of magnitudes, the mean over resolutions
    log_stft_db: float


def distance(one: Samples, other: Samples, sample_rate: int) -> Distance:
    """Of `other` from `one`, both (n) and of the same length. Raises ValueError if they are not."""
    if one.shape != other.shape:
        raise ValueError(f"{one.size} and {other.size} samples cannot be compared")
    mels = [_decibels(_mel(samples, sample_rate)) for samples in (one, other)]
    pairs = [
        (_magnitudes(one, size, hop), _magnitudes(other, size, hop)) for size, hop in RESOLUTIONS
    ]
    return Distance(
        log_mel_db=float(np.abs(mels[0] - mels[1]).mean()),
        convergence=float(np.mean([_missing(*pair) for pair in pairs])),
        log_stft_db=float(np.mean([np.abs(_decibels(a) - _decibels(b)).mean() for a, b in pairs])),
    )


def mean_distance(distances: Sequence[Distance]) -> Distance:
    """Of several pairs, each counting the same."""
    return Distance(
        *(
            float(np.mean([getattr(one, name) for one in distances]))
            for name in ("log_mel_db", "convergence", "log_stft_db")
        )
    )


def _missing(one: Spectrum, other: Spectrum) -> float:
    return float(np.linalg.norm(one - other) / max(np.linalg.norm(one), QUIETEST))


def _decibels(magnitudes: Spectrum) -> Spectrum:
    return 20 * np.log10(np.maximum(magnitudes, QUIETEST))


def _magnitudes(samples: Samples, size: int, hop: int) -> Spectrum:
    """(frames, bins); a sine of full scale comes to about 1. Ends are padded with silence."""
    padded = np.pad(samples.astype(np.float64), size // 2)
    frames = np.lib.stride_tricks.sliding_window_view(padded, size)[::hop]
    window = np.hanning(size + 1)[:-1]
    return np.abs(np.fft.rfft(frames * window)) * (2 / window.sum())


def _mel(samples: Samples, sample_rate: int) -> Spectrum:
    """Magnitudes of bands, (frames, N_MELS)."""
    power = _magnitudes(samples, MEL_FFT, MEL_HOP) ** 2
    return np.sqrt(power @ _bank(sample_rate))


def _bank(sample_rate: int) -> Spectrum:
    """Triangles over bins, (bins, N_MELS)."""
    top = _to_mel(np.array([sample_rate / 2]))[0]
    edges = _to_hz(np.linspace(0, top, N_MELS + 2))
    hz = np.fft.rfftfreq(MEL_FFT, 1 / sample_rate)[:, None]
    low, middle, high = edges[:-2], edges[1:-1], edges[2:]
    rising, falling = (hz - low) / (middle - low), (high - hz) / (high - middle)
    return np.clip(np.minimum(rising, falling), 0, None)


def _to_mel(hz: Spectrum) -> Spectrum:
    above = BREAK_HZ / BELOW_HZ + np.log(np.maximum(hz, BREAK_HZ) / BREAK_HZ) / LOG_STEP
    return np.where(hz < BREAK_HZ, hz / BELOW_HZ, above)


def _to_hz(mel: Spectrum) -> Spectrum:
    knee = BREAK_HZ / BELOW_HZ
    above = BREAK_HZ * np.exp(LOG_STEP * (np.maximum(mel, knee) - knee))
    return np.where(mel < knee, mel * BELOW_HZ, above)


ARITHMETIC = {
    "tf32": Arithmetic(torch.float32, "tf32"),
    "bf16": Arithmetic(torch.bfloat16, "tf32"),
}
N_FRAMES = (17, 24)  # of two rows: what follows the shorter one must not be heard
# Ten times what bf16 is off by with random weights, a fifth of what another noise is.
MAX_DISTANCE_DB = 0.5
# What building and starting kernels may fail with: Triton's errors, what a release of it says that
# knows less or more than ours, errors of the compilers that it starts (one for C is needed too, and
# may not be there), and the driver's.
FAILURES = (
    *(TritonError, KeyError, AttributeError, AssertionError),
    *(RuntimeError, ValueError, OSError, SubprocessError),
)


class SelfTestFailed(Exception):
    """The decoder cannot be used here. The message says why, as a part of a sentence."""


def tested_decoder(model: Kokoro, precision: Precision) -> FusedDecoder:
    """The decoder of GPUs with the weights of `model`, which is on one.

    Raises SelfTestFailed; EngineFailed if nothing can be done on that GPU any more.
    """
    decoder = model.decoder
    try:
        fused = FusedDecoder(decoder, ARITHMETIC[precision])
        apart = decoder_distance(decoder, fused, model)
    except FAILURES as error:
        _check_alive(model.device)
        why = f"{type(error).__name__}: {reason_of(error)}"
        raise SelfTestFailed(f"its kernels cannot be built here ({why})") from error
    if not apart.log_mel_db < MAX_DISTANCE_DB:
        raise SelfTestFailed(f"on this GPU it is off by {apart.log_mel_db:.1f} dB")
    return fused


def _check_alive(device: torch.device) -> None:
    """Raise EngineFailed if a kernel has done what its process cannot recover from."""
    try:
        if device.type == "cuda":
            torch.cuda.synchronize(device)
    except RuntimeError as error:
        raise EngineFailed(
            f"{device} cannot be used any more since Kokoro's own kernels were tried on it"
            f" ({reason_of(error)}). Set kokoro.precision to float32, which has none."
        ) from error


@torch.inference_mode()
def decoder_distance(decoder: Decoder, fused: FusedDecoder, model: Kokoro) -> Distance:
    """How far both are apart for the same made-up phonemes."""
    given = _made_up(model)
    step = model.config.samples_per_frame
    rows = PaddingMask(N_FRAMES, model.device)
    drawn = fused.noise((1, 2), max(N_FRAMES) * step, model.device)
    plain, found = (one(*given, drawn, rows).float().cpu().numpy() for one in (decoder, fused))
    return mean_distance(
        [
            distance(plain[row, : n * step], found[row, : n * step], SAMPLE_RATE)
            for row, n in enumerate(N_FRAMES)
        ]
    )


def _made_up(model: Kokoro) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Phonemes, F0, energy and style: noise from a seed, F0 such that some of it has a voice."""
    config, here, size = model.config, torch.device("cpu"), max(N_FRAMES)
    values = normal_noise((0,), config.hidden_dim * size + 6 * size, here, torch.float32)[0]
    values = values.repeat(len(N_FRAMES), 1).to(model.device)
    aligned = values[:, : config.hidden_dim * size].unflatten(1, (-1, size))
    curves = values[:, config.hidden_dim * size :]
    f0, energy = 120 + 100 * curves[:, : 2 * size], curves[:, 2 * size : 4 * size]
    style = 0.2 * values[:, : config.style_dim]
    rows = PaddingMask(N_FRAMES, model.device)
    return rows.apply(aligned), f0, energy, style
