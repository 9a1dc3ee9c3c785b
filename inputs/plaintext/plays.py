"""Finds where a play begins in a text of several: at its title, above the list of its persons.

THE MILL

A Play in Two Acts

DRAMATIS PERSONÆ
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from audiomill.inputs.plaintext.paragraphs import Paragraph

MOST_LINES = 6  # between the list and what is above the title
LONGEST_LINE = 60  # characters
MIN_GAP = 2  # blank lines above a title
_PERSONS = re.compile(r"dr[aā]matis pers[oō]n(?:ae|æ)\W?", re.IGNORECASE)
_SPEECH = re.compile(r"[.!?]\W*\Z")


def plays(paragraphs: Sequence[Paragraph]) -> Iterator[tuple[int, int]]:
    """The indices of the title of each play, and of the heading of its list of persons.

    A play that the text begins with has its title on the title page, and is none of these.
    """
    for persons, paragraph in enumerate(paragraphs):
        if not _PERSONS.fullmatch(paragraph.text):
            continue
        above = persons
        while above and persons - above < MOST_LINES and _may_be_title(paragraphs[above - 1]):
            above -= 1
        titles = (at for at in range(above, persons) if _is_title(paragraphs[at]))
        title = next(titles, None)
        if above and title is not None:
            yield title, persons


def _may_be_title(paragraph: Paragraph) -> bool:
    text = paragraph.text
    is_short = len(paragraph.lines) < 3 and len(text) <= LONGEST_LINE
    return is_short and (text.isupper() or not _SPEECH.search(text))


def _is_title(paragraph: Paragraph) -> bool:
    return paragraph.text.isupper() and paragraph.gap >= MIN_GAP
