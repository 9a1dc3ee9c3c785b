"""Separates the text of a book from what Project Gutenberg sets around it, in a plain text file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from audiomill.inputs.gutenberg.header import HeaderFields, header_fields
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
from audiomill.inputs.markup.text import normalise_spaces

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
