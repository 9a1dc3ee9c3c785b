"""The words of a sentence for its cues: where each begins in the text, and when it sounds. Pure.

    printed    He said: “£2.5m — or   so?”
    words      [He ][said: ][“£2.5m ][— or ][so?”]
    sounds      .1   .4       .9       2.1   2.4

Each word has the signs around it, so that the words together are all of the text: white space and
what closes stays with the word before, what opens goes to the word after.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

from audiomill.inputs.model.book import Segment
from audiomill.inputs.segmentation.printed_words import PrintedWord
from audiomill.outputs.text import one_line
from audiomill.outputs.types import Cue
from audiomill.renderers.engine.protocol import ShardInfo
from audiomill.renderers.speech.timing import SentenceTiming, range_timings

_OPENING = ("Ps", "Pi")  # Unicode's categories of opening marks


@dataclass(frozen=True, slots=True)
class CueWord:
    """A text from character `at` to the next word sounds at samples [start, end).

    `is_estimated`: the engine has told no time of its own for it.
    """

    at: int
    start: int
    end: int
    is_estimated: bool = False


def cue_words(
    segment: Segment,
    printed: tuple[int, int],
    words: Sequence[PrintedWord],
    timing: SentenceTiming,
    shard: ShardInfo,
    piece: Cue,
) -> tuple[CueWord, ...]:
    """The words of one sentence, in samples of the chapter in which it lies in `piece`.

    Their `at` counts the letters of the sentence, without white space.
    """
    if not words:
        return ()
    text = segment.text[slice(*printed)]
    starts = _starts(text, words, printed[0])
    n_letters = accumulate(map(_n_letters, (text[slice(*gap)] for gap in pairwise((0, *starts)))))
    spoken = [(word.start, word.end) for word in words]
    rate = shard.sample_rate
    return tuple(
        CueWord(
            n_before,
            placed(timed.start_s, piece, rate),
            placed(timed.end_s, piece, rate),
            timed.is_estimated,
        )
        for n_before, timed in zip(n_letters, range_timings(spoken, shard, timing), strict=True)
    )


def _n_letters(text: str) -> int:
    """The characters that are no white space in a cue."""
    return len(one_line(text).replace(" ", ""))


def placed(at_s: float, piece: Cue, rate: int) -> int:
    """The sample of the chapter at which time `at_s` of a shard sounds, inside the piece."""
    return min(max(piece.start, piece.origin + round(at_s * rate)), piece.end)


def _starts(text: str, words: Sequence[PrintedWord], offset: int) -> list[int]:
    """Where each word begins in the text of its sentence, with the signs before it."""
    gaps = ((one.last - offset, following.first - offset) for one, following in pairwise(words))
    return [0, *(_start(text, *gap) for gap in gaps)]


def _start(text: str, end: int, first: int) -> int:
    """Where a word at `first` begins: after the last white space, or at what opens it."""
    spaces = [at for at in range(end, first) if text[at].isspace()]
    opening = (at for at in range(end, first) if unicodedata.category(text[at]) in _OPENING)
    return spaces[-1] + 1 if spaces else next(opening, first)
