"""The tables [engines.NAME] of the settings, as options: of isolated and of external engines."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from audiomill.inputs.suggestions import did_you_mean
from audiomill.renderers.isolated.options_table import isolated_options, own_settings
from audiomill.renderers.isolated.specs import isolated_specs
from audiomill.renderers.options import ExternalOptions, IsolatedOptions
from audiomill.renderers.registry import ENGINES, engines


def engine_tables(tables: object) -> object:
    """The options of each engine that has a table, by name. Raises ValueError."""
    if not isinstance(tables, Mapping):
        return tables
    found = cast("Mapping[str, Any]", tables)
    return tuple(_options(name.replace("_", "-"), found[name]) for name in sorted(found))


def _options(name: str, table: Any) -> IsolatedOptions | ExternalOptions:
    specs = isolated_specs()
    external = {one: engine for one, engine in engines().items() if one not in ENGINES}
    if name not in (*specs, *external):
        raise ValueError(f"there is no engine {name}.{did_you_mean(name, (*specs, *external))}")
    if not isinstance(table, Mapping):
        raise ValueError(f"{name} is no table")  # noqa: TRY004 - pydantic reports this one
    values = {str(key): value for key, value in cast("Mapping[object, Any]", table).items()}
    if name in specs:
        return isolated_options(specs[name], values)
    return ExternalOptions(name, own_settings(name, external[name].settings, values))
