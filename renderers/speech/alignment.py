"""Which phonemes of a phrase are which of its words, where a library gives only the phrase. Pure.

phrase       hiː hɐz tə ɡˌəʊ         as it is said
words alone  hiː hæz tuː ɡˈəʊ        the least edits between both tell where each word ends
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise

_NEAR = 2  # phonemes; a cut at most this far from a space is moved to the space


def split_words(phrase: str) -> list[str]:
    """The words of the phonemes `phrase`, each with the space after it."""
    words = [f"{word} " for word in phrase.split(" ")]
    return [*words[:-1], words[-1][:-1]]


def align_words(phrase: str, alone: Sequence[str]) -> list[str]:
    """Cut the phonemes of a phrase into one part for each of its words.

    `alone` has the phonemes of each word said alone, which may differ from those in the phrase.
    Joined, the parts are `phrase`. A silent word gets "". Spaces belong to the part before them.
    """
    words = split_words(phrase)
    if len(words) == len(alone) and all(word and " " not in word for word in alone):
        return words
    places = _aligned_places("".join(alone).replace(" ", ""), phrase.replace(" ", ""))
    spaces = list(accumulate(map(len, words)))
    cuts = [0]
    for end in list(accumulate(_n_sounds(word) for word in alone))[:-1]:
        remaining = [space for space in spaces if space > cuts[-1]]
        cuts.append(max(cuts[-1], _place_near_space(phrase, places[end], remaining)))
    return [phrase[first:last] for first, last in pairwise([*cuts, len(phrase)])]


def split_like(phrase: str, words: Sequence[str]) -> list[str]:
    """Cut the phonemes `phrase` like `words`, which differ from it in spaces only."""
    cuts = [0]
    for word in words:
        cuts.append(_place_after(phrase, _n_sounds(word), cuts[-1]))
    return [phrase[first:last] for first, last in pairwise([*cuts[:-1], len(phrase)])]


def _n_sounds(word: str) -> int:
    return len(word) - word.count(" ")


def _place_after(phrase: str, n_sounds: int, place: int = 0) -> int:
    """The place in `phrase` that is `n_sounds` after `place`, and after a space there."""
    while n_sounds and place < len(phrase):
        n_sounds -= phrase[place] != " "
        place += 1
    return place + (phrase[place : place + 1] == " ")


def _place_near_space(phrase: str, n_sounds: int, spaces: Sequence[int]) -> int:
    """The place after `n_sounds`, or the nearest of `spaces` if that is near."""
    place = _place_after(phrase, n_sounds)
    near = [space for space in spaces if abs(space - place) <= _NEAR]
    return min(near, key=lambda space: abs(space - place), default=place)


def _aligned_places(expected: str, actual: str) -> list[int]:
    """For each place in `expected`, both ends included, the corresponding place in `actual`.

    The alignment has the least edit distance (Levenshtein 1965).
    """
    rows = [list(range(len(actual) + 1))]
    for sound in expected:
        row = [rows[-1][0] + 1]
        for place, other in enumerate(actual):
            substituted = rows[-1][place] + (sound != other)
            row.append(min(substituted, rows[-1][place + 1] + 1, row[place] + 1))
        rows.append(row)
    places = [len(actual)] * (len(expected) + 1)
    left, right = len(expected), len(actual)
    while left:
        cost = rows[left][right]
        if right and cost == rows[left - 1][right - 1] + (expected[left - 1] != actual[right - 1]):
            left, right = left - 1, right - 1
        elif cost == rows[left - 1][right] + 1:
            left -= 1
        else:
            right -= 1
            continue
        places[left] = right
    return places
