"""The values of options, as text becomes them. Each raises ArgumentTypeError for a wrong one."""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from audiomill.outputs.formats.registry import split_formats


def filled(text: str) -> str:
    """Any value but an empty one, which an unset variable of a shell is."""
    if not text.strip():
        raise argparse.ArgumentTypeError("it is empty; give it a value, or leave it out")
    return text


def path(text: str) -> Path:
    """The path of a file or folder."""
    return Path(filled(text))


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

    def added(self, earlier: Any, value: Any) -> Any:
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
        setattr(namespace, self.dest, self.added(getattr(namespace, self.dest), values))


class AppendNames(_Collecting):
    """Collects names, of which each value may have several: "m4b,mp3"."""

    def added(self, earlier: Sequence[str] | None, value: str) -> list[str]:
        """With the names of a value."""
        return [*(earlier or ()), *split_formats(value)]


class AppendByKey(_Collecting):
    """Collects the values of KEY=VALUE in lists by key."""

    def added(
        self, earlier: dict[str, list[str]] | None, value: tuple[str, str]
    ) -> dict[str, list[str]]:
        """With one more key and its value."""
        key, text = value
        collected = earlier or {}
        return {**collected, key: [*collected.get(key, ()), text]}
