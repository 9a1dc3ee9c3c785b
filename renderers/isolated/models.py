"""An engine's model: the folder it is in, and what tells its weights from others.

A folder of the user's is known by the content of its files, a repository of the Hugging Face hub by
its commit, which the folder of a snapshot is named after.
"""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass
from pathlib import Path

from audiomill.renderers.base import EngineMissing, WeightsUnfit
from audiomill.renderers.isolated.catalogue import EngineSpec
from audiomill.renderers.isolated.environment import Environment, write_whole
from audiomill.renderers.options import IsolatedOptions

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
    """The model that the settings name, else the engine's own. Raises EngineMissing, WeightsUnfit.

    The files of a folder are read once, and again when their sizes or times change.
    """
    repository, folder = named_model(spec, options)
    if folder is not None:
        if not folder.is_dir():
            raise EngineMissing(f"There is no model at {folder}, which engines.{spec.name} names.")
        identity = _digest_of(folder, environment.folder)
        return Model(folder, f"folder {identity}", is_official=False)
    installed = environment.installed()
    path = Path(installed.models.get(repository, "")) if installed else Path()
    if not path.name or not path.is_dir():
        raise EngineMissing(
            f"The model of {spec.title}, {repository}, is not here:"
            f" audiomill engines install {spec.name} downloads it. Or name a folder that has it:"
            f" engines.{spec.name}.model"
        )
    commit = path.name if _COMMIT.fullmatch(path.name) else _digest_of(path, environment.folder)
    return Model(path, f"{repository} {commit[:16]}", is_official=repository == spec.model)


def _digest_of(folder: Path, kept_in: Path) -> str:
    """A digest of the content of all files. Raises WeightsUnfit if there are none."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    if not files:
        raise WeightsUnfit(f"{folder} is empty: it has no model.")
    try:
        seen = [(str(path.relative_to(folder)), *_look(path)) for path in files]
        look = hashlib.sha256(repr((str(folder.resolve()), seen)).encode()).hexdigest()[:32]
        kept = kept_in / f"digest-{look}.json"
        if kept.is_file():
            return str(json.loads(kept.read_text("utf-8"))["digest"])
        digest = _read_digest(folder, files)
        write_whole(kept, json.dumps({"folder": str(folder), "digest": digest}))
    except (OSError, ValueError, KeyError) as error:
        raise WeightsUnfit(f"The model in {folder} cannot be read: {error}.") from error
    return digest


def _look(path: Path) -> tuple[int, int]:
    found = path.stat()
    return found.st_size, found.st_mtime_ns


def _read_digest(folder: Path, files: list[Path]) -> str:
    whole = hashlib.sha256()
    for path in files:
        with path.open("rb") as file:
            content = hashlib.file_digest(file, "sha256").digest()
        whole.update(f"{path.relative_to(folder)}\0".encode() + content)
    return whole.hexdigest()[:16]
