"""Chapters in parts: one that is too long for a file becomes several. Pure.

chapter 5    |segments 0 … 119|120 … 241     |    cut at (4, 120)
in parts     |The Sea (1/2)   |The Sea (2/2) |

Lengths are known only once a chapter is measured. So the library remembers, by keys, where chapters
are cut, and a run looks up what an earlier one has found.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise

from audiomill.flows.job import Job
from audiomill.flows.pipeline.planning.fingerprints import json_sha256, length_choices, segments_of
from audiomill.flows.pipeline.planning.plan import ChapterPart, ChapterPlan, Cuts, Plan
from audiomill.renderers.engine.planning import estimate_s
from audiomill.renderers.engine.protocol import EngineLimits

# A chapter that is expected to have less of the longest length is not too long: estimates are not
# off by as much.
DOUBTFUL_SHARE = 1 / 3

KnownCuts = Mapping[str, tuple[int, ...]]  # the segments at which parts begin, by key
MAX_REMEMBERED = 2000  # chapters


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


def cuts_fit(plan: Plan, cuts: Cuts) -> bool:
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


@dataclass(frozen=True, slots=True)
class CutKeys:
    """The keys of the chapters of a plan; none if no chapter is cut, however long it is."""

    keys: tuple[str, ...] = ()
    doubtful: frozenset[str] = frozenset()  # of chapters that may be too long

    def are_known(self, known: KnownCuts) -> bool:
        """Whether no chapter has to be measured to know where it is cut."""
        return self.doubtful <= known.keys()

    def cuts(self, known: KnownCuts) -> Cuts:
        """Where chapters are cut; () if that is not known of all."""
        if not self.are_known(known):
            return ()
        return tuple(
            (index, segment)
            for index, key in enumerate(self.keys)
            for segment in known.get(key, ())
        )

    def by_chapter(self, cuts: Cuts) -> dict[str, tuple[int, ...]]:
        """The cuts that a run has found in all chapters."""
        return {
            key: tuple(segment for at, segment in cuts if at == index)
            for index, key in enumerate(self.keys)
        }


def cut_keys(plan: Plan, job: Job, music: str, limits: EngineLimits) -> CutKeys:
    """The keys of a plan of whole chapters: of all that decides where each is cut.

    `music` is the `music_digest`.
    """
    longest_s = job.delivery.max_file_s
    if not job.split or not longest_s:
        return CutKeys()
    choices = {"rate": plan.sample_rate, "music": music, **length_choices(job.delivery)}
    credits_apart = job.delivery.credits_apart
    keys, doubtful = list[str](), set[str]()
    for index, chapter in enumerate(plan.chapters):
        beside = [] if credits_apart else credits_beside(plan, index)
        said = [segments_of(plan.chapters[at]) for at in (index, *beside)]
        keys.append(json_sha256({**choices, "segments": said}))
        expected_s = sum(
            estimate_s(one.request, limits) + one.pause_after_s for one in chapter.segments
        )
        if expected_s >= DOUBTFUL_SHARE * longest_s and not chapter.is_credits:
            doubtful.add(keys[-1])
    return CutKeys(tuple(keys), frozenset(doubtful))


def credits_beside(plan: Plan, index: int) -> list[int]:
    """The credits before and after a chapter of the plan, by their index."""
    around = (index - 1, index + 1)
    return [at for at in around if 0 <= at < len(plan.chapters) and plan.chapters[at].is_credits]


def cuts_elsewhere(keys: CutKeys, others: Iterable[KnownCuts]) -> KnownCuts:
    """The first of the others' cuts that has those of all chapters; {} if none has."""
    known = next((one for one in others if keys.are_known(one)), {})
    return {key: known[key] for key in keys.keys if key in known}


def with_found(known: KnownCuts, found: KnownCuts) -> dict[str, tuple[int, ...]]:
    """Both; of what was known, the oldest is forgotten if it is too much."""
    older = [item for item in known.items() if item[0] not in found]
    n_kept = max(0, MAX_REMEMBERED - len(found))
    return dict(older[len(older) - min(n_kept, len(older)) :]) | dict(found)
