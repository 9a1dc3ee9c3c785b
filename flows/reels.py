"""What goes into a recording, cut into stretches that can be encoded side by side. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from flows.plan import ChapterPlan
from flows.tracks import LEAD_S, Run
from outputs.chapter import MasteredChapter
from outputs.mastering import MasterPlan
from outputs.pieces import is_cut
from outputs.recording import Sleeve


@dataclass(frozen=True, slots=True)
class ReelStretch:
    """Runs of one or several chapters, and how many samples they make together."""

    runs: tuple[Run, ...]
    n_samples: int


@dataclass(frozen=True, slots=True)
class Reel:
    """All that goes into one recording: its audio, and what its files say of themselves."""

    stretches: tuple[ReelStretch, ...]
    master: MasterPlan
    sleeve: Sleeve


def cut_reel(
    plans: Sequence[ChapterPlan], chapters: Sequence[MasteredChapter]
) -> Iterator[ReelStretch]:
    """The chapters' segments in order, cut where a pause leaves room for it.

    Joined by themselves, all stretches one after the other are the chapters, sample for sample:
    what a pause separates does not touch.
    """
    runs: list[Run] = []
    n_samples = 0
    for plan, chapter in zip(plans, chapters, strict=True):
        first, lead_s, start = 0, LEAD_S, 0
        for index, (end, n_silent) in enumerate(_ends(chapter), 1):
            n_stretch = n_samples + end - start
            if is_cut(n_stretch, n_silent, chapter.sample_rate):
                yield ReelStretch((*runs, Run(plan.parts[first:index], lead_s)), n_stretch)
                runs, n_samples, first, lead_s, start = [], 0, index, 0.0, end
        if first < len(plan.parts):
            runs.append(Run(plan.parts[first:], lead_s))
            n_samples += chapter.n_samples - start
    if runs:
        yield ReelStretch(tuple(runs), n_samples)


def _ends(chapter: MasteredChapter) -> Iterator[tuple[int, int]]:
    """For each segment, where its pause ends in the chapter, and how long that pause is."""
    for cue, after in pairwise((*chapter.cues, None)):
        if cue is not None:
            end = chapter.n_samples if after is None else after.start
            yield end, end - cue.end
