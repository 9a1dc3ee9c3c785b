"""The engines that have an environment of their own: what each is, needs and can do.

Imports nothing slow, because `--help` lists the engines. The entries are in `specs.py`, and the
whole closure of each engine's packages, with one version each, in `locks/NAME.txt`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from audiomill.renderers.engine.options import Settings
from audiomill.renderers.reference_voices.needs import (
    LONGEST_S,
    SHORTEST_S,
    CloneNeeds,
    TextNeed,
)

WORKER = Path(__file__).with_name("worker")
LOCKS = Path(__file__).with_name("locks")
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
    reference_s: tuple[float, float] = (SHORTEST_S, LONGEST_S)  # of the recording
    needs_reference: bool = False  # it has no voice of its own
    varies: bool = False  # its sound is drawn piece by piece, so that it may run away or break off
    settings: Settings = ()  # its own, with their defaults
    common_settings: tuple[str, ...] = ()  # of these, what a voice cannot have of its own
    more_models: tuple[str, ...] = ()  # other repositories that it reads from the hub's cache
    source: CodeSource | None = None
    disk_gib: float = 8.0  # of the environment, without the model
    version: int = 2  # of the script's sound and its seeds; incremented by hand when that changes

    @property
    def script(self) -> Path:
        """The engine's script for `worker/serve.py`."""
        return WORKER / "engines" / f"{self.name.replace('-', '_')}.py"

    @property
    def lock(self) -> Path:
        """The file with the version of each package."""
        return LOCKS / f"{self.name}.txt"

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
