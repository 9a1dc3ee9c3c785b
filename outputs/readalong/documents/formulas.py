"""Gives the formulas of a document the letters of the words that are said for them. Pure.

    bytes     <math><msup><mi>x</mi><mn>2</mn></msup></math>
    printed                  x         2
    letters                xsqu      ared

So a formula is found as any text is, and is shown while its words sound. Its first and last printed
characters have the first and last letters; those between only tell the order.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import replace

from audiomill.inputs.markup.formula_words import formula_words
from audiomill.inputs.markup.parser import local_name, parse_xml
from audiomill.inputs.markup.semantics import language_of
from audiomill.outputs.readalong.documents.source_text import (
    SourceText,
    first_letters,
    letters_with_places,
)

_PRINTED = re.compile(r"\S")


def with_formula_words(source: SourceText, document: bytes, language: str) -> SourceText:
    """The text of a document in a language, its formulas with the letters of their words."""
    if not source.formulas:
        return source
    letters = list[str]()
    chars = array("q", [])
    at = 0
    for (start, end), words in zip(_places(source), _words(document, language), strict=True):
        first, last = (bisect_left(source.letter_chars, one) for one in (start, end))
        printed = [one.start() for one in _PRINTED.finditer(source.chars, start, end)]
        said = letters_with_places(words)[0] if printed and first >= at else ""
        if said:
            letters += (source.letters[at:first], said)
            chars += source.letter_chars[at:first]
            chars.extend(_spread(printed, len(said)))
            at = last
    letters.append(source.letters[at:])
    chars += source.letter_chars[at:]
    edges = [*first_letters(source.text_starts, chars), len(chars)]
    return replace(source, letters="".join(letters), letter_chars=chars, text_letters=edges)


def _places(source: SourceText) -> list[tuple[int, int]]:
    """The characters [start, end) of each formula."""
    texts = ((one.first_text, one.last_text) for one in source.formulas)
    return [(source.text_start(first), source.text_start(last)) for first, last in texts]


def _words(document: bytes, language: str) -> list[str]:
    """The words for each formula."""
    formulas = (one for one in parse_xml(document).iter() if local_name(one).lower() == "math")
    return [formula_words(one, language_of(one) or language) for one in formulas]


def _spread(places: Sequence[int], n: int) -> list[int]:
    """As many places as `n`, in order, with the first and the last one."""
    return [places[at * (len(places) - 1) // max(1, n - 1)] for at in range(n)]
