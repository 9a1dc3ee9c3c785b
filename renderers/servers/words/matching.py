"""The times of a server's words, as those of the words of the spoken text. Pure.

    spoken   It  cost   £3.50 —  in   May.
    heard    It  cost   £  3.50  —  in  May  .        words of the server, signs among them
             [.1 .3]    [.5   1.2]  …                 joined, divided, in another spelling

The letters and digits of both are mostly the same, and then the places of letters match the words.
Where a server tells what it has made of them ("three pounds fifty"), a spoken word may stand for
several of its words, if there is only one best way to divide them. Otherwise nothing is matched: a
word without a time is better than a word with another one's.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import isfinite

from audiomill.renderers.base import WordTiming
from audiomill.renderers.timing import word_spans

# How far a word may be outside the audio, or begin before the one before it has ended: servers trim
# silence and round. More than that is not the time of this word.
SLACK_S = 0.25
MOST_EXPANDED = 12  # words for one, as of "1,234,567"
# Of all words, those that may stand for other words than they are: one, or a third.
OTHERS_SHARE = 3


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
