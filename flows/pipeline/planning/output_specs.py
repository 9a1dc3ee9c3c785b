"""The files to make of a plan.

    plan ─▶ Recording … ─▶ OutputSpec …    which files to make of which chapters

Pure.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from audiomill.flows.job import Job
from audiomill.flows.pipeline.planning.fingerprints import (
    LISTS_VERSION,
    PLOT_VERSION,
    ContentDigests,
    chapter_range,
    fingerprints_of,
    json_sha256,
    length_choices,
    recording_digests,
    sound_choices,
)
from audiomill.flows.pipeline.planning.plan import Plan
from audiomill.flows.pipeline.planning.recordings import (
    Recording,
    book_recording,
    chapter_recordings,
    sample_recording,
    tags_of_book,
)
from audiomill.outputs.formats.format import Encoding, Format
from audiomill.outputs.formats.registry import (
    CUE_SHEET,
    EPISODE_TEXT,
    FORMATS,
    LISTS,
    PLAYLIST,
    PLOT,
    PLOT_SUFFIX,
    READALONG_AUDIO,
    READALONG_PAGE,
    READALONGS,
    TRANSCRIPTS,
    ReadalongFormat,
    TranscriptFormat,
)

_NARRATED = {**READALONGS, EPISODE_TEXT.name: EPISODE_TEXT}


@dataclass(frozen=True, slots=True)
class OutputSpec:
    """A file to be made of a recording."""

    name: str
    format: str
    recording: Recording
    encoding: Encoding
    fingerprint: str  # SHA-256 in hexadecimal of all that decides the file's content
    # The same without tags, cover and titles: files that are equal in it sound alike.
    audio_fingerprint: str
    is_split: bool = False  # it belongs to a whole book in a file for each chapter

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
        return self.format in FORMATS


def possible_specs(
    plan: Plan, job: Job, digests: ContentDigests, ending: str = ""
) -> tuple[OutputSpec, ...]:
    """Every file that could be made of the plan: in any format, split or not."""
    every = asking_for_all(job)
    found: list[OutputSpec] = []
    for one in (replace(every, split=split) for split in (False, True)):
        specs = output_specs(plan, one, digests, ending)
        found += (*specs, *readalong_specs(plan, one, digests, specs, ending))
    return tuple(found)


def asking_for_all(job: Job) -> Job:
    """The job that asks for every format, transcript and picture."""
    return replace(
        job,
        formats=tuple(FORMATS),
        transcripts=tuple(TRANSCRIPTS),
        readalongs=tuple(READALONGS),
        plot=True,
    )


def output_specs(
    plan: Plan, job: Job, digests: ContentDigests, ending: str = ""
) -> tuple[OutputSpec, ...]:
    """Every file that `job` asks for, by recording: audio, then transcripts, then its picture.

    `digests` are the `book_digests`. `ending` is added to the book's title in tags and file names.
    """
    tags = tags_of_book(plan, job, ending)
    recordings = (
        chapter_recordings(plan, job, tags)
        if job.split
        else (book_recording(plan, job, tags, ending),)
    )
    entries = (
        *(FORMATS[name] for name in job.formats),
        *(TRANSCRIPTS[name] for name in job.transcripts),
    )
    return tuple(
        spec
        for recording in recordings
        for spec in _recording_specs(
            job, recording_digests(plan, job, digests, recording), recording, entries
        )
    )


def sample_specs(
    plan: Plan, job: Job, digests: ContentDigests, ending: str = ""
) -> tuple[OutputSpec, ...]:
    """The retail sample in every format, if one is asked for; some chapters alone have none."""
    if not job.delivery.sample_s or job.chapters:
        return ()
    recording = sample_recording(plan, tags_of_book(plan, job, ending))
    of_sample = recording_digests(plan, job, digests, recording)
    return tuple(_specs_of(job, of_sample, recording, [FORMATS[name] for name in job.formats]))


def _recording_specs(
    job: Job,
    digests: ContentDigests,
    recording: Recording,
    entries: Sequence[Format | TranscriptFormat],
) -> Iterator[OutputSpec]:
    yield from _specs_of(job, digests, recording, entries)
    if job.plot:
        yield _plot_spec(job, digests, recording)


def _specs_of(
    job: Job,
    digests: ContentDigests,
    recording: Recording,
    entries: Sequence[Format | TranscriptFormat],
) -> Iterator[OutputSpec]:
    fingerprints = fingerprints_of(job, digests, recording, entries)
    for entry, (fingerprint, audio_fingerprint) in zip(entries, fingerprints, strict=True):
        yield OutputSpec(
            name=recording.name + entry.suffix,
            format=entry.name,
            recording=recording,
            encoding=job.delivery.encoding,
            fingerprint=fingerprint,
            audio_fingerprint=audio_fingerprint,
            is_split=_is_split(job),
        )


def _plot_spec(job: Job, digests: ContentDigests, recording: Recording) -> OutputSpec:
    """The picture of a recording. It stays as it is if the recording is made in another format."""
    decided_by: dict[str, object] = {
        "made_from": digests.whole,
        "format": [PLOT, PLOT_VERSION],
        "title": recording.tags.title,
        "chapters": chapter_range(job, recording),
        **length_choices(job.delivery),
        **sound_choices(job.delivery),
    }
    name, encoding = recording.name + PLOT_SUFFIX, job.delivery.encoding
    return OutputSpec(name, PLOT, recording, encoding, json_sha256(decided_by), "", _is_split(job))


def readalong_specs(
    plan: Plan, job: Job, digests: ContentDigests, specs: Sequence[OutputSpec], ending: str = ""
) -> tuple[OutputSpec, ...]:
    """The books with their sound, which is that of the files `specs`: one of each format."""
    if not job.readalongs:
        return ()
    book = book_recording(plan, job, tags_of_book(plan, job, ending), ending)
    sound = [spec.audio_fingerprint for spec in specs if spec.format == sound_format(job)]
    decided_by: dict[str, object] = {
        "made_from": digests.whole,
        "text": digests.text,
        "source": plan.book.source_id,
        "sound": sound,
        "tags": repr(book.tags),
        "follow": job.follow,
    }
    return tuple(
        OutputSpec(
            book.name + entry.suffix,
            entry.name,
            book,
            job.delivery.encoding,
            json_sha256(decided_by | {"format": [entry.name, entry.version, *_reader_of(entry)]}),
            "",
            _is_split(job),
        )
        for entry in (_NARRATED[name] for name in job.readalongs)
    )


def _reader_of(entry: ReadalongFormat) -> list[str]:
    """The names of a page's style and script, which are digests: a mended reader reaches it."""
    if entry.name != READALONG_PAGE:
        return []
    from audiomill.outputs.readalong.web.page import reader_assets

    return [one.name for one in reader_assets()]


