"""Writes transcripts beside the recordings, of what rendering and measuring have found out.

    printed sentences (plan) + word times (shards) + places (measured chapters) ─▶ cues ─▶ files

Reads no audio. So a transcript of a finished book costs as much as measuring it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path

from audiomill.flows.pipeline.plan import OutputSpec, Plan, Recording
from audiomill.flows.pipeline.run_context import RunContext
from audiomill.outputs.files import write_atomically
from audiomill.outputs.transcripts.cues import TranscriptCue, recording_cues
from audiomill.outputs.transcripts.srt import srt_text
from audiomill.outputs.transcripts.vtt import vtt_text
from audiomill.outputs.types import MeasuredChapter, OutputFile
from audiomill.renderers.base import ShardInfo


def write_transcripts(
    plan: Plan,
    specs: Sequence[OutputSpec],
    folder: Path,
    shards: Mapping[str, ShardInfo],
    chapters: Sequence[MeasuredChapter],
    context: RunContext,
) -> dict[OutputSpec, OutputFile]:
    """Write the transcripts `specs` into `folder`. `shards` are found by the key of a request.

    Raises OutputUnwritable, Interrupted.
    """
    cues: dict[Recording, tuple[TranscriptCue, ...]] = {}
    written: dict[OutputSpec, OutputFile] = {}
    for spec in context.until_cancelled(specs):
        recording = spec.recording
        if recording not in cues:
            cues[recording] = _cues(plan, recording, shards, chapters)
        content = _text(spec, cues[recording], plan).encode()
        path = folder / spec.name
        write_atomically(path, content)
        n_samples = sum(chapter.n_samples for chapter in chapters[recording.chapters])
        duration_s, digest = n_samples / plan.sample_rate, hashlib.sha256(content).hexdigest()
        written[spec] = OutputFile(path, spec.format, duration_s, chapters=0, sha256=digest)
    return written


def _cues(
    plan: Plan,
    recording: Recording,
    shards: Mapping[str, ShardInfo],
    chapters: Sequence[MeasuredChapter],
) -> tuple[TranscriptCue, ...]:
    planned = (segment for one in plan.chapters[recording.chapters] for segment in one.segments)
    by_id = {segment.segment_id: shards[segment.request.key] for segment in planned}
    segments = {segment.id: segment for segment in plan.segments}
    return recording_cues(chapters[recording.chapters], segments, by_id)


def _text(spec: OutputSpec, cues: Sequence[TranscriptCue], plan: Plan) -> str:
    if spec.format == "srt":
        return srt_text(cues, plan.sample_rate)
    return vtt_text(cues, plan.sample_rate, spec.recording.tags.title, plan.book.language)
