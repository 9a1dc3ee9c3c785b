"""Whether a recording is good enough to clone: what is wrong, by how much, and what to do. Pure.

Each bound says where it comes from. A fatal flaw keeps the voice from being used; any other makes
each segment sound worse, because engines copy what they hear: noise, clipping and rooms too.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from audiomill.renderers.engine.clone_needs import LONGEST_S, SHORTEST_S
from audiomill.renderers.reference_voices.recording import Measures
from audiomill.renderers.takes.traits import MAX_CLIPPED

# Engines listen at 16 kHz or more: below, there is nothing where "s" and "f" are told apart.
LOWEST_RATE = 16_000
LEAST_OVER_NOISE_DB = 20.0  # as in a quiet living room; a studio has 50 and more
QUIETEST_DBFS = -45.0  # so that the steps of 16 bits stay 45 dB below the voice
MOST_SILENCE_S = 3.0  # at one end: more is more likely a wrong cut
# A voice on one of two channels loses 3 dB when they are mixed, and so do two strangers.
MOST_MIXING_LOSS_DB = 6.0
# Letters in a second. espeak-ng has 7 to 15 in 16 languages (docs/design/engines.md); people read
# aloud at half to twice that.
SLOWEST_LETTERS, FASTEST_LETTERS = 4.0, 30.0
WIDE_LETTERS, DIGIT_LETTERS = 3, 4  # that a Chinese, Japanese or Korean character counts for


@dataclass(frozen=True, slots=True)
class Flaw:
    """One thing that is wrong with a recording, as a sentence that says what to do."""

    words: str
    is_fatal: bool = False  # no engine can use it


def judge(measures: Measures | None, text: str) -> tuple[Flaw, ...]:
    """The flaws of a recording in which `text` is said ("" if that is not known)."""
    if measures is None:
        return (Flaw("It is silent. Record it again.", is_fatal=True),)
    return (*_lengths(measures), *_sound(measures), *_pace(measures, text))


def _lengths(measures: Measures) -> Iterator[Flaw]:
    if measures.kept_s < SHORTEST_S:
        yield Flaw(
            f"The voice is {measures.kept_s:.1f} s long. Engines need {SHORTEST_S:g} s at least:"
            " record more.",
            is_fatal=True,
        )
    if measures.kept_s > LONGEST_S:
        yield Flaw(
            f"The voice is {measures.kept_s:.1f} s long. Engines take {LONGEST_S:g} s at most: cut"
            " it, and its text, to 8 to 12 s.",
            is_fatal=True,
        )
    for silence_s, where in ((measures.leading_s, "before"), (measures.trailing_s, "after")):
        if silence_s > MOST_SILENCE_S:
            yield Flaw(
                f"There are {silence_s:.1f} s of silence {where} the voice. It is cut off for"
                " engines; look whether the recording is the right one."
            )


def _sound(measures: Measures) -> Iterator[Flaw]:
    if measures.sample_rate < LOWEST_RATE:
        yield Flaw(
            f"It has {measures.sample_rate} samples in a second. Take {LOWEST_RATE} at least, not"
            " a telephone's.",
            is_fatal=True,
        )
    if measures.n_clipped > MAX_CLIPPED:
        yield Flaw(
            f"It is clipped in {measures.n_clipped} samples. Record it again with less gain:"
            " engines copy the distortion."
        )
    if measures.over_noise_db < LEAST_OVER_NOISE_DB:
        yield Flaw(
            f"The noise is only {measures.over_noise_db:.0f} dB below the voice. It should be"
            f" {LEAST_OVER_NOISE_DB:.0f} dB at least: record it in a quieter room, nearer to the"
            " microphone."
        )
    if measures.level_dbfs < QUIETEST_DBFS:
        yield Flaw(
            f"The voice is at {measures.level_dbfs:.0f} dBFS, too quiet by"
            f" {QUIETEST_DBFS - measures.level_dbfs:.0f} dB. Record it with more gain."
        )
    if measures.mixed_db < -MOST_MIXING_LOSS_DB:
        yield Flaw(
            f"Its channels cancel each other: mixed they lose {-measures.mixed_db:.0f} dB. Keep one"
            " channel only."
        )


def _pace(measures: Measures, text: str) -> Iterator[Flaw]:
    if not text or measures.speech_s <= 0:
        return
    pace = n_said_letters(text) / measures.speech_s
    if not SLOWEST_LETTERS <= pace <= FASTEST_LETTERS:
        more = "more" if pace > FASTEST_LETTERS else "less"
        yield Flaw(
            f"The text is not that of the recording: {n_said_letters(text)} letters in"
            f" {measures.speech_s:.1f} s are {pace:.1f} in a second, and people say"
            f" {SLOWEST_LETTERS:g} to {FASTEST_LETTERS:g}. The text says {more} than is"
            " heard: write exactly what is said.",
            is_fatal=True,
        )


def n_said_letters(text: str) -> int:
    """Letters that take as long to say as `text`, by how people read, not by how an engine does."""
    return sum(map(_weight, unicodedata.normalize("NFC", text)))


def _weight(character: str) -> int:
    kind = unicodedata.category(character)[0]
    if kind not in "LMN":  # the vowels of many scripts are marks
        return 0
    if kind == "N":
        return DIGIT_LETTERS
    return WIDE_LETTERS if unicodedata.east_asian_width(character) == "W" else 1
