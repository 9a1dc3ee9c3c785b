"""The official checkpoint's weights into our modules, strictly. Knows the layout; knows no hub.

    kokoro-v1_0.pth = {"bert": {"module.embeddings…": …}, "bert_encoder": …, "predictor": …,
                       "text_encoder": …, "decoder": …}

Nothing may be missing and nothing be left over. Two things are made simpler on the way, once:
a convolution's weight norm (`weight_g`, `weight_v`; arXiv 1602.07868) becomes its weight, and the
gain and offset of an AdaIN's own norm, where there are any, go into its style layer.
"""

from __future__ import annotations

import pickle
from collections.abc import Mapping
from pathlib import Path
from zipfile import BadZipFile

import torch
from torch import Tensor

from renderers.kokoro.config import KokoroConfig
from renderers.kokoro.model import Kokoro
from renderers.shard import WeightsUnfit

PARTS = ("bert", "bert_encoder", "predictor", "text_encoder", "decoder")
PREFIX = "module."  # left by the wrapper that the model was trained in
# Made of nothing but numbers in a row; older versions of transformers saved it.
NOT_WEIGHTS = frozenset({"bert.embeddings.position_ids"})
Weights = dict[str, Tensor]


def load_model(path: Path, config: KokoroConfig, *, dtype: torch.dtype = torch.float32) -> Kokoro:
    """The model with the weights in `path`, on the CPU. Raises WeightsUnfit."""
    with torch.device("meta"):
        model = Kokoro(config)
    weights = folded(read_weights(path))
    _refuse_other(path, weights, model.state_dict())
    model.load_state_dict({name: one.to(dtype) for name, one in weights.items()}, assign=True)
    return model.eval().requires_grad_(requires_grad=False)


def read_weights(path: Path) -> Weights:
    """All tensors of a checkpoint as "part.name", as they are in the file. Raises WeightsUnfit."""
    try:
        parts = torch.load(path, map_location="cpu", weights_only=True)
    except (OSError, RuntimeError, EOFError, BadZipFile, pickle.UnpicklingError) as error:
        raise _unfit(path, f"it cannot be read: {_first_line(error)}") from error
    if not isinstance(parts, dict) or set(parts) != set(PARTS):
        held = ", ".join(map(str, parts)) if isinstance(parts, dict) else type(parts).__name__
        raise _unfit(path, f"it holds {held[:200]}, not {', '.join(PARTS)}")
    weights: Weights = {}
    for part, tensors in parts.items():
        for name, tensor in _tensors(path, part, tensors).items():
            weights[f"{part}.{name.removeprefix(PREFIX)}"] = tensor
    return {name: tensor for name, tensor in weights.items() if name not in NOT_WEIGHTS}


def folded(weights: Mapping[str, Tensor]) -> Weights:
    """The weights without weight norm, and without norms inside AdaIN.

    What is computed is float64, so that whatever it becomes later is rounded once.
    """
    out = dict(weights)
    for name in weights:
        if name.endswith(".weight_g"):
            base = name.removesuffix("_g")
            if f"{base}_v" in out:
                out[base] = _normed(out.pop(f"{base}_v"), out.pop(name))
        elif name.endswith(".norm.weight") and name.replace("weight", "bias") in out:
            _fold_norm(out, name.removesuffix(".norm.weight"))
    return out


def _normed(direction: Tensor, length: Tensor) -> Tensor:
    """`torch.nn.utils.weight_norm` with its default axis: each slice of the first has `length`."""
    direction = direction.double()
    return direction * (length.double() / direction.flatten(1).norm(dim=1).view_as(length))


def _fold_norm(weights: Weights, adain: str) -> None:
    """(1 + gain) * (a * x + b) + offset is (1 + gain') * x + offset'."""
    a = weights.pop(f"{adain}.norm.weight").double()
    b = weights.pop(f"{adain}.norm.bias").double()
    gain_w, offset_w = weights[f"{adain}.fc.weight"].double().chunk(2)
    gain_b, offset_b = weights[f"{adain}.fc.bias"].double().chunk(2)
    weights[f"{adain}.fc.weight"] = torch.cat((gain_w * a[:, None], offset_w + gain_w * b[:, None]))
    weights[f"{adain}.fc.bias"] = torch.cat(((1 + gain_b) * a - 1, offset_b + (1 + gain_b) * b))


def _tensors(path: Path, part: str, tensors: object) -> dict[str, Tensor]:
    if not isinstance(tensors, dict) or not all(
        isinstance(name, str) and isinstance(tensor, Tensor) for name, tensor in tensors.items()
    ):
        raise _unfit(path, f"its {part} is no table of tensors")
    return tensors


def _refuse_other(path: Path, weights: Weights, wanted: Mapping[str, Tensor]) -> None:
    """Raise WeightsUnfit unless `weights` has exactly the names, shapes and type of `wanted`."""
    missing, surplus = sorted(wanted.keys() - weights), sorted(weights.keys() - wanted)
    if missing or surplus:
        told = [
            f"{words} {_some(names)}"
            for words, names in (("it lacks", missing), ("it has besides", surplus))
            if names
        ]
        raise _unfit(path, "; ".join(told))
    for name, tensor in weights.items():
        if tensor.shape != wanted[name].shape:
            shapes = f"{tuple(tensor.shape)}, not {tuple(wanted[name].shape)}"
            raise _unfit(path, f"{name} is {shapes}")
        if not torch.isfinite(tensor).all():
            raise _unfit(path, f"{name} holds values that are no numbers")


def _some(names: list[str]) -> str:
    return ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")


def _unfit(path: Path, found: str) -> WeightsUnfit:
    return WeightsUnfit(
        f"{path} is not a Kokoro checkpoint that can be used: {found}. Fetch it again."
    )


def _first_line(error: Exception) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0][:200]
