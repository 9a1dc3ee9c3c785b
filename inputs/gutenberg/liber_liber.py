"""Tells what Liber Liber, who publish free Italian books, set above a book and below it.

    www.liberliber.it          where its information begins, above a book or below it
    QUESTO E-BOOK:
    TITOLO: Il mulino
    AUTORE: Ode, Anna
    DIRITTI D'AUTORE: no
    LICENZA: questo testo è distribuito con la licenza …
    INDICE DI AFFIDABILITÀ: 1
    PUBBLICAZIONE: …           who made it
    Liber Liber
    Fai una donazione: …       where it ends

Knows text alone: the paragraphs of a book, from the first one on.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from audiomill.inputs.gutenberg.text import HeaderFields
from audiomill.inputs.languages.codes import language_tag
from audiomill.inputs.markup.text import normalise_spaces

FIRST = 80  # paragraphs, among which its information begins
MOST_PARAGRAPHS = 60  # of it
LONGEST_PARAGRAPH = 1_200  # characters; more is the book
HEAD_CHARS = 6_000  # of a text, which have its information
MOST_BETWEEN = 8  # paragraphs between two that are known: names of those who made it
MIN_FIELDS = 3

_BEGINS = re.compile(
    r"questo e-?book\s*:|(?:https?://)?www\.liberliber\.it\b"
    r"|questo e-?book (?:è stato realizzato|è realizzato)|informazioni$",
    re.IGNORECASE,
)
_FIELD = re.compile(
    r"\b(?:QUESTO E-?BOOK|TITOLO|AUTORE|TRADUTTORE|TRADUZIONE(?: E NOTE)?|CURATORE|COPERTINA"
    r"|CODICE ISBN[\w -]{0,10}|DIRITTI D['’]AUTORE|LICENZA|TRATTO DA|SOGGETTO|DIGITALIZZAZIONE"
    r"|\d{1,2}[aª°] EDIZIONE ELETTRONICA(?: DEL)?|INDICE DI AFFIDABILITÀ|REVISIONE|IMPAGINAZIONE"
    r"|PUBBLICAZIONE|PUBBLICATO DA|HA(?:NNO)? (?:COLLABORATO|CONTRIBUITO)[A-Z ]{0,30}"
    r"|ALLA EDIZIONE ELETTRONICA HANNO CONTRIBUITO)\s*:"
    r"|INFORMAZIONI SUL [\"“«]?PROGETTO MANUZIO"
)
_OF_MAKERS = re.compile(
    r"liber\s?liber|progetto manuzio|e-text\b|fai una donazione|migliaia di ebook"
    r"|affidabilità (?:bassa|media|standard|buona|ottima)|^\d: affidabilità",
    re.IGNORECASE,
)
_NAME = re.compile(r"^(?P<field>TITOLO|AUTORE):[ \t]*(?P<value>\S[^\n]{0,200})$", re.MULTILINE)


def edition_spans(texts: Sequence[str]) -> Iterator[tuple[int, int]]:
    """(start, end) of the paragraphs about the edition, above the book and below it."""
    at = 0
    while at < len(texts):
        end = _end(texts, at) if _may_begin(texts, at) else at
        whole = "\n".join(texts[at:end])
        if len(_FIELD.findall(whole)) >= MIN_FIELDS and _OF_MAKERS.search(whole):
            yield at, end
            at = end
        at += 1


def fields_of(text: str) -> HeaderFields:
    """The title and the author that its information names: "Ode, Anna" is "Anna Ode".

    Without that, all fields are empty.
    """
    head = text[:HEAD_CHARS]
    if not _BEGINS.search(head) or len(_FIELD.findall(head)) < MIN_FIELDS:
        return HeaderFields()
    found = {match["field"]: normalise_spaces(match["value"]) for match in _NAME.finditer(head)}
    last, comma, first = found.get("AUTORE", "").partition(", ")
    author = f"{first} {last}" if comma else last
    return HeaderFields(
        title=found.get("TITOLO", ""),
        authors=(author,) if author else (),
        language=language_tag("Italian"),
    )


def _may_begin(texts: Sequence[str], at: int) -> bool:
    is_near = at < FIRST or at >= len(texts) - MOST_PARAGRAPHS
    return is_near and _BEGINS.match(texts[at].strip()) is not None


def _end(texts: Sequence[str], start: int) -> int:
    """The index below the last paragraph of the information that begins at `start`."""
    end = start + 1
    for at in range(start + 1, min(start + MOST_PARAGRAPHS, len(texts))):
        if len(texts[at]) > LONGEST_PARAGRAPH or at - end > MOST_BETWEEN:
            break
        if _FIELD.search(texts[at]) or _OF_MAKERS.search(texts[at]):
            end = at + 1
    return end
