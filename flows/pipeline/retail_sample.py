"""The retail sample of a book: the beginning of its text, as long as shops take it.

    credits | dedication | chapter 1 ▃▅▂▆ | chapter 2 ▃▅▂▆▃▅ ¶ ▃▅▂▆▃
                         |<──────────── sample ─────────────>|

It begins with the first chapter that is no credits and long enough to be none of a dedication, a
motto and the like, and ends with a paragraph.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from audiomill.flows.job import Job
from audiomill.flows.pipeline.long_chapters import (
    last_end,
    places_to_cut,
    segment_ends,
)
from audiomill.flows.pipeline.planning.cuts import slice_of
from audiomill.flows.pipeline.planning.plan import ChapterPlan, Plan
from audiomill.flows.pipeline.render_book import RenderedBook, measure_chapter
from audiomill.flows.pipeline.run_state import Run
from audiomill.outputs.types import MeasuredChapter
from audiomill.renderers.store.store import ShardStore

LEAST_CHAPTER_S = 60.0  # of the chapter with which it begins, if the book has one
LEAST_SHARE = 0.75  # of the length that is asked for, if a paragraph ends after it


@dataclass(frozen=True, slots=True, eq=False)
class RetailSample:
    """The parts of the sample: chapters, of which the last may be a slice."""

    plans: tuple[ChapterPlan, ...]
    chapters: tuple[MeasuredChapter, ...]


def retail_sample(run: Run, store: ShardStore, book: RenderedBook) -> RetailSample:
    """The sample of a rendered book. Raises RenderError, StoreError, Interrupted."""
    *whole, (planned, chapter) = sample_chapters(book.plan, book.chapters, _content_s(run.job))
    if chapter is None:
        chapter = run.executor.submit(
            "measure the sample", measure_chapter, run.job, store, planned, run.context, run.pool
        ).result()
    plans, chapters = zip(*whole, (planned, chapter), strict=True)
    return RetailSample(plans, chapters)


def sample_chapters(
    plan: Plan, chapters: Sequence[MeasuredChapter], content_s: float
) -> list[tuple[ChapterPlan, MeasuredChapter | None]]:
    """The parts of a sample of at most so many seconds; None is a slice, yet to be measured.

    It has a segment at least, and is longer only if no pause comes in time.
    """
    return [*_sample_chapters(plan, chapters, content_s)]


def _sample_chapters(
    plan: Plan, chapters: Sequence[MeasuredChapter], content_s: float
) -> Iterator[tuple[ChapterPlan, MeasuredChapter | None]]:
    places, n_taken = places_to_cut(plan), 0
    for planned, chapter in _from_first(plan, chapters):
        n_most = int(content_s * chapter.sample_rate)
        n_least = int(LEAST_SHARE * n_most)
        if n_taken + chapter.n_samples <= n_most:
            yield planned, chapter
            n_taken += chapter.n_samples
            if n_taken < n_least:
                continue
        else:
            ends = segment_ends(planned, chapter, places)
            within = [one for one in ends if n_least <= n_taken + one.at <= n_most]
            end = max(within, key=lambda one: (one.ends_paragraph, one.at), default=None)
            if end is None and not n_taken:
                end = last_end(ends, n_most)
            if end is not None:
                yield slice_of(planned, 0, end.n_segments), None
            elif not n_taken:
                yield planned, chapter
        return


def _from_first(
    plan: Plan, chapters: Sequence[MeasuredChapter]
) -> Iterator[tuple[ChapterPlan, MeasuredChapter]]:
    """The chapters from the first one of the sample on."""
    pairs = zip(plan.chapters, chapters, strict=True)
    text = [(planned, chapter) for planned, chapter in pairs if not planned.is_credits]
    is_long = [one.n_samples >= LEAST_CHAPTER_S * one.sample_rate for _, one in text]
    yield from text[is_long.index(True) if any(is_long) else 0 :]


def _content_s(job: Job) -> float:
    """How long a sample may be without the quiet at its ends."""
    return job.delivery.sample_s - job.delivery.ends.quiet_s
