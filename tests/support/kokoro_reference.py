"""Upstream's `KModel` as the reference that our batches are compared with, row by row.

Two things are done to it, neither to its weights nor to its layers:
- its noise is drawn by us, so that both models hear the same;
- the first STFT frame of the source, which is symmetric and so has real bins, gets phase 0 or pi.
  Upstream leaves the choice between pi and -pi to rounding: see `source.py`.
For float64, constants that it keeps in float32 are replaced.
"""

import atexit
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from types import FunctionType
from unittest import mock

import numpy as np
import torch
from torch import Tensor

from audiomill.renderers.kokoro.inference.cpu_generator import for_cpu
from audiomill.renderers.kokoro.model.config import OFFICIAL, PACK_SHAPE, read_config
from audiomill.renderers.kokoro.model.model import Kokoro, Utterance
from audiomill.renderers.kokoro.weights.checkpoint import load_model
from audiomill.renderers.kokoro.weights.random_weights import write_random_model
from support.kokoro_tiny import DEVICE, narrow, sized

REDUCED = sized("reduced")
NARROW, SLIM = sized("narrow", REDUCED), sized("slim")
CONFIGS = {"full": OFFICIAL, "reduced": REDUCED, "narrow": NARROW, "slim": SLIM}
# The widths that are written into the code of upstream's decoder, and those of a narrow one.
WIDTHS = {1024: 64, 1024 + 2 + 64: 64 + 2 + 8, 512: 48, 64: 8}
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
    """A random model of one of CONFIGS, in the official layout."""
    made = Path(mkdtemp(prefix=f"kokoro-{size}-"))
    atexit.register(rmtree, made, ignore_errors=True)
    with built(size):
        write_random_model(made, ["af_heart", "bm_george"], config=CONFIGS[size])
    return made


@cache
def ours(size: str, dtype: torch.dtype) -> Kokoro:
    return _loaded(size, dtype).to(DEVICE)


@cache
def tuned(size: str, dtype: torch.dtype) -> Kokoro:
    """`ours` made ready for a CPU, which is what a render there speaks with."""
    return for_cpu(_loaded(size, dtype))


def _loaded(size: str, dtype: torch.dtype) -> Kokoro:
    config = read_config(folder(size) / "config.json")
    with built(size):
        return load_model(folder(size) / "kokoro-v1_0.pth", config, dtype=dtype)


@cache
def upstream(
    size: str, dtype: torch.dtype, made: Path | None = None, *, disable_complex: bool = False
):
    """`disable_complex` selects the STFT that ONNX can express; `made` is another folder."""
    path = str((made or folder(size)) / "kokoro-v1_0.pth")
    with warnings.catch_warnings(), default_dtype(dtype), _without_initial_values():
        warnings.simplefilter("ignore")
        from kokoro.istftnet import Decoder
        from kokoro.model import KModel

        init = Decoder.__init__
        with mock.patch.object(Decoder, "__init__", _narrowed(init) if _is_narrow(size) else init):
            model = KModel(
                "hexgrad/Kokoro-82M", CONFIGS[size], path, disable_complex=disable_complex
            )
        model = model.to(dtype).eval()
        stft = model.decoder.generator.stft
        if not disable_complex:
            stft.window = torch.hann_window(stft.filter_length, dtype=dtype)
    return model


def built(size: str):
    """While this lasts, our models are built as wide as that."""
    return narrow(WIDTHS[1024], WIDTHS[64]) if _is_narrow(size) else nullcontext()


def _is_narrow(size: str) -> bool:
    return CONFIGS[size]["hidden_dim"] == WIDTHS[512]


def _narrowed(function: FunctionType) -> FunctionType:
    """The same function, but for the widths in it."""
    code = function.__code__
    constants = (WIDTHS.get(one, one) if type(one) is int else one for one in code.co_consts)
    return FunctionType(
        code.replace(co_consts=tuple(constants)),
        function.__globals__,
        argdefs=function.__defaults__,
        closure=function.__closure__,
    )


@dataclass(frozen=True)
class Spoken:
    """What upstream makes of a row."""

    audio: Tensor
    durations: tuple[int, ...]
    lasting: Tensor  # durations before they are rounded
    f0: Tensor
    energy: Tensor
    noise: Tensor  # what went in, as our model takes it


