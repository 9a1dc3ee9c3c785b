"""Finds titles by where they stand, whatever their wording.

    (four blank lines or more)
    The Mermaid of Zennor             by the space above it, as books are typed since 1991
    (one blank line or two)
    Carved on one of the pews …

    CHAPTER IV

    The Village                       below a chapter's number: "CHAPTER IV: The Village"

    THE MILL                          of a play in a text of several, above the list of its persons
    A Play in Two Acts
    DRAMATIS PERSONÆ

A title by the space above it is one of several, most of what stands below such a space, and has
text below it. Above a poem the text may be short. A short paragraph below one number can be text,
so most numbers of a book have such a title.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import pairwise
from statistics import median_low

from audiomill.inputs.markup.joining import is_label
from audiomill.inputs.text.heading_wording import numbers_chapter
from audiomill.inputs.text.paragraphs import Paragraph, verse_lines

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
MOST_GAP = 3  # blank lines between a number and its title
MOST_LINES_BELOW = 2
LONGEST_TITLE = 80  # characters
TITLED_SHARE = 0.6  # of the numbers, that have a title
MOST_ELSEWHERE = 1  # times that a title also stands elsewhere; the name of a speaker does often
_NOT_BELOW_NUMBER = re.compile(r"^[^\w_(*‘“\"']|[,;:]$")
MOST_LINES_ABOVE_PERSONS = 6  # between the list and what is above the title
LONGEST_PLAY_LINE = 60  # characters
MIN_PLAY_GAP = 2  # blank lines above a title
_PERSONS = re.compile(r"dr[aā]matis pers[oō]n(?:ae|æ)\W?", re.IGNORECASE)
_SPEECH = re.compile(r"[.!?]\W*\Z")


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


def titles_below(paragraphs: Sequence[Paragraph], levels: Mapping[int, int]) -> frozenset[int]:
    """The indices of the titles; each stands right below the heading that it belongs to.

    `levels` are those of the headings, by their indices.
    """
    labels = [at for at in levels if is_label(paragraphs[at].text)]
    possible = [
        at + 1
        for at in labels
        if at + 2 < len(paragraphs) and levels.get(at + 2) != levels[at]  # the next number
        if _may_be_below_number(paragraphs[at + 1])
    ]
    elsewhere = Counter(one.text for one in paragraphs if len(one.lines) == 1)
    elsewhere.subtract(paragraphs[at].text for at in possible)
    titles = [at for at in possible if elsewhere[paragraphs[at].text] <= MOST_ELSEWHERE]
    is_usual = len(titles) >= max(MIN_TITLES, TITLED_SHARE * len(labels))
    return frozenset(titles if is_usual else ())


def _may_be_below_number(paragraph: Paragraph) -> bool:
    text = paragraph.text
    if paragraph.gap > MOST_GAP or len(paragraph.lines) > MOST_LINES_BELOW:
        return False
    if is_label(text) or numbers_chapter(text):
        return False
    longest = LONGEST_TITLE if text.isupper() else LONGEST_PLAIN
    begins = text.lstrip("_*(‘“\"'")[:1]
    is_name = begins.isupper() or begins.isdigit()
    return is_name and len(text) <= longest and not _NOT_BELOW_NUMBER.search(text)


def plays(paragraphs: Sequence[Paragraph]) -> Iterator[tuple[int, int]]:
    """The indices of the title of each play, and of the heading of its list of persons.

    A play that the text begins with has its title on the title page, and is none of these.
    """
    for persons, paragraph in enumerate(paragraphs):
        if not _PERSONS.fullmatch(paragraph.text):
            continue
        above = persons
        while (
            above
            and persons - above < MOST_LINES_ABOVE_PERSONS
            and _may_be_title(paragraphs[above - 1])
        ):
            above -= 1
        titles = (at for at in range(above, persons) if _is_title(paragraphs[at]))
        title = next(titles, None)
        if above and title is not None:
            yield title, persons


def _may_be_title(paragraph: Paragraph) -> bool:
    text = paragraph.text
    is_short = len(paragraph.lines) < 3 and len(text) <= LONGEST_PLAY_LINE
    return is_short and (text.isupper() or not _SPEECH.search(text))


def _is_title(paragraph: Paragraph) -> bool:
    return paragraph.text.isupper() and paragraph.gap >= MIN_PLAY_GAP
