"""Arranges the chapters of a book for listeners: which there are, and what their marks say.

    chapters ─▶ title in lines joined ─▶ drafts, with their parts ─▶ title pages joined ─▶ named

Chapters are joined that a listener would not take for chapters:

    "Book One" │ "Chapter 1"   a page with only a title belongs to what follows
    "… so he" │ "went on …"    a file that begins inside a sentence continues the file before it
    "THE" │ "OLD" │ "MILL"     lines of a title page that a table of contents lists as chapters

The text stays as it is: the same blocks in the same order. Only the numerals of headings that are
numbered in sequence are marked. “L” alone heads chapter fifty, or the names of an index: the
headings beside it tell which.

A chapter while a book's chapters are arranged: all titles that lead to it, and its name.

Each mark tells where it is. A title that says nothing alone is named with that of its part: "Song
of Myself: 12". So is a title that several parts have: "Book Two: Chapter 3".
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, islice

from audiomill.inputs.chapters.headings import MOST_BLOCKS, PART, awaits_name, title_page_span
from audiomill.inputs.chapters.listings import list_reason
from audiomill.inputs.markup.joining import is_label
from audiomill.inputs.model.book import Block, BlockKind, Book, Chapter
from audiomill.inputs.model.comparison import comparison_key
from audiomill.inputs.spoken.roman import roman_value

# Characters of a page with only a title: of all its text, and of what is no heading ("1914–1918").
LONGEST_TITLE_PAGE = 200
LONGEST_CAPTION = 40
_SENTENCE_END = re.compile(r"[.!?…。！？][\"'”’»)\]]*$")
_ROMAN_NUMERAL = re.compile(r"[IVXLCDM]+(?=[.:)]?(?:\s|\Z))")
JOINT = ": "  # between the titles of a part and of a chapter
_AROUND = " .:,()[]–—-*№#"  # signs around a number


def arrange_chapters(book: Book) -> Book:
    """The book with the same blocks, in chapters that have names of their own."""
    chapters = join_title_lines(book.chapters, book.title, (*book.authors, *book.translators))
    drafts = name_chapters(join_title_pages(draft_chapters(chapters), book.title))
    blocks = iter(mark_numerals([block for draft in drafts for block in draft.blocks]))
    return replace(
        book,
        chapters=tuple(
            Chapter(draft.name, tuple(islice(blocks, len(draft.blocks))), draft.level, draft.parts)
            for draft in drafts
        ),
    )


def join_title_pages(drafts: Iterable[Draft], book_title: str) -> list[Draft]:
    """Join each page with only a title, and each continued sentence, with its chapter.

    A heading below "by" is the name of an author.
    """
    joined: list[Draft] = []
    for draft in drafts:
        before = joined[-1] if joined else None
        if before and _names_author(before, draft):
            joined[-1] = replace(before, blocks=before.blocks + draft.blocks)
        elif before and _is_title_page(before) and _leads_to(before, draft, book_title):
            joined[-1] = _joined(before, draft, book_title)
        elif before and _continues(draft):
            joined[-1] = replace(before, blocks=before.blocks + draft.blocks)
        else:
            joined.append(draft)
    return joined


def join_title_lines(
    chapters: Sequence[Chapter], book_title: str, names: Sequence[str]
) -> Sequence[Chapter]:
    """The chapters, with those that are only lines of the book's title joined into one.

    `names` are those of its authors and translators.
    """
    n_blocks = [*accumulate((len(one.blocks) for one in chapters[:MOST_BLOCKS]), initial=0)]
    front = [block for one in chapters[:MOST_BLOCKS] for block in one.blocks]
    page = title_page_span(front, book_title, names)
    first, last = (bisect_right(n_blocks, at) - 1 for at in (page.start, page.stop - 1))
    lines = chapters[first : last + 1]
    if len(lines) < 2 and not (page and _is_named_by_page(lines[0], front[page.start : page.stop])):
        return chapters
    titles = {one.title for one in lines}
    page_chapter = Chapter(
        book_title,
        tuple(block for one in lines for block in one.blocks),
        min(one.level for one in lines),
    )
    below = (
        replace(one, parts=tuple(part for part in one.parts if part not in titles))
        for one in chapters[last + 1 :]
    )
    return [*chapters[:first], page_chapter, *below]


def _is_named_by_page(chapter: Chapter, page: Sequence[Block]) -> bool:
    """True if the chapter's title is a line of the title page, or of a list that was left out."""
    is_left_out = chapter.title not in {block.text for block in chapter.blocks}
    named_by_list = is_left_out and list_reason(chapter.title) is not None
    return named_by_list or any(block.text == chapter.title for block in page)


