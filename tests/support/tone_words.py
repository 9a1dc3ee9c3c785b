"""The words in audio of the tone engine, which are told from each other by their pitch."""

from collections.abc import Iterable

import numpy as np

from audiomill.renderers.tone.renderer import word_period

LONGEST_GAP = 300  # silent samples inside a word


def tone_periods(samples: np.ndarray) -> list[int]:
    """The period in samples of each tone, in order. Silence separates words."""
    loud = np.abs(samples) > 0.002
    # A sine is silent where it crosses zero; only a longer silence separates two words.
    position = np.arange(loud.size)
    n_silent = position - np.maximum.accumulate(np.where(loud, position, -9999))
    starts = np.flatnonzero(loud & (np.roll(n_silent, 1) > LONGEST_GAP))
    ends = [*starts[1:], loud.size]
    return [tone_period(samples[start:end]) for start, end in zip(starts, ends, strict=True)]


def tone_period(tone: np.ndarray) -> int:
    """The lag in samples at which the tone is most similar to itself."""
    tone = np.trim_zeros(np.where(np.abs(tone) > 1e-4, tone, 0))[150:-150]
    lags = range(60, 241)
    differences = ((lag, tone[lag:] - tone[:-lag]) for lag in lags)
    return min(differences, key=lambda one: one[1] @ one[1] / one[1].size)[0]


def words_in(samples: np.ndarray, vocabulary: Iterable[str]) -> list[str]:
    """The words of a vocabulary whose tones are in the samples, in order."""
    by_period = {word_period(word): word for word in vocabulary}
    return [
        min(by_period.items(), key=lambda one: abs(one[0] - period))[1]
        for period in tone_periods(samples)
    ]
