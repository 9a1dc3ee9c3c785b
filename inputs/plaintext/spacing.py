"""Finds the titles of a text by the space above them, as books are typed since 1991.

    (four blank lines or more)
    The Mermaid of Zennor             a title, whatever its letters
    (one blank line or two)
    Carved on one of the pews …

Such a title is one of several, most of what stands below such a space, and has text below it. Above
a poem the text may be short.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise
from statistics import median_low

from audiomill.inputs.plaintext.paragraphs import Paragraph
from audiomill.inputs.plaintext.verse import verse_lines

MIN_GAP = 4  # blank lines
MIN_TITLES = 3
MOST_LINES = 3
LONGEST_LINE = 80  # characters
LONGEST_PLAIN = 60  # of a title that is not in capitals
LEAST_BELOW = 300  # characters of the text below a title
SHORTEST_TEXT = 70  # of a paragraph of it; a title page has shorter ones
USUAL_BELOW = 500  # in the median
TITLES_SHARE = 0.6  # of what stands below such a space

_NUMBERED = re.compile(r"[\[(—–-]*\s*(?:\d{1,3}|[IVXLC]{1,7})\s*[\])—–.-]*")
# A sign of a picture or a note, the source of a quotation, an incomplete sentence, speech.
_NOT_A_TITLE = re.compile(
    r"^(?:\[|--|[—–])|[,;:]$|^(?:the|an|to|of|by|der|die|das|les?|la|il|de|el)$"
    r"|^copyright\b|\bpublishers?\.?$",
    re.IGNORECASE,
)


def spaced_titles(paragraphs: Sequence[Paragraph]) -> frozenset[int]:
    """The indices of the paragraphs that are titles by the space above them; empty if too few are.

    A title of a part, right above that of its first chapter, is one, too.
    """
    wide = [at for at, one in enumerate(paragraphs) if one.gap >= MIN_GAP and _has_words(one)]
    possible = [at for at in wide if _looks_like_title(paragraphs[at])]
    n_chars = dict(zip(possible, _n_chars_below(paragraphs, possible), strict=True))
    titles = [at for at in possible if n_chars[at] >= LEAST_BELOW]
    if len(titles) < MIN_TITLES or len(titles) < TITLES_SHARE * sum(at >= titles[0] for at in wide):
        return frozenset()
    if median_low(n_chars[at] for at in titles) < USUAL_BELOW:
        return frozenset()
    short = _above_poems(paragraphs, possible, titles)
    return frozenset((*titles, *_parts_above(possible, titles), *short))


def _parts_above(possible: Collection[int], titles: Sequence[int]) -> Iterator[int]:
    """What stands right above a title, but the first: that of its part."""
    return (at for at in possible if at + 1 in titles[1:])


def _above_poems(
    paragraphs: Sequence[Paragraph], possible: Collection[int], titles: Sequence[int]
) -> Iterator[int]:
    """What stands right above a poem, however short, below the first title."""
    return (
        at
        for at in possible
        if at > titles[0] and any(verse_lines(one.lines) for one in paragraphs[at + 1 : at + 2])
    )


def _has_words(paragraph: Paragraph) -> bool:
    """True if the paragraph is neither a rule nor a picture or a note in brackets."""
    text = paragraph.text
    is_aside = text.startswith("[") and not _NUMBERED.fullmatch(text)
    return any(map(str.isalnum, text)) and not is_aside


def _looks_like_title(paragraph: Paragraph) -> bool:
    text, lines = paragraph.text, paragraph.lines
    if len(lines) > MOST_LINES or any(len(line.strip()) > LONGEST_LINE for line in lines):
        return False
    if _NUMBERED.fullmatch(text):
        return True
    if _NOT_A_TITLE.search(text):
        return False
    is_plain = text[0].isupper() or text[0].isdigit()
    return text.isupper() or (is_plain and len(text) <= LONGEST_PLAIN and text[-1] != "…")


def _n_chars_below(paragraphs: Sequence[Paragraph], titles: Sequence[int]) -> Iterator[int]:
    """The characters of the text between each title and the next one."""
    lengths = [len(one.text) for one in paragraphs]
    for start, end in pairwise([*titles, len(paragraphs)]):
        yield sum(n for n in lengths[start + 1 : end] if n >= SHORTEST_TEXT)
