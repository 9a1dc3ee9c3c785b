"""Writes the transcript of a recording as a file."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

from audiomill.outputs.files import unwritable_errors, write_atomically
from audiomill.outputs.transcripts.cues import TranscriptCue
from audiomill.outputs.transcripts.srt import srt_text
from audiomill.outputs.transcripts.vtt import vtt_text, with_note
from audiomill.outputs.types import MeasuredChapter, OutputFile


def write_transcript(
    path: Path,
    format_name: str,
    cues: Sequence[TranscriptCue],
    chapters: Sequence[MeasuredChapter],
    title: str,
    language: str,
) -> OutputFile:
    """Write the cues of a recording of `chapters`; the format is a name in TRANSCRIPTS.

    Raises OutputUnwritable.
    """
    sample_rate = chapters[0].sample_rate
    if format_name == "srt":
        text = srt_text(cues, sample_rate)
    else:
        text = vtt_text(cues, sample_rate, title, language)
    duration_s = sum(chapter.n_samples for chapter in chapters) / sample_rate
    return _written(path, format_name, text, duration_s)


def retitle_transcript(source: OutputFile, path: Path, title: str, language: str) -> OutputFile:
    """Copy a transcript of ours to `path`, with another title. Raises OutputUnwritable."""
    with unwritable_errors(path):
        text = source.path.read_text(encoding="utf-8")
    if source.format == "vtt":
        text = with_note(text, title, language)
    return _written(path, source.format, text, source.duration_s)


def _written(path: Path, format_name: str, text: str, duration_s: float) -> OutputFile:
    content = text.encode()
    write_atomically(path, content)
    digest = hashlib.sha256(content).hexdigest()
    return OutputFile(path, format_name, duration_s, chapters=0, sha256=digest)
