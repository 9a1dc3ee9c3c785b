"""Finds the words for a formula of a page: those that it gives, or those of its notation.

A book has the same formulas many times, and a read-along looks for each where it is printed.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import islice

from lxml import etree

from audiomill.inputs.languages.registry import formula_wording
from audiomill.inputs.markup.mathml import MAX_ELEMENTS, words_of
from audiomill.inputs.markup.parser import Element
from audiomill.inputs.markup.tex import is_readable, mathml_of, tex_in

_MAX_REMEMBERED = 1 << 12  # formulas, at most 64 MiB of them
_MAX_CHARS = 1 << 14  # of the markup of one that is remembered


def formula_words(math: Element, language: str) -> str:
    """The words for a formula: those that the page gives, or else those of its notation.

    They are the word “formula” for one that cannot be said. `language` is BCP 47; English words
    serve languages that have none here.
    """
    given = math.get("alttext") or ""
    if is_readable(given):
        return given
    markup = _markup(math)
    if not 0 < len(markup) <= _MAX_CHARS:
        return _worded(math, language)
    try:
        return _remembered(markup, language)
    except etree.XMLSyntaxError:  # names and references that only its page declares
        return _worded(math, language)


def _markup(math: Element) -> str:
    """The markup of a formula; "" for one of too many elements to be said."""
    is_long = next(islice(math.iter(), MAX_ELEMENTS, None), None) is not None
    return "" if is_long else etree.tostring(math, encoding="unicode", with_tail=False)


@lru_cache(maxsize=_MAX_REMEMBERED)
def _remembered(markup: str, language: str) -> str:
    return _worded(etree.fromstring(markup), language)


def _worded(math: Element, language: str) -> str:
    words = formula_wording(language)
    tex = tex_in(math)
    converted = mathml_of(tex) if tex else math
    return words.formula if converted is None else words_of(converted, words)
