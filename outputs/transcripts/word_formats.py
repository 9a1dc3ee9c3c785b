r"""Transcripts in which each word has its time: JSON of Podcasting 2.0, ASS, LRC, WebVTT. Pure.

    JSON   {"startTime": 1.2, "endTime": 1.5, "body": "Hello,"}     a segment for each word
    ASS    Dialogue: 0,0:00:01.20,…,,{\k30}Hello, {\k45}world.        lit as karaoke is
    LRC    [00:01.20]<00:01.20>Hello, <00:01.50>world.<00:01.95>    “enhanced”, as lyrics are
    VTT    Hello, <00:00:01.500>world.                              stamps inside a cue

Sources: podcast-namespace, `transcripts.md`; WebVTT, “cue timestamp”; LRC as A2 Media Player
extended it. ASS has no specification: libass and ffmpeg are the measure, whose encoder escapes
text in the same way (`ff_ass_bprint_text_event`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from itertools import pairwise

from audiomill.outputs.metadata.chapters import milliseconds
from audiomill.outputs.text import one_line
from audiomill.outputs.transcripts.captions import lines, speaker_lead
from audiomill.outputs.transcripts.cues import TranscriptCue, timestamp

# An invisible character inside keeps players from taking text for markup.
WORD_JOINER = "\N{WORD JOINER}"
_JSON = json.JSONEncoder(ensure_ascii=False)  # made once: there are 9,000 words an hour
_LRC_MARKUP = re.compile(r"[\[<](?=\d+:)")
_ASS_MARKUP = re.compile(r"[{}\\]")
_ASS_TITLE, _LRC_TITLE = "Title: ", "[ti:"
_ASS_HEAD = """\
[Script Info]
{title}
ScriptType: v4.00+
PlayResX: 1920
PlayResY: 1080
WrapStyle: 0

[V4+ Styles]
Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, Bold,\
 Italic, Underline, StrikeOut, ScaleX, ScaleY, Spacing, Angle, BorderStyle, Outline, Shadow,\
 Alignment, MarginL, MarginR, MarginV, Encoding
Style: Default,Sans,64,&H0000D7FF,&H00FFFFFF,&H00000000,&H80000000,0,0,0,0,100,100,0,0,1,3,0,2,80,\
80,60,1

