"""What a run did, as JSON for the report file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from audiomill.flows.console import finite_level
from audiomill.flows.job import Job
from audiomill.flows.pipeline.library.records import RecordedLevels
from audiomill.flows.pipeline.reporting.reported import ReportedChapter
from audiomill.flows.pipeline.reporting.run_warnings import result_warnings
from audiomill.flows.pipeline.result import FinishedRecording, RunResult
from audiomill.outputs.audio.loudness import integrated_lufs
from audiomill.outputs.delivery.profiles import Mastering


def sound_json(
    levels: Mapping[str, RecordedLevels],
    recordings: Sequence[FinishedRecording],
    chapters: Iterable[ReportedChapter],
    result: RunResult | None,
) -> dict[str, Any]:
    """How loud the book, its files and their chapters are. None of silence, and if not known."""
    known = [one.levels for one in recordings if one.levels]
    is_known = bool(known) and len(known) == len(recordings)
    gains_db = {one.gain_db for one in known}
    peaks_dbtp = [one.true_peak_dbtp for one in known if one.true_peak_dbtp is not None]
    return {
        "gain_db": gains_db.pop() if is_known and len(gains_db) == 1 else None,
        "loudness_lufs": _whole_lufs(known, len(recordings), result),
        "true_peak_dbtp": max(peaks_dbtp, default=None) if is_known else None,
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


def _whole_lufs(
    known: Sequence[RecordedLevels], n_recordings: int, result: RunResult | None
) -> float | None:
    """The loudness of all recordings as one; None if the run has not encoded all of several."""
    if result and len(result.recorded) == n_recordings:
        # Of each recording's first file: the others hold the same.
        first = (recorded.levels[0] for recorded in result.recorded.values())
        return finite_level(integrated_lufs(one.loudness for each in first for one in each.parts))
    return known[0].loudness_lufs if len(known) == n_recordings == 1 else None


def settings_json(job: Job) -> dict[str, Any]:
    """What was chosen, for people who wonder later."""
    return {
        "profile": job.delivery.profile,
        "formats": list(job.formats),
        "transcripts": list(job.transcripts),
        "split": job.split,
        "chapters": job.chapters,
        "read": job.read,
        "check_speech": job.check_speech or None,
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


def result_json(result: RunResult, mastering: Mastering) -> dict[str, Any]:
    """Where the time went, and how loud the audio was before; None for silence."""
    loudness_before = integrated_lufs(chapter.loudness for chapter in result.chapters)
    return {
        "engine_busy_share": round(result.stage_times.busy_share, 4),
        "spent": {name: round(stage_s, 3) for name, stage_s in asdict(result.stage_times).items()},
        "damaged_shards": [words for window in result.windows for words in window.damaged],
        "loudness_before_lufs": finite_level(loudness_before),
        "voice_gains_db": result.gains_db,
        "warnings": list(result_warnings(result, mastering)),
    }
