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

from collections.abc import Iterator
from typing import Any, cast

from audiomill.inputs.lexicon.entries import LexiconEntry, LexiconError, checked, place, split_said
from audiomill.inputs.lexicon.fields import entry_of
from audiomill.inputs.suggestions import did_you_mean
from audiomill.inputs.toml_text import QUOTES, TomlInvalid, TomlLines, parse_toml

TABLES = ("language", "words", "entries")


def read_toml(text: str, file: str) -> list[LexiconEntry]:
    """The entries of a lexicon; `file` is its name in messages. Raises LexiconError."""
    content = _parsed(text, file)
    language = content.get("language", "")
    words, entries = content.get("words", {}), content.get("entries", [])
    if not (isinstance(language, str) and isinstance(words, dict) and isinstance(entries, list)):
        raise LexiconError(f'{file}: write language = "en", [words] and [[entries]].')
    lines = TomlLines(text)
    return [
        *_words(cast("dict[str, Any]", words), lines, file, language),
        *_entries(cast("list[Any]", entries), lines, file, language),
    ]


def _parsed(text: str, file: str) -> dict[str, Any]:
    try:
        content = parse_toml(text)
    except TomlInvalid as error:
        raise LexiconError(f"{place(file, error.line)}: {error}") from error
    for name in content:
        if name not in TABLES:
            hint = did_you_mean(name, TABLES, n=1)
            raise LexiconError(f"{file}: there is no “{name}” in a lexicon.{hint}")
    return content


def _words(
    words: dict[str, Any], lines: TomlLines, file: str, language: str
) -> Iterator[LexiconEntry]:
    for word, said in words.items():
        line = lines.line_of(("words", word))
        if not isinstance(said, str):
            raise LexiconError(
                f"{place(file, line)}: what is said for “{word}” is no text.{QUOTES}"
            )
        say, phonemes = split_said(said)
        yield checked(
            LexiconEntry(word.strip(), say, phonemes, language=language, file=file, line=line)
        )


def _entries(
    entries: list[Any], lines: TomlLines, file: str, language: str
) -> Iterator[LexiconEntry]:
    for index, values in enumerate(entries):
        line = lines.line_of(("entries", index))
        if not isinstance(values, dict):
            raise LexiconError(f"{file}: write [[entries]] above each entry.")
        yield entry_of(cast("dict[str, Any]", values), file, line, language)
