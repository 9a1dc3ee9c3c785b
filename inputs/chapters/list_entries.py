"""Recognises the entries of lists: those in the order of the alphabet, and those with their pages.

The Mill . . . . 12        of a table of contents or an index
Sail, wing of a mill       of a glossary, as long as its entries follow the alphabet
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise, takewhile
from statistics import median

from audiomill.inputs.markup.joining import is_label
from audiomill.inputs.model.comparison import comparison_key

MIN_ORDERED = 5  # entries of a glossary or an index
ORDERED_SHARE = 0.8  # of the entries, that do not come before the one above them
MOST_TIMES_AS_LONG = 6  # as most entries is the last one of a glossary
LONGEST_TERM = 60  # characters
# "ill", "civil" and the word "I" are no numbers of pages.
_ROMAN = r"(?-i:(?!I\.?$))(?=[ivxlc])c{0,3}(?:x[cl]|l?x{0,3})(?:i[xv]|v?i{0,3})"
PAGE = re.compile(rf"(?:[\s.·…]|; )+(?:\d{{1,4}}|{_ROMAN})\.?$", re.IGNORECASE)
PAGE_OF_SUMMARY = re.compile(rf"(?:[\s.·…]|; )+(?:\d{{1,3}}|{_ROMAN})$", re.IGNORECASE)
_ROMAN_ENDS = "cilvxCILVX\u0130\u0131"  # and the Turkish ones, which are the same without case
LAST_NUMBER = re.compile(r"(\d{1,4})\.?$")


def ordered_end(texts: Sequence[str], start: int) -> int:
    """The end of entries in the order of the alphabet.

    It is where the lines in order outweigh the others most, so that prose below ends the list.
    """
    end, best, score, previous = start, 0.0, 0.0, ""
    n_lines, letters = 0, set[str]()
    for at in range(start, len(texts)):
        for key in filter(None, map(comparison_key, texts[at].split("\n"))):
            score += 1 - ORDERED_SHARE if previous <= key[:1] else -ORDERED_SHARE
            previous, n_lines = key[:1], n_lines + 1
            letters.add(previous)
        if n_lines >= MIN_ORDERED and len(letters) > 2 and score >= best:
            end, best = at + 1, score
    return _without_prose(texts, start, end)


def terms_end(texts: Sequence[str], start: int) -> int:
    """The end of terms in the order of the alphabet, with a text below each that explains it."""
    terms = [*takewhile(lambda text: len(text) <= LONGEST_TERM, texts[start::2])]
    keys = [*map(comparison_key, terms)]
    end = ordered_end(terms, 0)
    while end > 1 and keys[end - 1] < keys[end - 2]:  # "The end" below "Tow" is no term
        end -= 1
    return min(start + 2 * end, len(texts))


def _without_prose(texts: Sequence[str], start: int, end: int) -> int:
    """`end`, or the index of a text above it that is far longer than the entries."""
    longest = MOST_TIMES_AS_LONG * median(map(len, texts[start:end])) if end > start else 0
    while end > start and len(texts[end - 1]) > longest:
        end -= 1
    return end


def page_of(bare: str) -> re.Match[str] | None:
    """The page at the end of a line that has no spaces around it; None if it has none.

    Few lines can end with one: only these are looked through.
    """
    last = bare.removesuffix(".")[-1:]
    return PAGE.search(bare) if last.isdecimal() or last in _ROMAN_ENDS else None


def has_page(line: str) -> bool:
    """True for an entry that ends with a page; "Chapter 2" ends with its own number."""
    return page_of(line.strip()) is not None and not is_label(line)


def is_wrapped(lines: Sequence[str]) -> bool:
    """True for an entry of several lines, of which the last one alone has the page."""
    with_page = [has_page(line) for line in lines]
    return with_page[-1:] == [True] and not any(with_page[:-1])


def pages_rise(lines: Iterable[str]) -> bool:
    """True if hardly a page is before the one above it, as with years and sums in a story."""
    found = (LAST_NUMBER.search(line.strip()) for line in lines)
    pages = [int(match[1]) for match in found if match]
    n_falling = sum(below < above for above, below in pairwise(pages))
    return n_falling <= (1 - ORDERED_SHARE) * len(pages)
