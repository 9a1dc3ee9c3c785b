"""Upstream's `KModel` as the reference that our batches are compared with, row by row.

Two things are done to it, neither to its weights nor to its layers:
- its noise is drawn by us, so that both models hear the same;
- the first and the last STFT frame of the source, which are symmetric and so have real bins, get
  phase 0 or pi. Upstream leaves the choice between pi and -pi to rounding: see `source.py`.
For float64, constants that it keeps in float32 are replaced.
"""

import json
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from unittest import mock

import numpy as np
import torch
from torch import Tensor

from renderers.kokoro.checkpoint import load_model
from renderers.kokoro.config import read_config
from renderers.kokoro.model import Kokoro, Utterance
from renderers.kokoro.random_weights import OFFICIAL, write_random_model

# As wide as the real one, whose decoder is of fixed width, but with fewer layers and less sound.
REDUCED = deepcopy(OFFICIAL)
REDUCED["n_layer"] = 2
REDUCED["max_dur"] = 32
REDUCED["plbert"] |= {"num_hidden_layers": 2, "hidden_size": 96, "intermediate_size": 128}
REDUCED["istftnet"] |= {
    "upsample_rates": [2, 4],
    "upsample_kernel_sizes": [4, 8],
    "resblock_kernel_sizes": [3, 7],
    "resblock_dilation_sizes": [[1, 3, 5], [1, 2, 3]],
}
# Threads that wait for each other take longer than one does, where tests run side by side.
torch.set_num_threads(1)


@dataclass(frozen=True)
class Line:
    """One row: phonemes, a style for each number of them, speed, and a seed for its noise."""

    phonemes: str
    pack: Tensor
    speed: float
    seed: int


@cache
def folder(size: str) -> Path:
    """A random model of "full" or "reduced" size, in the official layout."""
    made = Path(mkdtemp(prefix=f"kokoro-{size}-"))
    config = OFFICIAL if size == "full" else REDUCED
    write_random_model(made, ["af_heart", "bm_george"], config=config)
    return made


@cache
def ours(size: str, dtype: torch.dtype) -> Kokoro:
    config = read_config(folder(size) / "config.json")
    return load_model(folder(size) / "kokoro-v1_0.pth", config, dtype=dtype)


@cache
def upstream(size: str, dtype: torch.dtype):
    with warnings.catch_warnings(), default_dtype(dtype):
        warnings.simplefilter("ignore")
        from kokoro.model import KModel

        config = json.loads((folder(size) / "config.json").read_text("utf-8"))
        path = str(folder(size) / "kokoro-v1_0.pth")
        model = KModel("hexgrad/Kokoro-82M", config, path)
        model = model.to(dtype).eval()
        stft = model.decoder.generator.stft
        stft.window = torch.hann_window(stft.filter_length, dtype=dtype)
    return model


def spoken_by_upstream(line: Line, size: str, dtype: torch.dtype):
    """Its audio, durations, F0 and energy, and the noise that went in, as ours takes it."""
    model = upstream(size, dtype)
    drawn: list[Tensor] = []
    curves: list[tuple[Tensor, Tensor]] = []
    generator = torch.Generator().manual_seed(line.seed)
    predict = model.predictor.F0Ntrain

    def draw(like: Tensor) -> Tensor:
        # In float64 whatever the model is in: the same noise for both.
        drawn.append(torch.randn(like.shape, generator=generator, dtype=torch.float64))
        return drawn[-1].to(like.dtype)

    def keep(*args):
        curves.append(predict(*args))
        return curves[-1]

    source = "kokoro.istftnet.SineGen._f02uv"
    with (
        mock.patch("torch.randn_like", draw),
        mock.patch("kokoro.istftnet.TorchSTFT.transform", _transform),
        mock.patch(source, lambda self, f0: (f0 > self.voiced_threshold).to(f0.dtype)),
        mock.patch.object(model.predictor, "F0Ntrain", keep),
        default_dtype(dtype),
    ):
        style = line.pack[len(line.phonemes) - 1].to(dtype)
        out = model(line.phonemes, style, line.speed, return_output=True)
    weights = model.decoder.generator.m_source.l_linear.weight[0].detach().double()
    noise = (drawn[0][0] @ weights) / weights.norm()
    return out.audio, tuple(out.pred_dur.reshape(-1).tolist()), curves[0], noise


def utterance(line: Line, model: Kokoro) -> Utterance:
    tokens = tuple(model.config.vocab[phoneme] for phoneme in line.phonemes)
    return Utterance((0, *tokens, 0), line.pack[len(line.phonemes) - 1, 0], line.speed)


def padded(noises: list[Tensor], dtype: torch.dtype) -> Tensor:
    """Noise for a batch; in the padding it is loud, which nobody must hear."""
    out = torch.full((len(noises), max(map(len, noises))), 1e3, dtype=dtype)
    for row, noise in zip(out, noises, strict=True):
        row[: len(noise)] = noise
    return out


def random_lines(rng: np.random.Generator, n_rows: int, longest: int) -> list[Line]:
    """Rows of 3 to `longest` phonemes, many of them short; voices and speeds mixed."""
    packs = [
        torch.load(path, weights_only=True)
        for path in sorted((folder("full") / "voices").iterdir())
    ]
    phonemes = list(OFFICIAL["vocab"])
    lengths = np.exp(rng.uniform(np.log(3), np.log(longest + 1), n_rows)).astype(int)
    return [
        Line(
            "".join(rng.choice(phonemes, length)),
            packs[rng.integers(len(packs))],
            float(rng.choice([0.7, 1.0, 1.0, 1.3])),
            int(rng.integers(1 << 30)),
        )
        for length in lengths
    ]


def distance(found: Tensor, wanted: Tensor) -> float:
    """Relative root mean square of the difference."""
    return float((found.double() - wanted.double()).norm() / wanted.double().norm())


@contextmanager
def default_dtype(dtype: torch.dtype) -> Iterator[None]:
    before = torch.get_default_dtype()
    torch.set_default_dtype(dtype)
    try:
        yield
    finally:
        torch.set_default_dtype(before)


def _transform(stft, x: Tensor) -> tuple[Tensor, Tensor]:
    """Upstream's, with real bins where they are real but for rounding."""
    bins = torch.stft(
        x, stft.filter_length, stft.hop_length, stft.win_length, stft.window, return_complex=True
    )
    imaginary = bins.imag.clone()
    imaginary[..., [0, -1]] = 0
    return bins.abs(), torch.atan2(imaginary, bins.real)
