"""Joins what a page sets in several elements: lines of a stanza, a number and its title.

<p class="line">…</p> <p class="line">…</p>     a block of verse
<h2>2</h2> <h3>The Title</h3>                   the heading "2: The Title"
<hgroup> … </hgroup>                            one heading
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import groupby

from audiomill.inputs.markup.marked_words import END
from audiomill.inputs.model.book import Block, BlockKind
from audiomill.inputs.model.places import joined

# Roman numerals below 400: "Mix" and "Mill" are names.
_NUMERAL = r"(?:\d{1,4}|(?=[ivxlc])c{0,3}(?:xc|xl|l?x{0,3})(?:ix|iv|v?i{0,3}))"
# Of chapters in English, as a regular expression: "one" to "nineteen".
NUMBER_WORDS = (
    r"one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
    r"|(?:thir|four|fif|six|seven|eigh|nine)teen"
)
# A page of any language has them, before its language is known.
CHAPTER_WORDS = "chapter|kapitel|chapitre|cap[íi]tulo|capitolo|hoofdstuk"
_ENGLISH_NUMBER = (
    rf"(?:{NUMBER_WORDS}|(?:twen|thir|for|fif|six|seven|eigh|nine)ty(?:[- ]\w{{3,5}})?"
    r"|(?:the )?(?:first|second|third|last|\w{3,9}th))"
)
# A heading that is only a label: "Chapter One", "Part II", "Erstes Kapitel", "Capítulo 3", "IV".
_LABEL = re.compile(
    rf"{_NUMERAL}"
    r"|(?:chapter|part|book|volume|section|act|scene|canto|letter)"
    rf" (?:{_NUMERAL}|{_ENGLISH_NUMBER})"
    rf"|(?:(?!chapter)(?:{CHAPTER_WORDS})|teil|buch|band|deel|boek|partie|livre|tome|acte|scène|parte"
    rf"|libro|livro|tomo|acto|atto|ato) (?:{_NUMERAL}|\w{{2,12}})"
    rf"|\w{{3,14}} (?:(?!chapter)(?:{CHAPTER_WORDS})|teil|buch|band|deel|boek|partie|parte|livre"
    r"|libro|livro)",
    re.IGNORECASE,
)
# The heading of the next lower level below "Part One" may be that of its first chapter.
_PART = re.compile(
    r"(?:\w+ )?(?:part|book|volume|teil|buch|band|deel|boek|partie|livre|tome|parte|libro|livro"
    r"|tomo)\b",
    re.IGNORECASE,
)
_SECTION = re.compile(r"\d+\.\d")  # "1.1 Introduction" is not the title of "1"
_ENDS = ".!?…:;"


@dataclass(frozen=True, slots=True)
class ElementPlace:
    """Where the element of a block stands. Block elements are numbered as they begin."""

    element: int = 0  # the block element that has the text
    parent: int = 0  # the block element around that one
    shape: int = 0  # the same for elements with the same names and classes from the root on
    grandparent: int = 0  # the block element around the parent


@dataclass(frozen=True, slots=True)
class AnchoredBlock:
    """A block and the ids at its start or inside it, to which links can lead."""

    block: Block
    ids: tuple[str, ...] = ()
    opening_link: str = ""  # the href of the note mark ("3", "[3]", "*") at its beginning, if any
    note_links: tuple[str, ...] = ()  # the hrefs of note marks in it that were left out
    notes: tuple[Block, ...] = ()  # that are read with it: its marks are the first of theirs
    place: ElementPlace = ElementPlace()


@dataclass(frozen=True, slots=True)
class PendingBlock:
    """A block, and what it belongs to."""

    anchored: AnchoredBlock
    stanza: tuple[int, int] | None = None  # the same for all lines of a stanza of verse
    heading_group: int = 0  # the number of its `<hgroup>`
    is_label: bool = False  # the page says that it is the number of the heading below it


def is_label(text: str) -> bool:
    """True for a heading that only numbers what it heads: "Chapter 2", "IV.", "Erster Teil"."""
    return _LABEL.fullmatch(text.strip().rstrip(".:")) is not None


def with_label(label: str, title: str) -> str:
    """One heading of a label and a title: "Chapter 2: The Title", "Chapter 2. The Title"."""
    return f"{label}{'' if label.rstrip(END)[-1:] in _ENDS else ':'} {title}"


def join_blocks(pending: Sequence[PendingBlock]) -> list[AnchoredBlock]:
    """Return the blocks, with the lines of a stanza joined, and the parts of a heading."""
    blocks: list[PendingBlock] = []
    for block in _joined_groups(pending):
        above = blocks[-1] if blocks else None
        if above and _are_one_heading(above, block):
            texts = above.anchored.block.text, block.anchored.block.text
            blocks[-1] = PendingBlock(_joined([above, block], with_label(*texts)))
        else:
            blocks.append(block)
    return [block.anchored for block in blocks]


def _joined_groups(pending: Sequence[PendingBlock]) -> Iterator[PendingBlock]:
    """The blocks, with the lines of each stanza joined, and the parts of each `<hgroup>`."""
    for (stanza, heading_group), group in groupby(pending, key=_group):
        together = list(group)
        texts = [one.anchored.block.text for one in together]
        if stanza is not None:
            yield PendingBlock(_joined(together, "\n".join(texts)))
        elif heading_group and len({one.anchored.block.language for one in together}) == 1:
            yield PendingBlock(_joined(together, _heading_text(texts)))
        else:
            yield from together


def _group(block: PendingBlock) -> tuple[tuple[int, int] | None, int]:
    return block.stanza, block.heading_group


def _are_one_heading(upper: PendingBlock, lower: PendingBlock) -> bool:
    above, below = upper.anchored.block, lower.anchored.block
    return (
        above.kind is below.kind is BlockKind.HEADING
        and above.language == below.language
        and (upper.is_label or is_label(above.text))
        and (above.level == below.level or not _PART.match(above.text))
        and not (lower.is_label or is_label(below.text) or _SECTION.match(below.text))
    )


def _heading_text(texts: Iterable[str]) -> str:
    """The parts of an `<hgroup>`: "Chapter 2: The Title: A subtitle"."""
    return reduce(with_label, texts)


def _joined(together: Sequence[PendingBlock], text: str) -> AnchoredBlock:
    """One block of the parts, whose texts lie in `text` in order."""
    parts = [one.anchored for one in together]
    return replace(
        parts[0],
        block=joined([part.block for part in parts], text),
        ids=tuple(name for one in parts for name in one.ids),
        note_links=tuple(link for one in parts for link in one.note_links),
    )
