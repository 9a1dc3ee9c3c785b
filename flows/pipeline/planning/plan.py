"""The plan of a run: the windows to render, and the chapters to join.

    manuscript ─▶ Plan ─┬─ windows    what to render, in which order
                        └─ chapters   what to join once which window is rendered

Pure. The plan depends on the book and the job only, never on what is already rendered.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import TypeAlias

from audiomill.flows.job import Job, parse_chapters
from audiomill.flows.pipeline.planning.voices import LevelRequests, level_requests
from audiomill.inputs.metadata.credits import named_narrators
from audiomill.inputs.model.book import (
    Book,
    Chapter,
    Manuscript,
    Segment,
    Skipped,
    SkipReason,
    SourceEmpty,
)
from audiomill.renderers.engine.display_names import one_narrator
from audiomill.renderers.engine.planning import plan_windows, requests_of
from audiomill.renderers.engine.protocol import (
    EngineLimits,
    Renderer,
    Request,
    Window,
    price_of_units,
)


@dataclass(frozen=True, slots=True)
class PlannedSegment:
    """A segment in its place in a chapter."""

    segment_id: str
    request: Request
    pause_after_s: float
    sentences: tuple[tuple[int, int], ...] = ()  # ranges [start, end) in the request's text
    sentence_pauses_s: tuple[float, ...] = ()  # after each of its sentences but the last
    gain_db: float = 0.0  # of its voice, where it is louder or softer than the others


# Where files of a split book begin inside a chapter: (index of the chapter in the plan, index of
# its segment), ascending.
Cuts: TypeAlias = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class ChapterPart:
    """One of several parts that a chapter is in, as it is too long for one file."""

    number: int  # from 1
    total: int
    title: str  # of the whole chapter


@dataclass(frozen=True, slots=True)
class ChapterPlan:
    """A chapter, or a part of one, to be joined once window `last_window` is rendered."""

    number: int  # from 1, among the book's chapters that have text to speak; 0 for credits
    title: str
    level: int
    segments: tuple[PlannedSegment, ...]
    last_window: int
    continues: bool = False  # it begins inside a chapter, so no silence leads in
    part: ChapterPart | None = None

    @property
    def is_credits(self) -> bool:
        """True for spoken credits, which are no text of the source."""
        return self.number == 0

    @property
    def name(self) -> str:
        """Its name in a run: "chapter 3: The Sea", "Opening credits"."""
        return self.title if self.is_credits else f"chapter {self.number}: {self.title}"


@dataclass(frozen=True, slots=True)
class Plan:
    """All the work of one run, in book order."""

    book: Book
    segments: tuple[Segment, ...]  # of the chosen chapters
    skipped: tuple[Skipped, ...]
    windows: tuple[Window, ...]
    chapters: tuple[ChapterPlan, ...]  # the chosen ones
    n_chapters: int  # of the whole book, chosen or not, without credits
    not_chosen: tuple[int, ...]  # chapters that could be spoken, by their index in the book
    sample_rate: int
    level_requests: LevelRequests  # by which voices are measured; () if there is only one
    levels_window: int  # the window after which they can be measured
    narrators: tuple[str, ...]  # who reads, for people
    cuts: Cuts = ()  # that have been made: `chapters` has the parts

    @property
    def chosen_chapters(self) -> tuple[int, ...]:
        """The numbers of the chosen chapters."""
        return tuple(dict.fromkeys(chapter.number for chapter in self.chapters))

    @property
    def n_requests(self) -> int:
        """The number of different segments."""
        return sum(len(batch.requests) for window in self.windows for batch in window.batches)

    @property
    def estimated_s(self) -> float:
        """Estimated seconds of audio to render. Repeated segments count once."""
        return sum(window.estimated_s for window in self.windows)


@dataclass(frozen=True, slots=True)
class _ChosenChapters:
    """The chapters of a manuscript that a job asks for, by their index in the book."""

    numbers: Mapping[int, int]  # of all that have text to speak, from 1, without credits
    indices: frozenset[int]  # the chosen ones, with credits

    @property
    def left_out(self) -> tuple[int, ...]:
        """Those with text to speak that are not chosen."""
        return tuple(index for index in self.numbers if index not in self.indices)


def make_plan(manuscript: Manuscript, job: Job, renderer: Renderer, n_shared: int = 1) -> Plan:
    """The work that `job` asks for; `n_shared` is that of `plan_windows`.

    Raises UsageError if the job names a chapter that does not exist.
    """
    book, chosen = manuscript.book, _chosen_chapters(manuscript, job)
    segments = tuple(one for one in manuscript.segments if one.chapter in chosen.indices)
    requests = requests_of(segments, renderer, job.speed)
    windows = plan_windows(
        requests,
        renderer.limits,
        window_s=job.window_s,
        n_shared=n_shared,
        first_window_s=job.first_window_s,
    )
    window_by_key = _window_by_key(windows)
    to_measure = level_requests(requests, renderer.limits)
    levels_window = _levels_window(to_measure, window_by_key)
    pairs = zip(segments, requests, strict=True)
    return Plan(
        book=book,
        segments=segments,
        skipped=(*manuscript.skipped, *_skipped_chapters(book, chosen)),
        windows=windows,
        chapters=tuple(
            _chapter_plan(
                book.chapters[index],
                chosen.numbers.get(index, 0),
                list(group),
                window_by_key,
                levels_window,
            )
            for index, group in groupby(pairs, key=lambda pair: pair[0].chapter)
        ),
        n_chapters=len(chosen.numbers),
        not_chosen=chosen.left_out,
        sample_rate=renderer.sample_rate,
        level_requests=to_measure,
        levels_window=levels_window,
        narrators=named_narrators(book, job.credits) or _voices_as_narrators(segments, renderer),
    )


def _chosen_chapters(manuscript: Manuscript, job: Job) -> _ChosenChapters:
    """The chapters that the job names, or all. Raises UsageError for one that does not exist."""
    with_speech = dict.fromkeys(segment.chapter for segment in manuscript.segments)
    chapters = manuscript.book.chapters
    spoken = [index for index in with_speech if not chapters[index].is_credits]
    named = {spoken[at] for at in parse_chapters(job.chapters, len(spoken))}
    # A book has credits only if all its chapters are chosen.
    of_credits = with_speech.keys() - {*spoken}
    numbers = {index: number for number, index in enumerate(spoken, 1)}
    return _ChosenChapters(numbers, frozenset(named | of_credits))


def with_gains(plan: Plan, gains_db: Mapping[str, float]) -> Plan:
    """The plan with the gain of each voice; voices that are not named have none."""
    if not gains_db:
        return plan
    chapters = (
        replace(
            chapter,
            segments=tuple(
                replace(one, gain_db=gains_db.get(one.request.voice, 0.0))
                for one in chapter.segments
            ),
        )
        for chapter in plan.chapters
    )
    return replace(plan, chapters=tuple(chapters))


def require_segments(plan: Plan, job: Job) -> None:
    """Raise SourceEmpty, with what was skipped and why, if the plan has nothing to speak."""
    if plan.n_chapters:
        return
    reasons = Counter(str(skipped.reason) for skipped in plan.skipped).most_common()
    left_out = "; ".join(f"{count} x {reason}" for reason, count in reasons)
    raise SourceEmpty(
        f"Nothing in “{job.source}” can be read aloud. Left out: {left_out or 'nothing'}."
    )


def _window_by_key(windows: Iterable[Window]) -> dict[str, int]:
    """The index of the window that renders each key."""
    return {
        request.key: window.index
        for window in windows
        for batch in window.batches
        for request in batch.requests
    }


def _levels_window(to_measure: LevelRequests, window_by_key: Mapping[str, int]) -> int:
    """The window after which all voices can be measured."""
    keys = (request.key for _, requests in to_measure for request in requests)
    return max((window_by_key[key] for key in keys), default=0)


def _skipped_chapters(book: Book, chosen: _ChosenChapters) -> tuple[Skipped, ...]:
    return tuple(
        Skipped(
            SkipReason.NOT_CHOSEN, book.chapters[index].title, f"chapter {chosen.numbers[index]}"
        )
        for index in chosen.left_out
    )


def planned_segments(
    segments: Iterable[Segment], requests: Iterable[Request]
) -> tuple[PlannedSegment, ...]:
    """Segments with the requests that render them, in their order."""
    return tuple(
        PlannedSegment(
            segment.id,
            request,
            segment.pause_after_s,
            segment.sentences,
            segment.sentence_pauses_s,
        )
        for segment, request in zip(segments, requests, strict=True)
    )


def _chapter_plan(
    chapter: Chapter,
    number: int,
    pairs: Sequence[tuple[Segment, Request]],
    window_by_key: Mapping[str, int],
    levels_window: int,
) -> ChapterPlan:
    segments = planned_segments(*zip(*pairs, strict=True))
    last_window = max(window_by_key[request.key] for _, request in pairs)
    last_window = max(last_window, levels_window)
    return ChapterPlan(number, chapter.title, chapter.level, segments, last_window)


def _voices_as_narrators(segments: Iterable[Segment], renderer: Renderer) -> tuple[str, ...]:
    """The voices in order of use, each as a narrator: "Heart (Kokoro)"."""
    voices = dict.fromkeys(segment.voice for segment in segments)
    names = (one_narrator(renderer.display_name(one), renderer.title) for one in voices)
    return tuple(dict.fromkeys(names))


def count_characters(plan: Plan) -> int:
    """The characters of all distinct segments, as the engine gets them."""
    return _count(plan, len)


def expected_cost(plan: Plan, limits: EngineLimits) -> float:
    """The price of the whole book, in the currency of the engine's price; 0 if it has none."""
    return price_of_units(_count(plan, limits.n_billed), limits.price_per_million)


def describe_cost(plan: Plan, limits: EngineLimits) -> str:
    """One line for the user before anything is sent; "" if the engine has no price."""
    if not limits.price_per_million:
        return ""
    amount = f"{_count(plan, limits.n_billed):,} {limits.billed_unit}"
    cost = expected_cost(plan, limits)
    return f"{plan.book.title}: {amount}, {cost:.2f} if nothing of it is stored yet."


def _count(plan: Plan, count: Callable[[str], int]) -> int:
    requests = (request for window in plan.windows for request in window.requests)
    return sum(count(request.spoken) for request in requests)
