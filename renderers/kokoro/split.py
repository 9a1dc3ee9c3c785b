"""Phonemes that are too many for one row, cut into several. Pure; knows phonemes, no text.

Of all ways to cut, the cheapest is taken: a cut costs by where it is, and a part by how far its
length is from an even share. So parts come out even, no small tail is left, and nothing is lost
but the spaces at the cuts.

    … jˈɛstəɹdˌA. | ðə mˈɪl, wˌɪʧ | stˈʊd …
                  0         ↑0.5  1.5          and 8 inside a word
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from math import inf

from renderers.kokoro.phonemes import Phonemes, PhonemeWord
from renderers.shard import Remark

# What a cut costs after the end of a sentence, of a clause, of a word, and inside a word. An even
# share is 0 from perfect, an empty part 1: half of it off costs UNEVEN / 4.
SENTENCE, CLAUSE, WORD, INSIDE = 0.0, 0.5, 1.5, 8.0
CUT = 0.3
UNEVEN = 2.0
STEPS = 16  # in a row's length, where there is no better place
_PLACES = (
    (SENTENCE, re.compile(r"[.!?…][\"”)]*( |$)")),
    (CLAUSE, re.compile(r"[;:,—][\"”)]*( |$)|—")),
    (WORD, re.compile(" ")),
)


def split(phonemes: Phonemes, max_phonemes: int = 510) -> tuple[Phonemes, ...]:
    """Parts of at most `max_phonemes`, in order; `phonemes` itself where they are few enough.

    Parts joined give the text back, less a space at some cuts and those at its end. Each has its
    own words, counted from its own first phoneme; a word that is cut is in both. A remark goes with
    the part that says what stands before it. Raises ValueError if `max_phonemes` < 1.
    """
    if max_phonemes < 1:
        raise ValueError(f"max_phonemes is {max_phonemes}; it must be at least 1")
    text = phonemes.text.rstrip(" ")
    if len(text) <= max_phonemes:
        return (replace(phonemes, text=text),)
    cuts = _cheapest(text, max_phonemes)
    spans = [_trimmed(text, first, last) for first, last in pairwise(cuts)]
    words = [tuple(_words(phonemes, first, last)) for first, last in spans]
    begins = [_begins(phonemes, first) for first, _ in spans[1:]]
    return tuple(
        Phonemes(text[first:last], own, tuple(_remarks(phonemes, begins, index)))
        for index, ((first, last), own) in enumerate(zip(spans, words, strict=True))
    )


def _cheapest(text: str, limit: int) -> list[int]:
    """Where to cut, both ends included: the least cost over all ways (Bellman 1957)."""
    costs = _costs(text, limit)
    places = sorted(costs)
    share = len(text) / -(-len(text) // limit)
    best: list[tuple[float, int]] = [(0.0, 0)]  # for each place: cost up to it, the place before
    for index in range(1, len(places)):
        at = places[index]
        nearest = bisect_left(places, at - limit - (text[at - 1] == " "), hi=index)
        best.append(
            min(
                (
                    best[before][0] + costs[at] + UNEVEN * ((at - places[before]) / share - 1) ** 2,
                    before,
                )
                for before in range(nearest, index)
            )
        )
    return [places[index] for index in _chain(best)]


def _chain(best: Sequence[tuple[float, int]]) -> list[int]:
    chain = [len(best) - 1]
    while chain[-1]:
        chain.append(best[chain[-1]][1])
    return chain[::-1]


def _costs(text: str, limit: int) -> dict[int, float]:
    """What it costs to cut before a phoneme. Places are never further apart than `limit`."""
    costs: dict[int, float] = {}
    for cost, marks in _PLACES:
        for found in marks.finditer(text):
            costs.setdefault(found.end(), CUT + cost)
    costs |= {0: 0.0, len(text): 0.0}
    for first, last in pairwise(sorted(costs)):
        if last - first > limit:
            step = -(-limit // STEPS)
            costs |= dict.fromkeys(range(first + step, last, step), CUT + INSIDE)
    return costs


def _trimmed(text: str, first: int, last: int) -> tuple[int, int]:
    return first, last - (last < len(text) and text[last - 1] == " ")


def _words(phonemes: Phonemes, first: int, last: int) -> Iterator[PhonemeWord]:
    """The words that have phonemes in [first, last), counted from `first`."""
    for word in phonemes.words:
        if word.first < last and first < word.last:
            begins, ends = max(word.first, first) - first, min(word.last, last) - first
            yield replace(word, first=begins, last=ends)


def _begins(phonemes: Phonemes, first: int) -> float:
    """Where in the spoken text a part begins that begins with phoneme `first`."""
    return next((word.start for word in phonemes.words if word.last > first), inf)


def _remarks(phonemes: Phonemes, begins: Sequence[float], index: int) -> Iterator[Remark]:
    return (one for one in phonemes.remarks if bisect_right(begins, one.start) == index)
