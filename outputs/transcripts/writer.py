"""Writes the transcript of a recording as a file: WebVTT and SubRip here, others by the word.

WebVTT: https://www.w3.org/TR/webvtt1/. SubRip (SRT) has no specification: ffmpeg's reader is the
measure. Lines end with a line feed alone, as in ffmpeg's own files: players take both ends, but
some programs for podcasts look for two line feeds between cues.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from audiomill.outputs.files import Announce, unwritable_errors, write_output
from audiomill.outputs.text import one_line
from audiomill.outputs.transcripts.captions import lines, speaker_lead
from audiomill.outputs.transcripts.cues import TranscriptCue, timestamp
from audiomill.outputs.transcripts.word_formats import (
    WORD_JOINER,
    ass_text,
    json_text,
    lrc_text,
    retitled_ass,
    retitled_lrc,
    stamped,
)
from audiomill.outputs.types import MeasuredChapter, OutputFile

_VTT_HEAD = "WEBVTT\n"
_VTT_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})
# SubRip has no escapes: these would be tags, positions ({\an8}) or times.
_SRT_MARKUP = re.compile(r"<(?=[/\w])|\{(?=\\)|--(?=>)")


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
    text = _TEXTS[format_name].text(cues, sample_rate, title, language)
    duration_s = sum(chapter.n_samples for chapter in chapters) / sample_rate
    return write_output(path, format_name, text.encode(), duration_s, 0, announce)


def retitle_transcript(
    source: OutputFile, path: Path, title: str, language: str, announce: Announce
) -> OutputFile:
    """Copy a transcript of ours to `path`, with another title. Raises OutputUnwritable."""
    with unwritable_errors(path):
        text = source.path.read_text(encoding="utf-8")
    text = _TEXTS[source.format].retitled(text, title, language)
    return write_output(path, source.format, text.encode(), source.duration_s, 0, announce)


def vtt_text(
    cues: Iterable[TranscriptCue], sample_rate: int, title: str = "", language: str = ""
) -> str:
    """The file. A note at its top has the title and the language (BCP 47), if they are known.

    The specification has no place for either, so the note is for people.
    """
    blocks = (_vtt_cue(cue, sample_rate, [lines(cue.text)]) for cue in cues)
    return "\n".join((_VTT_HEAD, *_note(title, language), *blocks))


def vtt_words_text(
    cues: Iterable[TranscriptCue], sample_rate: int, title: str = "", language: str = ""
) -> str:
    """The same with the time of each word inside the cues."""
    blocks = (_vtt_cue(cue, sample_rate, stamped(cue, sample_rate)) for cue in cues)
    return "\n".join((_VTT_HEAD, *_note(title, language), *blocks))


def with_note(text: str, title: str, language: str) -> str:
    """A file of ours with another note at its top."""
    _head, *blocks = text.removesuffix("\n").split("\n\n")
    if blocks and blocks[0].startswith("NOTE\n"):
        del blocks[0]
    return "\n".join((_VTT_HEAD, *_note(title, language), *(f"{block}\n" for block in blocks)))


def _note(title: str, language: str) -> Iterator[str]:
    language = f"Language: {language}" if language else ""
    words = [words for text in (title, language) if (words := _note_line(text))]
    if words:
        yield "\n".join(("NOTE", *words, ""))


def _note_line(text: str) -> str:
    """A line of a note, where an arrow is forbidden."""
    return one_line(text).replace("-->", "→")


def _vtt_cue(cue: TranscriptCue, sample_rate: int, pieces: Iterable[str]) -> str:
    """A cue; `pieces` are texts, with stamps between two of them."""
    start, end = (timestamp(at, sample_rate, ".") for at in (cue.start, cue.end))
    text = "".join(
        one if index % 2 else one.translate(_VTT_ESCAPES) for index, one in enumerate(pieces)
    )
    if cue.speaker:
        text = f"<v {one_line(cue.speaker).translate(_VTT_ESCAPES)}>{text}</v>"
    return f"{start} --> {end}\n{text}\n"


def srt_text(
    cues: Iterable[TranscriptCue], sample_rate: int, _title: str = "", _language: str = ""
) -> str:
    """The file. A speaker stands before his text, with a colon: SubRip has no other place."""
    return "\n".join(_srt_cue(number, cue, sample_rate) for number, cue in enumerate(cues, 1))


def _srt_cue(number: int, cue: TranscriptCue, sample_rate: int) -> str:
    start, end = (timestamp(at, sample_rate, ",") for at in (cue.start, cue.end))
    said = speaker_lead(one_line(cue.speaker)) + cue.text
    text = _SRT_MARKUP.sub(lambda match: match[0] + WORD_JOINER, lines(said))
    return f"{number}\n{start} --> {end}\n{text}\n"


def _as_it_is(text: str, _title: str, _language: str) -> str:
    return text


@dataclass(frozen=True, slots=True)
class _TextFormat:
    """How a format is written: of cues, a sample rate, a title and a language; and retitled."""

    text: Callable[[Sequence[TranscriptCue], int, str, str], str]
    retitled: Callable[[str, str, str], str] = _as_it_is


_TEXTS = {
    "vtt": _TextFormat(vtt_text, with_note),
    "srt": _TextFormat(srt_text),
    "vtt-words": _TextFormat(vtt_words_text, with_note),
    "json": _TextFormat(json_text),
    "ass": _TextFormat(ass_text, retitled_ass),
    "lrc": _TextFormat(lrc_text, retitled_lrc),
}
