"""What is in a voice's pack: a style vector for each number of phonemes. Knows no files but packs.

Source: `load_single_voice` and `load_voice` in kokoro/pipeline.py; a pack is a tensor saved alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from renderers.kokoro.config import PACK_SHAPE
from renderers.kokoro.mixing import Mix
from renderers.kokoro.tensors import read_tensors
from renderers.kokoro.voices import VoiceTable
from renderers.shard import WeightsUnfit

if TYPE_CHECKING:
    from torch import Tensor


def load_voice(table: VoiceTable, expression: str) -> Tensor:
    """The pack of a voice or a mix, float32 of PACK_SHAPE on the CPU.

    Raises UnknownVoice, EngineMissing, WeightsUnfit.
    """
    mix = table.choose(expression)
    return mixed(mix, {name: load_pack(table.pack(name).path) for name, _ in mix.weights})


def mixed(mix: Mix, packs: Mapping[str, Tensor]) -> Tensor:
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
        raise _unfit(path, f"it holds a {type(pack).__name__} and no tensor")
    if pack.dtype != torch.float32 or tuple(pack.shape) != PACK_SHAPE:
        raise _unfit(path, f"it holds {pack.dtype} of {tuple(pack.shape)}, not of {PACK_SHAPE}")
    if not torch.isfinite(pack).all():
        raise _unfit(path, "it holds values that are no numbers")
    return pack.detach()


def _unfit(path: Path, found: str) -> WeightsUnfit:
    return WeightsUnfit(f"{path} is no voice that can be used: {found}. Fetch it again.")
