"""What is in a file that `torch.save` wrote. Knows no model, no voice and no digest."""

from __future__ import annotations

import pickle
from pathlib import Path

from renderers.shard import WeightsUnfit

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
