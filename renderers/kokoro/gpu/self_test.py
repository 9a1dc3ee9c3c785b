"""Tests the fused parts of the model on the GPU that they will run on, against the plain ones.

    random phonemes, F0, energy ─┬─▶ Decoder ──────▶ audio ─┐
                                 └─▶ FusedDecoder ─▶ audio ─┴─▶ distance < 0.5 dB, or SelfTestFailed

Kernels are compiled for the GPU at hand by the compiler that is installed there, so their results
may be wrong. When a model is loaded, a second of audio is decoded both ways, and one part of each
other kind computes two rows both ways. This also compiles the kernels that will be needed; Triton
caches them on disk for the next start.

The audible distance between two recordings compares log mel spectra, and magnitudes of spectra at
three resolutions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from subprocess import SubprocessError

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from triton.errors import TritonError

from audiomill.renderers.engine.errors import EngineFailed, reason_of
from audiomill.renderers.engine.protocol import Samples
from audiomill.renderers.kokoro.gpu.conv import Arithmetic
from audiomill.renderers.kokoro.gpu.decoder import FusedDecoder
from audiomill.renderers.kokoro.gpu.prosody import FusedBiLSTM, FusedCurveBlocks, HalfBert
from audiomill.renderers.kokoro.model.bert import Bert
from audiomill.renderers.kokoro.model.config import SAMPLE_RATE
from audiomill.renderers.kokoro.model.decoder import Decoder
from audiomill.renderers.kokoro.model.layers import BiLSTM
from audiomill.renderers.kokoro.model.model import Kokoro
from audiomill.renderers.kokoro.model.padding import PaddingMask
from audiomill.renderers.kokoro.model.precision import Precision
from audiomill.renderers.kokoro.model.prosody import CurveBlocks
from audiomill.renderers.kokoro.model.source import normal_noise

Spectrum = NDArray[np.float64]

N_MELS, MEL_FFT, MEL_HOP = 80, 1024, 256  # bands; window and hop, in samples
RESOLUTIONS = ((512, 128), (1024, 256), (2048, 512))  # window and hop, in samples
# Magnitudes below this are raised to it: -100 dB relative to a full-scale sine.
MIN_MAGNITUDE = 1e-5
# Slaney's mel scale: linear below MEL_BREAK_HZ, logarithmic above.
MEL_BREAK_HZ, LINEAR_STEP_HZ, LOG_STEP = 1000.0, 200 / 3, np.log(6.4) / 27

ARITHMETIC = {
    "tf32": Arithmetic(torch.float32, "tf32"),
    "bf16": Arithmetic(torch.bfloat16, "tf32"),
    "fp16": Arithmetic(torch.float16, "tf32"),
}
# Of the curves of F0 and energy: the seven bits of bf16 are too few for a melody.
CURVE_ARITHMETIC = {**ARITHMETIC, "bf16": ARITHMETIC["fp16"]}
# Of two rows. They differ, so that the test notices if padding has an effect.
N_FRAMES = (17, 24)
# With the official weights this input gives 0.04 dB in fp16, 0.08 in tf32 and 0.29 in bf16. Another
# noise in real speech gives 0.38.
MAX_DISTANCE_DB = 0.5
# Of a part's outputs, as a share of the largest. Rounding to TF32 or float16 gives some 0.001.
MAX_DIFFERENCE = 0.02
# Errors of building and launching kernels: Triton's own, those of a Triton release with another
# interface, those of the compilers that Triton starts (it also needs a C compiler, which may be
# missing), and the driver's.
FAILURES = (
    *(TritonError, KeyError, AttributeError, AssertionError),
    *(RuntimeError, ValueError, OSError, SubprocessError),
)


@dataclass(frozen=True, slots=True)
class Distance:
    """The distance between two recordings, or the mean over several pairs."""

    log_mel_db: float  # mean absolute difference of log mel spectra
    convergence: float  # relative error of STFT magnitudes, the mean over resolutions
    log_stft_db: float  # mean absolute difference of log STFT magnitudes, over resolutions


def distance(one: Samples, other: Samples, sample_rate: int) -> Distance:
    """The distance of `other` from the reference `one`, both (n).

    Raises ValueError if their lengths differ.
    """
    if one.shape != other.shape:
        raise ValueError(f"{one.size} and {other.size} samples cannot be compared")
    mels = [_decibels(_mel(samples, sample_rate)) for samples in (one, other)]
    pairs = [
        (_magnitudes(one, size, hop), _magnitudes(other, size, hop)) for size, hop in RESOLUTIONS
    ]
    return Distance(
        log_mel_db=float(np.abs(mels[0] - mels[1]).mean()),
        convergence=float(np.mean([_relative_error(*pair) for pair in pairs])),
        log_stft_db=float(np.mean([np.abs(_decibels(a) - _decibels(b)).mean() for a, b in pairs])),
    )


def mean_distance(distances: Sequence[Distance]) -> Distance:
    """The mean of each measure, every pair with the same weight."""
    return Distance(
        *(
            float(np.mean([getattr(pair, name) for pair in distances]))
            for name in ("log_mel_db", "convergence", "log_stft_db")
        )
    )


def _relative_error(one: Spectrum, other: Spectrum) -> float:
    return float(np.linalg.norm(one - other) / max(np.linalg.norm(one), MIN_MAGNITUDE))


def _decibels(magnitudes: Spectrum) -> Spectrum:
    return 20 * np.log10(np.maximum(magnitudes, MIN_MAGNITUDE))


def _magnitudes(samples: Samples, size: int, hop: int) -> Spectrum:
    """STFT magnitudes (frames, bins); a full-scale sine gives about 1. Silence pads both ends."""
    padded = np.pad(samples.astype(np.float64), size // 2)
    frames = np.lib.stride_tricks.sliding_window_view(padded, size)[::hop]
    window = np.hanning(size + 1)[:-1]
    return np.abs(np.fft.rfft(frames * window)) * (2 / window.sum())


def _mel(samples: Samples, sample_rate: int) -> Spectrum:
    """Magnitudes of mel bands, (frames, N_MELS)."""
    power = _magnitudes(samples, MEL_FFT, MEL_HOP) ** 2
    return np.sqrt(power @ _mel_filters(sample_rate))


def _mel_filters(sample_rate: int) -> Spectrum:
    """Triangular filters over bins, (bins, N_MELS)."""
    top = _to_mel(np.array([sample_rate / 2]))[0]
    edges = _to_hz(np.linspace(0, top, N_MELS + 2))
    hz = np.fft.rfftfreq(MEL_FFT, 1 / sample_rate)[:, None]
    low, middle, high = edges[:-2], edges[1:-1], edges[2:]
    rising, falling = (hz - low) / (middle - low), (high - hz) / (high - middle)
    return np.clip(np.minimum(rising, falling), 0, None)


def _to_mel(hz: Spectrum) -> Spectrum:
    above = (
        MEL_BREAK_HZ / LINEAR_STEP_HZ
        + np.log(np.maximum(hz, MEL_BREAK_HZ) / MEL_BREAK_HZ) / LOG_STEP
    )
    return np.where(hz < MEL_BREAK_HZ, hz / LINEAR_STEP_HZ, above)


def _to_hz(mel: Spectrum) -> Spectrum:
    knee = MEL_BREAK_HZ / LINEAR_STEP_HZ
    above = MEL_BREAK_HZ * np.exp(LOG_STEP * (np.maximum(mel, knee) - knee))
    return np.where(mel < knee, mel * LINEAR_STEP_HZ, above)


class SelfTestFailed(Exception):
    """What is fused cannot be used here. The message is a part of a sentence."""


def verified_parts(model: Kokoro, precision: Precision) -> Mapping[str, nn.Module]:
    """Fused parts with the weights of `model`, which is on a GPU, that passed the test.

    They are named as in the model. Raises SelfTestFailed if one cannot be built or is wrong, and
    EngineFailed if the attempt has made the GPU unusable for this process.
    """
    try:
        decoder = FusedDecoder(model.decoder, ARITHMETIC[precision])
        parts = {"decoder": decoder, **other_parts(model, precision)}
        found = decoder_distance(model.decoder, decoder, model)
        differences = part_differences(model, parts)
    except FAILURES as error:
        _check_alive(model.device)
        why = f"{type(error).__name__}: {reason_of(error)}"
        raise SelfTestFailed(f"its kernels cannot be built here ({why})") from error
    if not found.log_mel_db < MAX_DISTANCE_DB:
        raise SelfTestFailed(f"on this GPU it is off by {found.log_mel_db:.1f} dB")
    for name, difference in differences.items():
        if not difference < MAX_DIFFERENCE:
            raise SelfTestFailed(f"on this GPU its part {name} is off by {difference:.1g}")
    return parts


def other_parts(model: Kokoro, precision: Precision) -> dict[str, nn.Module]:
    """Every fused part but the decoder, not tested, by its name in the model."""
    fused: dict[str, nn.Module] = {}
    for name, module in model.named_modules():
        if isinstance(module, BiLSTM):
            fused[name] = FusedBiLSTM(module)
        elif isinstance(module, CurveBlocks):
            fused[name] = FusedCurveBlocks(module, CURVE_ARITHMETIC[precision])
        elif isinstance(module, Bert):
            fused[name] = HalfBert(module)
    return fused


def _check_alive(device: torch.device) -> None:
    """Raise EngineFailed after a CUDA error that this process cannot recover from."""
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
    """The distance between the audio of both decoders for the same random input."""
    inputs = _random_inputs(model)
    step = model.config.samples_per_frame
    mask = PaddingMask(N_FRAMES, model.device)
    noise = fused.noise((1, 2), max(N_FRAMES) * step, model.device)
    expected, found = (
        decode(*inputs, noise, mask).float().cpu().numpy() for decode in (decoder, fused)
    )
    return mean_distance(
        [
            distance(expected[row, : n * step], found[row, : n * step], SAMPLE_RATE)
            for row, n in enumerate(N_FRAMES)
        ]
    )


@torch.inference_mode()
def part_differences(model: Kokoro, parts: Mapping[str, nn.Module]) -> dict[str, float]:
    """How far one part of each kind is from the plain one of `model`, by its name.

    That is the largest difference of both outputs for the same random input, in two rows, as a
    share of the largest output.
    """
    size, width = max(N_FRAMES), model.config.hidden_dim
    mask = PaddingMask(N_FRAMES, model.device)
    values = normal_noise((1, 2), size * width, torch.device("cpu"), torch.float32)
    x = values.unflatten(1, (size, width)).to(model.device)
    style = x[:, 0, : model.config.style_dim]
    tokens = torch.arange(x.shape[0] * size, device=x.device).view(-1, size)
    inputs: dict[str, tuple[tuple[Tensor, ...], int]] = {
        "text_encoder.lstm": ((x,), 1),
        "predictor.F0": ((x.transpose(1, 2), style), 2),
        "bert": ((tokens % model.config.n_token,), 1),
    }
    found = {}
    for name, (arguments, factor) in inputs.items():
        plain, fused = (
            module(*arguments, mask) for module in (model.get_submodule(name), parts[name])
        )
        if name != "predictor.F0":
            plain, fused = plain.transpose(1, 2), fused.transpose(1, 2)
        real = mask.scaled(factor)
        apart = real.apply(plain - fused).abs().max()
        found[name] = float(apart / real.apply(plain).abs().max())
    return found


def _random_inputs(model: Kokoro) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Phonemes (B, hidden, F), F0 and energy (B, 2 F), style (B, style_dim), from a fixed seed.

    F0 is voiced in some frames and unvoiced in others.
    """
    config, cpu, size = model.config, torch.device("cpu"), max(N_FRAMES)
    values = normal_noise((0,), config.hidden_dim * size + 6 * size, cpu, torch.float32)[0]
    values = values.repeat(len(N_FRAMES), 1).to(model.device)
    aligned = values[:, : config.hidden_dim * size].unflatten(1, (-1, size))
    curves = values[:, config.hidden_dim * size :]
    f0, energy = 120 + 100 * curves[:, : 2 * size], curves[:, 2 * size : 4 * size]
    style = 0.2 * values[:, : config.style_dim]
    mask = PaddingMask(N_FRAMES, model.device)
    return mask.apply(aligned), f0, energy, style
