"""Recognises the numbers of pages at the ends of entries: "The Mill . . . . 12"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise

from audiomill.inputs.chapters.alphabetical import ORDERED_SHARE
from audiomill.inputs.markup.joining import is_label

# "ill", "civil" and the word "I" are no numbers of pages.
_ROMAN = r"(?-i:(?!I\.?$))(?=[ivxlc])c{0,3}(?:x[cl]|l?x{0,3})(?:i[xv]|v?i{0,3})"
PAGE = re.compile(rf"(?:[\s.·…]|; )+(?:\d{{1,4}}|{_ROMAN})\.?$", re.IGNORECASE)
PAGE_OF_SUMMARY = re.compile(rf"(?:[\s.·…]|; )+(?:\d{{1,3}}|{_ROMAN})$", re.IGNORECASE)
LAST_NUMBER = re.compile(r"(\d{1,4})\.?$")


def has_page(line: str) -> bool:
    """True for an entry that ends with a page; "Chapter 2" ends with its own number."""
    return PAGE.search(line.strip()) is not None and not is_label(line)


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
