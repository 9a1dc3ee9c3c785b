"""The times of a server's words, as those of the words of the spoken text. Pure.

    spoken   It  cost   £3.50 —  in   May.
    heard    It  cost   £  3.50  —  in  May  .        words of the server, signs among them
             [.1 .3]    [.5   1.2]  …                 joined, divided, in another spelling

The letters and digits of both are mostly the same, and then the places of letters match the words.
Where a server tells what it has made of them ("three pounds fifty"), a spoken word may stand for
several of its words, if there is only one best way to divide them. Otherwise nothing is matched: a
word without a time is better than a word with another one's.

Audio with such times, as Kokoro-FastAPI and vLLM-Omni send it:

    Kokoro-FastAPI  {"audio": BASE64, "audio_format": "audio/wav", "timestamps": [{"word": "It",
                    "start_time": 0.275, "end_time": 0.4}, …]}, or null for the times
                    streamed: such an object on each line, each with a part of one file
    vLLM-Omni       audio, with a header X-Word-Timestamps: [{"word": "It", "start_ms": 240,
                    "end_ms": 400}, …]

Kokoro-FastAPI's signs are words of their own, and its times may begin before the audio, whose
silence it trims. vLLM-Omni leaves the signs out, and sends no header for times of more than 4 KB.

Sources: api/src/routers/development.py of Kokoro-FastAPI of 2026-08, and
entrypoints/openai/serving_speech.py of vllm-omni 0.30.0.
"""

from __future__ import annotations

import base64
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from math import isfinite
from typing import cast

from audiomill.inputs.json_text import JsonInvalid, fields_of, items_of, number_of, parse_json
from audiomill.renderers.engine.errors import EngineFailed
from audiomill.renderers.engine.protocol import WordTiming
from audiomill.renderers.servers.replies import Reply, ServerFailing, reason_in
from audiomill.renderers.speech.timing import word_spans

# How far a word may be outside the audio, or begin before the one before it has ended: servers trim
# silence and round. More than that is not the time of this word.
SLACK_S = 0.25
MOST_EXPANDED = 12  # words for one, as of "1,234,567"
# Of all words, those that may stand for other words than they are: one, or a third.
OTHERS_SHARE = 3

WORDS_HEADER = "x-word-timestamps"
_MS = 0.001


@dataclass(frozen=True, slots=True)
class HeardWord:
    """A word or a sign as a server writes it, and when it sounds."""

    text: str
    start_s: float
    end_s: float


@dataclass(frozen=True, slots=True)
class _Way:
    """The best way to give heard words to the spoken words so far."""

    n_other: int  # spoken words that stand for other words than they are
    is_only: bool
    n_taken: int  # heard words that the last spoken word takes


def word_timings(
    spoken: str, heard: Sequence[HeardWord], duration_s: float
) -> tuple[WordTiming, ...]:
    """When each word of `spoken` sounds, in order, within the audio; nothing if that is in doubt.

    `duration_s` is that of the audio.
    """
    spans = list(word_spans(spoken))
    words = [word for word in heard if folded(word.text)]
    times = _times([spoken[start:end] for start, end in spans], words)
    fitted = _fitted(times, duration_s)
    if len(fitted) != len(spans):
        return ()
    return tuple(WordTiming(*span, *time) for span, time in zip(spans, fitted, strict=True))


def folded(text: str) -> str:
    """The letters and digits of a text, without differences of case and form."""
    normal = unicodedata.normalize("NFKC", text).casefold()
    return "".join(character for character in normal if character.isalnum())


def _times(spoken: Sequence[str], heard: Sequence[HeardWord]) -> list[tuple[float, float]]:
    """The time of each spoken word; none at all if they cannot be told."""
    letters = [folded(word) for word in spoken]
    if not all(letters):
        return []
    if "".join(letters) == "".join(folded(word.text) for word in heard):
        return list(_by_letters(letters, heard))
    taken = _only_way(spoken, [folded(word.text) for word in heard])
    ends = list(accumulate(taken))
    return [
        (heard[end - n].start_s, heard[end - 1].end_s) for end, n in zip(ends, taken, strict=True)
    ]


def _by_letters(
    letters: Sequence[str], heard: Sequence[HeardWord]
) -> Iterator[tuple[float, float]]:
    """The times at the places of the words' first and last letters.

    A heard word that holds several spoken words is divided by their letters.
    """
    starts = [0, *accumulate(len(folded(word.text)) for word in heard)]
    ends = list(accumulate(map(len, letters)))

    def time_s(place: int, owner: int) -> float:
        word = heard[owner]
        share = (place - starts[owner]) / (starts[owner + 1] - starts[owner])
        return word.start_s + share * (word.end_s - word.start_s)

    for end, word in zip(ends, letters, strict=True):
        start = end - len(word)
        first, last = (bisect_right(starts, place) - 1 for place in (start, end - 1))
        yield time_s(start, first), time_s(end, last)


