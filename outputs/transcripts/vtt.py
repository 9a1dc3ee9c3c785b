"""A transcript as a WebVTT file: https://www.w3.org/TR/webvtt1/. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from audiomill.outputs.text import one_line
from audiomill.outputs.transcripts.captions import lines
from audiomill.outputs.transcripts.cues import TranscriptCue, timestamp

_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})


def vtt_text(
    cues: Iterable[TranscriptCue], sample_rate: int, title: str = "", language: str = ""
) -> str:
    """The file. A note at its top has the title and the language (BCP 47), if they are known.

    The specification has no place for either, so the note is for people.
    """
    language = f"Language: {language}" if language else ""
    note = [words for text in (title, language) if (words := _note_line(text))]
    blocks = (_cue(cue, sample_rate) for cue in cues)
    return "\n".join(("WEBVTT\n", *_note(note), *blocks))


def _note(words: Sequence[str]) -> Iterator[str]:
    if words:
        yield "\n".join(("NOTE", *words, ""))


def _note_line(text: str) -> str:
    """A line of a note, where an arrow is forbidden."""
    return one_line(text).replace("-->", "→")


def _cue(cue: TranscriptCue, sample_rate: int) -> str:
    start, end = (timestamp(at, sample_rate, ".") for at in (cue.start, cue.end))
    text = lines(cue.text).translate(_ESCAPES)
    if cue.speaker:
        text = f"<v {one_line(cue.speaker).translate(_ESCAPES)}>{text}</v>"
    return f"{start} --> {end}\n{text}\n"