def _is_title_page(draft: Draft) -> bool:
    n_chars = n_outside_headings = 0
    for block in draft.blocks:
        is_heading = block.kind is BlockKind.HEADING
        n_chars += len(block.text)
        n_outside_headings += 0 if is_heading else len(block.text)
        is_long = n_chars > LONGEST_TITLE_PAGE or n_outside_headings > LONGEST_CAPTION
        if is_long or (not is_heading and _SENTENCE_END.search(block.text)):
            return False
    return True


def _leads_to(page: Draft, following: Draft, book_title: str) -> bool:
    """True if the title of the page is that of the chapter after it, or of its part."""
    if following.level != page.level:
        return following.level > page.level
    title = page.path[-1]
    return (
        is_untitled(following)
        or _has_book_title(page, book_title)
        or (is_part(title) and not is_part(following.path[-1]))
    )


def _joined(page: Draft, following: Draft, book_title: str) -> Draft:
    blocks = page.blocks + following.blocks
    title, next_title = page.path[-1], following.path[-1]
    if is_untitled(following):
        return replace(page, blocks=blocks)
    has_title = comparison_key(title) in comparison_key(next_title)
    if has_title or _has_book_title(page, book_title):
        return replace(following, path=(*page.path[:-1], next_title), blocks=blocks)
    n_shown = page.n_shown + following.n_shown
    return replace(following, path=(*page.path, next_title), n_shown=n_shown, blocks=blocks)


def _names_author(above: Draft, draft: Draft) -> bool:
    """True if the title of the chapter is the name of who wrote what is named above it."""
    is_below_by = _is_title_page(above) and awaits_name(above.blocks)
    return is_below_by and not is_label(draft.path[-1].partition(":")[0])


def _continues(draft: Draft) -> bool:
    """True for a file without a title that begins inside a sentence."""
    first = next((c for block in draft.blocks for c in block.text if c.isalnum()), "")
    return first.islower() and is_untitled(draft)


def _has_book_title(page: Draft, book_title: str) -> bool:
    """True for a page with the title of the book, also where a list was that is left out."""
    words = {comparison_key(page.path[-1]), comparison_key(" ".join(b.text for b in page.blocks))}
    return comparison_key(book_title) in words


def mark_numerals(blocks: Sequence[Block]) -> list[Block]:
    """The blocks of a book, in order; the numerals of headings that count on are marked."""
    marked = list(blocks)
    headings = [*_numbered(blocks)]
    values = [0, *(value for _, _, value in headings), 0]
    for place, (index, end, value) in enumerate(headings, 1):
        counts = values[place - 1] == value - 1 != 0 or values[place + 1] == value + 1
        if counts and not blocks[index].numerals:
            marked[index] = replace(blocks[index], numerals=((0, end),))
    return marked


def _numbered(blocks: Sequence[Block]) -> Iterator[tuple[int, int, int]]:
    """(index, end of the numeral, its value) of each heading that begins with a numeral."""
    for index, block in enumerate(blocks):
        match = _ROMAN_NUMERAL.match(block.text) if block.kind is BlockKind.HEADING else None
        value = roman_value(match[0]) if match else None
        if match and value:
            yield index, match.end(), value


