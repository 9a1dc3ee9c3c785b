"""Writes the transcripts of a run, of what rendering and measuring have found."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import groupby
from pathlib import Path

from audiomill.flows.execution.run_context import RunContext
from audiomill.flows.execution.windows import WindowResult
from audiomill.flows.pipeline.planning.output_specs import OutputSpec
from audiomill.flows.pipeline.planning.plan import Plan
from audiomill.flows.pipeline.run import Run
from audiomill.outputs.files import Announce
from audiomill.outputs.transcripts.cues import recording_cues
from audiomill.outputs.transcripts.writer import write_transcript
from audiomill.outputs.types import MeasuredChapter, OutputFile
from audiomill.renderers.base import ShardInfo


def make_transcripts(
    run: Run,
    missing: Iterable[OutputSpec],
    windows: Iterable[WindowResult],
    chapters: Sequence[MeasuredChapter],
) -> dict[OutputSpec, OutputFile]:
    """Write the missing transcripts, and enter them in the library. Raises OutputUnwritable."""
    specs = tuple(spec for spec in missing if spec.is_transcript)
    if not specs:
        return {}
    shards = {key: shard for window in windows for key, shard in window.shards.items()}
    title, folder = "write the transcripts", run.library_entry.folder
    written = run.executor.submit(
        title,
        write_transcripts,
        run.plan,
        specs,
        folder,
        shards,
        chapters,
        run.context,
        run.library_entry.announcer,
    ).result()
    run.library_entry.record(written)
    return written


def write_transcripts(
    plan: Plan,
    specs: Sequence[OutputSpec],
    folder: Path,
    shards: Mapping[str, ShardInfo],
    chapters: Sequence[MeasuredChapter],
    context: RunContext,
    announcer: Callable[[OutputSpec], Announce],
) -> dict[OutputSpec, OutputFile]:
    """Write transcripts into `folder`, of what rendering and measuring have found; read no audio.

    `shards` are found by the key of a request. Raises OutputUnwritable, Interrupted.
    """
    written: dict[OutputSpec, OutputFile] = {}
    segments = {segment.id: segment for segment in plan.segments}
    for recording, alike in groupby(context.until_cancelled(specs), lambda spec: spec.recording):
        planned = (one for chapter in plan.chapters[recording.chapters] for one in chapter.segments)
        by_id = {one.segment_id: shards[one.request.key] for one in planned}
        recorded = chapters[recording.chapters]
        cues = recording_cues(recorded, segments, by_id)
        title, language = recording.tags.title, plan.book.language
        for spec in alike:
            path = folder / spec.name
            written[spec] = write_transcript(
                path, spec.format, cues, recorded, title, language, announcer(spec)
            )
    return written
