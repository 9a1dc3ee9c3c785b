"""An engine's environment in the user's data folder: where its parts are, and whether it is whole.

<data>/engines/chatterbox/
    venv/          the interpreter and the packages of the lock
    source/        the engine's code, if that is on no index
    state.json     written last: what is installed, and where the models are
    hello-….json   what the loaded model said about itself
    references/    the recordings of cloned voices, as this engine gets them
"""

from __future__ import annotations

import hashlib
import json
import re
import secrets
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, cast

from audiomill.renderers.engine.errors import EngineMissing
from audiomill.renderers.host.folders import data_folder
from audiomill.renderers.isolated.catalogue import EngineSpec
from audiomill.renderers.isolated.options import IsolatedOptions

STATE = "state.json"
_OWN_NAMES = re.compile(r"venv|source|references|(?:state|hello-\w+)\.json(?:\.\w+\.new)?")
_HASHES = re.compile(r"(?: \\\n)? +--hash=\S+")


@dataclass(frozen=True, slots=True)
class Installed:
    """What an installation has finished."""

    lock: str  # digest of what was to be installed
    python: str  # its version
    models: Mapping[str, str] = field(default_factory=dict[str, str])  # folders, by repository


@dataclass(frozen=True, slots=True)
class Environment:
    """The places of one engine's environment. Nothing need be there."""

    spec: EngineSpec
    folder: Path

    @property
    def venv(self) -> Path:
        """The virtual environment."""
        return self.folder / "venv"

    @property
    def python(self) -> Path:
        """Its interpreter."""
        return self.venv / "bin" / "python"

    @property
    def source(self) -> Path:
        """The checkout of the engine's own code."""
        return self.folder / "source"

    @property
    def wanted(self) -> str:
        """A digest of what is to be installed."""
        digest = hashlib.sha256(pinned_packages(self.spec.lock).encode())
        digest.update(repr((self.spec.pythons, self.spec.source)).encode())
        return digest.hexdigest()[:16]

    def installed(self) -> Installed | None:
        """What is installed; None if nothing is, or if an installation was not finished."""
        try:
            found = cast("dict[str, Any]", json.loads((self.folder / STATE).read_text("utf-8")))
            return Installed(str(found["lock"]), str(found["python"]), dict(found["models"]))
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def keep(self, installed: Installed) -> None:
        """Write what is installed, at once and whole. Raises OSError."""
        write_whole(self.folder / STATE, json.dumps(asdict(installed), indent=1))

    def is_begun(self) -> bool:
        """Whether anything is in its folder, as far as that can be looked at."""
        try:
            return any(self.folder.iterdir())
        except OSError:
            return False

    def check_own(self) -> None:
        """Raise EngineMissing if its folder has what no installation makes: it is a person's.

        Raises OSError if that cannot be known.
        """
        if not self.folder.is_dir() or (self.folder / STATE).is_file():
            return
        for path in sorted(self.folder.iterdir()):
            if not _OWN_NAMES.fullmatch(path.name):
                raise EngineMissing(
                    f"{self.folder} is no environment of audiomill: it has {path.name}. Move it"
                    " away, or name another folder in the settings: environments"
                )

    def problem(self) -> str:
        """Why it cannot be used, as a sentence; "" if it can. Starts nothing."""
        installed = self.installed()
        install = f"audiomill engines install {self.spec.name}"
        if installed is None:
            state = "is not fully installed" if self.is_begun() else "is not installed"
            return f"{self.spec.title} {state}: {install}"
        if installed.lock != self.wanted:
            return f"{self.spec.title} is installed with other packages than now: {install}"
        if not self.python.exists():
            return f"The Python of {self.spec.title} is gone: {install}"
        return ""


def pinned_packages(lock: Path) -> str:
    """The lines of a lock without the hashes: each package with its version, as pip takes them."""
    return _HASHES.sub("", lock.read_text("utf-8"))


def write_whole(path: Path, content: str | bytes) -> None:
    """Write a file so that it is there whole or not at all. Raises OSError.

    Several processes may write the same at the same time.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f"{path.name}.{secrets.token_hex(4)}.new")
    beside.write_bytes(content if isinstance(content, bytes) else content.encode())
    beside.replace(path)


def engines_folder(named: Path | None) -> Path:
    """Where environments are: the folder that the settings name, else in the user's data."""
    return named or data_folder() / "engines"


def environment_of(spec: EngineSpec, named: Path | None) -> Environment:
    """The environment of an engine."""
    return Environment(spec, engines_folder(named) / spec.name)


def python_of(spec: EngineSpec, options: IsolatedOptions, environment: Environment) -> Path:
    """The interpreter that has the engine. Raises EngineMissing."""
    if options.python is None:
        if problem := environment.problem():
            raise EngineMissing(f"{problem}.")
        return environment.python
    if not options.python.exists():
        raise EngineMissing(
            f"There is no Python at {options.python}, which engines.{spec.name}.python names."
        )
    return options.python
