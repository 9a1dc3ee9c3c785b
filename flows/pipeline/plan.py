"""The plan of a run: the windows to render, the chapters to join, and the files to make.

    manuscript ─▶ Plan ─┬─ windows    what to render, in which order
                        └─ chapters   what to join once which window is rendered
    plan ─▶ OutputSpec …              which files to make of which chapters

Pure. The plan depends on the book and the job only, never on what is already rendered. A file's
fingerprint changes whenever its content would.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import groupby
from typing import Any

from audiomill.flows.job import Job, describe_chapters, parse_chapters
from audiomill.flows.pipeline.level_requests import LEVELS_VERSION, LevelRequests, level_requests
from audiomill.inputs.book import (
    Book,
    Chapter,
    Cover,
    Manuscript,
    Segment,
    Skipped,
    SkipReason,
    SourceEmpty,
)
from audiomill.inputs.credits.credits import named_narrators
from audiomill.outputs.delivery.levels import Mastering
from audiomill.outputs.delivery.parts import BookPart, parts_of
from audiomill.outputs.delivery.profile import Delivery, Encoding, Ends
from audiomill.outputs.formats import (
    CUE_SHEET,
    FORMATS,
    LISTS,
    PLAYLIST,
    PLOT,
    PLOT_SUFFIX,
    TRANSCRIPTS,
    Format,
    TranscriptFormat,
    encoding_options,
)
from audiomill.outputs.metadata.tags import Narration, Tags, book_tags, track_tags
from audiomill.outputs.text import safe_name, split_name
from audiomill.renderers.base import Renderer, Request, Window
from audiomill.renderers.display_names import one_narrator
from audiomill.renderers.planning import plan_windows, requests_of

# Part of every file's fingerprint. Raise it when joining, mastering or encoding makes other audio
# of the same shards.
OUTPUT_VERSION = 3
PLOT_VERSION = 1  # raise it when the same recording is drawn otherwise
LISTS_VERSION = 1  # raise it when playlists or cue sheets are written otherwise


@dataclass(frozen=True, slots=True)
class PlannedSegment:
    """A segment in its place in a chapter."""

    segment_id: str
    request: Request
    pause_after_s: float
    sentences: tuple[tuple[int, int], ...] = ()  # ranges [start, end) in the request's text
    sentence_pauses_s: tuple[float, ...] = ()  # after each of its sentences but the last
    gain_db: float = 0.0  # of its voice, where it is louder or softer than the others


@dataclass(frozen=True, slots=True)
class ChapterPlan:
    """A chapter to be joined once window `last_window` is rendered."""

    number: int  # from 1, among the book's chapters that have text to speak; 0 for credits
    title: str
    level: int
    segments: tuple[PlannedSegment, ...]
    last_window: int

    @property
    def is_credits(self) -> bool:
        """True for spoken credits, which are no text of the source."""
        return self.number == 0

    @property
    def name(self) -> str:
        """What a run calls it: "chapter 3: The Sea", "Opening credits"."""
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
    text_digest: str  # of what a transcript prints
    narrators: tuple[str, ...]  # who reads, for people

    @property
    def n_requests(self) -> int:
        """The number of different segments."""
        return sum(len(batch.requests) for window in self.windows for batch in window.batches)

    @property
    def estimated_s(self) -> float:
        """Estimated seconds of audio to render. Repeated segments count once."""
        return sum(window.estimated_s for window in self.windows)


@dataclass(frozen=True, slots=True)
class Recording:
    """Consecutive chapters that go into one file of each format."""

    name: str  # of its files, without suffix
    first: int  # chapters [first, last) of the plan
    last: int
    tags: Tags
    cover: Cover | None

    @property
    def chapters(self) -> slice:
        """The recording's chapters, as a slice of the plan's."""
        return slice(self.first, self.last)


@dataclass(frozen=True, slots=True)
class OutputSpec:
    """A file to be made of a recording."""

    name: str
    format: str
    recording: Recording
    encoding: Encoding
    fingerprint: str  # SHA-256 in hexadecimal of all that decides the file's content
    audio: str  # the same without tags, cover and titles: files that are equal in it sound alike
    is_split: bool = False  # it belongs to a split book

    @property
    def is_transcript(self) -> bool:
        """True for a text file."""
        return self.format in TRANSCRIPTS

    @property
    def is_plot(self) -> bool:
        """True for a picture of the audio."""
        return self.format == PLOT

    @property
    def is_audio(self) -> bool:
        """True for a recording."""
        return not (self.is_transcript or self.is_plot)


@dataclass(frozen=True, slots=True)
class BookDigest:
    """Digests of what all files of a run have in common."""

    whole: str
    audio: str  # of what is heard: without the cover and the chapters' titles


def make_plan(manuscript: Manuscript, job: Job, renderer: Renderer, n_shared: int = 1) -> Plan:
    """The work that `job` asks for; `n_shared` is that of `plan_windows`.

    Raises UsageError if the job names a chapter that does not exist.
    """
    book = manuscript.book
    with_speech = dict.fromkeys(segment.chapter for segment in manuscript.segments)
    spoken = tuple(index for index in with_speech if not book.chapters[index].is_credits)
    numbers = {index: number for number, index in enumerate(spoken, 1)}
    # A book has credits only if all its chapters are chosen.
    chosen = {spoken[at] for at in parse_chapters(job.chapters, len(spoken))} | (
        with_speech.keys() - numbers.keys()
    )
    segments = tuple(segment for segment in manuscript.segments if segment.chapter in chosen)
    requests = requests_of(segments, renderer, job.speed)
    windows = plan_windows(requests, renderer.limits, window_s=job.window_s, n_shared=n_shared)
    window_by_key = _window_by_key(windows)
    to_measure = level_requests(requests, renderer.limits)
    keys = (request.key for _, measured in to_measure for request in measured)
    levels_window = max((window_by_key[key] for key in keys), default=0)
    pairs = zip(segments, requests, strict=True)
    not_chosen = tuple(index for index in spoken if index not in chosen)
    return Plan(
        book=book,
        segments=segments,
        skipped=(*manuscript.skipped, *_skipped_chapters(book, not_chosen, numbers)),
        windows=windows,
        chapters=tuple(
            _chapter_plan(
                book.chapters[index],
                numbers.get(index, 0),
                list(group),
                window_by_key,
                levels_window,
            )
            for index, group in groupby(pairs, key=lambda pair: pair[0].chapter)
        ),
        n_chapters=len(spoken),
        not_chosen=not_chosen,
        sample_rate=renderer.sample_rate,
        level_requests=to_measure,
        levels_window=levels_window,
        text_digest=_text_digest(segments),
        narrators=named_narrators(book, job.credits) or _voices_as_narrators(segments, renderer),
    )


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


def _skipped_chapters(
    book: Book, indices: Iterable[int], numbers: Mapping[int, int]
) -> tuple[Skipped, ...]:
    return tuple(
        Skipped(SkipReason.NOT_CHOSEN, book.chapters[index].title, f"chapter {numbers[index]}")
        for index in indices
    )


def _chapter_plan(
    chapter: Chapter,
    number: int,
    pairs: Sequence[tuple[Segment, Request]],
    window_by_key: Mapping[str, int],
    levels_window: int,
) -> ChapterPlan:
    segments = tuple(
        PlannedSegment(
            segment.id,
            request,
            segment.pause_after_s,
            segment.sentences,
            segment.sentence_pauses_s,
        )
        for segment, request in pairs
    )
    last_window = max(window_by_key[request.key] for _, request in pairs)
    last_window = max(last_window, levels_window)
    return ChapterPlan(number, chapter.title, chapter.level, segments, last_window)


def possible_specs(
    plan: Plan, job: Job, made_from: BookDigest, ending: str = ""
) -> tuple[OutputSpec, ...]:
    """Every file that could be made of the plan, in any format, split or not; see `output_specs`.

    Of some chapters only those as `job` splits them: they are mastered without the others.
    """
    splits = (job.split,) if job.chapters else (False, True)
    every = replace(job, formats=tuple(FORMATS), transcripts=tuple(TRANSCRIPTS), plot=True)
    jobs = [replace(every, split=split) for split in splits]
    return tuple(spec for one in jobs for spec in output_specs(plan, one, made_from, ending))


def output_specs(
    plan: Plan, job: Job, made_from: BookDigest, ending: str = ""
) -> tuple[OutputSpec, ...]:
    """Every file that `job` asks for, by recording: audio, then transcripts, then its picture.

    `made_from` is the `book_digest`. `ending` is added to the book's title in tags and file names.
    """
    tags = _book_tags(plan, job, ending)
    recordings = (
        _chapter_recordings(plan, tags, credits_apart=job.delivery.credits_apart)
        if job.split
        else (_book_recording(plan, job, tags, ending),)
    )
    entries = (
        *(FORMATS[name] for name in job.formats),
        *(TRANSCRIPTS[name] for name in job.transcripts),
    )
    return tuple(
        spec
        for recording in recordings
        for spec in (
            *(_output_spec(plan, job, made_from, recording, entry) for entry in entries),
            *([_plot_spec(job, made_from, recording)] if job.plot else []),
        )
    )


def _output_spec(
    plan: Plan,
    job: Job,
    made_from: BookDigest,
    recording: Recording,
    entry: Format | TranscriptFormat,
) -> OutputSpec:
    fingerprint, audio = _fingerprints(plan, job.delivery, made_from, recording, entry)
    return OutputSpec(
        name=recording.name + entry.suffix,
        format=entry.name,
        recording=recording,
        encoding=job.delivery.encoding,
        fingerprint=fingerprint,
        audio=audio,
        is_split=job.split,
    )


def _plot_spec(job: Job, made_from: BookDigest, recording: Recording) -> OutputSpec:
    """The picture of a recording. It stays as it is if the recording is made in another format."""
    decided_by: dict[str, object] = {
        "made_from": made_from.whole,
        "format": [PLOT, PLOT_VERSION],
        "title": recording.tags.title,
        "chapters": [recording.first, recording.last],
        **_ends_choices(job.delivery),
        **_sound_choices(job.delivery),
    }
    name, encoding = recording.name + PLOT_SUFFIX, job.delivery.encoding
    return OutputSpec(name, PLOT, recording, encoding, _digest(decided_by), "", job.split)


def list_specs(
    plan: Plan, job: Job, specs: Sequence[OutputSpec], ending: str = ""
) -> tuple[OutputSpec, ...]:
    """The lists that belong to the files `specs`: a playlist of a split book, else a cue sheet.

    They are of the first format alone, in which the book is whole.
    """
    name = PLAYLIST if job.split else CUE_SHEET
    if not job.split and not job.delivery.cue_sheet:
        return ()
    book = _book_recording(plan, job, _book_tags(plan, job, ending), ending)
    listed = [spec for spec in specs if spec.format == job.formats[0]]
    fingerprint = _digest(
        {
            "format": [name, LISTS_VERSION],
            "album": [book.tags.title, book.tags.artist],
            "files": [[spec.name, spec.audio, spec.recording.tags.title] for spec in listed],
            **({} if job.split else {"titles": [chapter.title for chapter in plan.chapters]}),
        }
    )
    encoding = job.delivery.encoding
    return (OutputSpec(book.name + LISTS[name], name, book, encoding, fingerprint, "", job.split),)


def _book_tags(plan: Plan, job: Job, ending: str) -> Tags:
    voices = tuple(dict.fromkeys(segment.voice for segment in plan.segments))
    tags = book_tags(plan.book, Narration(plan.narrators, job.engine, voices))
    return replace(tags, album=tags.album + ending)


def _book_recording(plan: Plan, job: Job, tags: Tags, ending: str) -> Recording:
    if job.chapters:
        # A file of some chapters must not replace that of the whole book.
        chosen = describe_chapters(chapter.number for chapter in plan.chapters)
        ending += f" ({chosen})"
    name = safe_name(tags.title, ending)
    tags = replace(tags, title=tags.title + ending)
    return Recording(name, 0, len(plan.chapters), tags, plan.book.cover)


def _chapter_recordings(plan: Plan, tags: Tags, *, credits_apart: bool) -> tuple[Recording, ...]:
    """A recording for each chapter, numbered as in the whole book even if only some are chosen.

    The first one begins with the opening credits, and the last one ends with the closing credits,
    unless these have recordings of their own: the opening of number 0, the closing after the last.
    """
    starts = [
        index
        for index, chapter in enumerate(plan.chapters)
        if credits_apart or not chapter.is_credits
    ]
    parts = _parts(plan)
    return tuple(
        Recording(
            name=split_name(_file_number(plan, first, chapter), plan.n_chapters, chapter.title),
            first=first,
            last=last,
            tags=track_tags(
                tags,
                chapter.title,
                chapter.number,
                plan.n_chapters,
                _part_of(parts, first, chapter),
            ),
            cover=plan.book.cover,
        )
        for chapter, first, last in zip(
            (plan.chapters[index] for index in starts),
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


def _file_number(plan: Plan, index: int, chapter: ChapterPlan) -> int:
    """The number in the name of the file that begins with a chapter of the plan."""
    is_closing = chapter.is_credits and index > 0
    return plan.n_chapters + 1 if is_closing else chapter.number


def _voices_as_narrators(segments: Iterable[Segment], renderer: Renderer) -> tuple[str, ...]:
    """The voices in order of use, each as a narrator: "Heart (Kokoro)"."""
    voices = dict.fromkeys(segment.voice for segment in segments)
    names = (one_narrator(renderer.display_name(one), renderer.title) for one in voices)
    return tuple(dict.fromkeys(names))


def _parts(plan: Plan) -> dict[int, BookPart]:
    """The part of each chapter, by its number, as in the whole book."""
    chosen = {segment.chapter for segment in plan.segments}
    spoken = sorted(
        index for index in chosen | set(plan.not_chosen) if not plan.book.chapters[index].is_credits
    )
    parts = parts_of(plan.book.chapters, spoken)
    return {number: parts[index] for number, index in enumerate(spoken, 1) if index in parts}


def _chosen(mastering: Mastering) -> dict[str, Any]:
    """What has been chosen. What is off is left out, as in files of before it could be chosen."""
    chosen = asdict(mastering).items()
    return {name: value for name, value in chosen if value not in (False, None)}


def book_digest(plan: Plan, job: Job, music: str = "") -> BookDigest:
    """The digests of what all files of a run have in common.

    They cover all chapters, because together they decide the gain of each. `music` is the
    `music_digest`.
    """
    cover = plan.book.cover
    segments = [
        [
            [segment.request.key, segment.pause_after_s, segment.sentence_pauses_s]
            for segment in chapter.segments
        ]
        for chapter in plan.chapters
    ]
    heard: dict[str, object] = {
        "version": OUTPUT_VERSION,
        "sample_rate": plan.sample_rate,
        "mastering": _chosen(job.mastering),
        **({"voice_levels": LEVELS_VERSION} if plan.level_requests else {}),
        **({"music": music} if music else {}),
    }
    titles = [chapter.title for chapter in plan.chapters]
    whole = heard | {
        "cover": None if cover is None else hashlib.sha256(cover.data).hexdigest(),
        "chapters": list(zip(titles, segments, strict=True)),
    }
    return BookDigest(_digest(whole), _digest(heard | {"chapters": segments}))


def _fingerprints(
    plan: Plan,
    delivery: Delivery,
    made_from: BookDigest,
    recording: Recording,
    entry: Format | TranscriptFormat,
) -> tuple[str, str]:
    """The fingerprint of a file, and that of its audio; of a transcript, of what it says."""
    choices = _ends_choices(delivery)
    if not isinstance(entry, TranscriptFormat):
        choices |= _sound_choices(delivery) | _codec_choices(delivery.encoding, entry)
    heard: dict[str, object] = {
        "format": repr(entry),
        **choices,
        "chapters": [recording.first, recording.last],
        **({"text": plan.text_digest} if isinstance(entry, TranscriptFormat) else {}),
    }
    whole = {"made_from": made_from.whole, "tags": asdict(recording.tags)}
    audio = {"made_from": made_from.audio, "is_split": recording.tags.track > 0}
    return _digest(heard | whole), _digest(heard | audio)


def _sound_choices(delivery: Delivery) -> dict[str, Any]:
    """What decides the sound of a file of any format; nothing for the defaults."""
    encoding, tone = delivery.encoding, delivery.room_tone
    return {
        **({} if encoding.sample_rate is None else {"file_rate": encoding.sample_rate}),
        **({} if encoding.channels == 1 else {"channels": encoding.channels}),
        **({} if tone is None else {"room_tone": asdict(tone)}),
    }


def _codec_choices(encoding: Encoding, entry: Format) -> dict[str, Any]:
    """What the encoder is told otherwise than by the format: nothing for a lossless one."""
    options = encoding_options(entry, encoding.bit_rate_kbps, encoding.bit_rate_mode)
    return {} if options == entry.encoding else {"options": repr(options)}


def times_digest(job: Job, made_from: BookDigest) -> str:
    """A digest of what decides the times of the chapters of a whole book, and their titles."""
    return _digest({"made_from": made_from.whole, **_ends_choices(job.delivery)})


def _ends_choices(delivery: Delivery) -> dict[str, Any]:
    """The quiet at the ends of a file, which moves everything in it, also in a transcript."""
    return {} if delivery.ends == Ends() else {"ends": asdict(delivery.ends)}


def _text_digest(segments: Iterable[Segment]) -> str:
    """A digest of the printed text, where its sentences lie, and who says it."""
    texts = [(one.text, one.printed, one.sentences, one.speaker) for one in segments]
    return hashlib.sha256(repr(texts).encode()).hexdigest()


def _digest(content: dict[str, object]) -> str:
    canonical = json.dumps(content, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(canonical.encode()).hexdigest()
