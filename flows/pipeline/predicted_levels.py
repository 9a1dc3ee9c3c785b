"""The levels of a long book as its first quarter predicts them, so that encoding need not wait.

    first quarter ─▶ predicted level ─┐
    whole book    ─▶ exact level ─────┴─▶ close to each other? then the predicted, else the exact

Which of the two a book has, and which chapters predict it, is decided by the book and the job
alone, never by what was ready when: a run that goes on makes the files of a run in one go.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import accumulate

from audiomill.flows.job import Job
from audiomill.flows.pipeline.chapter_audio import EncodeRegion, recording_regions
from audiomill.flows.pipeline.levelling import (
    BOOK_SAMPLE_S,
    FileLevel,
    Levelling,
    MeasureLoss,
    levels_by_format,
    sampled_loss,
)
from audiomill.flows.pipeline.music import chapters_with_ends
from audiomill.flows.pipeline.planning.output_specs import OutputSpec
from audiomill.flows.pipeline.planning.plan import Plan
from audiomill.flows.pipeline.planning.recordings import Recording
from audiomill.outputs.audio.music_places import RecordingMusic
from audiomill.outputs.types import MeasuredChapter

PredictedLevels = Mapping[str, FileLevel]  # by format

LEAST_BOOK_S = 3600.0  # of audio, estimated: a shorter book is encoded in seconds
PREDICTING_SHARE = 0.25  # of the text


def is_encoded_while_rendering(job: Job, plan: Plan) -> bool:
    """Whether a book is so long that this is worth it.

    One with music is not: that follows the loudness of the whole voice.
    """
    return plan.estimated_s >= LEAST_BOOK_S and not job.music.files


def n_predicting_chapters(job: Job, plan: Plan) -> int:
    """How many chapters, from the first on, predict the levels of the book; 0 if none do."""
    if job.mastering.per_file or not is_encoded_while_rendering(job, plan):
        return 0
    n_chars = [sum(len(one.request.spoken) for one in part.segments) for part in plan.chapters]
    ends = accumulate(n_chars)
    n = next(n for n, end in enumerate(ends, 1) if end >= PREDICTING_SHARE * sum(n_chars))
    return n if n < len(plan.chapters) else 0


def predict_levels(
    job: Job,
    plan: Plan,
    specs: Sequence[OutputSpec],
    chapters: Sequence[MeasuredChapter],
    measure_loss: MeasureLoss,
) -> PredictedLevels:
    """The levels of the files `specs`, of the first `chapters` alone, by format.

    Raises what `measure_loss` raises.
    """
    audio = [spec for spec in specs if spec.is_audio]
    recordings = list(dict.fromkeys(spec.recording for spec in audio))
    music, regions = list[RecordingMusic](), list[EncodeRegion]()
    for one in _recordings_begun(recordings, len(chapters)):
        music.append(RecordingMusic(tuple(chapters_with_ends(job, chapters[one.chapters]))))
        regions += recording_regions(job.delivery, plan.chapters[one.chapters], music[-1])
    loss_db = sampled_loss(regions, BOOK_SAMPLE_S, measure_loss)
    by_format = {spec.format: spec.encoding for spec in audio}
    return levels_by_format(job, music, by_format, loss_db, n_files=len(recordings))


def _recordings_begun(recordings: Sequence[Recording], n_chapters: int) -> list[Recording]:
    """The recordings with any of the first chapters, and no others."""
    return [
        replace(one, last=min(one.last, n_chapters)) for one in recordings if one.first < n_chapters
    ]


def chosen_levels(exact: Levelling, predicted: PredictedLevels) -> Levelling:
    """For each file the predicted level if it is close to the exact one, else that."""
    return {
        (recording, name): predicted[name] if level.is_close_to(predicted[name]) else level
        for (recording, name), level in exact.items()
    }
