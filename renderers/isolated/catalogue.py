"""The engines that have an environment of their own: what each is, needs and can do.

    engines/NAME.toml   what it is: an `EngineSpec`, by the names of its fields
            NAME.py     its script, which runs in the environment (`worker_program.py` loads it)
            NAME.lock   the whole closure of its packages, with one version each, and their hashes

NAME is that of the engine, with _ for -. Facts are those of each project's own code at the pinned
version. Lengths are chosen below what each engine generates at most in one call, so that no text is
cut off. `--help` lists the engines: it takes their names from those of the files, and reads none.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal, cast

from audiomill.renderers.engine.clone_needs import (
    LONGEST_S,
    SHORTEST_S,
    CloneNeeds,
    TextNeed,
)
from audiomill.renderers.engine.options import Settings

FOLDER = Path(__file__).with_name("engines")
# From here on `torch.load` takes tensors only, if its caller does not ask for more.
SAFE_TORCH = (2, 6)
_TORCH = re.compile(r"^torch==(\d+)\.(\d+)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class CodeSource:
    """Code that is on no package index: a commit of a git repository."""

    url: str
    commit: str
    folders: tuple[str, ...] = (".",)  # in it, from which Python imports


@dataclass(frozen=True, slots=True)
class EngineSpec:
    """One engine. Its sound is decided by this, by its model and by its settings."""

    name: str  # the value of --engine
    title: str
    packages: tuple[str, ...]  # what is asked for; the lock has all that these need
    imports: tuple[str, ...]  # modules whose import shows that the environment is whole
    pythons: tuple[int, int]  # lowest and highest minor version of Python 3
    model: str  # a repository of the Hugging Face hub
    code_licence: str
    weights_licence: str  # of `model`
    is_commercial: bool  # the weights may be used for gain
    sample_rate: int  # Hz, of `model`
    max_length: int  # characters of a text, so that no engine cuts it off
    best_length: tuple[int, int] | None = None  # characters that sound best
    chars_per_s: float = 15.0
    speeds: tuple[float, float] = (1.0, 1.0)
    languages: tuple[str, ...] = ("en",)  # BCP 47
    rows_per_call: int = 1  # most that are spoken together, on a GPU
    # What a cloned voice needs beside its recording; "": it cannot clone.
    reference_text: Literal["", TextNeed] = ""
    clones_with: str = ""  # which of its models alone clones
    reference_s: tuple[float, float] = (SHORTEST_S, LONGEST_S)  # of the recording
    varies: bool = False  # its sound is drawn piece by piece, so that it may run away or break off
    settings: Settings = ()  # its own, with their defaults
    common_settings: tuple[str, ...] = ()  # of these, what a voice cannot have of its own
    more_models: tuple[str, ...] = ()  # other repositories that it reads from the hub's cache
    source: CodeSource | None = None
    disk_gib: float = 8.0  # of the environment, without the model
    version: int = 2  # of the script's sound and its seeds; incremented by hand when that changes

    @property
    def script(self) -> Path:
        """The engine's script for `worker_program.py`."""
        return FOLDER / f"{self.name.replace('-', '_')}.py"

    @property
    def lock(self) -> Path:
        """The file with the version of each package."""
        return self.script.with_suffix(".lock")

    @property
    def loads_code(self) -> bool:
        """Whether `torch.load` of its PyTorch runs the code that is in a file."""
        found = _TORCH.findall(self.lock.read_text("utf-8"))
        return any((int(major), int(minor)) < SAFE_TORCH for major, minor in found)

    @property
    def clone_needs(self) -> CloneNeeds | None:
        """What it needs to clone a voice; None if it cannot."""
        if not self.reference_text:
            return None
        own = tuple(one for one in self.settings if one[0] not in self.common_settings)
        return CloneNeeds(self.name, self.title, self.reference_text, *self.reference_s, own)

    @property
    def licence_warning(self) -> str:
        """A sentence for the user; "" if the weights may be used for gain."""
        if self.is_commercial:
            return ""
        return (
            f"{self.title}'s weights may not be used commercially: {self.weights_licence}"
            f" ({self.model})."
        )


@cache
def isolated_names() -> tuple[str, ...]:
    """The names of all of them, in alphabetical order."""
    return tuple(sorted(path.stem.replace("_", "-") for path in FOLDER.glob("*.toml")))


@cache
def isolated_specs() -> Mapping[str, EngineSpec]:
    """All of them, by name."""
    return {name: _spec(name) for name in isolated_names()}


def _spec(name: str) -> EngineSpec:
    import tomllib

    path = FOLDER / f"{name.replace('-', '_')}.toml"
    try:
        return _spec_of(name, tomllib.loads(path.read_text("utf-8")))
    except (TypeError, ValueError) as error:  # neither tells the file
        error.add_note(f"In {path}")
        raise


def _spec_of(name: str, table: Mapping[str, Any]) -> EngineSpec:
    """Raises TypeError for a name that is no field, and for a field that is not there."""
    values = {key: _frozen(value) for key, value in table.items()}
    source = values.pop("source", None)
    settings = tuple(values.pop("settings", {}).items())
    return EngineSpec(
        name, **values, settings=settings, source=CodeSource(**source) if source else None
    )


def _frozen(value: Any) -> Any:
    """The same with tuples for lists, in tables too."""
    if isinstance(value, list):
        return tuple(cast("list[object]", value))
    if isinstance(value, dict):
        return {key: _frozen(one) for key, one in cast("dict[str, Any]", value).items()}
    return value
