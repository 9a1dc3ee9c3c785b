r"""Reads lexicon files, by their endings, and finds those beside a book.

    book.epub    book.lexicon.toml, book.lexicon.csv, book.lexicon.pls

TOML has a table of words, and entries with more to say about each:

    language = "en"

    [words]
    Worcester = "Wooster"
    Nguyen = "/wˈɪn/"

    [[entries]]
    pattern = '(\d+)-ers'
    say = '\1 ers'

In CSV (RFC 4180) the first row names the columns, each other row is an entry:

    word,say,language
    Worcester,Wooster,en

EPUB 3 links the Pronunciation Lexicon Specification (PLS 1.0, W3C 2008):

    <lexeme><grapheme>Nguyen</grapheme><phoneme>wˈɪn</phoneme></lexeme>
    <lexeme><grapheme>W3C</grapheme><alias>World Wide Web Consortium</alias></lexeme>

Of several pronunciations there, and of several lexemes with the same grapheme, the first counts
(4.9). Roles of words are not known here: a lexeme with a role counts where there is none without.
"""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from lxml import etree

from audiomill.inputs.files import read_regular, read_text
from audiomill.inputs.lexicons.entries import (
    LexiconError,
    checked,
    compiled,
    entry_of,
    fault_of,
    n_parts,
    require_distinct,
    require_known,
    split_said,
)
from audiomill.inputs.messages import did_you_mean
from audiomill.inputs.model.lexicon_entry import LexiconEntry, place
from audiomill.inputs.toml_text import QUOTES, TomlInvalid, TomlLines, parse_toml

ENDINGS = (".toml", ".csv", ".pls")
MAX_PATTERN_PARTS = 200_000  # some 60 MB
MAX_BYTES = 256 << 20  # a million entries have about 40 MB
_TABLES = ("language", "words", "entries")
_NAMESPACE = "{http://www.w3.org/2005/01/pronunciation-lexicon}"
MEDIA_TYPE = "application/pls+xml"
_LANGUAGE = "{http://www.w3.org/XML/1998/namespace}lang"
_TRUE = ("true", "1")


def read_lexicons(paths: Iterable[Path]) -> tuple[LexiconEntry, ...]:
    """The entries of all files, in order. Raises LexiconError."""
    return tuple(entry for path in paths for entry in _read(path))


def lexicons_beside(source: Path) -> tuple[Path, ...]:
    """The lexicons for one book: those with its name, in its folder.

    What has such a name and is no file is refused when it is read.
    """
    named = (source.with_name(f"{source.stem}.lexicon{ending}") for ending in ENDINGS)
    return tuple(path for path in named if os.path.lexists(path))


def _read(path: Path) -> list[LexiconEntry]:
    ending = path.suffix.lower()
    if ending not in ENDINGS:
        known = ", ".join(ENDINGS)
        raise LexiconError(f"{path}: the name of a lexicon ends in one of {known}.")
    entries = _parsed(path, ending)
    if ending == ".pls":
        return entries
    require_distinct(entries)
    patterns = [entry for entry in entries if entry.is_pattern]
    for entry in patterns:
        compiled(entry)
    if sum(n_parts(entry.written) for entry in patterns) > MAX_PATTERN_PARTS:
        raise LexiconError(f"{path}: its patterns are too large together. Leave some out.")
    return entries


def _parsed(path: Path, ending: str) -> list[LexiconEntry]:
    try:
        if ending == ".pls":
            return _of_pls(read_regular(path, MAX_BYTES), path)
        text = read_text(path, MAX_BYTES)
    except FileNotFoundError as error:
        raise LexiconError(f"{path}: there is no such lexicon. Check the name.") from error
    except OSError as error:
        raise LexiconError(f"{path}: it cannot be read: {error.strerror or error}.") from error
    return read_toml(text, str(path)) if ending == ".toml" else read_csv(text, str(path))


def _of_pls(data: bytes, path: Path) -> list[LexiconEntry]:
    lexicon = read_pls(data, str(path))
    if lexicon.faults:
        raise LexiconError(f"{lexicon.faults[0]}.")
    return [*lexicon.entries]


def read_toml(text: str, file: str) -> list[LexiconEntry]:
    """The entries of a lexicon; `file` is its name in messages. Raises LexiconError."""
    content = _toml_content(text, file)
    language = content.get("language", "")
    words, entries = content.get("words", {}), content.get("entries", [])
    if not (isinstance(language, str) and isinstance(words, dict) and isinstance(entries, list)):
        raise LexiconError(f'{file}: write language = "en", [words] and [[entries]].')
    lines = TomlLines(text)
    return [
        *_toml_words(cast("dict[str, Any]", words), lines, file, language),
        *_toml_entries(cast("list[Any]", entries), lines, file, language),
    ]


