"""The model from its files onto the device it will run on. The only file that chooses a device."""

from __future__ import annotations

from pathlib import Path

import torch

from renderers.kokoro.checkpoint import load_model
from renderers.kokoro.config import KokoroConfig
from renderers.kokoro.cpu import for_cpu
from renderers.kokoro.speaker import Speaker
from renderers.options import KokoroOptions
from renderers.shard import EngineMissing


def load_speaker(weights: Path, config: KokoroConfig, options: KokoroOptions) -> Speaker:
    """Ready to speak. Raises EngineMissing, WeightsUnfit."""
    device = chosen_device(options.device)
    model = load_model(weights, config)
    ready = for_cpu(model) if device.type == "cpu" else model.to(device)
    return Speaker(ready, options.batch_frames)


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
