"""Orpheus's codec, SNAC at 24 kHz: codes to samples, with noise of the request's key.

All codes of a segment are decoded at once. Decoding a window that slides, as servers do to stream,
loses the beginning and changes the sound at each window's edges.

SNAC adds noise in each block of its decoder. Here it comes from a seed, so that the same tokens
give the same samples. Source: package snac 1.2.1.

On a CPU several segments are decoded side by side, each on one core: that takes a third less of the
cores' time than one segment on all of them, which llama-server may need.
"""

from __future__ import annotations

import pickle
import threading
import warnings
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.utils import parametrize

from audiomill.renderers.engine.errors import EngineFailed, EngineMissing, WeightsUnfit, first_line
from audiomill.renderers.engine.protocol import Samples
from audiomill.renderers.host.cores import usable_cores
from audiomill.renderers.host.installation import this_installation
from audiomill.renderers.orpheus.codes import SnacCodes
from audiomill.renderers.orpheus.prompt import FRAME_SAMPLES
from audiomill.renderers.orpheus.snac_files import (
    CONFIG,
    WEIGHTS,
    missing_file,
    read_snac_config,
)

MOST_AT_ONCE = 4  # segments on a CPU: each takes 40 MB for a second of audio


class ThreadNoise(threading.local):
    """A generator for each thread that decodes."""

    def __init__(self) -> None:
        self.generator = torch.Generator()


class SeededNoise(nn.Module):
    """SNAC's `NoiseBlock` with noise from a generator that can be seeded."""

    def __init__(self, linear: nn.Module, source: ThreadNoise) -> None:
        super().__init__()
        self.linear = linear
        self._source = source

    def forward(self, x: Tensor) -> Tensor:
        """(B, C, T) to (B, C, T). The noise is drawn on the CPU: it is the same on any device."""
        noise = torch.randn((x.shape[0], 1, x.shape[2]), generator=self._source.generator)
        return x + noise.to(x) * self.linear(x)


class InPlaceSnake(nn.Module):
    """SNAC's `Snake1d`, x + sin²(αx) / α, with one temporary instead of five.

    The package's own is compiled by TorchScript when it has run twice, for each length anew.
    """

    def __init__(self, alpha: Tensor) -> None:
        super().__init__()
        self._alpha = alpha
        self._inverse = (alpha + 1e-9).reciprocal()

    def forward(self, x: Tensor) -> Tensor:
        """(B, C, T) to (B, C, T)."""
        return torch.addcmul(x, (x * self._alpha).sin_().square_(), self._inverse)


class SnacDecoder:
    """The decoder, loaded. Any thread may use it."""

    def __init__(self, folder: Path, device: str = "cpu") -> None:
        """Raises EngineMissing, WeightsUnfit."""
        self._noise = ThreadNoise()
        self._device = torch.device(device)
        self._model: Any = _loaded(folder).to(self._device)
        _prepare(self._model, self._noise)
        n_threads = min(usable_cores(), MOST_AT_ONCE) if self._device.type == "cpu" else 1
        self._threads = ThreadPoolExecutor(
            n_threads, "snac", initializer=torch.set_num_threads, initargs=(1,)
        )

    def decode(self, codes: SnacCodes, seed: int) -> Samples:
        """The samples of all frames, 2,048 for each. Raises EngineFailed."""
        samples = self._threads.submit(self._decoded, codes, seed).result()
        if samples.size != codes.n_frames * FRAME_SAMPLES or not np.isfinite(samples).all():
            raise EngineFailed("SNAC gave samples that are not sound: its weights may be damaged.")
        return samples

    def _decoded(self, codes: SnacCodes, seed: int) -> Samples:
        layers = [torch.tensor([layer], device=self._device) for layer in codes.layers]
        self._noise.generator.manual_seed(seed)
        with torch.inference_mode():
            audio = self._model.decode(layers)
        return audio.reshape(-1).cpu().numpy().astype(np.float32, copy=False)


def _loaded(folder: Path) -> nn.Module:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # of torch.jit.script
            snac: Any = import_module("snac")
    except ImportError as error:
        raise EngineMissing(
            f"SNAC cannot be loaded: {first_line(error)}. {this_installation().hint('orpheus')}"
        ) from error
    config = read_snac_config(folder / CONFIG)
    path = folder / WEIGHTS
    try:
        with path.open("rb") as file:
            file.read(1)
    except OSError as error:
        raise missing_file(path, error) from error
    try:
        weights = torch.load(path, map_location="cpu", weights_only=True)
        model: nn.Module = snac.SNAC(**config)
        model.load_state_dict(weights)
    # OSError: a zip archive that was cut off.
    except (OSError, RuntimeError, TypeError, pickle.UnpicklingError, EOFError) as error:
        raise WeightsUnfit(
            f"{path} is not the weights of SNAC at 24 kHz: {first_line(error)}. Download them"
            " again."
        ) from error
    return model.eval()


def _prepare(model: nn.Module, source: ThreadNoise) -> None:
    """Give the model seeded noise, faster layers, and weights that are multiplied out."""
    for module in [*model.modules()]:
        if parametrize.is_parametrized(module, "weight"):
            parametrize.remove_parametrizations(module, "weight")
        for name, child in module.named_children():
            if type(child).__name__ == "NoiseBlock":
                setattr(module, name, SeededNoise(child.get_submodule("linear"), source))
            if type(child).__name__ == "Snake1d":
                setattr(module, name, InPlaceSnake(child.get_parameter("alpha").detach()))
