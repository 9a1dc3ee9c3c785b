"""The music of a run: loaded, and placed in each recording."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from audiomill.flows.errors import UsageError
from audiomill.flows.job import Job
from audiomill.flows.pipeline.planning.output_specs import OutputSpec
from audiomill.flows.pipeline.planning.plan import ChapterPlan, Plan
from audiomill.flows.pipeline.planning.recordings import Recording
from audiomill.outputs.audio.file_ends import ends_for_rms, with_ends
from audiomill.outputs.audio.loudness import integrated_lufs
from audiomill.outputs.audio.music import MusicUse, music_digest
from audiomill.outputs.audio.music_pieces import MusicInvalid, load_music
from audiomill.outputs.audio.music_places import RecordingMusic, place_music
from audiomill.outputs.types import MeasuredChapter
from audiomill.renderers.engine.protocol import Samples


def digest_music(job: Job) -> str:
    """A digest of the job's music, for fingerprints; "" without. Raises UsageError."""
    try:
        return music_digest(job.music)
    except OSError as error:
        raise UsageError(f"music: {error.filename} cannot be read ({error.strerror}).") from error


def load_pieces(job: Job, sample_rate: int) -> dict[MusicUse, Samples]:
    """The job's pieces of music. Raises UsageError if one cannot be played, EncoderMissing."""
    try:
        return load_music(job.music, sample_rate)
    except MusicInvalid as error:
        raise UsageError(f"music: {error}") from error


def add_music(
    job: Job,
    plan: Plan,
    pieces: Mapping[MusicUse, Samples],
    specs: Iterable[OutputSpec],
    chapters: Sequence[MeasuredChapter],
) -> dict[Recording, RecordingMusic]:
    """The music of each recording of `specs`, in order. A sting stands between two chapters.

    Its level follows the voice of the whole book, or of its own file if that is levelled by itself.
    """
    music: dict[Recording, RecordingMusic] = {}
    for recording in dict.fromkeys(spec.recording for spec in specs):
        own = chapters[recording.chapters]
        voice_lufs = integrated_lufs(
            chapter.loudness for chapter in (own if job.mastering.per_file else chapters)
        )
        stings = _stings(plan.chapters[recording.chapters])
        with_ends = chapters_with_ends(job, own)
        music[recording] = place_music(job.music, pieces, with_ends, stings, voice_lufs)
    return music


def chapters_with_ends(job: Job, chapters: Sequence[MeasuredChapter]) -> Sequence[MeasuredChapter]:
    """The chapters of a recording with the quiet at its ends."""
    ends = job.delivery.ends
    in_rms = job.mastering.target_rms_db is not None
    return with_ends(chapters, ends_for_rms(chapters, ends) if in_rms else ends)


def _stings(chapters: Sequence[ChapterPlan]) -> list[int]:
    """The chapters that a sting precedes: those after another. Credits are announced by none."""
    return [
        index
        for index, (before, chapter) in enumerate(pairwise(chapters), 1)
        if not (before.is_credits or chapter.is_credits)
    ]
