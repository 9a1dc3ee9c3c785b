"""What an engine declares of itself. One of ours does in `ENGINES` of its folder's `engine.py`.

    registry.py ◀── our own, found by their folders
                ◀── others', by the entry points `audiomill.engines` of packages

All else follows: `audiomill engines`, `voices`, `doctor`, `render`, `bench`, completion, and the
form of Prefect's page. A declaration is data, and functions that load what they need when they are
called, so that `--help` lists the engines in milliseconds. docs/engines.md shows how to write one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from audiomill.renderers.engine.options import EngineOptions, OwnOptions

if TYPE_CHECKING:
    from audiomill.renderers.engine.benchmarking import BenchModel
    from audiomill.renderers.engine.clone_needs import CloneNeeds
    from audiomill.renderers.engine.protocol import Renderer


class Runs(Enum):
    """Where an engine runs, as `audiomill engines` names it."""

    HERE = "here"  # in this process, or one that it starts
    SERVER = "server"
    ENVIRONMENT = "own environment"


@dataclass(frozen=True, slots=True)
class Licences:
    """Of an engine's code and of its weights, and whether both may be used commercially."""

    code: str
    weights: str
    is_commercial: bool = True


@dataclass(frozen=True, slots=True)
class Readiness:
    """What an engine would speak with, for people. `is_here`: nothing has to be fetched first."""

    words: str
    is_here: bool = True


def no_licences(_options: EngineOptions) -> Licences:
    """Of an engine that declares none: nothing is promised."""
    return Licences("unknown", "unknown", is_commercial=False)


def _no_name_of_its(_name: str) -> str:
    return ""


def _no_server(_options: EngineOptions) -> CloneNeeds | None:
    return None


BROKEN = "broken"


@dataclass(frozen=True, slots=True)
class Engine:
    """An engine. `name` is the value of `--engine`.

    `open` loads it; it raises EngineMissing or WeightsUnfit. `check` finds out whether it can speak
    here, loads no weights, and raises RenderError, which says what is missing and what to do;
    without it the engine is opened. `ask` asks its server what it has, for people, and raises
    RenderError; it is called only if the settings name the engine.
    """

    name: str
    open: Callable[[EngineOptions], Renderer]
    licences: Callable[[EngineOptions], Licences] = no_licences
    check: Callable[[EngineOptions], Readiness] | None = None
    ask: Callable[[EngineOptions], str] | None = None
    # What a name is that is no engine, as a sentence: a kind of its servers, for example. Or "".
    explain: Callable[[str], str] = _no_name_of_its
    # Which of several kinds of device it would use here; None for one that knows processors only.
    devices: Callable[[EngineOptions], tuple[str, ...]] | None = None
    # Of a recording to speak like: of the engine, or of each of its usual servers. (): none clones.
    clone_needs: Callable[[], tuple[CloneNeeds, ...]] = tuple
    # The same of the one server that the options name, of an engine that has several.
    clone_needs_here: Callable[[EngineOptions], CloneNeeds | None] = _no_server
    runs: Runs = Runs.HERE
    package: str = ""  # what it speaks with, if that may be missing
    missing: str = "no model"  # what it has if it has the package and cannot speak
    # Makes the defaults of its table in the settings: [NAME] of an engine of ours, else
    # [engines.NAME]. A function, so that their module is imported only where it is needed.
    options: Callable[[], OwnOptions] = OwnOptions
    is_built_in: bool = False  # it always works, and something is broken if it does not
    serves_auto: bool = False  # `auto` may stand for it
    speaks: bool = True  # or makes sounds for tests: its voices are offered where it is named
    title: str = ""  # how messages name it, if `auto` may stand for it
    bench_words: int = 300  # of the corpus, which `bench` speaks by default: some minutes of work
    # Its model, which `bench` measures alone, by device and precision. None: from the text only.
    bench_model: Callable[[EngineOptions], BenchModel] | None = None

    @property
    def is_broken(self) -> bool:
        """True for an engine of another package that cannot be loaded."""
        return self.missing == BROKEN
