"""A text as Kokoro reads it: phonemes, and which of them say which word. Plain frozen data.

spoken text   H e l l o ,   w o r l d .
words         └───┬───┘     └───┬───┘
phonemes      h ə l ˈ O ,   w ˈ ɜ ɹ l d .      one character, one token
"""

from __future__ import annotations

from dataclasses import dataclass

from renderers.shard import Remark

# What is heard as a pause or as a tone, not as a word. Source: `vocab` in the model's config.json.
PAUSING = frozenset(';:,.!?—…"()“”')


@dataclass(frozen=True, slots=True)
class PhonemeWord:
    """Characters [start, end) of the spoken text are said by phonemes [first, last).

    Neither is empty. Words are in the order of both, and overlap in neither.
    """

    start: int
    end: int
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Phonemes:
    """What a model is given for a spoken text.

    `text` has one character for each token, no space at its ends and no two in a row. Every
    letter, digit and sign of the spoken text is in one of `words` or in one of `remarks`; marks
    such as brackets, that nobody says, may be in neither.
    """

    text: str
    words: tuple[PhonemeWord, ...]
    remarks: tuple[Remark, ...] = ()
