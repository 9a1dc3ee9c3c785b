"""A model made ready for a CPU, once. Knows which of its parts have a faster form there.

What they make is the same, to rounding. Rows that are not batched are the same to the last bit
whatever is spoken beside them.
"""

from __future__ import annotations

from torch import nn

from renderers.kokoro.cpu_generator import CpuGenerator
from renderers.kokoro.layers import Conv1d
from renderers.kokoro.model import Kokoro
from renderers.kokoro.packed import PackedConv1d, PackedLinear, can_pack


def for_cpu(model: Kokoro) -> Kokoro:
    """The model itself, on the CPU, some of its parts replaced."""
    model.set_submodule("decoder.generator", CpuGenerator(model.decoder.generator))
    if can_pack(model.dtype):
        for name, module in [*model.named_modules()]:
            faster = _packed(name, module)
            if faster is not None:
                model.set_submodule(name, faster)
    return model


def _packed(name: str, module: nn.Module) -> nn.Module | None:
    """What takes the place of a layer; None where it stays."""
    if isinstance(module, Conv1d):
        return PackedConv1d(module)
    # The others multiply one vector by a matrix for each row, or an LSTM does it for them.
    if isinstance(module, nn.Linear) and name.startswith("bert."):
        return PackedLinear(module)
    return None
