"""The recordings of a run: which chapters go into one file, its name and its tags. Pure.

Once chapters are measured, each has a place in its recording.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from string import ascii_lowercase

from audiomill.flows.job import Job, describe_chapters
from audiomill.flows.pipeline.planning.plan import ChapterPart, ChapterPlan, Plan
from audiomill.inputs.model.book import Cover
from audiomill.outputs.metadata.chapters import BookPart, parts_of
from audiomill.outputs.metadata.tags import Narration, Tags, book_tags, track_tags
from audiomill.outputs.text import safe_name, split_name
from audiomill.outputs.types import Cue, MeasuredChapter

SAMPLE_TITLE = "Retail sample"  # by which `audiomill check` and producers know it


@dataclass(frozen=True, slots=True)
class Recording:
    """Consecutive chapters that go into one file of each format."""

    name: str  # of its files, without suffix
    first: int  # chapters [first, last) of the plan
    last: int
    tags: Tags
    cover: Cover | None
    # A retail sample: only the beginning of these chapters, and no part of the book.
    is_sample: bool = False

    @property
    def n_marks(self) -> int:
        """How many chapters are marked in it. A sample is one."""
        return 1 if self.is_sample else self.last - self.first

    @property
    def chapters(self) -> slice:
        """The recording's chapters, as a slice of the plan's."""
        return slice(self.first, self.last)


def tags_of_book(plan: Plan, job: Job, ending: str) -> Tags:
    """The tags of the whole book. `ending` is that of the edition."""
    voices = tuple(dict.fromkeys(segment.voice for segment in plan.segments))
    tags = book_tags(plan.book, Narration(plan.narrators, job.engine, voices))
    return replace(tags, album=tags.album + ending)


def book_recording(plan: Plan, job: Job, tags: Tags, ending: str) -> Recording:
    """The recording of all chapters of the plan."""
    ending += _selection_ending(plan, job)
    name = safe_name(tags.title, ending)
    tags = replace(tags, title=tags.title + ending)
    return Recording(name, 0, len(plan.chapters), tags, plan.book.cover)


def _selection_ending(plan: Plan, job: Job) -> str:
    """The end of names of files if only some chapters are chosen: " (chapters 1-3)".

    Such files are levelled without the other chapters, and must not replace those of the book.
    """
    if not job.chapters:
        return ""
    return f" ({describe_chapters(plan.chosen_chapters)})"


def sample_recording(plan: Plan, tags: Tags) -> Recording:
    """The retail sample. `tags` are those of the book."""
    return Recording(
        SAMPLE_TITLE,
        0,
        len(plan.chapters),
        replace(tags, title=SAMPLE_TITLE),
        plan.book.cover,
        is_sample=True,
    )


def chapter_recordings(plan: Plan, job: Job, tags: Tags) -> tuple[Recording, ...]:
    """A recording for each chapter, numbered as in the whole book even if only some are chosen.

    The first one begins with the opening credits, and the last one ends with the closing credits,
    unless these have recordings of their own: the opening of number 0, so of no track, since there
    is none before the first, and the closing after the last.
    """
    starts = [
        index
        for index, chapter in enumerate(plan.chapters)
        if job.delivery.credits_apart or not chapter.is_credits
    ]
    parts, ending = _parts(plan), _selection_ending(plan, job)
    n_more = sum(chapter.continues for chapter in plan.chapters)
    n_tracks = plan.n_chapters + n_more + any(plan.chapters[at].is_credits for at in starts if at)
    return tuple(
        Recording(
            name=_file_name(plan, first, chapter, ending),
            first=first,
            last=last,
            tags=track_tags(
                tags,
                chapter.title,
                _track(plan, chapter, index),
                n_tracks,
                _part_of(parts, first, chapter),
            ),
            cover=plan.book.cover,
        )
        for chapter, index, first, last in zip(
            (plan.chapters[index] for index in starts),
            starts,
            (0, *starts[1:]),
            (*starts[1:], len(plan.chapters)),
            strict=True,
        )
    )


def _part_of(parts: Mapping[int, BookPart], index: int, chapter: ChapterPlan) -> BookPart | None:
    """The part of a file: of credits, the first or the last, so that all files have one or none."""
    if not chapter.is_credits or not parts:
        return parts.get(chapter.number)
    total = next(iter(parts.values())).total
    return BookPart(total if index > 0 else 1, total, "")


def _file_name(plan: Plan, index: int, chapter: ChapterPlan, ending: str) -> str:
    """The name of the file that begins with a chapter of the plan; "05a" is a part of chapter 5."""
    is_closing = chapter.is_credits and index > 0
    number = plan.n_chapters + 1 if is_closing else chapter.number
    title = chapter.part.title if chapter.part else chapter.title
    return split_name(number, plan.n_chapters, title, ending, _letter(chapter.part))


def _letter(part: ChapterPart | None) -> str:
    """The marks of a chapter's parts in names, in order: letters, or else numbers."""
    if part is None:
        return ""
    is_many = part.total > len(ascii_lowercase)
    return (
        f"-{part.number:0{len(str(part.total))}d}" if is_many else ascii_lowercase[part.number - 1]
    )


def _track(plan: Plan, chapter: ChapterPlan, index: int) -> int:
    """The chapter's number, and one more for each further part of it and of those before."""
    if chapter.is_credits and not index:
        return chapter.number
    number = plan.n_chapters + 1 if chapter.is_credits else chapter.number
    return number + sum(one.continues for one in plan.chapters[: index + 1])


def _parts(plan: Plan) -> dict[int, BookPart]:
    """The part of each chapter, by its number, as in the whole book."""
    chosen = {segment.chapter for segment in plan.segments}
    spoken = sorted(
        index for index in chosen | set(plan.not_chosen) if not plan.book.chapters[index].is_credits
    )
    parts = parts_of(plan.book.chapters, spoken)
    return {number: parts[index] for number, index in enumerate(spoken, 1) if index in parts}


@dataclass(frozen=True, slots=True)
class ChapterPlace:
    """The place of a chapter's first sample."""

    recording: str  # the name of its files, without suffix
    start: int  # samples before it in that recording


def chapter_places(
    recordings: Iterable[Recording], chapters: Sequence[MeasuredChapter]
) -> tuple[ChapterPlace, ...]:
    """The place of each chapter, in order. Every chapter is in one recording."""
    places: list[ChapterPlace] = []
    for recording in recordings:
        start = 0
        for chapter in chapters[recording.chapters]:
            places.append(ChapterPlace(recording.name, start))
            start += chapter.n_samples
    return tuple(places)


def heard_at(cues: Sequence[Cue], at: int) -> int:
    """Where sample `at` of a segment's shard is heard: samples from the start of its chapter.

    `cues` are those of the segment's pieces. It is in the last one that has begun by then.
    """
    cue = max(
        (cue for cue in cues if cue.origin + at >= cue.start),
        key=lambda cue: cue.start,
        default=cues[0],
    )
    return max(cue.origin + at, cue.start)
