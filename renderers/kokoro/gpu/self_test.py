"""Tests the fused parts of the model on the GPU that they will run on, against the plain ones.

    random phonemes, F0, energy ─┬─▶ Decoder ──────▶ audio ─┐
                                 └─▶ FusedDecoder ─▶ audio ─┴─▶ distance < 0.5 dB, or SelfTestFailed

Kernels are compiled for the GPU at hand by the compiler that is installed there, so their results
may be wrong. When a model is loaded, a second of audio is decoded both ways, and one part of each
other kind computes two rows both ways. This also compiles the kernels that will be needed; Triton
caches them on disk for the next start.
"""

from __future__ import annotations

from collections.abc import Mapping
from subprocess import SubprocessError

import torch
from torch import Tensor, nn
from triton.errors import TritonError

from audiomill.renderers.base import EngineFailed, reason_of
from audiomill.renderers.kokoro.config import SAMPLE_RATE
from audiomill.renderers.kokoro.gpu.audio_distance import Distance, distance, mean_distance
from audiomill.renderers.kokoro.gpu.bert import HalfBert
from audiomill.renderers.kokoro.gpu.conv import Arithmetic
from audiomill.renderers.kokoro.gpu.decoder import FusedDecoder
from audiomill.renderers.kokoro.gpu.lstm import FusedBiLSTM
from audiomill.renderers.kokoro.gpu.prosody import FusedCurveBlocks
from audiomill.renderers.kokoro.model.bert import Bert
from audiomill.renderers.kokoro.model.decoder import Decoder
from audiomill.renderers.kokoro.model.layers import BiLSTM
from audiomill.renderers.kokoro.model.model import Kokoro
from audiomill.renderers.kokoro.model.padding import PaddingMask
from audiomill.renderers.kokoro.model.prosody import CurveBlocks
from audiomill.renderers.kokoro.model.source import normal_noise
from audiomill.renderers.kokoro.options import Precision

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


class SelfTestFailed(Exception):
    """What is fused cannot be used here. The message is a part of a sentence."""


def verified_parts(model: Kokoro, precision: Precision) -> Mapping[str, nn.Module]:
    """Fused parts with the weights of `model`, which is on a GPU, that passed the test.

    They are named as in the model. Raises SelfTestFailed if one cannot be built or is wrong, and
    EngineFailed if the attempt has made the GPU unusable for this process.
    """
    try:
        decoder = FusedDecoder(model.decoder, ARITHMETIC[precision])
        parts = {"decoder": decoder, **_other_parts(model, precision)}
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


def _other_parts(model: Kokoro, precision: Precision) -> dict[str, nn.Module]:
    """Every fused part but the decoder, by its name in the model."""
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
    for name, (given, factor) in inputs.items():
        plain, fused = (module(*given, mask) for module in (model.get_submodule(name), parts[name]))
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
