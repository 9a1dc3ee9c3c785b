"""Writes a model with random weights in exactly the official layout.

Its audio is noise, but it computes the same operations as the real model, for as long: durations,
F0 and levels are in the range of speech. Benchmarks use it where the real weights are missing, and
tests load it in the same way as the official files.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from audiomill.renderers.kokoro.model.config import OFFICIAL, PACK_SHAPE, KokoroConfig, parse_config
from audiomill.renderers.kokoro.model.model import Kokoro
from audiomill.renderers.kokoro.weights.checkpoint import PARTS, PREFIX

# Name parts of the convolutions without weight norm; all others have it.
PLAIN = ("F0_proj", "N_proj", "noise_convs")
# Biases that bring predictions into the range of speech.
BIASES = {
    "predictor.duration_proj.linear_layer.bias": -4.3,  # 50 sigmoids: some 3 frames a phoneme
    "predictor.F0_proj.bias": 140.0,  # Hz
    "decoder.generator.conv_post.bias": -1.1,  # log magnitude: a level of some -21 dB
}
# Standard deviations of weights, for the same reason. With more variation in the log magnitudes,
# single samples would be very loud.
SPREADS = {
    "predictor.duration_proj.linear_layer.weight": 7.0,
    "predictor.F0_proj.weight": 105.0,
    "decoder.F0_conv.weight": 0.02,  # from Hz to the scale of the other channels
    "decoder.generator.conv_post.weight": 0.38,
}


def write_random_model(
    folder: Path,
    voices: Iterable[str],
    *,
    weights_file: str = "kokoro-v1_0.pth",
    config: dict[str, Any] = OFFICIAL,
    seed: int = 0,
) -> None:
    """Write config.json, the checkpoint and voices/*.pt to `folder`. Raises OSError.

    The same seed gives the same weights.
    """
    generator = torch.Generator().manual_seed(seed)
    (folder / "voices").mkdir(parents=True, exist_ok=True)
    (folder / "config.json").write_text(json.dumps(config, indent=2, ensure_ascii=False), "utf-8")
    torch.save(random_parts(parse_config(config), generator), folder / weights_file)
    for voice in voices:
        pack = 0.2 * torch.randn(PACK_SHAPE, generator=generator, dtype=torch.float32)
        torch.save(pack, folder / "voices" / f"{voice}.pt")


def random_parts(config: KokoroConfig, generator: torch.Generator) -> dict[str, dict[str, Tensor]]:
    """A checkpoint in the official layout: a dictionary of tensors for each part of the model."""
    with torch.device("meta"):
        model = Kokoro(config)
    parts: dict[str, dict[str, Tensor]] = {}
    for part in PARTS:
        module = model.get_submodule(part)
        norms = {name for name, child in module.named_modules() if _has_weight_norm(name, child)}
        tensors: dict[str, Tensor] = {}
        for name, wanted in module.state_dict().items():
            tensor = _random(f"{part}.{name}", wanted.shape, generator)
            owner, _, kind = name.rpartition(".")
            if owner in norms and kind == "weight":
                tensors.update(_split(f"{PREFIX}{name}", tensor))
            else:
                tensors[f"{PREFIX}{name}"] = tensor
        parts[part] = tensors
    return parts


def _has_weight_norm(name: str, module: nn.Module) -> bool:
    is_convolution = isinstance(module, (nn.Conv1d, nn.ConvTranspose1d))
    return is_convolution and not any(plain in name for plain in PLAIN)


def _split(name: str, weight: Tensor) -> Iterator[tuple[str, Tensor]]:
    """A weight as length and direction. The direction's own length is arbitrary; here it is 1.7."""
    length = weight.flatten(1).norm(dim=1).view(-1, *[1] * (weight.dim() - 1))
    yield f"{name}_g", length
    yield f"{name}_v", 1.7 * weight


def _random(name: str, shape: torch.Size, generator: torch.Generator) -> Tensor:
    kind = name.rpartition(".")[2]
    if name in BIASES:
        return torch.full(shape, BIASES[name], dtype=torch.float32)
    drawn = torch.randn(shape, generator=generator, dtype=torch.float32)
    if "alpha" in name or "gamma" in kind or "orm.weight" in name:
        return 1 + 0.1 * drawn
    if len(shape) < 2:
        return 0.05 * drawn
    fan_in = shape[1:].numel() if "embeddings" not in name else 400
    return drawn * SPREADS.get(name, 1.0) / fan_in**0.5
