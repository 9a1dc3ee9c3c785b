"""What engines are set to, besides voice and speed. Plain frozen data; knows no engine.

OwnOptions ◀── renderers/NAME/options.py          the table [NAME] of the settings
           ◀── renderers/isolated/options.py      the tables [engines.NAME]
           ◀── packages of others                 the same

No option is itself part of a shard's key. An option that changes the sound (other weights, lower
precision) is part of the engine's fingerprint, and so of the key.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Self, TypeAlias, TypeVar, get_type_hints

Setting: TypeAlias = str | int | float | bool
Settings: TypeAlias = tuple[tuple[str, Setting], ...]
SAMPLE_RATES = (8_000, 48_000)  # Hz, of a server's audio: the least and the most
Own = TypeVar("Own", bound="OwnOptions")


@dataclass(frozen=True, slots=True)
class Between:
    """The least and the most that a number may be, in the type of its field."""

    lowest: float
    highest: float


@dataclass(frozen=True, slots=True)
class OwnOptions:
    """The options of one engine, with their defaults. An engine without any has this itself.

    A subclass has its methods where more is to be done than what they do here.
    """

    @classmethod
    def defaults_here(cls, chosen: Mapping[str, Any]) -> Mapping[str, Any]:  # noqa: ARG003
        """What replaces defaults on this machine. `chosen` is what the settings say."""
        return {}

    def completed(self) -> Self:
        """The options with their usual paths. Raises ValueError for unfit values."""
        return self

    def seeing_gpus(self, visible: str | None) -> Self:  # noqa: ARG002
        """The options where CUDA_VISIBLE_DEVICES is `visible`; None if it is not set."""
        return self

    def blank(self) -> Self:
        """The defaults for the same engine."""
        return type(self)()

    def on_device(self, device: str) -> Self:  # noqa: ARG002
        """The options for a process that has this device to itself."""
        return self

    def on_worker(self, here: EngineOptions) -> Self:  # noqa: ARG002
        """These of a run for a worker on another machine, which is set to what is `here`."""
        return self

    def for_measuring(self) -> Self:
        """The options for a benchmark, in which nothing adapts."""
        return self

    def benchmark_target(self) -> str:
        """A device or a kind of server, as a benchmark names it; "" if that is not an option."""
        return ""

    def warnings(self) -> Sequence[str]:
        """What is to be said before a render with these options."""
        return ()

    def facts(self) -> Mapping[str, str]:
        """What `audiomill doctor` says of them, by a name for each."""
        return {}


@dataclass(frozen=True, slots=True, kw_only=True)
class PaidOptions(OwnOptions):
    """Those of an engine that may cost money, in any currency."""

    # For a million characters, or bytes where a service counts these. 0: that of the model.
    price_per_million: Annotated[float, Between(0.0, 1e6)] = 0.0
    # Of one run, in that currency; None: no limit.
    budget: Annotated[float | None, Between(0.0, 1e9)] = None


@dataclass(frozen=True, slots=True)
class NamedOptions(OwnOptions):
    """Those of an engine that is one of many of its kind."""

    engine: str

    def blank(self) -> Self:
        """The defaults for the same engine."""
        return type(self)(self.engine)


@dataclass(frozen=True, slots=True)
class EngineOptions:
    """The options of all engines. One that is not here has its defaults."""

    own: tuple[OwnOptions, ...] = ()
    # How often a segment is rendered again whose audio is faulty, by engines whose takes differ.
    retakes: int = 2
    environments: Path | None = None  # the folder of their environments; None: in the user's data
    cloned_voices: Path | None = None  # the folder with a folder for each; None: there are none

    def of(self, blank: Own) -> Own:
        """The options of the engine whose defaults are `blank`."""
        for one in self.own:
            if isinstance(one, type(blank)) and _engine_of(one) == _engine_of(blank):
                return one
        return blank

    def having(self, own: OwnOptions) -> EngineOptions:
        """With these options of their engine."""
        mine = _engine_of(own)
        if all(_engine_of(one) != mine for one in self.own):
            return replace(self, own=(*self.own, own))
        return self.each(lambda one: own if _engine_of(one) == mine else one)

    def each(self, change: Callable[[OwnOptions], OwnOptions]) -> EngineOptions:
        """With the options of every engine changed."""
        return replace(self, own=tuple(map(change, self.own)))


def _engine_of(own: OwnOptions) -> tuple[type[OwnOptions], str]:
    return type(own), own.engine if isinstance(own, NamedOptions) else ""


def path_here(of_run: Path | None, here: Path | None, usual: Path | None) -> Path | None:
    """The path for a worker on another machine than the run's.

    That which the worker is set to; if it is the `usual` one, that of the run, if it exists here.
    """
    return of_run if here == usual and of_run is not None and of_run.exists() else here


def checked(own: Own, visible_gpus: str | None = None) -> Own:
    """The options as they apply here. Raises ValueError for what an engine cannot be set to.

    `visible_gpus` is what CUDA_VISIBLE_DEVICES is here; None if it is not set.
    """
    _check_bounds(own)
    return own.completed().seeing_gpus(visible_gpus)


def _check_bounds(own: OwnOptions) -> None:
    """Raise ValueError for a number that is not `Between` its bounds."""
    for name, bounds in _bounds(type(own)).items():
        value = getattr(own, name)
        if value is not None and not bounds.lowest <= value <= bounds.highest:
            shown = f"{value:g}" if isinstance(value, float) else value
            raise ValueError(f"{name} is {shown}; choose {bounds.lowest} to {bounds.highest}")


@cache
def _bounds(kind: type[OwnOptions]) -> Mapping[str, Between]:
    hints = get_type_hints(kind, include_extras=True)
    return {
        name: one
        for name, hint in hints.items()
        for one in getattr(hint, "__metadata__", ())
        if isinstance(one, Between)
    }
