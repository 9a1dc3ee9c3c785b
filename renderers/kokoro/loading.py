"""The model from its files onto the device it will run on. The only file that chooses a device."""

from __future__ import annotations

from pathlib import Path

import torch

from renderers.kokoro.checkpoint import load_model
from renderers.kokoro.config import KokoroConfig
from renderers.kokoro.cpu import for_cpu
from renderers.kokoro.model import Kokoro
from renderers.kokoro.speaker import Speaker
from renderers.options import KokoroOptions
from renderers.shard import EngineMissing


def load_speaker(weights: Path, config: KokoroConfig, options: KokoroOptions) -> Speaker:
    """Ready to speak. Raises EngineMissing, WeightsUnfit."""
    device = chosen_device(options.device)
    return Speaker(on_device(load_model(weights, config), device), options.batch_frames)


def on_device(model: Kokoro, device: torch.device) -> Kokoro:
    """The model itself, moved, and in its fastest exact form there."""
    if device.type == "cpu":
        return for_cpu(model)
    # For float32 to be float32: cuDNN's convolutions would round what they multiply to ten bits.
    torch.backends.cudnn.allow_tf32 = False
    return model.to(device)


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
