"""Chapters made of headings, for sources that have no table of contents. Knows blocks only.

The level that makes chapters is found:

    # Title            one heading on top: the book's title, not a chapter
    ## Chapter 1       so these are the chapters
    ### A section      and this stays inside one

    # Chapter 1        several on top: they are the chapters
    # Chapter 2

    # Part One         parts on top: they and what lies below them are chapters,
    ## Chapter 1       one level apart
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from audiomill.inputs.book import Block, BlockKind, Chapter
from audiomill.inputs.markup.parser import Element, local_name
from audiomill.inputs.markup.semantics import HEADINGS
from audiomill.inputs.segmentation.spoken_form import is_speakable

_PART = re.compile(r"(?:part|book|volume|teil|buch|band|partie|livre|parte|libro)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Outline:
    """Chapters, and the title that stood over them; "" where none did."""

    title: str
    chapters: tuple[Chapter, ...]


def outline(blocks: Sequence[Block], title: str) -> Outline:
    """All of `blocks` as chapters, in order; `title` names the book where no heading does.

    Text before the first chapter's heading is an opening chapter; a bare title there is said at
    the start of the first chapter. Without blocks there are no chapters.
    """
    headings = [at for at, block in enumerate(blocks) if block.kind is BlockKind.HEADING]
    n_titles = _titles(blocks, headings)
    top = blocks[headings[0]].text if n_titles else ""
    levels = _chapter_levels([blocks[at] for at in headings[n_titles:]])
    starts = [at for at in headings[n_titles:] if blocks[at].level in levels]
    ends = [*starts[1:], len(blocks)]
    chapters = list[Chapter]()
    n_before = starts[0] if starts else len(blocks)
    if _says_something(blocks[:n_before]) or (blocks and not starts):
        chapters.append(Chapter(top or title, tuple(blocks[:n_before])))
    elif starts:
        starts[0] = 0  # a bare title is said with the first chapter
    for start, end in zip(starts, ends, strict=bool(starts)):
        heading = blocks[n_before if start == 0 else start]
        inside = tuple(blocks[start:end])
        chapters.append(Chapter(heading.text, inside, 1 + levels.index(heading.level)))
    return Outline(top, tuple(chapters))


def _titles(blocks: Sequence[Block], headings: Sequence[int]) -> int:
    """How many headings, from the first, are the book's title (0 to 2: with a subtitle)."""
    if not headings or not _is_alone_on_top(blocks, headings):
        return 0
    if len(headings) < len(("title", "subtitle", "chapter")):
        return 1
    between = [*blocks[headings[0] + 1 : headings[1]], *blocks[headings[1] + 1 : headings[2]]]
    bare = not _says_something(between)
    return 2 if bare and _is_alone_on_top(blocks, headings[1:]) else 1


def _is_alone_on_top(blocks: Sequence[Block], headings: Sequence[int]) -> bool:
    """Whether the first heading stands above all others."""
    first, *others = (blocks[at].level for at in headings)
    return all(first < other for other in others)


def _chapter_levels(headings: Sequence[Block]) -> list[int]:
    """The levels that make chapters, the upper first: one, or two where the upper are parts."""
    found = sorted({heading.level for heading in headings})
    tops = [heading for heading in headings if heading.level in found[:1]]
    parts = [heading for heading in tops if _PART.match(heading.text)]
    return found[: 2 if tops and 2 * len(parts) > len(tops) else 1]


def _says_something(blocks: Sequence[Block]) -> bool:
    """Whether there is text among `blocks` besides headings."""
    return any(b.kind is not BlockKind.HEADING and is_speakable(b.text) for b in blocks)


# A table of contents inside a page, found by its looks.

MIN_LINKS = 3
_HEADING = re.compile(r"\W*(?:table of )?contents\W*", re.IGNORECASE)


def mark_contents(root: Element) -> None:
    """Give lists of links into the page, and the heading over them, the role of a contents."""
    for node in list(root.iter("{*}ul", "{*}ol")):
        if node.get("role") is None and _is_contents(node):
            node.set("role", "doc-toc")
            over = node.getprevious()
            if over is not None and _is_heading_of_contents(over):
                over.set("role", "doc-toc")


def _is_contents(node: Element) -> bool:
    """Whether all text of a list, three items or more, is inside links to `#something`."""
    n_links, waiting = 0, list(node)
    if _has_text(node.text):
        return False
    while waiting:
        child = waiting.pop()
        if _has_text(child.tail):
            return False
        if local_name(child) == "a":
            if not (child.get("href") or "").startswith("#"):
                return False
            n_links += 1
        elif _has_text(child.text):
            return False
        else:
            waiting += list(child)
    return n_links >= MIN_LINKS


def _is_heading_of_contents(node: Element) -> bool:
    text = "".join(map(str, node.itertext()))
    return local_name(node) in HEADINGS and _HEADING.fullmatch(text) is not None


def _has_text(text: str | None) -> bool:
    return bool(text and text.strip())
