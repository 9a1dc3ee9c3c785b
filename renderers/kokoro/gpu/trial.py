"""The decoder of GPUs, put to the test on the card it shall run on. Knows both decoders.

Kernels are compiled for the card they meet, by what is installed there; whether the result is right
is not taken for granted. A second of sound is decoded both ways when a model is loaded: that also
compiles what will be needed, and Triton keeps it on disk for the next start.
"""

from __future__ import annotations

from subprocess import SubprocessError

import torch
from torch import Tensor
from triton.errors import TritonError

from renderers.kokoro.config import SAMPLE_RATE
from renderers.kokoro.decoder import Decoder
from renderers.kokoro.gpu.convolution import Arithmetic
from renderers.kokoro.gpu.decoder import FusedDecoder
from renderers.kokoro.model import Kokoro
from renderers.kokoro.noise import normal_noise
from renderers.kokoro.rows import Rows
from renderers.likeness import Distance, distance, mean_distance
from renderers.options import Precision
from renderers.reasons import reason_of
from renderers.shard import EngineFailed

ARITHMETIC = {
    "tf32": Arithmetic(torch.float32, "tf32"),
    "bf16": Arithmetic(torch.bfloat16, "tf32"),
}
FRAMES = (17, 24)  # of two rows: what follows the shorter one must not be heard
# Ten times what bf16 is off by with random weights, a fifth of what another noise is.
LIMIT_DB = 0.5
# What building and starting kernels may fail with: Triton's errors, what a release of it says that
# knows less or more than ours, errors of the compilers that it starts (one for C is needed too, and
# may not be there), and the driver's.
FAILURES = (
    *(TritonError, KeyError, AttributeError, AssertionError),
    *(RuntimeError, ValueError, OSError, SubprocessError),
)


class Unproved(Exception):
    """The decoder cannot be used here. The message says why, as a part of a sentence."""


def proved_decoder(model: Kokoro, precision: Precision) -> FusedDecoder:
    """The decoder of GPUs with the weights of `model`, which is on one.

    Raises Unproved; EngineFailed if nothing can be done on that GPU any more.
    """
    decoder = model.decoder
    try:
        fused = FusedDecoder(decoder, ARITHMETIC[precision])
        apart = off_by(decoder, fused, model)
    except FAILURES as error:
        _check_alive(model.device)
        why = f"{type(error).__name__}: {reason_of(error)}"
        raise Unproved(f"its kernels cannot be built here ({why})") from error
    if not apart.log_mel_db < LIMIT_DB:
        raise Unproved(f"on this GPU it is off by {apart.log_mel_db:.1f} dB")
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
def off_by(decoder: Decoder, fused: FusedDecoder, model: Kokoro) -> Distance:
    """How far both are apart for the same made-up phonemes."""
    given = _made_up(model)
    step = model.config.samples_per_frame
    rows = Rows(FRAMES, model.device)
    drawn = fused.noise((1, 2), max(FRAMES) * step, model.device)
    plain, found = (one(*given, drawn, rows).float().cpu().numpy() for one in (decoder, fused))
    return mean_distance(
        [
            distance(plain[row, : n * step], found[row, : n * step], SAMPLE_RATE)
            for row, n in enumerate(FRAMES)
        ]
    )


def _made_up(model: Kokoro) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Phonemes, F0, energy and style: noise from a seed, F0 such that some of it has a voice."""
    config, here, size = model.config, torch.device("cpu"), max(FRAMES)
    values = normal_noise((0,), config.hidden_dim * size + 6 * size, here, torch.float32)[0]
    values = values.repeat(len(FRAMES), 1).to(model.device)
    aligned = values[:, : config.hidden_dim * size].unflatten(1, (-1, size))
    curves = values[:, config.hidden_dim * size :]
    f0, energy = 120 + 100 * curves[:, : 2 * size], curves[:, 2 * size : 4 * size]
    style = 0.2 * values[:, : config.style_dim]
    rows = Rows(FRAMES, model.device)
    return rows.clear(aligned), f0, energy, style
