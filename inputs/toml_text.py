"""Reads TOML, and knows the line of each value, so that a message can name it.

[[sources]]             ("sources", 0)
feed = "…"              ("sources", 0, "feed")
[sources.filters]       ("sources", 0, "filters")
words = ["…"]           ("sources", 0, "filters", "words")
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from audiomill.inputs.files import MAX_CONFIG_BYTES, read_text

Key: TypeAlias = "str | int"

_HEADER = re.compile(r"\s*(\[{1,2})\s*([^\]#]*?)\s*\]")
_BARE_OR_QUOTED = r"""(?:"(?:[^"\\]|\\.)*+"|'[^']*+'|[A-Za-z0-9_-]++)"""
_KEY = re.compile(rf"\s*({_BARE_OR_QUOTED}(?:\s*\.\s*{_BARE_OR_QUOTED})*+)\s*=")
_NAME = re.compile(_BARE_OR_QUOTED)
QUOTES = " A word with other characters than A to Z, 0 to 9, - and _ needs quotation marks."


class TomlInvalid(ValueError):
    """A text that is no TOML. The message says why; `line` is from 1, 0 if it is not known."""

    def __init__(self, message: str, line: int = 0) -> None:
        super().__init__(message)
        self.line = line

    def at(self, file: Path | str) -> str:
        """The message with the file and the line before it."""
        return f"{file}:{self.line}: {self}" if self.line else f"{file}: {self}"


def load_toml(
    path: Path, max_bytes: int = MAX_CONFIG_BYTES, parse_float: Callable[[str], Any] = float
) -> dict[str, Any]:
    """The values of a TOML file. Raises TomlInvalid, and OSError as `read_text`."""
    return parse_toml(read_text(path, max_bytes), parse_float)


def parse_toml(text: str, parse_float: Callable[[str], Any] = float) -> dict[str, Any]:
    """The values of a TOML text. Raises TomlInvalid."""
    try:
        return tomllib.loads(text, parse_float=parse_float)
    except tomllib.TOMLDecodeError as error:
        # Its message ends in "(at line 3, column 7)", or "(at end of document)".
        message, _, found = str(error).rpartition(" (at ")
        line = re.match(r"line (\d+)", found)
        hint = QUOTES if message.startswith(("Expected '='", "Invalid statement")) else ""
        number = int(line[1]) if line else 0
        raise TomlInvalid(f"this is not valid TOML: {message}.{hint}", number) from error
    except (RecursionError, ValueError) as error:  # nested too deep, a number of 5000 digits
        raise TomlInvalid(f"this is not valid TOML: {error}.") from error


class TomlLines:
    """The lines of the tables and keys of a TOML text that can be parsed."""

    def __init__(self, text: str) -> None:
        self._lines: dict[tuple[Key, ...], int] = {}
        self._n_tables: dict[tuple[Key, ...], int] = {}  # of each array of tables
        table: tuple[Key, ...] = ()
        for number, line in enumerate(text.split("\n"), 1):
            if header := _HEADER.match(line):
                table = self._table(_names(header[2]), is_one_of_many=header[1] == "[[")
                self._lines.setdefault(table, number)
            elif key := _KEY.match(line):
                self._lines.setdefault((*table, *_names(key[1])), number)

    def line_of(self, path: Sequence[Key]) -> int:
        """The line of a value, or of the nearest table around it; 0 if it is not known."""
        around = (tuple(path[:n]) for n in range(len(path), 0, -1))
        return next((self._lines[one] for one in around if one in self._lines), 0)

    def _table(self, names: Sequence[str], *, is_one_of_many: bool) -> tuple[Key, ...]:
        """The path of a header: a name of several tables stands for the last one so far."""
        path: tuple[Key, ...] = ()
        for name in names[:-1]:
            path = self._latest((*path, name))
        path = (*path, *names[-1:])
        if not is_one_of_many:
            return path
        self._n_tables[path] = self._n_tables.get(path, 0) + 1
        return self._latest(path)

    def _latest(self, path: tuple[Key, ...]) -> tuple[Key, ...]:
        n_tables = self._n_tables.get(path, 0)
        return (*path, n_tables - 1) if n_tables else path


def _names(dotted: str) -> tuple[str, ...]:
    return tuple(_unquoted(name) for name in _NAME.findall(dotted))


def _unquoted(name: str) -> str:
    """The key as the parser reads it."""
    if name.startswith('"') and "\\" in name:
        try:
            return tomllib.loads(f"key = {name}")["key"]
        except tomllib.TOMLDecodeError:  # a line inside a text of several lines
            return name
    return name.strip("\"'")
