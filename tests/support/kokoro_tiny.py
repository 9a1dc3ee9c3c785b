"""A Kokoro of a few thousand weights, for tests without a reference: it runs in milliseconds.

Upstream's decoder has a fixed width, so upstream cannot be built this small.
"""

import os
import tomllib
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest import mock

import numpy as np
import torch
from torch import Tensor

from audiomill.renderers.kokoro.loading import ready_device
from audiomill.renderers.kokoro.model.config import OFFICIAL, parse_config
from audiomill.renderers.kokoro.model.model import Kokoro, Utterance
from audiomill.renderers.kokoro.model.padding import PaddingMask
from audiomill.renderers.kokoro.model.prosody import ProsodyPredictor
from audiomill.renderers.kokoro.options import KokoroOptions
from audiomill.renderers.kokoro.weights.checkpoint import load_model
from audiomill.renderers.kokoro.weights.random_weights import random_parts

_SIZES = tomllib.loads(Path(__file__).with_name("kokoro_sizes.toml").read_text("utf-8"))


def sized(name: str, base: dict[str, Any] = OFFICIAL) -> dict[str, Any]:
    """The configuration of a smaller model, which differs from `base`."""
    changes = _SIZES[name].items()
    return base | {
        key: base[key] | value if isinstance(value, dict) else value for key, value in changes
    }


TINY = sized("tiny")
CONFIG = parse_config(TINY)
# The device of the models under test; their references stay on the CPU.
DEVICE = ready_device(
    KokoroOptions(device=os.environ.get("AUDIOMILL_TEST_DEVICE", "cpu"), precision="float32")
)
# How much further from the truth a model prepared for a CPU may be than the plain one, both in
# float32 and with the same phases. Even and odd frames are nearly alike, so H x and G z have a
# variance of 1 each and (H + G)(x + z) of 8. Y odd is their sum; y even has a variance of 2, which
# both would have without halving. So halving rounds with up to 3 times the variance on average.
# No kernel is halved more than twice: 3 times the distance. Values folded into weights and into
# AdaIN are rounded once more: 1.5 times, measured without halving. Both together measure 1.3 to
# 1.7 with 7 taps and 2.7 at full size; a layer in TF32 gives 25 to 400. Tiles round by less than
# twice as much as plain taps, measured for each kernel by itself.
COARSER = 3 * 1.5
if DEVICE.type == "cuda":
    torch.cuda.set_device(DEVICE.index or 0)  # Triton launches kernels on the current device
# Tests run in parallel processes: several threads each would be slower than one.
torch.set_num_threads(1)


def narrow(trunk: int = 16, asr_res: int = 4):
    """Within the context, models are built with a trunk of so many channels."""
    return mock.patch.multiple(
        "audiomill.renderers.kokoro.model.decoder",
        TRUNK_CHANNELS=trunk,
        ASR_RES_CHANNELS=asr_res,
    )


def tiny_parts(seed: int = 0) -> dict[str, dict[str, Tensor]]:
    """A checkpoint of the tiny model, not yet saved."""
    with narrow():
        return random_parts(CONFIG, torch.Generator().manual_seed(seed))


def load_tiny(path: Path, dtype: torch.dtype = torch.float64) -> Kokoro:
    with narrow():
        return load_model(path, CONFIG, dtype=dtype)


@contextmanager
def every_spectrum(function: Callable[..., Tensor]) -> Iterator[None]:
    """Within the context, every generator transforms its source by `function`."""
    with ExitStack() as stack:
        for module in ("model.decoder", "inference.cpu_generator"):
            stack.enter_context(
                mock.patch(f"audiomill.renderers.kokoro.{module}.spectrum", function)
            )
        yield


@contextmanager
def constant_curves(predictor: ProsodyPredictor) -> Iterator[None]:
    """Within the context, F0 and energy are constant, as their LSTM depends on the other rows."""

    def curves(aligned: Tensor, style: Tensor, rows: PaddingMask) -> tuple[Tensor, Tensor]:
        even = aligned.new_full((aligned.shape[0], 2 * rows.size), 120.0)
        return even, even / 100

    with mock.patch.object(predictor, "curves", curves):
        yield


@cache
def tiny_model(dtype: torch.dtype) -> Kokoro:
    with TemporaryDirectory(prefix="kokoro-tiny-") as folder:
        path = Path(folder) / "tiny.pth"
        torch.save(tiny_parts(), path)
        return load_tiny(path, dtype).to(DEVICE)


def tiny_utterances(lengths: Sequence[int], seed: int = 0) -> list[Utterance]:
    """One row for each number of phonemes, each with its own style and speed."""
    rng = np.random.default_rng(seed)
    return [
        Utterance(
            (0, *map(int, rng.integers(1, CONFIG.n_token, length)), 0),
            torch.from_numpy(0.2 * rng.standard_normal(2 * CONFIG.style_dim)),
            float(rng.choice([0.7, 1.0, 1.3])),
        )
        for length in lengths
    ]
