"""Fingerprints of files. One changes whenever the content of its file would. Pure."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, fields
from typing import Any

from audiomill.flows.job import Job
from audiomill.flows.pipeline.planning.plan import ChapterPlan, Plan
from audiomill.flows.pipeline.planning.recordings import Recording
from audiomill.flows.pipeline.planning.voices import LEVELS_VERSION
from audiomill.outputs.checking.profiles import Delivery
from audiomill.outputs.formats.format import Encoding, Format, encoding_options
from audiomill.outputs.formats.registry import TranscriptFormat
from audiomill.outputs.metadata.tags import Tags
from audiomill.outputs.targets import Ends, Mastering

# Part of every file's fingerprint. Raise it when joining, mastering or encoding makes other audio
# of the same shards.
OUTPUT_VERSION = 5
RMS_VERSION = 2  # raise it when files that aim at an RMS level get another one
PLOT_VERSION = 1  # raise it when the same recording is drawn otherwise
LISTS_VERSION = 1  # raise it when playlists or cue sheets are written otherwise
SUSPECTS_VERSION = 2  # raise it when other segments of the same audio become suspects


@dataclass(frozen=True, slots=True)
class ContentDigests:
    """Digests of what decides the content of files, besides tags and format."""

    whole: str
    audio: str  # of what is heard: without the cover and the chapters' titles
    text: str  # of what a transcript prints
    music: str  # the `music_digest`


def book_digests(plan: Plan, job: Job, music: str = "") -> ContentDigests:
    """The digests of what all files of a run have in common. `music` is the `music_digest`.

    They cover all chapters, because together they decide the gain of each.
    """
    return _chapters_digests(plan, job, music, 0, len(plan.chapters))


def recording_digests(
    plan: Plan, job: Job, digests: ContentDigests, recording: Recording
) -> ContentDigests:
    """The digests for the files of a recording; `digests` are those of the book.

    If each file is levelled by itself, other chapters decide nothing in it.
    """
    if not job.mastering.per_file:
        return _with_cuts(digests, plan) if plan.cuts else digests
    return _chapters_digests(plan, job, digests.music, recording.first, recording.last)


def _chapters_digests(plan: Plan, job: Job, music: str, first: int, last: int) -> ContentDigests:
    chapters, cover = plan.chapters[first:last], plan.book.cover
    segments = [segments_of(chapter) for chapter in chapters]
    heard: dict[str, object] = {
        "version": OUTPUT_VERSION,
        "sample_rate": plan.sample_rate,
        "mastering": _mastering_settings(job.mastering),
        **({} if job.mastering.target_rms_db is None else {"rms": RMS_VERSION}),
        **_voice_levels(plan, job),
        **({"music": music} if music else {}),
        **({"continues": True} if chapters and chapters[0].continues else {}),
    }
    titles = [chapter.title for chapter in chapters]
    whole = heard | {
        "cover": None if cover is None else hashlib.sha256(cover.data).hexdigest(),
        "chapters": list(zip(titles, segments, strict=True)),
    }
    return ContentDigests(
        json_sha256(whole),
        json_sha256(heard | {"chapters": segments}),
        _text_digest(plan, first, last),
        music,
    )


def segments_of(chapter: ChapterPlan) -> list[list[object]]:
    """Everything that decides the sound of a chapter, segment by segment."""
    return [
        [segment.request.key, segment.pause_after_s, segment.sentence_pauses_s]
        for segment in chapter.segments
    ]


def _with_cuts(digests: ContentDigests, plan: Plan) -> ContentDigests:
    """The digests of a book whose chapters are cut: a file's chapters are those of that plan."""
    whole, audio, text = (
        json_sha256({"made_from": one, "cuts": plan.cuts})
        for one in (digests.whole, digests.audio, digests.text)
    )
    return ContentDigests(whole, audio, text, digests.music)


def _mastering_settings(mastering: Mastering) -> dict[str, Any]:
    """The choices that are not off, so that older files, without such a choice, stay valid."""
    chosen = asdict(mastering).items()
    return {name: value for name, value in chosen if value not in (False, None)}