def spoken_by_upstream(
    line: Line, size: str, dtype: torch.dtype, *, symmetric: bool = True
) -> Spoken:
    """`symmetric`: with phases that are 0 or pi where they should be, as above."""
    model = upstream(size, dtype)
    drawn: list[Tensor] = []
    curves: list[tuple[Tensor, Tensor]] = []
    logits: list[Tensor] = []
    generator = torch.Generator().manual_seed(line.seed)
    predict, project = model.predictor.F0Ntrain, model.predictor.duration_proj.forward

    def draw(like: Tensor) -> Tensor:
        # In float64 whatever the model is in: the same noise for both.
        drawn.append(torch.randn(like.shape, generator=generator, dtype=torch.float64))
        return drawn[-1].to(like.dtype)

    with (
        upstream_heard(draw, dtype, symmetric=symmetric),
        mock.patch.object(model.predictor, "F0Ntrain", _kept(curves, predict)),
        mock.patch.object(model.predictor.duration_proj, "forward", _kept(logits, project)),
    ):
        style = line.pack[len(line.phonemes) - 1].to(dtype)
        out = model(line.phonemes, style, line.speed, return_output=True)
    weights = model.decoder.generator.m_source.l_linear.weight[0].detach().double()
    return Spoken(
        out.audio,
        tuple(out.pred_dur.reshape(-1).tolist()),
        torch.sigmoid(logits[0][0]).sum(-1).detach() / line.speed,
        *(curve[0].detach() for curve in curves[0]),
        noise=(drawn[0][0] @ weights) / weights.norm(),
    )


@contextmanager
def upstream_heard(draw, dtype: torch.dtype, *, symmetric: bool = True) -> Iterator[None]:
    """Upstream with noise from `draw`, which gets what `randn_like` gets."""
    uv, stft = "kokoro.istftnet.SineGen._f02uv", "kokoro.istftnet.TorchSTFT.transform"
    with (
        mock.patch("torch.randn_like", draw),
        mock.patch(stft, symmetric_transform) if symmetric else nullcontext(),
        mock.patch(uv, lambda self, f0: (f0 > self.voiced_threshold).to(f0.dtype)),
        default_dtype(dtype),
    ):
        yield


def utterance(line: Line, model: Kokoro) -> Utterance:
    tokens = tuple(model.config.vocab[phoneme] for phoneme in line.phonemes)
    return Utterance((0, *tokens, 0), line.pack[len(line.phonemes) - 1, 0], line.speed)


def spoken_together(lines: list[Line], model: Kokoro, noises: list[Tensor]):
    """The rows read and spoken as one batch: readings, F0 and energy, audio."""
    curves: list[tuple[Tensor, Tensor]] = []
    readings = model.encode_text([utterance(line, model) for line in lines])
    with mock.patch.object(model.predictor, "curves", _kept(curves, model.predictor.curves)):
        audio = model.speak_padded(readings, padded(noises, model.dtype).to(model.device))
    return readings, tuple(curve.cpu() for curve in curves[0]), audio.cpu()


def padded(noises: list[Tensor], dtype: torch.dtype) -> Tensor:
    """Noise for a batch; in the padding it is loud, which nobody must hear."""
    out = torch.full((len(noises), max(map(len, noises))), 1e3, dtype=dtype)
    for row, noise in zip(out, noises, strict=True):
        row[: len(noise)] = noise
    return out


@cache
def packs() -> list[Tensor]:
    """Two voices."""
    generator = torch.Generator().manual_seed(2)
    return [0.2 * torch.randn(PACK_SHAPE, generator=generator, dtype=torch.float32) for _ in "ab"]


def random_lines(rng: np.random.Generator, n_rows: int, longest: int) -> list[Line]:
    """Rows of 3 to `longest` phonemes, many of them short; voices and speeds mixed."""
    phonemes = list(OFFICIAL["vocab"])
    lengths = np.exp(rng.uniform(np.log(3), np.log(longest + 1), n_rows)).astype(int)
    return [
        Line(
            "".join(rng.choice(phonemes, length)),
            packs()[rng.integers(2)],
            float(rng.choice([0.7, 1.0, 1.0, 1.3])),
            int(rng.integers(1 << 30)),
        )
        for length in lengths
    ]


def distance(found: Tensor, wanted: Tensor) -> float:
    """Relative root mean square of the difference."""
    return float((found.double() - wanted.double()).norm() / wanted.double().norm())


def _kept(results: list, function: Callable) -> Callable:
    """`function`, whose results are kept."""

    def keep(*args):
        results.append(function(*args))
        return results[-1]

    return keep


@contextmanager
def default_dtype(dtype: torch.dtype) -> Iterator[None]:
    before = torch.get_default_dtype()
    torch.set_default_dtype(dtype)
    try:
        yield
    finally:
        torch.set_default_dtype(before)


@contextmanager
def _without_initial_values() -> Iterator[None]:
    """Weights that a checkpoint will bring need not be drawn first."""

    def leave(tensor: Tensor, *args, **options) -> Tensor:
        return tensor

    with mock.patch.multiple(Tensor, uniform_=leave, normal_=leave):
        yield


def symmetric_transform(stft, x: Tensor) -> tuple[Tensor, Tensor]:
    """Upstream's, with real bins where they are real but for rounding."""
    bins = torch.stft(
        x, stft.filter_length, stft.hop_length, stft.win_length, stft.window, return_complex=True
    )
    imaginary = bins.imag.clone()
    imaginary[..., 0] = 0
    return bins.abs(), torch.atan2(imaginary, bins.real)
