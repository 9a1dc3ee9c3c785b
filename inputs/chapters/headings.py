"""Tells which headings begin one chapter together, what its title is, and which head nothing.

# EVERY GIRL A BUSINESS WOMAN         no text between them: one chapter,
# A Practical Guide                   “EVERY GIRL A BUSINESS WOMAN: A Practical Guide”

# THE END                             begins none

# INDEX                               its list is left out: nothing is below it
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import reduce
from itertools import zip_longest

from audiomill.inputs.chapters.listings import list_reason
from audiomill.inputs.markup.joining import is_label, with_label
from audiomill.inputs.markup.text import comparison_key
from audiomill.inputs.model.book import Block, BlockKind, SkipReason
from audiomill.inputs.segmentation.lengths import is_speakable

_NOTES = frozenset(
    (
        *("footnotes", "endnotes", "notes", "fußnoten", "anmerkungen", "notes de bas de page"),
        *("voetnoten", "note", "notas", "notas al pie", "notas de rodapé"),
    )
)
PART = re.compile(r"(?:part|book|volume|teil|buch|band|partie|livre|parte|libro)\b", re.IGNORECASE)
LONGEST_TITLE_PAGE = 300  # characters of text above the first chapter
MOST_TITLES = 3  # of one chapter; the first one alone names it where more stand in a row
_END = re.compile(
    r"\W*(?:the end|finis|fin|fine|ende|einde|fim|slut|(?:the )?end of .{1,40})\W*", re.IGNORECASE
)


def reference_reason(heading: str) -> SkipReason | None:
    """Why what stands below a heading may be left out: notes, or a list; None for a text."""
    is_notes = heading.strip(" .:_[]").lower() in _NOTES
    return SkipReason.NOTE if is_notes else list_reason(heading)


def empty_titles(blocks: Sequence[Block]) -> Iterator[tuple[int, SkipReason]]:
    """(index, reason) of each title of notes or a list below which the next chapter begins."""
    spoken = [at for at, block in enumerate(blocks) if is_speakable(block.text)]
    for at, below in zip_longest(spoken, spoken[1:]):
        block, next_one = blocks[at], blocks[below] if below is not None else None
        is_empty = next_one is None or (
            next_one.kind is BlockKind.HEADING and next_one.level <= block.level
        )
        if block.kind is BlockKind.HEADING and is_empty:
            reason = reference_reason(blocks[at].text)
            if reason is not None:
                yield at, reason


def is_end(heading: Block) -> bool:
    """True for "THE END" and its like."""
    return _END.fullmatch(heading.text) is not None


def grouped_starts(blocks: Sequence[Block], starts: Sequence[int]) -> list[list[int]]:
    """The headings at `starts`, in groups that begin one chapter each.

    Such headings have one level, and no text between them. Those of the title page stay alone.
    """
    groups = list[list[int]]()
    n_chars, at_start = 0, 0
    for at in starts:
        n_chars += sum(len(b.text) for b in blocks[at_start:at] if b.kind is not BlockKind.HEADING)
        at_start = at
        above = groups[-1][-1] if groups and n_chars > LONGEST_TITLE_PAGE else None
        if above is not None and _belong_together(blocks, above, at):
            groups[-1].append(at)
        else:
            groups.append([at])
    return groups


def title_of(blocks: Sequence[Block], group: Sequence[int], book_title: str) -> str:
    """The title of the chapter that the headings of `group` begin."""
    texts = [blocks[at].text for at in group]
    book_key = comparison_key(book_title)
    if len(texts) > 1 and comparison_key(" ".join(texts)) == book_key != "":
        return book_title
    texts = [text for text in texts if comparison_key(text) != book_key] or texts
    return reduce(with_label, texts) if len(texts) <= MOST_TITLES else texts[0]


def has_other_text(blocks: Sequence[Block]) -> bool:
    """True if `blocks` has text that can be spoken, besides headings."""
    return any(b.kind is not BlockKind.HEADING and is_speakable(b.text) for b in blocks)


def _belong_together(blocks: Sequence[Block], above: int, below: int) -> bool:
    """True for headings of one level without text between them.

    "Act I" and "Act II" are two, and so is what heads a part, notes or a list. Those are told apart
    later.
    """
    first, second = blocks[above], blocks[below]
    if first.level != second.level or has_other_text(blocks[above:below]):
        return False
    if PART.match(first.text) or reference_reason(first.text) or reference_reason(second.text):
        return False
    words = {one.text.split()[0].lower() for one in (first, second) if is_label(one.text)}
    return len(words) != 1 or not (is_label(first.text) and is_label(second.text))
