"""Parts the chapters of a split book that are too long for a file, once they are measured."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from audiomill.flows.job import Job
from audiomill.flows.pipeline.planning.chapter_parts import with_cuts
from audiomill.flows.pipeline.planning.cut_keys import credits_beside
from audiomill.flows.pipeline.planning.plan import Cuts, Plan
from audiomill.flows.pipeline.rendering.measuring import measure_chapter
from audiomill.flows.pipeline.rendering.render_book import RenderedBook
from audiomill.flows.pipeline.rendering.segment_ends import (
    cuts_of_chapter,
    places_to_cut,
    segment_ends,
)
from audiomill.flows.pipeline.run import Run
from audiomill.outputs.types import MeasuredChapter
from audiomill.renderers.store.store import ShardStore


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