def _voice_levels(plan: Plan, job: Job) -> dict[str, object]:
    """All that decides the gains of voices. It may be in other chapters than those of a file."""
    if not plan.level_requests:
        return {}
    version: dict[str, object] = {"voice_levels": LEVELS_VERSION}
    if not job.mastering.per_file:
        return version
    measured = [[voice, [one.key for one in requests]] for voice, requests in plan.level_requests]
    return version | {"voices": measured}


def _text_digest(plan: Plan, first: int, last: int) -> str:
    """A digest of the printed text, where its sentences lie, and who says it."""
    start, end = (sum(len(one.segments) for one in plan.chapters[:at]) for at in (first, last))
    segments = plan.segments[start:end]
    texts = [(one.text, one.printed, one.sentences, one.speaker) for one in segments]
    return hashlib.sha256(repr(texts).encode()).hexdigest()


def fingerprints_of(
    job: Job,
    digests: ContentDigests,
    recording: Recording,
    entries: Iterable[Format | TranscriptFormat],
) -> Iterator[tuple[str, str]]:
    """For each of `entries`, the fingerprints of the recording's file and of its audio.

    The second one of a transcript is of what it says. `digests` are the `recording_digests`.
    """
    sound = sound_choices(job.delivery)
    common: dict[str, object] = {
        **length_choices(job.delivery),
        "chapters": chapter_range(job, recording),
        **({"sample_s": job.delivery.sample_s} if recording.is_sample else {}),
    }
    whole = {"made_from": digests.whole, "tags": _tags_as_dict(recording.tags)}
    audio = {"made_from": digests.audio, "is_split": recording.tags.track > 0}
    for entry in entries:
        own: dict[str, object] = (
            {"text": digests.text}
            if isinstance(entry, TranscriptFormat)
            else sound | _codec_choices(job.delivery.encoding, entry)
        )
        heard = common | own | {"format": repr(entry)}
        yield json_sha256(heard | whole), json_sha256(heard | audio)


def _tags_as_dict(tags: Tags) -> dict[str, Any]:
    """The tags as `asdict` gives them, which copies each value: a run asks for all its files."""
    shown = {one.name: getattr(tags, one.name) for one in fields(tags)}
    return shown | {"series": tuple(map(asdict, tags.series))}


def chapter_range(job: Job, recording: Recording) -> list[int]:
    """The recording's chapters among those of the digests that its files are made from."""
    start = recording.first if job.mastering.per_file else 0
    return [recording.first - start, recording.last - start]


def sound_choices(delivery: Delivery) -> dict[str, Any]:
    """Settings that decide the sound of a file of any format; nothing for the defaults."""
    encoding, tone = delivery.encoding, delivery.room_tone
    return {
        **({} if encoding.sample_rate is None else {"file_rate": encoding.sample_rate}),
        **({} if encoding.channels == 1 else {"channels": encoding.channels}),
        **({} if tone is None else {"room_tone": asdict(tone)}),
    }


def _codec_choices(encoding: Encoding, entry: Format) -> dict[str, Any]:
    """Settings of the encoder that are not the format's own: nothing for a lossless one."""
    options = encoding_options(entry, encoding)
    return {} if options == entry.encoding else {"options": repr(options)}


def times_digest(job: Job, digests: ContentDigests) -> str:
    """A digest of what decides the chapters that sidecars tell: whether, when, with what titles."""
    is_split = {"is_split": True} if job.split else {}
    return json_sha256({"made_from": digests.whole, **length_choices(job.delivery), **is_split})


def length_choices(delivery: Delivery) -> dict[str, Any]:
    """Settings that move all of a file, also in a transcript: its ends and its greatest length."""
    return {
        **({} if delivery.ends == Ends() else {"ends": asdict(delivery.ends)}),
        **({"max_file_s": delivery.max_file_s} if delivery.max_file_s else {}),
    }


def json_sha256(content: dict[str, object]) -> str:
    """The SHA-256, in hexadecimal, of `content` as JSON."""
    canonical = json.dumps(content, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(canonical.encode()).hexdigest()
