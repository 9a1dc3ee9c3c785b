"""Divides blocks into chapters at headings, for sources without a table of contents.

The levels of the headings decide which of them begin chapters:

    # Title            one heading at the top level: the title of the book, not a chapter; so are
                       several that are together the title in its metadata (`headings.py`)
    ## Chapter 1       so these are the chapters
    ### A section      a section stays inside its chapter

    # Chapter 1        several headings at the top level: they are the chapters
    # Chapter 2

    # Part One         parts at the top level: the parts are chapters of level 1,
    ## Chapter 1       and the headings below them are chapters of level 2

    # Chapter 1        a chapter of over an hour is divided at the headings of the next level
    ## I: The mill

    CHAPTER I.         a paragraph: on a page of hours without headings of chapters, those that
                       count from one on become headings (`with_label_headings`)

Also finds tables of contents inside a page (`mark_contents`), so that they are not read aloud.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from audiomill.inputs.chapters.headings import (
    LONGEST_TITLE_PAGE,
    PART,
    grouped_starts,
    has_other_text,
    is_end,
    title_of,
    title_page_span,
)
from audiomill.inputs.markup.joining import CHAPTER_WORDS, is_label
from audiomill.inputs.markup.page_titles import title_types
from audiomill.inputs.markup.parser import Element, local_name
from audiomill.inputs.markup.semantics import HEADINGS, short_text
from audiomill.inputs.model.book import Block, BlockKind, Chapter
from audiomill.inputs.spoken.roman import roman_value

# Where software puts a table of contents.
CONTENTS_MARKS = frozenset(("[toc]", "[[toc]]", "{:toc}"))
MIN_LINKS = 3  # of a table of contents inside a page
LONGEST_CHAPTER = 60_000  # characters, over an hour, before the headings in it are chapters
MIN_INNER = 3  # headings that divide such a chapter

_NUMBERED = re.compile(
    rf"(?:{CHAPTER_WORDS})\s(?P<number>\d{{1,3}}|[ivxlc]+)[.:]?",
    re.IGNORECASE,
)
LEAST_CHARS = 500  # of a chapter on the average; the lines of a table of contents have fewer


@dataclass(frozen=True, slots=True)
class Outline:
    """Chapters, and the title above them; "" if there is none."""

    title: str
    chapters: tuple[Chapter, ...]


def outline(blocks: Sequence[Block], title: str) -> Outline:
    """Return all of `blocks` as chapters, in order; `title` is used if no heading is the title.

    Text before the first heading of a chapter is a chapter of its own. A title without text goes
    to the beginning of the first chapter. Without blocks there are no chapters.
    """
    headings = [at for at, block in enumerate(blocks) if block.kind is BlockKind.HEADING]
    top, below = _title_and_below(blocks, headings, title)
    groups = grouped_starts(blocks, _chapter_starts(blocks, below))
    starts = [group[0] for group in groups]
    levels = sorted({blocks[at].level for at in starts})
    ends = [*starts[1:], len(blocks)]
    chapters = list[Chapter]()
    n_before = starts[0] if starts else len(blocks)
    if has_other_text(blocks[:n_before]) or (blocks and not starts):
        chapters.append(Chapter(top or title, tuple(blocks[:n_before])))
    elif starts:
        starts[0] = 0  # a title without text goes to the first chapter
    for group, start, end in zip(groups, starts, ends[: len(groups)], strict=True):
        level = 1 + levels.index(blocks[group[0]].level)
        chapters.append(Chapter(title_of(blocks, group, title), tuple(blocks[start:end]), level))
    return Outline(top, tuple(chapters))


def _title_and_below(
    blocks: Sequence[Block], headings: Sequence[int], title: str
) -> tuple[str, Sequence[int]]:
    """(the title that headings at the beginning are, or "", the headings below it)."""
    page = title_page_span(blocks, title)
    below = [at for at in headings if at >= page.stop]
    if len(below) < len(headings):
        as_set = " ".join(blocks[at].text for at in page)
        return as_set if title.islower() else title, below  # the name of a file is in lower case
    n_above = _count_above_title(blocks, headings)
    n_titles = _count_titles(blocks, headings[n_above:])
    if not n_titles:
        return "", headings
    return blocks[headings[n_above]].text, headings[n_above + n_titles :]


def _count_above_title(blocks: Sequence[Block], headings: Sequence[int]) -> int:
    """The number of headings above the title on its page: of a series, of a publisher."""
    top = min((blocks[at].level for at in headings), default=0)
    n_above = next((n for n, at in enumerate(headings) if blocks[at].level == top), 0)
    n_chars = sum(len(block.text) for block in blocks[: headings[n_above]]) if n_above else 0
    return n_above if n_chars <= LONGEST_TITLE_PAGE else 0


def _count_titles(blocks: Sequence[Block], headings: Sequence[int]) -> int:
    """The number of headings at the beginning that are the title: 0, 1, or 2 with a subtitle."""
    if not headings or not _is_single_top(blocks, headings):
        return 0
    if len(headings) < len(("title", "subtitle", "chapter")):
        return 1
    between = [*blocks[headings[0] + 1 : headings[1]], *blocks[headings[1] + 1 : headings[2]]]
    has_text = has_other_text(between)
    return 2 if not has_text and _is_single_top(blocks, headings[1:]) else 1


def _is_single_top(blocks: Sequence[Block], headings: Sequence[int]) -> bool:
    """True if the first heading has a higher level than all others."""
    first, *others = (blocks[at].level for at in headings)
    return all(first < other for other in others)


def _chapter_levels(headings: Sequence[Block]) -> list[int]:
    """The levels that begin chapters, the top one first: one, or two if the top ones are parts."""
    levels = sorted({heading.level for heading in headings})
    tops = [heading for heading in headings if heading.level in levels[:1]]
    parts = [heading for heading in tops if PART.match(heading.text)]
    return levels[: 2 if tops and 2 * len(parts) > len(tops) else 1]


def _chapter_starts(blocks: Sequence[Block], headings: Sequence[int]) -> list[int]:
    """The headings that begin chapters; in a chapter of hours, those of the next level, too."""
    levels = _chapter_levels([blocks[at] for at in headings])
    headings = [at for at in headings if not is_end(blocks[at])]
    starts = [at for at in headings if blocks[at].level in levels]
    for level in sorted({blocks[at].level for at in headings} - {*levels}):
        long = [
            (start, end)
            for start, end in pairwise((-1, *starts, len(blocks)))  # -1: what is above them, too
            if _is_divided(blocks[max(start, 0) : end], level)
        ]
        inner = [at for at in headings if blocks[at].level == level]
        starts = sorted([*starts, *(at for at in inner if any(a < at < b for a, b in long))])
    return starts


def _is_divided(chapter: Sequence[Block], level: int) -> bool:
    """True for a chapter of hours with several headings of a level."""
    inner = [block for block in chapter if block.kind is BlockKind.HEADING and block.level == level]
    n_chars = sum(len(block.text) for block in chapter)
    return len(inner) >= MIN_INNER and n_chars > LONGEST_CHAPTER


def with_label_headings(blocks: Sequence[Block]) -> list[Block]:
    """`blocks`, in which paragraphs that count chapters from one on are headings.

    A page of less than an hour stays as it is, and one with a heading that numbers a chapter.
    """
    has_own = any(one.kind is BlockKind.HEADING and _number(one) for one in blocks)
    if has_own or sum(len(one.text) for one in blocks) <= LONGEST_CHAPTER:
        return list(blocks)
    level = 1 + max((one.level for one in blocks if one.kind is BlockKind.HEADING), default=0)
    numbers = {at: _number(one) for at, one in enumerate(blocks)}
    for first in (at for at, number in numbers.items() if number == 1):
        labels = _counted(numbers, first)
        n_chars = sum(len(one.text) for one in blocks[first : labels[-1]])
        if len(labels) >= MIN_INNER and n_chars > LEAST_CHARS * len(labels):
            return [
                replace(one, kind=BlockKind.HEADING, level=level) if at in labels else one
                for at, one in enumerate(blocks)
            ]
    return list(blocks)


def _number(block: Block) -> int:
    """The number of the chapter that a block is only the label of; 0 if it is none."""
    if block.kind not in (BlockKind.PARAGRAPH, BlockKind.HEADING) or not is_label(block.text):
        return 0
    match = _NUMBERED.fullmatch(" ".join(block.text.split()))
    number = match["number"] if match else ""
    return int(number) if number.isdecimal() else roman_value(number) or 0


def _counted(numbers: dict[int, int], first: int) -> list[int]:
    """The labels from `first` on that count from one on."""
    found = list[int]()
    for at, number in numbers.items():
        if at >= first and number == len(found) + 1:
            found.append(at)
    return found


def mark_contents(root: Element) -> None:
    """Set role="doc-toc" on lists of links within the page, and on the heading above them."""
    for node in root.iter("{*}p"):
        if len(node) <= 1 and (short_text(node) or "").strip().lower() in CONTENTS_MARKS:
            node.set("role", "doc-toc")
    for node in list(root.iter("{*}ul", "{*}ol")):
        if node.get("role") is None and _is_contents(node):
            node.set("role", "doc-toc")
            above = next(node.itersiblings("*", preceding=True), None)  # past comments
            if above is not None and _is_contents_heading(above):
                above.set("role", "doc-toc")


def _is_contents(node: Element) -> bool:
    """True if all text of a list is in links within the page, and there are `MIN_LINKS` or more."""
    n_links, pending = 0, list(node)
    if _is_text(node.text):
        return False
    while pending:
        child = pending.pop()
        if _is_text(child.tail):
            return False
        if local_name(child) == "a":
            if not (child.get("href") or "").startswith("#"):
                return False
            n_links += 1
        elif _is_text(child.text):
            return False
        else:
            pending += list(child)
    return n_links >= MIN_LINKS


def _is_contents_heading(node: Element) -> bool:
    text = "".join(map(str, node.itertext()))
    return local_name(node) in HEADINGS and "toc" in title_types(text)


def _is_text(text: str | None) -> bool:
    return bool(text and text.strip())
