"""Separates a text, and its fields, from what Project Gutenberg sets around it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from audiomill.inputs.gutenberg.wording import (
    END,
    LABEL,
    LAST_CHARS,
    LAST_LINE,
    MADE_BY,
    SMALL_PRINT,
    START,
    without_label,
)
from audiomill.inputs.languages.codes import language_tag
from audiomill.inputs.markup.text import normalise_spaces

MAX_LINES = 200  # of a header; the licence above old ones is long
MAX_CONTINUED = 8  # lines of one field
_FIELD = re.compile(
    r"(title|subtitle|author|translator|illustrator|editor|language|date|release date|posting date"
    r"|last updated|edition|publisher|original publication|isbn|other information and formats"
    r"|(?:character set )?encoding|credits|produced by)\s*:\s*(\S.*)",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\[\s*e-?(?:book|text)\s*#?\s*(\d+)\s*\]", re.IGNORECASE)
_YEAR = re.compile(r"\b1[4-9]\d\d\b|\b20\d\d\b")
_MANY = re.compile(r";|\band\b")
_ADDRESS = "https://www.gutenberg.org/ebooks/"
_MONTHS = (
    *("january", "february", "march", "april", "may", "june"),
    *("july", "august", "september", "october", "november", "december"),
)
_DATE = re.compile(rf"({'|'.join(_MONTHS)}) (\d{{1,2}}), (\d{{4}})", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class HeaderFields:
    """What the header of an edition says of its book. "" and () for what it does not say."""

    title: str = ""
    subtitle: str = ""
    authors: tuple[str, ...] = ()
    translators: tuple[str, ...] = ()
    language: str = ""  # BCP 47
    date: str = ""  # of the edition: "2008-06-27" where it can be told, else as it is written
    publisher: str = ""
    original_year: str = ""
    identifier: str = ""  # the address of its page


def header_fields(lines: Iterable[str]) -> HeaderFields:
    """The fields among the lines of a header. An indented line goes on with the field above it."""
    fields = _values(lines)
    title, *below = fields.get("title", [""])
    released = _first(fields, "release date") or _first(fields, "posting date")
    number = _NUMBER.search(released)
    publication = " ".join(fields.get("original publication", []))
    year = _YEAR.search(publication)
    return HeaderFields(
        title=title,
        subtitle=_first(fields, "subtitle") or " ".join(below),
        authors=_people(fields.get("author", [])),
        translators=_people(fields.get("translator", [])),
        language=_language(_first(fields, "language")),
        date=_iso(_NUMBER.sub("", released).strip(" ,")) or _first(fields, "date"),
        publisher=_first(fields, "publisher"),
        original_year=year[0] if year else "",
        identifier=_ADDRESS + number[1] if number else "",
    )


def field_name(line: str) -> str:
    """The name of the field on a line, in lower case; "" if there is none."""
    match = _FIELD.fullmatch(line.strip())
    return match[1].lower() if match else ""


def _values(lines: Iterable[str]) -> Mapping[str, list[str]]:
    """The lines of each field, by its name in lower case; a field that comes again adds to it."""
    values = dict[str, list[str]]()
    current: list[str] | None = None
    for number, line in enumerate(lines):
        match = _FIELD.fullmatch(line.strip())
        if number >= MAX_LINES:
            break
        if match:
            current = values.setdefault(match[1].lower(), [])
            current.append(normalise_spaces(match[2]))
        elif not line.strip() or not line[:1].isspace():
            current = None
        elif current is not None and len(current) < MAX_CONTINUED:
            current.append(normalise_spaces(line))
    return values


def _first(fields: Mapping[str, list[str]], name: str) -> str:
    return next(iter(fields.get(name, ())), "")


def _language(value: str) -> str:
    """The tag of a language, the first one of several: "Greek, Ancient", "English, French"."""
    return language_tag(value) or language_tag(re.split(r"[,;/]| and ", value)[0])


def _people(values: Iterable[str]) -> tuple[str, ...]:
    """Names, one a line, or several in a line: "Ann Ode and Bo Li"."""
    names = (normalise_spaces(name) for value in values for name in _MANY.split(value))
    return tuple(dict.fromkeys(name for name in names if name))


def _iso(date: str) -> str:
    """Return "June 27, 2008" as "2008-06-27"; a date in another form stays as it is written."""
    match = _DATE.fullmatch(date)
    if not match:
        return date
    return f"{match[3]}-{_MONTHS.index(match[1].lower()) + 1:02}-{int(match[2]):02}"


HEAD_CHARS = 2_000  # searched for the name of the project
MOST_ABOVE_LABEL = 40  # lines above the one that names the book
LICENCE_CHARS = 40_000  # the longest licence above a book


@dataclass(frozen=True, slots=True)
class EditionText:
    """A text file of Project Gutenberg, or any other one: then all of it is `body`."""

    body: str
    around: tuple[str, ...] = ()  # the header and the licence
    fields: HeaderFields = field(default_factory=HeaderFields)
    is_known: bool = False  # it is of Project Gutenberg


def split_edition(text: str) -> EditionText:
    """The book in `text`, and what is above and below it.

    A file with several books has a header and a licence for each: all of these are `around`.
    """
    spans = _body_spans(text)
    if not spans:
        return EditionText(text)
    around, at = list[str](), 0
    for start, end in spans:
        around.append(text[at:start])
        at = end
    around.append(text[at:])
    return EditionText(
        body="\n\n".join(text[start:end] for start, end in spans),
        around=tuple(around),
        fields=_fields(around[0]),
        is_known=MADE_BY.lower() in " ".join(around).lower(),
    )


def _fields(header: str) -> HeaderFields:
    """The fields of a header; without a field for it, the title is in a line that labels the book.

    Old headers have that line below others, and among asterisks; some name the author below it.
    """
    printed = header.strip("\ufeff \n").split("\n")
    fields = header_fields(printed)
    if fields.title:
        return fields
    plain = [normalise_spaces(line.strip("* \r")) for line in printed[:MOST_ABOVE_LABEL]]
    lines = [
        f"{line} {below}" if below.lower().startswith("by ") else line
        for line, below in pairwise([*plain, ""])
    ]
    labels = (line for line in lines if LABEL.fullmatch(line))
    titles = map(without_label, (*labels, lines[0]))
    found = next((one for one in titles if one.author), None)
    if found is None:
        return fields
    return replace(fields, title=found.title, authors=fields.authors or (found.author,))


def _body_spans(text: str) -> Sequence[tuple[int, int]]:
    """Where the books in a text begin and end; none for a text that has no such lines."""
    spans = list[tuple[int, int]]()
    at = 0
    while begins := START.search(text, at):
        at = _end(text, begins.end())
        spans.append((begins.end(), at))
    if spans:
        return spans
    is_known = MADE_BY.lower() in text[:HEAD_CHARS].lower()
    print_end = SMALL_PRINT.search(text, 0, LICENCE_CHARS) if is_known else None
    start = print_end.end() if print_end else 0
    end = _end(text, start) if is_known else len(text)
    return [(start, end)] if print_end or end < len(text) else []


def _end(text: str, start: int) -> int:
    """Where the book that begins at `start` ends."""
    ends = END.search(text, start)
    stop = ends.start() if ends else len(text)
    last = LAST_LINE.search(text, max(start, stop - LAST_CHARS), stop)
    return last.start() if last else stop
