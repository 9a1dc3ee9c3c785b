"""Reads the fields that Project Gutenberg sets above a book: `Title: …`, `Release date: …`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

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
