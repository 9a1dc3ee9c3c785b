"""Gives commands the options that `flows/options.py` declares."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import Any

from audiomill.flows import options as declarations
from audiomill.flows.cli.options.values import (
    AppendByKey,
    AppendNames,
    filled,
    key_and_value,
    number_from,
    path,
)
from audiomill.flows.options import Declared, Option, RenderOptions, declared

# How argparse reads the values of each type.
_READ: Mapping[Any, Mapping[str, Any]] = {
    declarations.Text: {"type": filled},
    declarations.Folder: {"type": path},
    declarations.Number: {"type": float},
    declarations.Whole: {"type": int, "default": 0},
    declarations.Switch: {"action": "store_true"},
    declarations.YesNo: {"action": argparse.BooleanOptionalAction},
    declarations.Names: {"type": filled, "action": AppendNames},
    declarations.Values: {"type": key_and_value, "action": AppendByKey},
    str: {"type": str, "default": ""},
}
# What `--help` adds to the meaning.
_MORE = {
    declarations.Names: "; several: {example}",
    declarations.Values: "; repeat it for other keys and for lists",
}


def add_options(command: argparse.ArgumentParser, group: type) -> None:
    """Those of a group, for example `VoiceOptions`, in their order."""
    for name in declared(group):
        add_option(command, name)


def add_option(command: argparse.ArgumentParser, name: str, meaning: str = "") -> None:
    """The option of that name. `meaning` is what it means to this command, if that is special."""
    one = declared(RenderOptions)[name]
    reading: dict[str, Any] = dict(_READ[one.type])
    if one.option.is_closed:
        reading["choices"] = tuple(one.option.choices())
    elif one.option.least is not None:
        reading["type"] = number_from(one.option.least)
    if one.option.metavar:
        reading["metavar"] = one.option.metavar
    command.add_argument(one.option.flag_of(name), dest=name, help=meaning or _help(one), **reading)


def _help(one: Declared) -> str:
    option: Option = one.option
    example = ",".join(tuple(option.choices())[:2])
    more = _MORE.get(one.type, "").format(example=example)
    default = f" (default: {option.default})" if option.default else ""
    return f"{option.meaning}{more}{default}"


def options_of(arguments: argparse.Namespace, group: type) -> dict[str, Any]:
    """The options of a group as the command line has them, by name."""
    return {name: getattr(arguments, name) for name in declared(group)}
