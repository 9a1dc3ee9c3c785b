"""Loads the official checkpoint and voice packs, strictly. Knows their layout; knows no hub.

    kokoro-v1_0.pth = {"bert": {"module.embeddings…": …}, "bert_encoder": …, "predictor": …,
                       "text_encoder": …, "decoder": …}
    voices/*.pt     = float32 of PACK_SHAPE

A checkpoint must have exactly the model's weights: none missing, none left over. Two things are
folded on loading: a convolution's weight norm (`weight_g`, `weight_v`; arXiv 1602.07868) into its
weight, and the gain and offset of an AdaIN's own norm, if there are any, into its style layer.
"""

from __future__ import annotations

import pickle
from collections.abc import Mapping
from pathlib import Path

import torch
from torch import Tensor

from audiomill.renderers.engine.errors import WeightsUnfit
from audiomill.renderers.kokoro.model.config import PACK_SHAPE, KokoroConfig
from audiomill.renderers.kokoro.model.model import Kokoro
from audiomill.renderers.kokoro.weights.mixes import Mix
from audiomill.renderers.kokoro.weights.voices import KokoroVoices

PARTS = ("bert", "bert_encoder", "predictor", "text_encoder", "decoder")
PREFIX = "module."  # added by the wrapper that the model was trained in
# A buffer of consecutive numbers that older versions of transformers saved.
NOT_WEIGHTS = frozenset({"bert.embeddings.position_ids"})
FLOATS = frozenset({torch.float64, torch.float32, torch.float16, torch.bfloat16})
FOLDED_AT_ONCE = 1 << 18  # values: 2 MiB in float64, which stay in a cache
# Errors of `torch.load` for a file that is damaged, contains code, or is not a file of tensors.
UNREADABLE = (
    *(RuntimeError, EOFError, pickle.UnpicklingError),
    *(ValueError, LookupError, TypeError, AttributeError, AssertionError),
)

Weights = dict[str, Tensor]  # by "part.name"


def read_tensors(path: Path) -> object:
    """Read a file of `torch.save`: tensors on the CPU in plain containers. Raises WeightsUnfit.

    PyTorch's own error message is dropped: it explains how to run the code in a file.
    """
    try:
        return torch.load(path, map_location="cpu", weights_only=True)
    except OSError as error:
        raise _unreadable(path, error.strerror or str(error)) from error
    except UNREADABLE as error:
        raise _unreadable(path, "it is damaged, or holds more than tensors") from error


def _unreadable(path: Path, why: str) -> WeightsUnfit:
    return WeightsUnfit(f"{path} cannot be read: {why}. Copy or fetch it again.")


def load_model(path: Path, config: KokoroConfig, *, dtype: torch.dtype = torch.float32) -> Kokoro:
    """Load the model with the weights in `path`, on the CPU. Raises WeightsUnfit."""
    with torch.device("meta"):
        model = Kokoro(config)
    folded = fold_norms(read_weights(path), dtype)
    weights = {name: tensor.to(dtype) for name, tensor in folded.items()}
    _refuse_other(path, weights, model.state_dict())
    model.load_state_dict(weights, assign=True)
    return model.eval().requires_grad_(requires_grad=False)


def read_weights(path: Path) -> Weights:
    """All tensors of a checkpoint by "part.name", unchanged. Raises WeightsUnfit."""
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


def fold_norms(weights: Weights, dtype: torch.dtype = torch.float64) -> Weights:
    """The weights without weight norm and without norms inside AdaIN.

    Both are folded in float64. Folded convolutions are of `dtype`, and style layers of float64, so
    that a conversion to `dtype` rounds each of them once. Tensors whose counterpart is missing or
    has the wrong shape stay as they are.
    """
    out = dict(weights)
    for name in weights:
        if name.endswith(".weight_g"):
            _fold_weight_norm(out, name.removesuffix("_g"), dtype)
        elif name.endswith(".norm.weight"):
            _fold_adain_norm(out, name.removesuffix(".norm.weight"))
    return out


