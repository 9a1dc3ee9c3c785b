"""The files of SNAC at 24 kHz: a folder with config.json and pytorch_model.bin. Loads no PyTorch.

The model is hubertsiuzdak/snac_24khz (MIT).
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from audiomill.inputs.files import read_regular
from audiomill.inputs.json_text import parse_json
from audiomill.renderers.engine.errors import EngineMissing, WeightsUnfit
from audiomill.renderers.engine.weights_digest import weights_sha256
from audiomill.renderers.host.installation import this_installation
from audiomill.renderers.orpheus.codes import N_CODES
from audiomill.renderers.orpheus.prompt import SAMPLE_RATE

CONFIG, WEIGHTS = "config.json", "pytorch_model.bin"
VQ_STRIDES = [4, 2, 1]  # of the three codebooks, in steps of 512 samples


def weights_hash(folder: Path) -> str:
    """A hash of the decoder's files. Raises EngineMissing."""
    digest = hashlib.sha256()
    for name in (CONFIG, WEIGHTS):
        try:
            digest.update(bytes.fromhex(weights_sha256(folder / name)))
        except OSError as error:
            raise missing_file(folder / name, error) from error
    return digest.hexdigest()[:16]


def check_snac_available(setting: Path | None) -> None:
    """Raise EngineMissing, with the remedy, unless packages and files are here. Loads nothing."""
    lacking = [name for name in ("torch", "snac") if find_spec(name) is None]
    if lacking:
        hint = this_installation().hint("orpheus")
        raise EngineMissing(f"Orpheus needs {' and '.join(lacking)}. {hint}")
    folder = snac_folder(setting)
    for name in (CONFIG, WEIGHTS):
        try:
            (folder / name).open("rb").close()
        except OSError as error:
            raise missing_file(folder / name, error) from error


def snac_folder(setting: Path | None) -> Path:
    """The folder that the settings name. Raises EngineMissing if they name none."""
    if setting is None:
        raise EngineMissing("Name the folder of SNAC's weights: orpheus.snac in the settings.")
    return setting


def read_snac_config(path: Path) -> Mapping[str, Any]:
    """The arguments of `snac.SNAC`. Raises EngineMissing, WeightsUnfit."""
    try:
        config = parse_json(read_regular(path))
    except OSError as error:
        raise missing_file(path, error) from error
    except ValueError as error:
        raise WeightsUnfit(f"{path} is not JSON: {error}. Download it again.") from error
    wanted = {"sampling_rate": SAMPLE_RATE, "vq_strides": VQ_STRIDES, "codebook_size": N_CODES}
    found = {key: config.get(key) for key in wanted} if isinstance(config, dict) else None
    if found != wanted:
        raise WeightsUnfit(
            f"{path} is not of SNAC at 24 kHz, which Orpheus speaks with: {found}. Take"
            " hubertsiuzdak/snac_24khz."
        )
    return config


def missing_file(path: Path, error: OSError) -> EngineMissing:
    """The error for a file that is not there, with how to get it."""
    return EngineMissing(
        f"{path} of SNAC, with which Orpheus speaks, cannot be read: {error.strerror}. Get it:"
        f" hf download hubertsiuzdak/snac_24khz --local-dir {path.parent}"
    )