[Events]
Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
"""


def json_text(cues: Iterable[TranscriptCue], sample_rate: int, _title: str, _language: str) -> str:
    """JSON of Podcasting 2.0: times in seconds, to the millisecond."""
    words = (_json_word(word, sample_rate) for cue in cues for word in cue.parts)
    return '{"version": "1.0.0", "segments": [\n' + ",\n".join(words) + "\n]}\n"


def _json_word(word: TranscriptCue, sample_rate: int) -> str:
    speaker = {"speaker": one_line(word.speaker)} if word.speaker else {}
    times = (milliseconds(at, sample_rate) / 1000 for at in (word.start, word.end))
    fields = {**speaker, **dict(zip(("startTime", "endTime"), times, strict=True))}
    return _JSON.encode({**fields, "body": word.text.strip()})


def lrc_text(cues: Iterable[TranscriptCue], sample_rate: int, title: str, _language: str) -> str:
    """LRC: a line for each cue, a stamp before each word and after the last one."""
    sung = (_lrc_line(cue, sample_rate) for cue in cues)
    return "".join(f"{line}\n" for line in (_lrc_title(title), *sung))


def _lrc_line(cue: TranscriptCue, sample_rate: int) -> str:
    parts = cue.parts
    words = (f"<{_lrc_time(one.start, sample_rate)}>{_lrc_escaped(one.text)}" for one in parts)
    lead = speaker_lead(one_line(cue.speaker))
    start, end = (_lrc_time(at, sample_rate) for at in (cue.start, parts[-1].end))
    return f"[{start}]{_lrc_escaped(lead)}{''.join(words)}<{end}>"


def _lrc_time(at: int, sample_rate: int) -> str:
    """Minutes, as many as there are: 01:02.03, 123:45.67."""
    seconds, cs = divmod(_centiseconds(at, sample_rate), 100)
    return f"{seconds // 60:02}:{seconds % 60:02}.{cs:02}"


def _lrc_escaped(text: str) -> str:
    return _LRC_MARKUP.sub(lambda match: match[0] + WORD_JOINER, text)


def _lrc_title(title: str) -> str:
    return f"{_LRC_TITLE}{one_line(title).replace(']', ')')}]"


def ass_text(cues: Iterable[TranscriptCue], sample_rate: int, title: str, _language: str) -> str:
    """Advanced SubStation Alpha: each word gets its colour when it begins."""
    events = (_ass_event(cue, sample_rate) for cue in cues)
    return "".join((_ASS_HEAD.format(title=_ass_title(title)), *events))


def _ass_event(cue: TranscriptCue, sample_rate: int) -> str:
    parts = cue.parts
    begin, end = (_centiseconds(at, sample_rate) for at in (cue.start, cue.end))
    starts = [_centiseconds(one.start, sample_rate) for one in parts]
    lengths_cs = [after - before for before, after in pairwise((*starts, max(end, starts[-1])))]
    pause = f"{{\\k{starts[0] - begin}}}" if starts[0] > begin else ""
    words = (
        f"{{\\k{length_cs}}}{_ass_escaped(one.text)}"
        for one, length_cs in zip(parts, lengths_cs, strict=True)
    )
    name = one_line(cue.speaker).replace(",", ";")
    times = f"{_ass_time(begin)},{_ass_time(end)}"
    return f"Dialogue: 0,{times},Default,{name},0,0,0,,{pause}{''.join(words)}\n"


def _ass_time(cs: int) -> str:
    seconds, cs = divmod(cs, 100)
    return f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}.{cs:02}"


def _ass_escaped(text: str) -> str:
    return _ASS_MARKUP.sub(
        lambda match: match[0] + WORD_JOINER if match[0] == "\\" else f"\\{match[0]}", text
    )


def _ass_title(title: str) -> str:
    return f"{_ASS_TITLE}{one_line(title)}"


def retitled_ass(text: str, title: str, _language: str) -> str:
    """A file of ours with another title."""
    return _with_line(text, _ASS_TITLE, _ass_title(title))


def retitled_lrc(text: str, title: str, _language: str) -> str:
    """A file of ours with another title."""
    return _with_line(text, _LRC_TITLE, _lrc_title(title))


def _with_line(text: str, begins: str, line: str) -> str:
    """The text with `line` in the place of the first one that begins so."""
    every = text.split("\n")
    place = next(at for at, one in enumerate(every) if one.startswith(begins))
    return "\n".join((*every[:place], line, *every[place + 1 :]))


def stamped(cue: TranscriptCue, sample_rate: int) -> Iterator[str]:
    """A cue's lines for WebVTT in pieces: texts, and between two of them the time of the second.

    A time is later than the one before, and within the cue, as the specification asks.
    """
    broken = lines(cue.text)
    inserted = len(broken) - len(cue.text)  # a break between two wide characters
    break_at = broken.find("\n")
    places = [one.at + inserted * (one.at >= break_at) for one in cue.words[1:]]
    at, last_ms = 0, milliseconds(cue.start, sample_rate)
    for word, place in zip(cue.words[1:], places, strict=True):
        ms = milliseconds(word.start, sample_rate)
        if last_ms < ms < milliseconds(cue.end, sample_rate):
            yield broken[at:place]
            yield f"<{timestamp(word.start, sample_rate, '.')}>"
            at, last_ms = place, ms
    yield broken[at:]


def _centiseconds(at: int, sample_rate: int) -> int:
    return round(milliseconds(at, sample_rate) / 10)