def _fold_weight_norm(weights: Weights, name: str, dtype: torch.dtype) -> None:
    """Weight = g * v / |v|: `torch.nn.utils.weight_norm` with a length for each slice of axis 0."""
    length, direction = weights[f"{name}_g"], weights.get(f"{name}_v")
    if name in weights or direction is None or direction.dim() < 2:
        return
    if length.shape == (len(direction), *[1] * (direction.dim() - 1)):
        weights[name] = _scaled_to(length, direction, dtype)
        del weights[f"{name}_g"], weights[f"{name}_v"]


def _scaled_to(length: Tensor, direction: Tensor, dtype: torch.dtype) -> Tensor:
    """`direction` in `dtype`, with each slice of axis 0 as long as `length` (n, 1, …) says.

    A few slices at a time: float64 copies of whole tensors take longer to allocate than all of the
    arithmetic.
    """
    out = torch.empty_like(direction, dtype=dtype)
    n_slices = max(1, FOLDED_AT_ONCE // max(1, direction.shape[1:].numel()))
    parts = (one.split(n_slices) for one in (out, length, direction))
    for scaled, wanted, part in zip(*parts, strict=True):
        exact = part.double()
        norms = exact.flatten(1).norm(dim=1)
        scaled.copy_(exact * (wanted.double() / norms.view_as(wanted)))
    return out


def _fold_adain_norm(weights: Weights, adain: str) -> None:
    """Fold a norm's gain a and offset b into the style layer of its AdaIN.

    (1 + gain) (a x + b) + offset = (1 + gain') x + offset', with 1 + gain' = (1 + gain) a and
    offset' = offset + (1 + gain) b.
    """
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
    """Raise WeightsUnfit unless `weights` are finite and have the names and shapes of `wanted`."""
    missing, surplus = sorted(wanted.keys() - weights), sorted(weights.keys() - wanted)
    if missing or surplus:
        differences = [
            f"{words} {_some(names)}"
            for words, names in (("it lacks", missing), ("it has besides", surplus))
            if names
        ]
        raise _unfit(path, "; ".join(differences))
    for name, tensor in weights.items():
        if tensor.shape != wanted[name].shape:
            shapes = f"{tuple(tensor.shape)}, not {tuple(wanted[name].shape)}"
            raise _unfit(path, f"{name} is {shapes}")
        if not _is_finite(tensor):
            raise _unfit(path, f"{name} holds values that are not numbers")


def _is_finite(tensor: Tensor) -> bool:
    """Whether all values are numbers; a fifth of the time of `isfinite`, which makes copies."""
    return not tensor.numel() or all(torch.isfinite(end) for end in tensor.aminmax())


def _some(names: list[str]) -> str:
    return ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")


def _unfit(path: Path, found: str) -> WeightsUnfit:
    return WeightsUnfit(
        f"{path} is not a Kokoro checkpoint that can be used: {found}. Fetch it again."
    )


def load_voice(table: KokoroVoices, expression: str) -> Tensor:
    """Load the pack of a voice or a mix, float32 of PACK_SHAPE on the CPU.

    Raises UnknownVoice, EngineMissing, WeightsUnfit.
    """
    mix = table.resolve(expression)
    return mix_packs(mix, {name: load_pack(table.pack(name).path) for name, _ in mix.weights})


def mix_packs(mix: Mix, packs: Mapping[str, Tensor]) -> Tensor:
    """The weighted mean of `packs`, float32: see `Mix.mixed`."""
    return torch.from_numpy(mix.mixed({name: pack.numpy() for name, pack in packs.items()}))


def load_pack(path: Path) -> Tensor:
    """Load one pack, float32 of PACK_SHAPE on the CPU. Raises WeightsUnfit."""
    pack = read_tensors(path)
    if not isinstance(pack, Tensor):
        raise _unfit_pack(path, f"it holds a {type(pack).__name__} and no tensor")
    if pack.dtype != torch.float32 or tuple(pack.shape) != PACK_SHAPE:
        raise _unfit_pack(
            path, f"it holds {pack.dtype} of {tuple(pack.shape)}, not of {PACK_SHAPE}"
        )
    if not torch.isfinite(pack).all():
        raise _unfit_pack(path, "it holds values that are not numbers")
    return pack.detach()


def _unfit_pack(path: Path, found: str) -> WeightsUnfit:
    return WeightsUnfit(f"{path} is no voice that can be used: {found}. Fetch it again.")