def _only_way(spoken: Sequence[str], heard: Sequence[str]) -> list[int]:
    """How many heard words each spoken one takes, if one way is the best; else nothing."""
    ways: list[dict[int, _Way]] = [{0: _Way(0, is_only=True, n_taken=0)}]
    for word in spoken:
        ways.append(_next_ways(ways[-1], word, heard))
    last = ways[-1].get(len(heard))
    if last is None or not last.is_only or last.n_other > max(1, len(spoken) // OTHERS_SHARE):
        return []
    taken: list[int] = []
    place = len(heard)
    for step in reversed(ways[1:]):
        taken.append(step[place].n_taken)
        place -= taken[-1]
    return taken[::-1]


def _next_ways(before: dict[int, _Way], word: str, heard: Sequence[str]) -> dict[int, _Way]:
    """The best way to each place among the heard words, once `word` has taken some of them."""
    ways: dict[int, _Way] = {}
    for place, way in before.items():
        for n in range(1, min(MOST_EXPANDED, len(heard) - place) + 1):
            taken = heard[place : place + n]
            is_same = "".join(taken) == folded(word)
            if not is_same and not _may_stand_for(word, taken):
                continue
            new = _Way(way.n_other + (not is_same), way.is_only, n)
            ways[place + n] = _better(ways.get(place + n), new)
    return ways


def _better(one: _Way | None, other: _Way) -> _Way:
    if one is None or other.n_other < one.n_other:
        return other
    if other.n_other > one.n_other:
        return one
    return _Way(one.n_other, is_only=False, n_taken=one.n_taken)


def _may_stand_for(word: str, heard: Sequence[str]) -> bool:
    """True for numbers, and for a word that begins alike: an abbreviation, another spelling."""
    if not word.replace("'", "").replace("’", "").isalpha():
        return True
    return len(heard) == 1 and folded(word)[:1] == heard[0][:1]


def _fitted(times: Sequence[tuple[float, float]], duration_s: float) -> list[tuple[float, float]]:
    """The times in order and within the audio; none at all if they are far from it."""
    fitted: list[tuple[float, float]] = []
    at_s = 0.0
    for start_s, end_s in times:
        is_sane = isfinite(start_s) and isfinite(end_s) and start_s <= end_s
        if not is_sane or start_s < at_s - SLACK_S or end_s > duration_s + SLACK_S:
            return []
        start_s = min(max(start_s, at_s), duration_s)
        at_s = min(max(end_s, start_s), duration_s)
        fitted.append((start_s, at_s))
    return fitted


@dataclass(frozen=True, slots=True)
class Captioned:
    """The audio as a reply of its own, and the server's words in order."""

    audio: Reply
    words: tuple[HeardWord, ...]


def captioned(reply: Reply, server: str) -> Captioned:
    """What is in a reply of Kokoro-FastAPI's /dev/captioned_speech, streamed or whole.

    Raises ServerFailing if it was damaged on its way, EngineFailed if it is something else.
    """
    pieces: list[bytes] = []
    words: list[HeardWord] = []
    media_type = ""
    for part in _objects(reply):
        audio = part.get("audio")
        if not isinstance(audio, str):
            raise EngineFailed(
                f"{server} answers with {reason_in(reply)} instead of audio and times of words."
            )
        pieces.append(_decoded(audio))
        media_type = media_type or str(part.get("audio_format", ""))
        words += _words(part.get("timestamps"), ("start_time", "end_time"), 1.0)
    audio = replace(reply, headers={"content-type": media_type}, content=b"".join(pieces))
    return Captioned(audio, tuple(words))


def words_in_header(headers: Mapping[str, str]) -> tuple[HeardWord, ...]:
    """The words in vLLM-Omni's header; none if it has none, or one that cannot be read."""
    try:
        entries = parse_json(headers.get(WORDS_HEADER, "[]"))
    except JsonInvalid:
        return ()
    return tuple(_words(entries, ("start_ms", "end_ms"), _MS))


def _objects(reply: Reply) -> Iterator[Mapping[str, object]]:
    """The objects of a reply: one a line. Raises ServerFailing."""
    # Not by `splitlines`: text in JSON may have other ends of lines than this one.
    lines = [line for line in reply.content.split(b"\n") if line.strip()]
    for line in lines:
        try:
            found = parse_json(line)
        except JsonInvalid as error:
            raise ServerFailing("audio that was cut off", may_be_billed=True) from error
        if not isinstance(found, dict):
            raise ServerFailing("a list of no audio", may_be_billed=True)
        yield cast("Mapping[str, object]", found)
    if not lines:
        raise ServerFailing("an empty answer", may_be_billed=True)


def _decoded(text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except ValueError as error:
        raise ServerFailing("audio that is not base64", may_be_billed=True) from error


def _words(entries: object, names: tuple[str, str], unit_s: float) -> Iterator[HeardWord]:
    """The words of a list; those without a time or a text are left out."""
    for entry in map(fields_of, items_of(entries)):
        start, end = (number_of(entry.get(name)) for name in names)
        word = entry.get("word")
        if isinstance(word, str) and start is not None and end is not None:
            yield HeardWord(word, start * unit_s, end * unit_s)
