"""Gives commands the options that `flows/options.py` declares, and reads the values of all options.

A reader of values raises ArgumentTypeError for a wrong one.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from audiomill.flows import options as declarations
from audiomill.flows.options import Declared, Option, RenderOptions, declared
from audiomill.outputs.formats.registry import split_formats


def non_empty(text: str) -> str:
    """Any value but an empty one, which an unset variable of a shell is."""
    if not text.strip():
        raise argparse.ArgumentTypeError("it is empty; give it a value, or leave it out")
    return text


def path(text: str) -> Path:
    """The path of a file or folder."""
    return Path(non_empty(text))


def source(text: str) -> Path | str:
    """A path; an address stays as it is, because a path would lose its second slash."""
    return text if "://" in text else path(text)


def whole(text: str) -> int:
    """A number from 0."""
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text} is no number from 0")
    return int(text)


def positive(text: str) -> int:
    """A number from 1."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text} is no number from 1")
    return int(text)


def number_from(least: float) -> Callable[[str], float]:
    """Reads numbers from `least` on."""

    def number(text: str) -> float:
        with suppress(ValueError):
            if least <= (found := float(text)) < math.inf:
                return found
        raise argparse.ArgumentTypeError(f"{text} is no number from {least:g}")

    return number


def port(text: str) -> int:
    """The number of a TCP port."""
    if not text.isdecimal() or not 0 < int(text) < 1 << 16:
        raise argparse.ArgumentTypeError(f"{text} is no port; choose 1 to 65535.")
    return int(text)


def host_and_port(text: str) -> tuple[str, int]:
    """The address "host:port" or "[::]:port"."""
    host, _, number = text.rpartition(":")
    if not host:
        raise argparse.ArgumentTypeError(f"{text} is no address; write it like 0.0.0.0:8080.")
    return host.strip("[]"), port(number)


def key_and_value(text: str) -> tuple[str, str]:
    """The parts of KEY=VALUE."""
    key, equals, value = text.partition("=")
    if not equals or not key.strip():
        raise argparse.ArgumentTypeError(f'{text!r}: write KEY=VALUE, like title="The Mill"')
    return key.strip().lower(), value


class _Collecting(argparse.Action):
    """Adds what each use of an option says to what was said before."""

    def add(self, earlier: Any, value: Any) -> Any:
        """The value of the option after one more use. `earlier` is None before the first."""
        raise NotImplementedError

    def __call__(
        self,
        parser: argparse.ArgumentParser,  # noqa: ARG002  as argparse calls it
        namespace: argparse.Namespace,
        values: Any,
        option_string: str | None = None,  # noqa: ARG002
    ) -> None:
        """Take one use."""
        setattr(namespace, self.dest, self.add(getattr(namespace, self.dest), values))


class AppendNames(_Collecting):
    """Collects names, of which each value may have several, between commas."""

    def add(self, earlier: Sequence[str] | None, value: str) -> list[str]:
        """With the names of a value."""
        return [*(earlier or ()), *split_formats(value)]


class AppendByKey(_Collecting):
    """Collects the values of KEY=VALUE in lists by key."""

    def add(
        self, earlier: dict[str, list[str]] | None, value: tuple[str, str]
    ) -> dict[str, list[str]]:
        """With one more key and its value."""
        key, text = value
        collected = earlier or {}
        return {**collected, key: [*collected.get(key, ()), text]}


# How argparse reads the values of each type.
_READ: Mapping[Any, Mapping[str, Any]] = {
    declarations.Text: {"type": non_empty},
    declarations.Folder: {"type": path},
    declarations.Number: {"type": float},
    declarations.Whole: {"type": int, "default": 0},
    declarations.Switch: {"action": "store_true"},
    declarations.YesNo: {"action": argparse.BooleanOptionalAction},
    declarations.Names: {"type": non_empty, "action": AppendNames},
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
