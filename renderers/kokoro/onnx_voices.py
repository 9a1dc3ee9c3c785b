"""Reads the file of voices: an archive of NumPy arrays, one of PACK_SHAPE for each voice.

It is what `numpy.savez` writes, with the name `voices-v1.0.bin`.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from pathlib import Path
from zipfile import BadZipFile, ZipFile

import numpy as np
from numpy.typing import NDArray

from audiomill.renderers.engine.errors import WeightsUnfit
from audiomill.renderers.kokoro.model.config import PACK_SHAPE
from audiomill.renderers.kokoro.weights.mixes import Mix

Pack = NDArray[np.float32]  # of PACK_SHAPE
SUFFIX = ".npy"


def voice_names(path: Path) -> tuple[str, ...]:
    """The names of all voices in the file. Raises WeightsUnfit."""
    with _readable(path), ZipFile(path) as archive:
        names = tuple(
            name.removesuffix(SUFFIX) for name in archive.namelist() if name.endswith(SUFFIX)
        )
    if not names:
        raise WeightsUnfit(f"{path} holds no voices. Fetch it again.")
    return names


def read_packs(path: Path, names: Iterable[str]) -> dict[str, Pack]:
    """The packs of these voices, by name. Raises WeightsUnfit."""
    with _readable(path), np.load(path) as archive:
        packs = {name: archive[name] for name in names}
    for name, pack in packs.items():
        if pack.dtype != np.float32 or pack.shape != PACK_SHAPE:
            raise WeightsUnfit(
                f"{path} holds {name} as {pack.dtype} of {pack.shape}, not as float32 of"
                f" {PACK_SHAPE}. Fetch it again."
            )
        if not np.isfinite(pack).all():
            raise WeightsUnfit(f"{path} holds values of {name} that are not numbers.")
    return packs


def read_mix(path: Path, mix: Mix) -> Pack:
    """The pack of a mix. Raises WeightsUnfit."""
    return mix.mixed(read_packs(path, (name for name, _ in mix.weights)))


def pack_sha256(path: Path, name: str) -> str:
    """The SHA-256 of a voice's numbers, whatever else is in the file. Raises WeightsUnfit."""
    pack = read_packs(path, (name,))[name]
    return hashlib.sha256(pack.astype("<f4").tobytes()).hexdigest()


@contextmanager
def _readable(path: Path) -> Generator[None]:
    """Raise WeightsUnfit for whatever a damaged archive raises."""
    try:
        yield
    except OSError as error:
        raise WeightsUnfit(f"{path} cannot be read: {error.strerror or error}.") from error
    except (BadZipFile, ValueError, EOFError, KeyError, RuntimeError, zlib.error) as error:
        raise WeightsUnfit(
            f"{path} is cut short or damaged, or holds no voices ({error}). Copy or fetch it again."
        ) from error
