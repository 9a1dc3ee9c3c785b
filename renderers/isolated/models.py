"""An engine's model: the folder it is in, and what tells its weights from others.

A folder of the user's is known by the content of its files, a repository of the Hugging Face hub by
its commit, which the folder of a snapshot is named after.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from pathlib import Path

from audiomill.renderers.base import EngineMissing
from audiomill.renderers.isolated.catalogue import EngineSpec
from audiomill.renderers.isolated.environment import Environment
from audiomill.renderers.isolated.model_lock import check_model, file_digests
from audiomill.renderers.isolated.options import IsolatedOptions

_COMMIT = re.compile(r"[0-9a-f]{40}")


@dataclass(frozen=True, slots=True)
class Model:
    """A model that is here."""

    folder: Path
    identity: str  # changes when any of its files does
    is_official: bool


def named_model(spec: EngineSpec, options: IsolatedOptions) -> tuple[str, Path | None]:
    """The repository and None, or "" and the folder that the settings name."""
    name = options.model or spec.model
    path = Path(name).expanduser()
    is_repository = re.fullmatch(r"[\w.-]+/[\w.-]+", name) and not path.exists()
    return (name, None) if is_repository else ("", path)


def find_model(spec: EngineSpec, options: IsolatedOptions, environment: Environment) -> Model:
    """The model that the settings name, else the engine's own.

    Raises EngineMissing; WeightsUnfit if a model of the hub, or one that it needs beside it, is not
    as it was when it was installed.
    """
    repository, folder = named_model(spec, options)
    if folder is not None:
        if not folder.is_dir():
            raise EngineMissing(f"There is no model at {folder}, which engines.{spec.name} names.")
        identity = _digest_of(folder, environment.folder)
        return Model(folder, f"folder {identity}", is_official=False)
    installed = environment.installed()
    for other in spec.more_models:
        if installed and other in installed.models:
            check_model(environment, other, _found_by_name(Path(installed.models[other])))
    path = Path(installed.models.get(repository, "")) if installed else Path()
    if not path.name or not path.is_dir():
        raise EngineMissing(
            f"The model of {spec.title}, {repository}, is not here:"
            f" audiomill engines install {spec.name} downloads it. Or name a folder that has it:"
            f" engines.{spec.name}.model"
        )
    check_model(environment, repository, path)
    commit = path.name if _COMMIT.fullmatch(path.name) else _digest_of(path, environment.folder)
    return Model(path, f"{repository} {commit[:16]}", is_official=repository == spec.model)


def _found_by_name(folder: Path) -> Path:
    """The folder that a package gets which asks the hub's cache for the model of `folder`."""
    try:
        commit = (folder.parents[1] / "refs" / "main").read_text("utf-8").strip()
    except (OSError, UnicodeDecodeError):
        return folder
    return folder.with_name(commit) if _COMMIT.fullmatch(commit) else folder


def _digest_of(folder: Path, kept_in: Path) -> str:
    """A digest of the content of all files. Raises WeightsUnfit if there are none."""
    whole = hashlib.sha256()
    for name, content in file_digests(folder, kept_in).items():
        whole.update(f"{name}\0".encode() + bytes.fromhex(content))
    return whole.hexdigest()[:16]
