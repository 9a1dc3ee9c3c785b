"""Writes the transcript of a recording as a file."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

from audiomill.outputs.files import write_atomically
from audiomill.outputs.transcripts.cues import TranscriptCue
from audiomill.outputs.transcripts.srt import srt_text
from audiomill.outputs.transcripts.vtt import vtt_text
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
    content = text.encode()
    write_atomically(path, content)
    duration_s = sum(chapter.n_samples for chapter in chapters) / sample_rate
    digest = hashlib.sha256(content).hexdigest()
    return OutputFile(path, format_name, duration_s, chapters=0, sha256=digest)
