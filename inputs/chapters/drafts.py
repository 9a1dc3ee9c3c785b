"""A chapter while a book's chapters are arranged: its blocks, and all titles that lead to it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from audiomill.inputs.chapters.joint_titles import PART
from audiomill.inputs.model.book import Block, BlockKind, Chapter

JOINT = ": "  # between the titles of a part and of a chapter


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
