r"""Lexicons in TOML: a table of words, and entries with more to say about each.

language = "en"

[words]
Worcester = "Wooster"
Nguyen = "/wˈɪn/"

[[entries]]
pattern = '(\d+)-ers'
say = '\1 ers'
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from typing import Any, cast

from audiomill.inputs.lexicon.entries import LexiconEntry, LexiconError, checked, place, split_said
from audiomill.inputs.lexicon.fields import entry_of
from audiomill.inputs.suggestions import did_you_mean

TABLES = ("language", "words", "entries")
_QUOTES = " A word with other characters than A to Z, 0 to 9, - and _ needs quotation marks."
_HEADER = re.compile(r"\s*\[{1,2}\s*([^\]]*?)\s*\]")
_KEY = re.compile(r"""\s*(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|([A-Za-z0-9_-]+))\s*=""")


def read_toml(text: str, file: str) -> list[LexiconEntry]:
    """The entries of a lexicon; `file` is its name in messages. Raises LexiconError."""
    content = _parsed(text, file)
    language = content.get("language", "")
    words, entries = content.get("words", {}), content.get("entries", [])
    if not (isinstance(language, str) and isinstance(words, dict) and isinstance(entries, list)):
        raise LexiconError(f'{file}: write language = "en", [words] and [[entries]].')
    lines = _Lines(text)
    return [
        *_words(cast("dict[str, Any]", words), lines, file, language),
        *_entries(cast("list[Any]", entries), lines, file, language),
    ]


def _parsed(text: str, file: str) -> dict[str, Any]:
    try:
        content = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        # Its message ends in "(at line 3, column 7)", or "(at end of document)".
        message, _, found = str(error).rpartition(" (at ")
        line = re.match(r"line (\d+)", found)
        where = f"{file}:{line[1]}" if line else file
        hint = _QUOTES if message.startswith(("Expected '='", "Invalid statement")) else ""
        raise LexiconError(f"{where}: this is not valid TOML: {message}.{hint}") from error
    except (RecursionError, ValueError) as error:  # nested too deep, a number of 5000 digits
        raise LexiconError(f"{file}: this is not valid TOML: {error}.") from error
    for name in content:
        if name not in TABLES:
            hint = did_you_mean(name, TABLES, n=1)
            raise LexiconError(f"{file}: there is no “{name}” in a lexicon.{hint}")
    return content


def _words(
    words: dict[str, Any], lines: _Lines, file: str, language: str
) -> Iterator[LexiconEntry]:
    for word, said in words.items():
        line = lines.of_words.get(word, 0)
        if not isinstance(said, str):
            raise LexiconError(
                f"{place(file, line)}: what is said for “{word}” is no text.{_QUOTES}"
            )
        say, phonemes = split_said(said)
        yield checked(
            LexiconEntry(word.strip(), say, phonemes, language=language, file=file, line=line)
        )


def _entries(entries: list[Any], lines: _Lines, file: str, language: str) -> Iterator[LexiconEntry]:
    for index, values in enumerate(entries):
        line = lines.of_entries[index] if index < len(lines.of_entries) else 0
        if not isinstance(values, dict):
            raise LexiconError(f"{file}: write [[entries]] above each entry.")
        yield entry_of(cast("dict[str, Any]", values), file, line, language)


class _Lines:
    """Where the entries of a file are, which the parser does not tell."""

    def __init__(self, text: str) -> None:
        self.of_words: dict[str, int] = {}
        self.of_entries: list[int] = []
        table = ""
        for number, line in enumerate(text.split("\n"), 1):
            if header := _HEADER.match(line):
                table = header[1].strip("\"'")
                if table == "entries":
                    self.of_entries.append(number)
            elif table == "words" and (key := _KEY.match(line)):
                self.of_words.setdefault(_name(key), number)


def _name(key: re.Match[str]) -> str:
    """The key as the parser reads it."""
    if key[1] is not None and "\\" in key[1]:
        try:
            return tomllib.loads(f'key = "{key[1]}"')["key"]
        except tomllib.TOMLDecodeError:  # a line inside a text of several lines
            return key[1]
    return next(name for name in key.groups() if name is not None)
