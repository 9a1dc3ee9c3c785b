"""A transcript as a WebVTT file: https://www.w3.org/TR/webvtt1/. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from audiomill.outputs.text import one_line
from audiomill.outputs.transcripts.captions import lines
from audiomill.outputs.transcripts.cues import TranscriptCue, timestamp

_HEAD = "WEBVTT\n"
_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})


def vtt_text(
    cues: Iterable[TranscriptCue], sample_rate: int, title: str = "", language: str = ""
) -> str:
    """The file. A note at its top has the title and the language (BCP 47), if they are known.

    The specification has no place for either, so the note is for people.
    """
    blocks = (_cue(cue, sample_rate) for cue in cues)
    return "\n".join((_HEAD, *_note(title, language), *blocks))


def with_note(text: str, title: str, language: str) -> str:
    """A file of ours with another note at its top."""
    _head, *blocks = text.removesuffix("\n").split("\n\n")
    if blocks and blocks[0].startswith("NOTE\n"):
        del blocks[0]
    return "\n".join((_HEAD, *_note(title, language), *(f"{block}\n" for block in blocks)))


def _note(title: str, language: str) -> Iterator[str]:
    language = f"Language: {language}" if language else ""
    words = [words for text in (title, language) if (words := _note_line(text))]
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