def _toml_content(text: str, file: str) -> dict[str, Any]:
    try:
        content = parse_toml(text)
    except TomlInvalid as error:
        raise LexiconError(f"{place(file, error.line)}: {error}") from error
    for name in content:
        if name not in _TABLES:
            hint = did_you_mean(name, _TABLES, n=1)
            raise LexiconError(f"{file}: there is no “{name}” in a lexicon.{hint}")
    return content


def _toml_words(
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


def _toml_entries(
    entries: list[Any], lines: TomlLines, file: str, language: str
) -> Iterator[LexiconEntry]:
    for index, values in enumerate(entries):
        line = lines.line_of(("entries", index))
        if not isinstance(values, dict):
            raise LexiconError(f"{file}: write [[entries]] above each entry.")
        yield entry_of(cast("dict[str, Any]", values), file, line, language)


def read_csv(text: str, file: str) -> list[LexiconEntry]:
    """The entries of a lexicon; `file` is its name in messages. Raises LexiconError.

    Columns are separated by commas, semicolons or tabs, whichever the first row has.
    """
    return [*_csv_entries(text, file)]


def _csv_entries(text: str, file: str) -> Iterator[LexiconEntry]:
    head = text.partition("\n")[0]
    delimiter = max(",;\t", key=head.count)
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        columns = [name.strip().lower() for name in next(rows, [])]
        for name in columns:
            require_known(name, f"{file}:1")
        last = rows.line_num
        for row in rows:
            line, last = last + 1, rows.line_num
            if len(row) > len(columns) and any(row[len(columns) :]):
                raise LexiconError(
                    f"{file}:{line}: there are {len(row)} values for {len(columns)} columns."
                    " Put a value that has the separator in it into quotation marks."
                )
            values = {name: value for name, value in zip(columns, row, strict=False) if value}
            if values:
                yield entry_of(values, file, line)
    except csv.Error as error:
        raise LexiconError(f"{file}:{rows.line_num}: this is not valid CSV: {error}.") from error


@dataclass(frozen=True, slots=True)
class PlsLexicon:
    """The entries that can be used, and what is wrong with the others, with their places."""

    entries: tuple[LexiconEntry, ...]
    faults: tuple[str, ...]


def read_pls(data: bytes, file: str) -> PlsLexicon:
    """The entries of a lexicon; `file` is its name in messages.

    Raises LexiconError if it is not well-formed XML, or is no lexicon.
    """
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False)
    try:
        root = etree.fromstring(data, parser)
    except etree.XMLSyntaxError as error:
        line, _ = error.position
        raise LexiconError(f"{place(file, line)}: this is not valid XML: {error.msg}.") from error
    if root.tag != f"{_NAMESPACE}lexicon":
        raise LexiconError(f"{file}: this XML is no pronunciation lexicon (PLS 1.0).")
    entries: dict[str, LexiconEntry] = {}
    faults: list[str] = []
    lexemes = sorted(root.iter(f"{_NAMESPACE}lexeme"), key=lambda lexeme: "role" in lexeme.attrib)
    for lexeme in lexemes:
        for entry in _pls_entries(lexeme, root, file):
            if fault := fault_of(entry):
                faults.append(f"{entry.where}: {fault}")
            else:
                entries.setdefault(entry.written, entry)
    return PlsLexicon(tuple(entries.values()), tuple(faults))


def _pls_entries(
    lexeme: etree._Element,  # pyright: ignore[reportPrivateUsage]  lxml has no public name
    root: etree._Element,  # pyright: ignore[reportPrivateUsage]
    file: str,
) -> Iterator[LexiconEntry]:
    """The entries of a lexeme: one for each grapheme."""
    said = [*lexeme.iterchildren(f"{_NAMESPACE}phoneme", f"{_NAMESPACE}alias")]
    alphabets = root.get("alphabet", "ipa")
    readable = [one for one in said if one.get("alphabet", alphabets).lower() == "ipa"]
    preferred = [one for one in readable if one.get("prefer") in _TRUE]
    chosen = next(iter((*preferred, *readable)), None)
    text = "" if chosen is None else _pls_text(chosen)
    is_alias = chosen is not None and chosen.tag == f"{_NAMESPACE}alias"
    for grapheme in lexeme.iterchildren(f"{_NAMESPACE}grapheme"):
        yield LexiconEntry(
            written=_pls_text(grapheme),
            say=text if is_alias else "",
            phonemes="" if is_alias else text,
            language=root.get(_LANGUAGE, ""),
            file=file,
            line=int(grapheme.sourceline or 0),
        )


def _pls_text(node: etree._Element) -> str:  # pyright: ignore[reportPrivateUsage]
    """The text of an element, without comments, with single spaces."""
    return " ".join("".join(str(part) for part in node.itertext()).split())
