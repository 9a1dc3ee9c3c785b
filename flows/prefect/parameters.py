"""The parameters of the Prefect flow that renders a book, and what its form says of them.

Prefect takes both from the flow's function: from its signature, and from the section "Args" of its
docstring. Both are made of `flows/options.py`.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping
from typing import Annotated, Any

from pydantic import Field, WithJsonSchema

from audiomill.flows import options as declarations
from audiomill.flows.options import Declared, RenderOptions, declared

# What the form has for each type. A path is text there: it is one of the machine that renders.
_TYPES: Mapping[Any, Any] = {
    declarations.Text: str,
    declarations.Folder: str,
    declarations.Number: float,
    declarations.Whole: int,
    declarations.Switch: bool,
    declarations.YesNo: bool,
    declarations.Names: str,
    declarations.Values: dict[str, str | list[str]],
    str: str,
}
_DEFAULTS: Mapping[Any, Any] = {
    declarations.Whole: 0,
    declarations.Switch: False,
    str: "",
}
SOURCE = "The EPUB, Markdown, HTML or text file, as the machine that renders finds it."


def flow_signature(result: Any) -> inspect.Signature:
    """The parameters: the source and the engine, which each run names, and all other options."""
    options = [_parameter(name, one) for name, one in declared(RenderOptions).items()]
    source = inspect.Parameter("source", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=str)
    return inspect.Signature([source, *options], return_annotation=result)


def flow_docstring(summary: str) -> str:
    """The docstring of a flow with these parameters, in Google's style."""
    return "\n".join([summary, "", "Args:", *_described()])


def _described() -> Iterator[str]:
    yield f"    source: {SOURCE}"
    for name, one in declared(RenderOptions).items():
        yield f"    {name}: {one.option.sentence}"


def _parameter(name: str, one: Declared) -> inspect.Parameter:
    """An option as a parameter. The engine has no default: a scheduled run must not fall back."""
    chosen = list[_choice(one)] if one.type == declarations.Names else _choice(one)
    is_named = name == "engine"
    return inspect.Parameter(
        name,
        inspect.Parameter.KEYWORD_ONLY,
        default=inspect.Parameter.empty if is_named else _DEFAULTS.get(one.type),
        annotation=chosen if is_named or one.type in _DEFAULTS else chosen | None,
    )


def _choice(one: Declared) -> Any:
    """The type of a value, with the values to choose from and the bound, if it has any."""
    type_, choices = _TYPES[one.type], list(one.option.choices())
    if choices:
        return Annotated[type_, WithJsonSchema({"type": "string", "enum": choices})]
    if one.option.least is not None:
        return Annotated[type_, Field(ge=one.option.least)]
    return type_
