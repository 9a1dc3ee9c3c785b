"""The settings of engines, as their folders declare them: a table for each that has options.

[kokoro]                 of an engine of ours, by its own name
[engines.chatterbox]     of one of many of its kind, or of an engine of another package
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Annotated, Any, cast, get_origin, get_type_hints

from pydantic import AfterValidator, BaseModel, BeforeValidator, Field
from pydantic.fields import FieldInfo
from pydantic_settings import PydanticBaseSettingsSource

from audiomill.flows.setting_sources import visible_gpus
from audiomill.renderers.engine.options import EngineOptions, NamedOptions, OwnOptions, checked
from audiomill.renderers.engine.tables import engine_tables
from audiomill.renderers.registry import ENGINES

_OPTIONS = {one.name.replace("-", "_"): one.options() for one in ENGINES.values()}
# By the name of its table.
OWN_TABLES: Mapping[str, OwnOptions] = {
    name: options
    for name, options in _OPTIONS.items()
    if type(options) is not OwnOptions and not isinstance(options, NamedOptions)
}


def split_names(names: object) -> object:
    """The names in a variable of the environment, between commas."""
    if isinstance(names, str):
        return [name.strip() for name in names.split(",") if name.strip()]
    return names


def table_fields() -> dict[str, Any]:
    """A field of the settings for each of `OWN_TABLES`, as `create_model` takes it."""
    return {name: (_checked_type(type(one)), _default(one)) for name, one in OWN_TABLES.items()}


def _checked_type(kind: type[OwnOptions]) -> Any:
    return Annotated[
        kind, BeforeValidator(partial(_split_lists, kind)), AfterValidator(_checked_here)
    ]


def _default(options: OwnOptions) -> FieldInfo:
    return Field(default_factory=options.blank, validate_default=True)


def _split_lists(kind: type[OwnOptions], table: object) -> object:
    """A table of settings, with each list in a variable of the environment split."""
    if not isinstance(table, dict):
        return table
    lists = {name for name, one in get_type_hints(kind).items() if get_origin(one) is tuple}
    return {name: split_names(one) if name in lists else one for name, one in table.items()}


def named_tables(tables: object) -> object:
    """The tables [engines.NAME], as options. Raises ValueError."""
    if not isinstance(tables, Mapping):
        return tables
    return tuple(map(_checked_here, engine_tables(cast("Mapping[str, Any]", tables))))


def _checked_here(own: OwnOptions) -> OwnOptions:
    return checked(own, visible_gpus())


def options_of(settings: BaseModel, engines: Iterable[OwnOptions]) -> tuple[OwnOptions, ...]:
    """The options in the settings, with the defaults of engines whose table is among `engines`."""
    named = EngineOptions(own=tuple(engines))
    blanks = [one for one in _OPTIONS.values() if isinstance(one, NamedOptions)]
    return (
        *(getattr(settings, name) for name in OWN_TABLES),
        *named.own,
        *(_checked_here(one) for one in blanks if named.of(one) is one),
    )


class DefaultsHere(PydanticBaseSettingsSource):
    """What engines have found to be best on this machine. The source of the lowest priority."""

    def get_field_value(self, field: FieldInfo, field_name: str) -> tuple[Any, str, bool]:  # noqa: ARG002
        """Unused: `__call__` returns all fields at once."""
        return None, field_name, False

    def __call__(self) -> dict[str, Any]:
        """The values that replace defaults, by table."""
        chosen = self.current_state  # as set by sources of higher priority
        found = {
            name: dict(one.defaults_here(chosen.get(name, {})))
            for name, one in OWN_TABLES.items()
            if isinstance(chosen.get(name, {}), dict)
        }
        return {name: values for name, values in found.items() if values}
