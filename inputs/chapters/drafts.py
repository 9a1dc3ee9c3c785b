"""A chapter while a book's chapters are arranged: all titles that lead to it, and its name.

Each mark tells where it is. A title that says nothing alone is named with that of its part: "Song
of Myself: 12". So is a title that several parts have: "Book Two: Chapter 3".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from audiomill.inputs.chapters.headings import PART
from audiomill.inputs.markup.text import comparison_key
from audiomill.inputs.model.book import Block, BlockKind, Chapter
from audiomill.inputs.spoken.roman import roman_value

JOINT = ": "  # between the titles of a part and of a chapter
_AROUND = " .:,()[]–—-*№#"  # signs around a number


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
