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
from typing import TYPE_CHECKING

import torch
from torch import Tensor

from audiomill.renderers.base import WeightsUnfit
from audiomill.renderers.kokoro.config import PACK_SHAPE, KokoroConfig
from audiomill.renderers.kokoro.model.model import Kokoro
from audiomill.renderers.kokoro.weights.voices import KokoroVoices, Mix

# What is in a file that `torch.save` wrote.

# What `torch.load` makes of a file that is none, damaged, or full of code.
UNREADABLE = (
    *(RuntimeError, EOFError, pickle.UnpicklingError),
    *(ValueError, LookupError, TypeError, AttributeError, AssertionError),
)


def read_tensors(path: Path) -> object:
    """Tensors, on the CPU, in whatever plain containers they are in. Raises WeightsUnfit.

    PyTorch's own words are not passed on: they tell how to run the code in a file.
    """
    import torch

    try:
        return torch.load(path, map_location="cpu", weights_only=True)
    except OSError as error:
        raise _unreadable(path, error.strerror or str(error)) from error
    except UNREADABLE as error:
        raise _unreadable(path, "it is damaged, or holds more than tensors") from error


def _unreadable(path: Path, why: str) -> WeightsUnfit:
    return WeightsUnfit(f"{path} cannot be read: {why}. Copy or fetch it again.")


PARTS = ("bert", "bert_encoder", "predictor", "text_encoder", "decoder")
PREFIX = "module."  # left by the wrapper that the model was trained in
# Made of nothing but numbers in a row; older versions of transformers saved it.
NOT_WEIGHTS = frozenset({"bert.embeddings.position_ids"})
FLOATS = frozenset({torch.float64, torch.float32, torch.float16, torch.bfloat16})
Weights = dict[str, Tensor]


def load_model(path: Path, config: KokoroConfig, *, dtype: torch.dtype = torch.float32) -> Kokoro:
    """The model with the weights in `path`, on the CPU. Raises WeightsUnfit."""
    with torch.device("meta"):
        model = Kokoro(config)
    weights = {name: one.to(dtype) for name, one in fold_norms(read_weights(path)).items()}
    _refuse_other(path, weights, model.state_dict())
    model.load_state_dict(weights, assign=True)
    return model.eval().requires_grad_(requires_grad=False)


def read_weights(path: Path) -> Weights:
    """All tensors of a checkpoint as "part.name", as they are in the file. Raises WeightsUnfit."""
    parts = read_tensors(path)
    if not isinstance(parts, dict) or set(parts) != set(PARTS):
        held = ", ".join(map(repr, parts)) if isinstance(parts, dict) else type(parts).__name__
        raise _unfit(path, f"it holds {held[:200]}, not {', '.join(PARTS)}")
    weights: Weights = {}
    for part in PARTS:
        for name, tensor in _tensors(path, part, parts[part]).items():
            name = f"{part}.{name.removeprefix(PREFIX)}"
            if name in weights:
                raise _unfit(path, f"it holds {name} twice")
            if name not in NOT_WEIGHTS:
                weights[name] = _numbers(path, name, tensor)
    return weights


def fold_norms(weights: Weights) -> Weights:
    """The weights without weight norm, and without norms inside AdaIN.

    What is computed is float64, so that whatever it becomes later is rounded once. What does not
    belong together stays as it is.
    """
    out = dict(weights)
    for name in weights:
        if name.endswith(".weight_g"):
            _fold_length(out, name.removesuffix("_g"))
        elif name.endswith(".norm.weight"):
            _fold_norm(out, name.removesuffix(".norm.weight"))
    return out


def _fold_length(weights: Weights, name: str) -> None:
    """`torch.nn.utils.weight_norm` with its default axis: each slice of the first has a length."""
    length, direction = weights[f"{name}_g"].double(), weights.get(f"{name}_v")
    if name in weights or direction is None or direction.dim() < 2:
        return
    norms = direction.double().flatten(1).norm(dim=1)
    if length.shape == (len(norms), *[1] * (direction.dim() - 1)):
        weights[name] = direction.double() * (length / norms.view_as(length))
        del weights[f"{name}_g"], weights[f"{name}_v"]


def _fold_norm(weights: Weights, adain: str) -> None:
    """(1 + gain) * (a * x + b) + offset is (1 + gain') * x + offset'."""
    names = [f"{adain}.{name}" for name in ("norm.weight", "norm.bias", "fc.weight", "fc.bias")]
    if not all(name in weights for name in names):
        return
    a, b, weight, bias = (weights[name].double() for name in names)
    if not (a.shape == b.shape == (a.numel(),) and bias.shape == (2 * len(a),) == weight.shape[:1]):
        return
    gain_w, offset_w = weight.chunk(2)
    gain_b, offset_b = bias.chunk(2)
    weights[f"{adain}.fc.weight"] = torch.cat((gain_w * a[:, None], offset_w + gain_w * b[:, None]))
    weights[f"{adain}.fc.bias"] = torch.cat(((1 + gain_b) * a - 1, offset_b + (1 + gain_b) * b))
    del weights[f"{adain}.norm.weight"], weights[f"{adain}.norm.bias"]


def _tensors(path: Path, part: str, tensors: object) -> dict[str, Tensor]:
    if not isinstance(tensors, dict) or not all(
        isinstance(name, str) and isinstance(tensor, Tensor) for name, tensor in tensors.items()
    ):
        raise _unfit(path, f"its {part} is no table of tensors")
    return tensors


def _numbers(path: Path, name: str, tensor: Tensor) -> Tensor:
    if tensor.dtype not in FLOATS or tensor.layout is not torch.strided:
        raise _unfit(path, f"{name} is of {tensor.dtype} and {tensor.layout}")
    return tensor.detach()


def _refuse_other(path: Path, weights: Weights, wanted: Mapping[str, Tensor]) -> None:
    """Raise WeightsUnfit unless `weights` are of exactly the names and shapes `wanted`, finite."""
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


# What is in a voice's pack:

if TYPE_CHECKING:
    from torch import Tensor


def load_voice(table: KokoroVoices, expression: str) -> Tensor:
    """The pack of a voice or a mix, float32 of PACK_SHAPE on the CPU.

    Raises UnknownVoice, EngineMissing, WeightsUnfit.
    """
    mix = table.resolve(expression)
    return mix_packs(mix, {name: load_pack(table.pack(name).path) for name, _ in mix.weights})


def mix_packs(mix: Mix, packs: Mapping[str, Tensor]) -> Tensor:
    """The weighted sum of `packs`; one voice alone is its pack, bit for bit.

    Summed in float64, so that hardly anything is rounded twice.
    """
    first, *others = (weight * packs[name].double() for name, weight in mix.weights)
    return (sum(others, start=first) / mix.total).float()


def load_pack(path: Path) -> Tensor:
    """One pack, float32 of PACK_SHAPE on the CPU. Raises WeightsUnfit."""
    import torch

    pack = read_tensors(path)
    if not isinstance(pack, torch.Tensor):
        raise _unfit_pack(path, f"it holds a {type(pack).__name__} and no tensor")
    if pack.dtype != torch.float32 or tuple(pack.shape) != PACK_SHAPE:
        raise _unfit_pack(
            path, f"it holds {pack.dtype} of {tuple(pack.shape)}, not of {PACK_SHAPE}"
        )
    if not torch.isfinite(pack).all():
        raise _unfit_pack(path, "it holds values that are no numbers")
    return pack.detach()


def _unfit_pack(path: Path, found: str) -> WeightsUnfit:
    return WeightsUnfit(f"{path} is no voice that can be used: {found}. Fetch it again.")