@dataclass(frozen=True, slots=True)
class Draft:
    """A chapter. `path` is its own title, after those of the parts that it belongs to."""

    path: tuple[str, ...]
    n_shown: int  # titles of the path, from its end, that name the chapter
    level: int
    blocks: tuple[Block, ...]
    # The table of contents has the part beside its chapters, not above them. So a chapter that
    # follows need not belong to it: an epilogue does not.
    is_part_beside: bool = False

    @property
    def name(self) -> str:
        """The title of the chapter's mark."""
        return JOINT.join(self.path[-self.n_shown :])

    @property
    def parts(self) -> tuple[str, ...]:
        """The titles of the parts that the chapter belongs to."""
        return () if self.is_part_beside and self.n_shown == 1 else self.path[:-1]


def draft_chapters(chapters: Iterable[Chapter]) -> list[Draft]:
    """A draft of each chapter. Parts that a chapter does not name are found by the levels."""
    drafts: list[Draft] = []
    above: list[tuple[int, bool, str]] = []  # (level, is no part, title), outermost first
    for chapter in chapters:
        if chapter.parts:
            above = [(at, False, part) for at, part in enumerate(chapter.parts, 1)]
        title, n_shown = _own_title(chapter)
        place = (max(chapter.level, len(chapter.parts) + 1), not is_part(title))
        above = [one for one in above if one[:2] < place]
        path = (*(part for *_, part in above), title)
        is_beside = bool(above) and above[-1][0] == place[0]
        drafts.append(Draft(path, n_shown, chapter.level, chapter.blocks, is_beside))
        above.append((*place, title))
    return drafts


def _own_title(chapter: Chapter) -> tuple[str, int]:
    """(the title without that of a part which begins with the chapter, how many titles it has)."""
    before = chapter.parts[-1] + JOINT if chapter.parts else ""
    own = chapter.title.removeprefix(before)
    return (own, 2) if before and own and own != chapter.title else (chapter.title, 1)


def is_part(title: str) -> bool:
    """True for the title of a part, for example "Book Two"."""
    return PART.match(title) is not None


def is_untitled(draft: Draft) -> bool:
    """True if the title of the chapter is only the beginning of its text."""
    spoken = (block for block in draft.blocks if any(map(str.isalnum, block.text)))
    first = next(spoken, None)
    if first is None or first.kind is BlockKind.HEADING:
        return False
    return " ".join(first.text.split()).startswith(draft.path[-1].rstrip("…"))


def name_chapters(drafts: Sequence[Draft]) -> list[Draft]:
    """The chapters, named with as many titles of their parts as they need."""
    named = list(drafts)
    while changed := [*_with_next_part(named)]:
        for index in changed:
            named[index] = replace(named[index], n_shown=named[index].n_shown + 1)
    return named


def _with_next_part(drafts: Sequence[Draft]) -> Iterator[int]:
    """The indices of chapters whose names are not enough, and which have a part to add."""
    next_parts: dict[tuple[str, int], set[str]] = {}
    for n_shown in {draft.n_shown for draft in drafts}:
        for draft in drafts:
            next_parts.setdefault(_name_key(draft, n_shown), set()).add(_next_part(draft, n_shown))
    for index, draft in enumerate(drafts):
        n_shown = draft.n_shown
        name = _name_key(draft, n_shown)
        is_shared = bool(name[0]) and len(next_parts[name]) > 1
        is_bare = all(map(is_number, draft.path[-n_shown:]))
        if _next_part(draft, n_shown) and (is_shared or is_bare):
            yield index


def _name_key(draft: Draft, n_shown: int) -> tuple[str, int]:
    """A key that is equal for chapters of the same name, if so many titles are shown."""
    return comparison_key("".join(draft.path[-n_shown:])), n_shown


def _next_part(draft: Draft, n_shown: int) -> str:
    """The title that would be added before the name; "" if there is none."""
    outer = draft.path[:-n_shown]
    return outer[-1] if outer else ""


def is_number(title: str) -> bool:
    """True for "12", "XII." and the like, without any words."""
    bare = title.strip(_AROUND)
    is_one_case = bare.isupper() or bare.islower()
    return bare.isdecimal() or (is_one_case and roman_value(bare) is not None)
