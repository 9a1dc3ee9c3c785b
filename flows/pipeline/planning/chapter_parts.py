"""Chapters in parts: one that is too long for a file becomes several. Pure.

chapter 5    |segments 0 … 119|120 … 241     |    cut at (4, 120)
in parts     |The Sea (1/2)   |The Sea (2/2) |
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

from audiomill.flows.pipeline.planning.plan import ChapterPart, ChapterPlan, Cuts, Plan


def slice_of(chapter: ChapterPlan, first: int, last: int) -> ChapterPlan:
    """Segments [first, last) of a chapter."""
    continues = chapter.continues or first > 0
    return replace(chapter, segments=chapter.segments[first:last], continues=continues)


def with_cuts(plan: Plan, cuts: Cuts) -> Plan:
    """The plan of whole chapters with those in parts that are cut; as it is without cuts."""
    if not cuts:
        return plan
    chapters = (
        part
        for index, chapter in enumerate(plan.chapters)
        for part in _parts(chapter, [segment for at, segment in cuts if at == index])
    )
    return replace(plan, chapters=tuple(chapters), cuts=cuts)


def fit(plan: Plan, cuts: Cuts) -> bool:
    """Whether there are such places in the plan of whole chapters, in order."""
    n_segments = [0 if one.is_credits else len(one.segments) for one in plan.chapters]
    return all(one < following for one, following in pairwise(cuts)) and all(
        0 <= index < len(n_segments) and 0 < segment < n_segments[index] for index, segment in cuts
    )


def _parts(chapter: ChapterPlan, starts: list[int]) -> Iterator[ChapterPlan]:
    if not starts:
        yield chapter
        return
    edges = [0, *starts, len(chapter.segments)]
    for number, (first, last) in enumerate(pairwise(edges), 1):
        part = ChapterPart(number, len(edges) - 1, chapter.title)
        title = f"{chapter.title} ({part.number}/{part.total})"
        yield replace(slice_of(chapter, first, last), title=title, part=part)
