"""Reads the file beside a book that decides what of this one book is read.

    novel.epub
    novel.reading.toml     [reading]         as in the settings, for this book alone
                           notes = "chapter"

                           [[decision]]      about single texts
                           read = false
                           where = "OEBPS/ch2.xhtml"
                           starts = "Sign up for"

A decision names a text by what stays when the book is edited: the title of its chapter, its place,
its first words, its kind. It never names a number.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import cast, get_args, get_type_hints

from audiomill.inputs.messages import did_you_mean
from audiomill.inputs.model.book import BlockKind, Book, SkipReason
from audiomill.inputs.model.comparison import comparison_key
from audiomill.inputs.reading.choices import ReadingSettings
from audiomill.inputs.reading.rules import Decision, PlacedText, ReadingRules
from audiomill.inputs.toml_text import TomlInvalid, load_toml

ENDING = ".reading.toml"
KINDS = tuple(dict.fromkeys((*map(str, BlockKind), *map(str, SkipReason))))
_READING, _DECISION = "reading", "decision"
_SELECTORS = tuple(one.name for one in fields(Decision) if one.name != "read")


class WrongReadingFile(Exception):
    """The file beside a book is wrong. The message names the file and the entry."""


@dataclass(frozen=True, slots=True)
class ReadingFile:
    """The content of the file beside a book; empty if there is none."""

    path: Path
    reading: Mapping[str, str]
    decisions: tuple[Decision, ...] = ()

    def rules(self, settings: ReadingSettings, preset: str | None) -> ReadingRules:
        """The rules for the book: `preset` wins over this file, and this file over `settings`."""
        known = {**self.reading, **({"preset": preset} if preset else {})}
        return ReadingRules(replace(settings, **known).reading(), self.decisions)

    def unused(self, book: Book) -> Iterator[str]:
        """A warning for each decision that is about no text of `book`."""
        titles = {comparison_key(chapter.title) for chapter in book.chapters}
        texts = [*_places(book)] if self.decisions else []
        for number, decision in enumerate(self.decisions, 1):
            # What is read because of a decision has another kind now; what is listed, no chapter.
            selector = replace(decision, kind="", chapter="")
            has_chapter = not decision.chapter or comparison_key(decision.chapter) in titles
            if not has_chapter or not any(selector.matches(place) for place in texts):
                yield f"{self.path.name}: decision {number} is about no text of this book"


def reading_file_of(source: Path) -> Path:
    """The path of the file that decides about the book at `source`."""
    return source.with_name(source.stem + ENDING)


def load_reading_file(source: Path) -> ReadingFile:
    """The file beside the book at `source`. Raises WrongReadingFile."""
    path = reading_file_of(source)
    try:
        content = load_toml(path)
    except FileNotFoundError:
        return ReadingFile(path, {})
    except OSError as error:
        raise WrongReadingFile(f"“{path}” cannot be read: {error.strerror or error}.") from error
    except TomlInvalid as error:
        raise WrongReadingFile(error.at(path)) from error
    try:
        return ReadingFile(path, _reading(content), _decisions(content))
    except WrongReadingFile as error:
        raise WrongReadingFile(f"“{path}”: {error}") from error


def check_values(values: Mapping[str, object], table: str) -> None:
    """Raise WrongReadingFile for a key or a value that `ReadingSettings` does not have."""
    allowed = {
        name: tuple(text for one in get_args(hint) for text in (get_args(one) or (one,)))
        for name, hint in get_type_hints(ReadingSettings).items()
    }
    for name, value in values.items():
        if name not in allowed:
            raise WrongReadingFile(_unknown(name, allowed, table))
        texts = [text for text in allowed[name] if isinstance(text, str)]
        if value not in texts:
            hint = did_you_mean(str(value), texts, n=1)
            raise WrongReadingFile(
                f"{table}.{name} is {value!r}; choose {' or '.join(texts)}.{hint}"
            )


def _reading(content: Mapping[str, object]) -> Mapping[str, str]:
    for name in content:
        if name not in {_READING, _DECISION}:
            raise WrongReadingFile(_unknown(name, (_READING, _DECISION), ""))
    values = content.get(_READING, {})
    if not isinstance(values, dict):
        raise WrongReadingFile(f"{_READING} is no table; write [{_READING}].")
    table = cast(dict[str, object], values)
    check_values(table, _READING)
    return cast(dict[str, str], table)


def _decisions(content: Mapping[str, object]) -> tuple[Decision, ...]:
    entries = content.get(_DECISION, [])
    if not isinstance(entries, list):
        raise WrongReadingFile(f"{_DECISION} is no list; write [[{_DECISION}]].")
    found = cast(list[object], entries)
    return tuple(_decision(entry, f"{_DECISION} {n}") for n, entry in enumerate(found, 1))


def _decision(entry: object, name: str) -> Decision:
    """The decision of one entry. Raises WrongReadingFile, which begins with `name`."""
    values = cast(dict[str, object], entry) if isinstance(entry, dict) else {}
    read, selectors = values.get("read"), {key: values[key] for key in values if key != "read"}
    if not isinstance(read, bool):
        raise WrongReadingFile(f"{name} needs read = true or read = false.")
    for key, value in selectors.items():
        if key not in _SELECTORS:
            raise WrongReadingFile(f"{name}: {_unknown(key, _SELECTORS, '')}")
        if not isinstance(value, str) or not value.strip():
            raise WrongReadingFile(f"{name}: {key} must be text in quotation marks.")
    if not selectors:
        raise WrongReadingFile(f"{name} names no text; give it one of {', '.join(_SELECTORS)}.")
    kind = str(values.get("kind", ""))
    if kind and kind not in KINDS:
        shown = f"{kind!r} is no kind of text (audiomill inspect --blocks shows them)"
        raise WrongReadingFile(f"{name}: {shown}.{did_you_mean(kind, KINDS, n=1)}")
    return Decision(read, **cast(dict[str, str], selectors))


def _unknown(name: str, known: tuple[str, ...] | Mapping[str, object], table: str) -> str:
    shown = f"{table}.{name}" if table else name
    return f"there is no {shown}.{did_you_mean(name, known, n=1)}"


def _places(book: Book) -> Iterator[PlacedText]:
    """Every text of the book, read or listed."""
    for chapter in book.chapters:
        for block in chapter.blocks:
            yield PlacedText(block.text, block.where, frozenset())
    for skipped in book.skipped:
        yield PlacedText(skipped.text, skipped.where, frozenset())
