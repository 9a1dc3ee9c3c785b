"""The table of an engine in the settings, as options.

[engines.chatterbox]
model = "/models/chatterbox"     what every engine has
exaggeration = 0.7               what only this one has
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, cast

from audiomill.inputs.suggestions import did_you_mean
from audiomill.renderers.isolated.catalogue import EngineSpec, Setting
from audiomill.renderers.isolated.specs import isolated_specs
from audiomill.renderers.kokoro.devices import check_device_names
from audiomill.renderers.options import IsolatedOptions


def isolated_options(tables: object) -> object:
    """The options of each engine that has a table, by name. Raises ValueError."""
    if not isinstance(tables, Mapping):
        return tables
    found = cast("Mapping[str, Any]", tables)
    return tuple(_options(name.replace("_", "-"), found[name]) for name in sorted(found))


def _options(name: str, table: Any) -> IsolatedOptions:
    specs = isolated_specs()
    if name not in specs:
        raise ValueError(f"there is no engine {name}.{did_you_mean(name, specs)}")
    if not isinstance(table, Mapping):
        raise ValueError(f"{name} is no table")  # noqa: TRY004 - pydantic reports this one
    values = {str(key): value for key, value in cast("Mapping[object, Any]", table).items()}
    common = {key: COMMON[key](key, values[key]) for key in values if key in COMMON}
    own = dict(specs[name].settings)
    for key in values.keys() - COMMON.keys():
        if key not in own:
            hint = did_you_mean(key, (*COMMON, *own), n=1)
            raise ValueError(f"{name} has no setting {key}.{hint}")
    settings = tuple((key, _like(specs[name], key, values[key])) for key in own if key in values)
    return IsolatedOptions(name, **common, settings=settings)


def _like(spec: EngineSpec, key: str, value: Any) -> Setting:
    """The value as the kind that the default has. Raises ValueError."""
    default = dict(spec.settings)[key]
    kind = type(default)
    if isinstance(value, str) and kind is not str:  # from the environment
        value = _number(value)
    if kind is float and type(value) is int:
        value = float(value)
    if type(value) is not kind:
        raise ValueError(f"{spec.name}.{key} is {value!r}; write one like {default!r}")
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
    try:
        return Path(_text(key, value)).expanduser()
    except RuntimeError as error:
        raise ValueError(f"there is no home folder for {value}") from error


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
