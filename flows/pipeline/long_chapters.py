"""Parts the chapters of a split book that are too long for a file, once they are measured.

A file may end inside a chapter after segments that a pause follows:

|One. Two. pause|Three. pause|¶ Four. pause|
                ▲            ▲             the end of a paragraph is better than another one
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from audiomill.flows.job import Job
from audiomill.flows.pipeline.chapter_audio import pauses_in
from audiomill.flows.pipeline.planning.cuts import credits_beside, with_cuts
from audiomill.flows.pipeline.planning.plan import ChapterPlan, Cuts, Plan
from audiomill.flows.pipeline.render_book import RenderedBook, measure_chapter
from audiomill.flows.pipeline.run_state import Run
from audiomill.inputs.model.book import BlockKind
from audiomill.outputs.types import MeasuredChapter
from audiomill.renderers.store.store import ShardStore

# How far from the best place, as a share of a part's length, an end is looked for, one by one.
TOLERANCES = (0.05, 0.2, 1.0)


def part_long_chapters(run: Run, store: ShardStore, book: RenderedBook) -> RenderedBook:
    """The book with its too long chapters in parts, each measured. Raises RenderError, StoreError.

    A plan that has been cut stays as it is.
    """
    if not run.cut_keys.keys or book.plan.cuts:
        return book
    cuts = find_cuts(run.job, book.plan, book.chapters)
    if not cuts:
        return book
    plan, cut = with_cuts(book.plan, cuts), {index for index, _ in cuts}
    parts = {
        index: run.executor.submit(
            part.name, measure_chapter, run.job, store, part, run.context, run.pool
        )
        for index, part in enumerate(plan.chapters)
        if part.part
    }
    whole = (chapter for index, chapter in enumerate(book.chapters) if index not in cut)
    chapters = tuple(
        parts[index].result() if index in parts else next(whole)
        for index in range(len(plan.chapters))
    )
    return replace(book, plan=plan, chapters=chapters)


def find_cuts(job: Job, plan: Plan, chapters: Sequence[MeasuredChapter]) -> Cuts:
    """Where the measured chapters of the plan are cut, so that each part fits into a file."""
    places = places_to_cut(plan)

    def cuts() -> Iterator[tuple[int, int]]:
        for index, (planned, chapter) in enumerate(zip(plan.chapters, chapters, strict=True)):
            most = max(1, _room(job, plan, chapters, index))
            if not planned.is_credits and chapter.n_samples > most:
                ends = segment_ends(planned, chapter, places)
                yield from ((index, at) for at in cuts_of_chapter(ends, chapter.n_samples, most))

    return tuple(cuts())


def _room(job: Job, plan: Plan, chapters: Sequence[MeasuredChapter], index: int) -> int:
    """How many samples of a chapter, or of a part of it, its file has room for."""
    delivery, music, rate = job.delivery, job.music, chapters[index].sample_rate
    quiet_s = delivery.ends.quiet_s
    quiet_s += music.intro_alone_s if "intro" in music.files else 0.0
    quiet_s += music.outro_alone_s if "outro" in music.files else 0.0
    beside = [] if delivery.credits_apart else credits_beside(plan, index)
    n_credits = sum(chapters[at].n_samples for at in beside)
    return int((delivery.max_file_s - quiet_s) * rate) - n_credits


@dataclass(frozen=True, slots=True)
class SegmentEnd:
    """The end of the pause after the first `n_segments` of a chapter, at its sample `at`."""

    n_segments: int
    at: int
    n_silent: int  # samples of the pause
    ends_paragraph: bool = False


def segment_ends(
    plan: ChapterPlan, chapter: MeasuredChapter, places: Mapping[str, bool]
) -> tuple[SegmentEnd, ...]:
    """The places in a chapter where it can be cut, in order; `places` are the `places_to_cut`.

    Both sides of a cut, joined by themselves, are the same to the sample as joined together.
    """
    return tuple(
        SegmentEnd(number, at, n_silent, places[segment.segment_id])
        for number, (segment, (at, n_silent)) in enumerate(
            zip(plan.segments, pauses_in(chapter), strict=True), 1
        )
        if number < len(plan.segments)
        and segment.segment_id in places
        and round(segment.pause_after_s * chapter.sample_rate)
    )


def places_to_cut(plan: Plan) -> dict[str, bool]:
    """The segments after which a file may end, by their ids, and whether a paragraph ends there.

    No file ends with a heading.
    """
    return {
        one.id: (one.span.chapter, one.span.block) != (following.span.chapter, following.span.block)
        for one, following in pairwise(plan.segments)
        if one.kind is not BlockKind.HEADING
    }


def best_end(ends: Sequence[SegmentEnd], lowest: float, highest: float) -> SegmentEnd | None:
    """The best end from sample `lowest` to `highest`, None if there is none.

    That of a paragraph is better than another one, then the longest pause, then the last one.
    """
    between = [one for one in ends if lowest <= one.at <= highest]
    return max(between, key=lambda one: (one.ends_paragraph, one.n_silent, one.at), default=None)


def cuts_of_chapter(ends: Sequence[SegmentEnd], n_samples: int, most: int) -> tuple[int, ...]:
    """The segments at which parts of a chapter begin, so that none is longer than `most` samples.

    The parts are about equal, and as few as possible. One is longer only if it has no place to be
    cut. `most` is positive.
    """
    cuts: list[int] = []
    start = 0
    while n_samples - start > most:
        end = _next_end(ends, start, n_samples, most)
        if end is None:
            break
        cuts.append(end.n_segments)
        start = end.at
    return tuple(cuts)


def _next_end(
    ends: Sequence[SegmentEnd], start: int, n_samples: int, most: int
) -> SegmentEnd | None:
    """The best end of the part that begins at sample `start`; None if there is none at all."""
    n_parts = -(-(n_samples - start) // most)
    length = (n_samples - start) / n_parts
    lowest = max(start + 1, n_samples - (n_parts - 1) * most)  # the other parts hold what follows
    for tolerance in TOLERANCES:
        near = (start + (1 - tolerance) * length, start + (1 + tolerance) * length)
        if end := best_end(ends, max(lowest, near[0]), min(start + most, near[1])):
            return end
    return last_end([one for one in ends if one.at > start], start + most)


def last_end(ends: Sequence[SegmentEnd], highest: float) -> SegmentEnd | None:
    """The last end up to sample `highest`, or else the first one after it."""
    within = [one for one in ends if one.at <= highest]
    return next(iter(within[-1:] or ends[:1]), None)
