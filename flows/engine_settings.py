"""The settings of engines, as their folders declare them: a table for each that has options.

[kokoro]                 of an engine of ours, by its own name
[engines.chatterbox]     of one of many of its kind, or of an engine of another package

And which engine “auto” is here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields
from functools import partial
from typing import Annotated, Any, Literal, cast, get_args, get_origin, get_type_hints

from pydantic import AfterValidator, BaseModel, BeforeValidator, Field, TypeAdapter, ValidationError
from pydantic.fields import FieldInfo
from pydantic_settings import PydanticBaseSettingsSource

from audiomill.flows.options import AUTO
from audiomill.flows.setting_sources import visible_gpus
from audiomill.inputs.messages import did_you_mean
from audiomill.renderers.engine.errors import RenderError, UnknownEngine
from audiomill.renderers.engine.options import EngineOptions, NamedOptions, OwnOptions, checked
from audiomill.renderers.engine.registry import (
    ENGINES,
    check_engine,
    engine_names,
    engines,
    unknown_engine,
)
from audiomill.renderers.isolated.catalogue import isolated_specs
from audiomill.renderers.isolated.options import isolated_options

_OPTIONS = {one.name.replace("-", "_"): one.options() for one in ENGINES.values()}
# By the name of its table.
OWN_TABLES: Mapping[str, OwnOptions] = {
    name: options
    for name, options in _OPTIONS.items()
    if type(options) is not OwnOptions and not isinstance(options, NamedOptions)
}
# The engines that “auto” may be, the best one first. The last one always works.
*_PREFERRED, LAST_CHOICE = (name for name, engine in ENGINES.items() if engine.serves_auto)
FALLBACK_WARNING = (
    f"{ENGINES[_PREFERRED[0]].title} cannot speak here, so the built-in"
    f" {ENGINES[LAST_CHOICE].title} voice reads, which sounds robotic."
    f" (If that is what you want, name the engine: --engine {LAST_CHOICE}.) {{reason}}"
)


def split_names(names: object) -> object:
    """The names in a variable of the environment, between commas."""
    if isinstance(names, str):
        return [name.strip() for name in names.split(",") if name.strip()]
    return names


def table_fields() -> dict[str, Any]:
    """A field of the settings for each of `OWN_TABLES`, as `create_model` takes it."""
    return {name: (_checked_type(type(one)), _default(one)) for name, one in OWN_TABLES.items()}


def _checked_type(kind: type[OwnOptions]) -> Any:
    return Annotated[kind, BeforeValidator(partial(_of_text, kind)), AfterValidator(_checked_here)]


def _default(options: OwnOptions) -> FieldInfo:
    return Field(default_factory=options.blank, validate_default=True)


def _of_text(kind: type[OwnOptions], table: object) -> object:
    """A table of settings, with lists and choices of numbers made of the environment's texts."""
    if not isinstance(table, dict):
        return table
    hints = get_type_hints(kind)
    return {name: _value_of_text(hints.get(name), one) for name, one in table.items()}


def _value_of_text(hint: object, value: object) -> object:
    if get_origin(hint) is tuple:
        return split_names(value)
    is_number = isinstance(value, str) and value.isascii() and value.isdecimal()
    has_choices = get_origin(hint) is Literal and all(type(one) is int for one in get_args(hint))
    return int(str(value)) if is_number and has_choices else value


def named_tables(tables: object) -> object:
    """The tables [engines.NAME], as options. Raises ValueError."""
    if isinstance(tables, list):
        wrong = "it is a list; write a table [engines.NAME] for each engine"
        raise ValueError(wrong)  # noqa: TRY004 - pydantic reports this one
    if not isinstance(tables, Mapping):
        return tables
    return tuple(map(_checked_here, engine_tables(cast("Mapping[str, Any]", tables))))


def _checked_here(own: OwnOptions) -> OwnOptions:
    return checked(own, visible_gpus())


def options_of(settings: BaseModel, given: Iterable[OwnOptions]) -> tuple[OwnOptions, ...]:
    """The options in the settings, with the defaults of engines whose table is not `given`."""
    named = EngineOptions(own=tuple(given))
    ours = (one for one in _OPTIONS.values() if isinstance(one, NamedOptions))
    external = (one.options() for name, one in engines().items() if name not in ENGINES)
    blanks = (*ours, *(one for one in external if type(one) is not OwnOptions))
    return (
        *(getattr(settings, name) for name in OWN_TABLES),
        *named.own,
        *(_checked_here(one) for one in blanks if named.of(one) is one),
    )


class DefaultsHere(PydanticBaseSettingsSource):
    """Settings that engines found to be best on this machine. The source of lowest priority."""

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


def choose_engine(name: str, options: EngineOptions) -> tuple[str, tuple[str, ...]]:
    """The engine that `name` stands for, and warnings for the user.

    “auto” is the first that is ready: with Kokoro, weights that can be fetched are. Of the others
    all must be here. Raises UnknownEngine.
    """
    if name != AUTO:
        if name not in engine_names():
            raise UnknownEngine(unknown_engine(name, (AUTO, *engine_names())))
        return name, ()
    reasons: list[RenderError] = []
    for choice in _PREFERRED:
        try:
            if check_engine(choice, options).is_here:
                return choice, ()
        except RenderError as error:
            reasons.append(error)
    return LAST_CHOICE, (FALLBACK_WARNING.format(reason=reasons[0]),)


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