def sound_format(job: Job) -> str:
    """The format from which books with their sound take it; the text of an episode has its own."""
    return next((name for name in job.formats if name in READALONG_AUDIO), job.formats[0])


def list_specs(
    plan: Plan, job: Job, specs: Sequence[OutputSpec], ending: str = ""
) -> tuple[OutputSpec, ...]:
    """The lists that belong to the files `specs`: a playlist of a split book, else a cue sheet.

    They are of the first format alone, in which the book is whole.
    """
    name = PLAYLIST if job.split else CUE_SHEET
    if not job.split and not job.delivery.cue_sheet:
        return ()
    book = book_recording(plan, job, tags_of_book(plan, job, ending), ending)
    listed = [spec for spec in specs if spec.format == job.formats[0]]
    fingerprint = json_sha256(
        {
            "format": [name, LISTS_VERSION],
            "album": [book.tags.title, book.tags.artist],
            "files": [
                [spec.name, spec.audio_fingerprint, spec.recording.tags.title] for spec in listed
            ],
            **({} if job.split else {"titles": [chapter.title for chapter in plan.chapters]}),
        }
    )
    encoding = job.delivery.encoding
    file_name = book.name + LISTS[name]
    return (OutputSpec(file_name, name, book, encoding, fingerprint, "", _is_split(job)),)


def _is_split(job: Job) -> bool:
    """Whether files of the job are a whole book in parts: those of some chapters are none."""
    return job.split and not job.chapters
