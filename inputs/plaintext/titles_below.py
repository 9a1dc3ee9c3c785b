"""Finds the titles that stand below the numbers of chapters, each in a paragraph of its own.

    CHAPTER IV

    The Village                "CHAPTER IV: The Village"

A short paragraph below one number can be text. So most numbers of a book have such a title.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from audiomill.inputs.markup.joining import is_label
from audiomill.inputs.plaintext.headings import numbers_chapter
from audiomill.inputs.plaintext.paragraphs import Paragraph

MOST_GAP = 3  # blank lines between a number and its title
MOST_LINES = 2
LONGEST_TITLE = 80  # characters
LONGEST_PLAIN = 60  # of a title that is not in capitals
MIN_TITLES = 3
TITLED_SHARE = 0.6  # of the numbers, that have a title
MOST_ELSEWHERE = 1  # times that a title also stands elsewhere; the name of a speaker does often
_NOT_A_TITLE = re.compile(r"^[^\w_(*‘“\"']|[,;:]$")


def titles_below(paragraphs: Sequence[Paragraph], levels: Mapping[int, int]) -> frozenset[int]:
    """The indices of the titles; each stands right below the heading that it belongs to.

    `levels` are those of the headings, by their indices.
    """
    labels = [at for at in levels if is_label(paragraphs[at].text)]
    possible = [
        at + 1
        for at in labels
        if at + 2 < len(paragraphs) and levels.get(at + 2) != levels[at]  # the next number
        if _looks_like_title(paragraphs[at + 1])
    ]
    elsewhere = Counter(one.text for one in paragraphs if len(one.lines) == 1)
    elsewhere.subtract(paragraphs[at].text for at in possible)
    titles = [at for at in possible if elsewhere[paragraphs[at].text] <= MOST_ELSEWHERE]
    is_usual = len(titles) >= max(MIN_TITLES, TITLED_SHARE * len(labels))
    return frozenset(titles if is_usual else ())


def _looks_like_title(paragraph: Paragraph) -> bool:
    text = paragraph.text
    if paragraph.gap > MOST_GAP or len(paragraph.lines) > MOST_LINES:
        return False
    if is_label(text) or numbers_chapter(text):
        return False
    longest = LONGEST_TITLE if text.isupper() else LONGEST_PLAIN
    begins = text.lstrip("_*(‘“\"'")[:1]
    is_name = begins.isupper() or begins.isdigit()
    return is_name and len(text) <= longest and not _NOT_A_TITLE.search(text)
