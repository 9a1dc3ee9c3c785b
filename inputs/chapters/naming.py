"""Names chapters so that each mark tells where it is.

A title that says nothing alone is named with that of its part: "Song of Myself: 12". So is a title
that several parts have: "Book Two: Chapter 3".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from audiomill.inputs.chapters.drafts import Draft
from audiomill.inputs.markup.text import comparison_key
from audiomill.inputs.spoken.roman import roman_value

_AROUND = " .:,()[]–—-*№#"  # signs around a number


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
