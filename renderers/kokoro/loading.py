"""The model from its files onto the device it will run on.

The only file that chooses a device, and how precisely it multiplies.
"""

from __future__ import annotations

import warnings
from pathlib import Path

import torch

from renderers.kokoro.checkpoint import load_model
from renderers.kokoro.config import KokoroConfig
from renderers.kokoro.cpu import for_cpu
from renderers.kokoro.model import Kokoro
from renderers.kokoro.speaker import Speaker
from renderers.options import KokoroOptions, Precision
from renderers.shard import EngineMissing


def load_speaker(weights: Path, config: KokoroConfig, options: KokoroOptions) -> Speaker:
    """Ready to speak. Raises EngineMissing, WeightsUnfit."""
    device = ready_device(options)
    return Speaker(on_device(load_model(weights, config), device), options.batch_frames)


def on_device(model: Kokoro, device: torch.device) -> Kokoro:
    """The model itself, moved, and in its fastest exact form there."""
    return for_cpu(model) if device.type == "cpu" else model.to(device)


def ready_device(options: KokoroOptions) -> torch.device:
    """The device asked for, from now on in the precision asked for. Raises EngineMissing."""
    device = chosen_device(options.device)
    if lack := lack_of(options.precision, device):
        raise EngineMissing(
            f"Kokoro cannot speak in {options.precision} here: {lack}. Set kokoro.precision to"
            " float32."
        )
    set_precision(options.precision)
    return device


def lack_of(precision: Precision, device: torch.device) -> str:
    """Why a device cannot compute in a precision, as a part of a sentence; "" if it can.

    Source: CUDA C++ Programming Guide, "Compute Capabilities": TF32 came with 8.0.
    """
    if precision == "float32":
        return ""
    if device.type != "cuda":
        return f"there is no {precision} on a {device.type.upper()}"
    is_nvidia = torch.version.cuda is not None
    has_it = is_nvidia and torch.cuda.get_device_capability(device) >= (8, 0)
    return "" if has_it else f"there is no {precision} on this GPU"


def set_precision(precision: Precision) -> None:
    """How GPUs multiply what is float32, in this whole process: as it is, or rounded to TF32.

    In convolutions and LSTMs, which are cuDNN's, and in matrix products. PyTorch rounds in the
    former unless it is told. Source: its notes on CUDA semantics, "TensorFloat-32".
    """
    is_rounded = precision == "tf32"
    with warnings.catch_warnings():
        # PyTorch 2.9 has other names for both and warns of these; 2.6 knows only these.
        warnings.simplefilter("ignore")
        torch.backends.cudnn.allow_tf32 = is_rounded
        torch.backends.cuda.matmul.allow_tf32 = is_rounded


def chosen_device(name: str) -> torch.device:
    """The device that a setting names; "auto" is a GPU if there is one. Raises EngineMissing."""
    if name == "auto":
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    try:
        device = torch.device(name)
        torch.empty(1, device=device)
    except (RuntimeError, AssertionError) as error:
        reason = str(error).strip().splitlines()[0]
        raise EngineMissing(
            f"Kokoro cannot run on {name!r} here: {reason}. Set kokoro.device to auto, cpu or cuda."
        ) from error
    return device
