"""An engine's model: the folder it is in, and what tells its weights from others.

A folder of the user's is known by the content of its files, a repository of the Hugging Face hub by
its commit, which the folder of a snapshot is named after.

A repository of the hub may get other files on any day, and the files of many models can run code.
`<data>/engines/NAME.models.json`, beside the environment, has the commit and the SHA-256 of each
file of every model that was downloaded for the engine. It outlives the environment. Other files are
not loaded in silence.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, cast

from audiomill.renderers.engine.errors import EngineMissing, WeightsUnfit
from audiomill.renderers.engine.weights_digest import weights_sha256
from audiomill.renderers.isolated.catalogue import EngineSpec
from audiomill.renderers.isolated.environment import Environment, write_whole
from audiomill.renderers.isolated.options import IsolatedOptions

_SHOWN = 3  # files, in a message

_COMMIT = re.compile(r"[0-9a-f]{40}")


@dataclass(frozen=True, slots=True)
class LockedModel:
    """A model of the hub as it was when it was accepted."""

    revision: str  # the commit
    files: Mapping[str, str]  # SHA-256 in hexadecimal digits, by path

    def changes(self, files: Mapping[str, str]) -> str:
        """What is otherwise in `files`, as a part of a sentence; "" if nothing is."""
        both = self.files.keys() & files
        kinds = {
            "changed": {name for name in both if self.files[name] != files[name]},
            "new": files.keys() - both,
            "gone": self.files.keys() - both,
        }
        return ", ".join(f"{_shown(names)} {kind}" for kind, names in kinds.items() if names)


def _shown(names: Iterable[str]) -> str:
    first = sorted(names)
    more = f" and {len(first) - _SHOWN} more" if len(first) > _SHOWN else ""
    return ", ".join(first[:_SHOWN]) + more


def model_lock_path(environment: Environment) -> Path:
    """The file with the models of an engine."""
    return environment.folder.with_name(f"{environment.spec.name}.models.json")


def locked_models(environment: Environment) -> dict[str, LockedModel]:
    """The models that were accepted, by repository. Raises WeightsUnfit if the file is damaged."""
    path = model_lock_path(environment)
    try:
        content = cast("dict[str, Any]", json.loads(path.read_text("utf-8")))
        return {
            str(name): LockedModel(str(one["revision"]), dict(one["files"]))
            for name, one in content.items()
        }
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise WeightsUnfit(
            f"{path}, which says what the files of {environment.spec.title} are, cannot be read"
            f" ({error}). {_accept(environment)}"
        ) from error


def lock_model(environment: Environment, repository: str, folder: Path) -> None:
    """Accept the files of a model as they are in its folder. Raises WeightsUnfit, OSError."""
    locked = locked_models(environment)
    locked[repository] = LockedModel(folder.name, file_digests(folder))
    content = {name: asdict(one) for name, one in sorted(locked.items())}
    write_whole(model_lock_path(environment), json.dumps(content, indent=1))


def check_model(environment: Environment, repository: str, folder: Path) -> None:
    """Raise WeightsUnfit if the files of a model are not those that were accepted.

    Of a model that no installation has accepted, nothing is known.
    """
    locked = locked_models(environment).get(repository)
    if locked and (changes := locked.changes(file_digests(folder))):
        raise WeightsUnfit(
            f"The model {repository} is not as it was when it was installed: {changes} in {folder}."
            f" {_accept(environment)}"
        )


def _accept(environment: Environment) -> str:
    return (
        "If you trust what is there now:"
        f" audiomill engines install {environment.spec.name} --accept-models"
    )


def file_digests(folder: Path) -> dict[str, str]:
    """The SHA-256 of the content of each file, by its path in the folder.

    Large files are read again only if they have changed. Raises WeightsUnfit if there are no files,
    or they cannot be read.
    """
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    if not files:
        raise WeightsUnfit(f"{folder} is empty: it has no model.")
    try:
        found = {path: weights_sha256(path) for path in files}
    except OSError as error:
        raise WeightsUnfit(f"The model in {folder} cannot be read: {error}.") from error
    return {str(path.relative_to(folder)): digest for path, digest in found.items()}


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
        identity = _digest_of(folder)
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
    commit = path.name if _COMMIT.fullmatch(path.name) else _digest_of(path)
    return Model(path, f"{repository} {commit[:16]}", is_official=repository == spec.model)


def _found_by_name(folder: Path) -> Path:
    """The folder that a package gets which asks the hub's cache for the model of `folder`."""
    try:
        commit = (folder.parents[1] / "refs" / "main").read_text("utf-8").strip()
    except (OSError, UnicodeDecodeError):
        return folder
    return folder.with_name(commit) if _COMMIT.fullmatch(commit) else folder


def _digest_of(folder: Path) -> str:
    """A digest of the content of all files. Raises WeightsUnfit if there are none."""
    whole = hashlib.sha256()
    for name, content in file_digests(folder).items():
        whole.update(f"{name}\0".encode() + bytes.fromhex(content))
    return whole.hexdigest()[:16]
