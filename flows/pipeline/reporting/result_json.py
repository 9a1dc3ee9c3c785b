"""What a run did, as JSON for the report file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from typing import Any

from audiomill.flows.console import finite_level
from audiomill.flows.job import Job
from audiomill.flows.pipeline.library.records import RecordedLevels
from audiomill.flows.pipeline.reporting.reported import ReportedChapter
from audiomill.flows.pipeline.reporting.run_warnings import result_warnings
from audiomill.flows.pipeline.result import RunResult
from audiomill.outputs.audio.loudness import integrated_lufs
from audiomill.outputs.audio.true_peak import true_peak_dbtp


def sound_json(
    levels: Mapping[str, RecordedLevels], chapters: Iterable[ReportedChapter]
) -> dict[str, Any]:
    """How loud the files and their chapters are, as far as it is known."""
    return {
        "levels": [
            {
                "file": name,
                "gain_db": one.gain_db,
                "loudness_lufs": one.loudness_lufs,
                "rms_db": one.rms_db,
                "true_peak_dbtp": one.true_peak_dbtp,
                "room_tone_db": one.room_tone_db,
            }
            for name, one in levels.items()
        ],
        "chapters": [asdict(chapter) for chapter in chapters],
    }


def settings_json(job: Job) -> dict[str, Any]:
    """What was chosen, for people who wonder later."""
    return {
        "profile": job.delivery.profile,
        "formats": list(job.formats),
        "transcripts": list(job.transcripts),
        "split": job.split,
        "chapters": job.chapters,
        "read": job.read,
        "target_lufs": job.mastering.target_lufs,
        "target_rms_db": job.mastering.target_rms_db,
        "ceiling_dbtp": job.mastering.ceiling_dbtp,
    }


def music_json(job: Job, result: RunResult) -> Iterator[dict[str, Any]]:
    """Each piece of music, with its file and its place in the recording."""
    for recording, music in result.music.items():
        rate = music.chapters[0].sample_rate
        for piece in music.pieces:
            yield {
                "use": piece.use,
                "file": str(job.music.files[piece.use]),
                "recording": recording.name,
                "start_s": round(piece.start / rate, 3),
                "end_s": round(piece.end / rate, 3),
            }


def result_json(result: RunResult) -> dict[str, Any]:
    """Where the time went, and how loud the audio was and is. Levels are None for silence."""
    # Of each recording's first file: the others hold the same.
    levels = [part for recorded in result.recorded.values() for part in recorded.levels[0].parts]
    loudness_before = integrated_lufs(chapter.loudness for chapter in result.chapters)
    return {
        "engine_busy_share": round(result.stage_times.busy_share, 4),
        "spent": {name: round(stage_s, 3) for name, stage_s in asdict(result.stage_times).items()},
        "damaged_shards": [words for window in result.windows for words in window.damaged],
        "loudness_before_lufs": finite_level(loudness_before),
        "gain_db": next((round(one.master.gain_db, 2) for one in result.levelling.values()), 0.0),
        "voice_gains_db": result.gains_db,
        "loudness_lufs": finite_level(integrated_lufs(level.loudness for level in levels)),
        "true_peak_dbtp": finite_level(true_peak_dbtp(level.true_peak for level in levels)),
        "warnings": list(result_warnings(result)),
    }
