"""The tables [engines.NAME] of the settings, as options: of isolated and of external engines."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any, cast

from audiomill.inputs.suggestions import did_you_mean
from audiomill.renderers.engine.options import OwnOptions
from audiomill.renderers.isolated.options_table import isolated_options, own_settings
from audiomill.renderers.isolated.specs import isolated_specs
from audiomill.renderers.registry import ENGINES, engines


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
    blank = external[name].options()
    defaults = tuple((one.name, getattr(blank, one.name)) for one in fields(blank))
    return replace(blank, **dict(own_settings(name, defaults, values)))
