"""What a transcript says and when, of WebVTT, in paragraphs. Pure.

Source: WebVTT (w3.org/TR/webvtt1), a block with a line of times, then text. Settings, comments,
styles and voices are left out.
"""

from __future__ import annotations

import html
import re
from bisect import bisect_right
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from audiomill.outputs.text import prose

_TIME = r"(?:(\d{2,}):)?([0-5]\d):([0-5]\d)\.(\d{3})"
_TIMES = re.compile(rf"{_TIME}[ \t]+-->[ \t]+{_TIME}")
_TAG = re.compile(r"<[^>]*>")
_BLANK_LINES = re.compile(r"\n{2,}")
_PARAGRAPH_S, _LONGEST_S = 30.0, 60.0
_SENTENCE_END = re.compile(r"[.!?…。！？][^\w\s]*\Z")
ROUNDING_S = 0.01  # of the times of cues and chapters


@dataclass(frozen=True, slots=True)
class TimedWords:
    """Words that are said from `start_s` on."""

    start_s: float
    text: str


def timed_words(vtt: str) -> list[TimedWords]:
    """The cues of a WebVTT file, in the order of the file."""
    blocks = _BLANK_LINES.split("\n".join(vtt.lstrip("\N{BYTE ORDER MARK}").splitlines()))
    return [words for block in blocks if (words := _words(block)) and words.text]


def paragraphs(
    words: Sequence[TimedWords],
    chapters_s: Sequence[float] = (),
    titles: Collection[str] = (),
) -> Iterator[list[TimedWords]]:
    """The words in groups of about half a minute, so that few times stand between them.

    A chapter, which begins at one of `chapters_s`, begins a group. One of `titles` that it begins
    with is a group of its own. A sentence is not cut, but for one that goes on for another half
    minute.
    """
    group: list[TimedWords] = []
    after_title = False
    for one in words:
        begins = _chapter(one, chapters_s) > (_chapter(group[-1], chapters_s) if group else 0)
        ends = after_title or (group and _is_full(group, one.start_s - group[0].start_s))
        if group and (begins or ends):
            yield group
            group = []
        group.append(one)
        after_title = begins and one.text in titles
    if group:
        yield group


def _is_full(group: Sequence[TimedWords], duration_s: float) -> bool:
    is_whole = ends_sentence(group[-1]) or duration_s >= _LONGEST_S
    return duration_s >= _PARAGRAPH_S and is_whole


def ends_sentence(words: TimedWords) -> bool:
    """Whether a sentence ends with the words."""
    return _SENTENCE_END.search(words.text) is not None


def _chapter(words: TimedWords, chapters_s: Sequence[float]) -> int:
    """How many chapters have begun."""
    return bisect_right(chapters_s, words.start_s + ROUNDING_S)


def _words(block: str) -> TimedWords | None:
    times = _TIMES.search(block)
    if not times:
        return None
    hours, minutes, seconds, milliseconds = (int(one or 0) for one in times.groups()[:4])
    _, _, text = block[times.end() :].partition("\n")
    plain = html.unescape(_TAG.sub("", text))
    start_s = 3600 * hours + 60 * minutes + seconds + milliseconds / 1000
    return TimedWords(start_s, " ".join(prose(plain).split()))
