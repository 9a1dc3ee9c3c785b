"""The options of an engine that has an environment of its own, and its table in the settings.

[engines.chatterbox]
model = "/models/chatterbox"     what every engine has
exaggeration = 0.7               what only this one has
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Self

from audiomill.inputs.messages import did_you_mean
from audiomill.renderers.engine.options import EngineOptions, NamedOptions, Setting, Settings
from audiomill.renderers.host.devices import check_device_names, hides_every_gpu
from audiomill.renderers.host.folders import expanded
from audiomill.renderers.isolated.catalogue import EngineSpec


@dataclass(frozen=True, slots=True)
class IsolatedOptions(NamedOptions):
    """Options of an engine that has an environment of its own."""

    # A folder with the model, or a repository of the Hugging Face hub. "": the engine's own.
    model: str = ""
    # An interpreter that has the engine's packages. None: that of `audiomill engines install`.
    python: Path | None = None
    device: str = "auto"  # every GPU; or cpu, cuda, cuda:1, cuda:0,cuda:1
    # Rows that the engine speaks together, if it can. 0: one on a CPU, several on a GPU.
    batch: int = 0
    row_timeout_s: float = 300.0  # and 2 s for each character, after which an engine hangs
    settings: Settings = ()  # of the engine itself

    def seeing_gpus(self, visible: str | None) -> Self:
        """Workers count only those that are visible."""
        if self.device != "auto" or visible is None:
            return self
        n_gpus = 0 if hides_every_gpu(visible) else len(visible.split(","))
        return replace(self, device=",".join(f"cuda:{number}" for number in range(n_gpus)) or "cpu")

    def on_worker(self, here: EngineOptions) -> Self:
        """What the engine itself is set to. The rest is the machine's."""
        return replace(here.of(self.blank()), settings=self.settings)

    def benchmark_target(self) -> str:
        """The device."""
        return self.device


def isolated_options(spec: EngineSpec, table: Mapping[str, Any]) -> IsolatedOptions:
    """The options of an engine as its table has them. Raises ValueError."""
    common = {key: COMMON[key](key, table[key]) for key in table if key in COMMON}
    own = {key: value for key, value in table.items() if key not in COMMON}
    settings = own_settings(spec.name, spec.settings, own, COMMON)
    return IsolatedOptions(spec.name, **common, settings=settings)


def own_settings(
    engine: str, defaults: Settings, table: Mapping[str, Any], more: Iterable[str] = ()
) -> Settings:
    """Settings that only one engine has, in the order of their defaults. Raises ValueError.

    `more` are other keys that its table may have, for the hint.
    """
    known = dict(defaults)
    for key in table:
        if key not in known:
            hint = did_you_mean(key, (*more, *known), n=1)
            raise ValueError(f"{engine} has no setting {key}.{hint}")
    return tuple(
        (key, _like(f"{engine}.{key}", default, table[key]))
        for key, default in defaults
        if key in table
    )


def _like(name: str, default: Setting, value: Any) -> Setting:
    """The value as the kind that the default has. Raises ValueError."""
    kind = type(default)
    if isinstance(value, str) and kind is not str:  # from the environment
        value = _number(value)
    if kind is float and type(value) is int:
        value = float(value)
    if type(value) is not kind:
        raise ValueError(f"{name} is {value!r}; write one like {default!r}")
    return value


def _number(text: str) -> int | float | bool | str:
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def _text(key: str, value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError(f"{key} is {value!r}; write a text")  # noqa: TRY004
    return value


def _path(key: str, value: Any) -> Path:
    return expanded(Path(_text(key, value)))


def _device(key: str, value: Any) -> str:
    check_device_names(_text(key, value))
    return value


def _batch(key: str, value: Any) -> int:
    number = _number(value) if isinstance(value, str) else value
    if type(number) is not int or not 0 <= number <= 1024:
        raise ValueError(f"{key} is {value!r}; choose 0 to 1024")
    return number


def _timeout_s(key: str, value: Any) -> float:
    number = _number(value) if isinstance(value, str) else value
    if isinstance(number, bool) or not isinstance(number, int | float) or number <= 0:
        raise ValueError(f"{key} is {value!r}; write seconds")
    return float(number)


COMMON: Mapping[str, Callable[[str, Any], Any]] = {
    "model": _text,
    "python": _path,
    "device": _device,
    "batch": _batch,
    "row_timeout_s": _timeout_s,
}
