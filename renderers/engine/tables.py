"""The tables [engines.NAME] of the settings, as options: of isolated and of external engines."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, cast

from pydantic import TypeAdapter, ValidationError

from audiomill.inputs.messages import did_you_mean
from audiomill.renderers.engine.options import OwnOptions
from audiomill.renderers.engine.registry import ENGINES, engines
from audiomill.renderers.isolated.catalogue import isolated_specs
from audiomill.renderers.isolated.options import isolated_options


def engine_tables(tables: Mapping[str, Any]) -> tuple[OwnOptions, ...]:
    """The options of each engine that has a table, by name. Raises ValueError."""
    return tuple(_options(name.replace("_", "-"), tables[name]) for name in sorted(tables))


def _options(name: str, table: Any) -> OwnOptions:
    specs = isolated_specs()
    external = {one: engine for one, engine in engines().items() if one not in ENGINES}
    if name not in (*specs, *external):
        raise ValueError(f"there is no engine {name}.{did_you_mean(name, (*specs, *external))}")
    if not isinstance(table, Mapping):
        raise ValueError(f"{name} is no table")  # noqa: TRY004 - pydantic reports this one
    values = {str(key): value for key, value in cast("Mapping[object, Any]", table).items()}
    if name in specs:
        return isolated_options(specs[name], values)
    engine = external[name]
    return engine.options() if engine.is_broken else _external(name, engine.options(), values)


def _external(name: str, blank: OwnOptions, values: Mapping[str, Any]) -> OwnOptions:
    """The options of an engine of another package: `blank`, with these values in their types."""
    defaults = {one.name: getattr(blank, one.name) for one in fields(blank)}
    for key in values:
        if key not in defaults:
            raise ValueError(f"{name} has no setting {key}.{did_you_mean(key, defaults, n=1)}")
    try:
        return TypeAdapter(type(blank)).validate_python({**defaults, **values})
    except ValidationError as error:
        wrong = error.errors()[0]
        key = str(wrong["loc"][0])
        like = "" if defaults[key] is None else f"; write one like {defaults[key]!r}"
        raise ValueError(f"{name}.{key} is {values.get(key)!r}{like}: {wrong['msg']}") from None
