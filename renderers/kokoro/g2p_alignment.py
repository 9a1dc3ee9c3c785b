"""Which part of a phrase's phonemes says which of its words, when only the phrase is known. Pure.

espeak-ng reads whole phrases: it joins words, splits numbers, and changes sounds where words
meet. So each word is also read by itself, and the two readings are laid side by side, sound by
sound, at the least number of changes (Levenshtein 1966).

    words alone   dˈe | vˈɛ̃tsˈɛ̃k | ˈɑ̃
    the phrase    də    vɛ̃tsɛ̃k    ˈɑ̃
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from difflib import SequenceMatcher
from itertools import accumulate, pairwise

# A cut this near a space is at it.
NEAR = 2


def words_of(phrase: str) -> list[str]:
    """The words of `phrase`, each with the space after it."""
    words = [f"{word} " for word in phrase.split(" ")]
    return [*words[:-1], words[-1][:-1]]


def cut(phrase: str, alone: Sequence[str]) -> list[str]:
    """`phrase` in as many parts as there are words `alone`; joined, they are `phrase` again.

    A word of which nothing is heard gets "". Spaces go with the part before them.
    """
    words = words_of(phrase)
    if len(words) == len(alone) and all(word and " " not in word for word in alone):
        return words
    places = _places("".join(alone).replace(" ", ""), phrase.replace(" ", ""))
    spaces = list(accumulate(map(len, words)))
    cuts = [0]
    for end in list(accumulate(_n_sounds(word) for word in alone))[:-1]:
        left = [space for space in spaces if space > cuts[-1]]
        cuts.append(max(cuts[-1], _at_space(phrase, places[end], left)))
    return [phrase[first:last] for first, last in pairwise([*cuts, len(phrase)])]


def portions(phrase: str, sounds: Sequence[str]) -> list[str]:
    """`phrase` in as many parts as `sounds`, from which it differs in spaces only."""
    cuts = [0]
    for sound in sounds:
        cuts.append(_after(phrase, _n_sounds(sound), cuts[-1]))
    return [phrase[first:last] for first, last in pairwise([*cuts[:-1], len(phrase)])]


def sources(old: str, new: str) -> list[tuple[int, int]]:
    """For each character of `new`, a text made from `old`, the characters of `old` it stands for.

    Never none: what was put in stands for the character before it. `old` must not be empty.
    """
    if old == new:
        return [(at, at + 1) for at in range(len(old))]
    found: list[tuple[int, int]] = []
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    for kind, first, last, start, end in matcher.get_opcodes():
        if kind == "equal":
            found += [(at, at + 1) for at in range(first, last)]
        else:
            first, last = (max(first - 1, 0), max(first, 1)) if first == last else (first, last)
            found += [(first, last)] * (end - start)
    return found


def rewritten(
    text: str, pattern: re.Pattern[str], write: Callable[[str], str]
) -> tuple[str, list[tuple[int, int]]]:
    """What `write` makes of each match of `pattern`, which must match all of `text`; sources."""
    parts: list[str] = []
    places: list[tuple[int, int]] = []
    for found in pattern.finditer(text):
        new = write(found[0])
        first = found.start()
        parts.append(new)
        places += [(first + start, first + end) for start, end in sources(found[0], new)]
    return "".join(parts), places


def _n_sounds(word: str) -> int:
    return len(word) - word.count(" ")


def _after(phrase: str, n_sounds: int, at: int = 0) -> int:
    """The place in `phrase` after so many sounds from `at` on, and after the space there."""
    while n_sounds and at < len(phrase):
        n_sounds -= phrase[at] != " "
        at += 1
    return at + (phrase[at : at + 1] == " ")


def _at_space(phrase: str, n_sounds: int, spaces: Sequence[int]) -> int:
    """The place after so many sounds, or at a space that is near it."""
    place = _after(phrase, n_sounds)
    near = [space for space in spaces if abs(space - place) <= NEAR]
    return min(near, key=lambda space: abs(space - place), default=place)


def _places(expected: str, heard: str) -> list[int]:
    """For each place in `expected`, ends included, the place in `heard` that answers to it."""
    rows = [list(range(len(heard) + 1))]
    for sound in expected:
        row = [rows[-1][0] + 1]
        for at, other in enumerate(heard):
            row.append(min(rows[-1][at] + (sound != other), rows[-1][at + 1] + 1, row[at] + 1))
        rows.append(row)
    places = [len(heard)] * (len(expected) + 1)
    left, right = len(expected), len(heard)
    while left:
        cost = rows[left][right]
        if right and cost == rows[left - 1][right - 1] + (expected[left - 1] != heard[right - 1]):
            left, right = left - 1, right - 1
        elif cost == rows[left - 1][right] + 1:
            left -= 1
        else:
            right -= 1
            continue
        places[left] = right
    return places
