"""Writes the transcript of a recording as a file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from audiomill.outputs.files import unwritable_errors
from audiomill.outputs.transcripts.cues import TranscriptCue
from audiomill.outputs.transcripts.srt import srt_text
from audiomill.outputs.transcripts.vtt import vtt_text, with_note
from audiomill.outputs.types import MeasuredChapter, OutputFile
from audiomill.outputs.written import Announce, write_output


def write_transcript(
    path: Path,
    format_name: str,
    cues: Sequence[TranscriptCue],
    chapters: Sequence[MeasuredChapter],
    title: str,
    language: str,
    announce: Announce,
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
    return write_output(path, format_name, text.encode(), duration_s, 0, announce)


def retitle_transcript(
    source: OutputFile, path: Path, title: str, language: str, announce: Announce
) -> OutputFile:
    """Copy a transcript of ours to `path`, with another title. Raises OutputUnwritable."""
    with unwritable_errors(path):
        text = source.path.read_text(encoding="utf-8")
    if source.format == "vtt":
        text = with_note(text, title, language)
    return write_output(path, source.format, text.encode(), source.duration_s, 0, announce)
