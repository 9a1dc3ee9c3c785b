"""Under which keys the library remembers where chapters are cut that are too long for a file. Pure.

Lengths are known only once a chapter is measured. So a run looks up what an earlier one has found.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from audiomill.flows.job import Job
from audiomill.flows.pipeline.planning.fingerprints import (
    digest_of,
    length_choices,
    segments_of,
)
from audiomill.flows.pipeline.planning.plan import Cuts, Plan
from audiomill.renderers.base import EngineLimits
from audiomill.renderers.planning import estimate_s

# A chapter that is expected to have less of the longest length is not too long: estimates are not
# off by as much.
DOUBTFUL_SHARE = 1 / 3

KnownCuts = Mapping[str, tuple[int, ...]]  # the segments at which parts begin, by key


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

    def found(self, cuts: Cuts) -> dict[str, tuple[int, ...]]:
        """What a run has found of all chapters."""
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
        keys.append(digest_of({**choices, "segments": said}))
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
