"""The loudness of a chapter in its file is that of the chapter alone."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from audiomill.outputs.audio.chapter_loudness import stretches_lufs
from audiomill.outputs.audio.loudness import integrated_lufs
from support.examples import few_examples
from support.signals_data import RATE, measured, silence, voice


def edges_of(lengths_s):
    ends = np.cumsum(lengths_s)
    return [(end - length_s, end) for length_s, end in zip(lengths_s, ends, strict=True)]


@few_examples(10)
@given(
    st.lists(st.tuples(st.integers(10, 30), st.floats(0.05, 0.5)), min_size=1, max_size=5),
    st.integers(0, 2),
)
def test_each_stretch_is_as_loud_as_it_is_alone(chapters, n_first_part):
    """However the file is parted: here at a chapter."""
    lengths_s = [n / 10 for n, _ in chapters]
    sounds = [
        voice(length_s, seed=index, peak=peak)
        for index, (length_s, (_, peak)) in enumerate(zip(lengths_s, chapters, strict=True))
    ]
    grouped = [sounds[:n_first_part], sounds[n_first_part:]]
    parts = [measured(*one) for one in grouped if one]
    found = stretches_lufs(parts, RATE, edges_of(lengths_s))
    assert found == pytest.approx([integrated_lufs([measured(one)]) for one in sounds], abs=0.1)


def test_a_stretch_that_is_shorter_than_a_gating_block_has_the_nearest():
    whole = [measured(silence(2), voice(0.3, peak=0.5), silence(2))]
    (loud,) = stretches_lufs(whole, RATE, [(2.0, 2.3)])
    assert -30 < loud < 0


def test_silence_and_nothing_have_no_loudness():
    assert stretches_lufs([measured(silence(2))], RATE, [(0.0, 2.0)]) == (-math.inf,)
    assert stretches_lufs([], RATE, [(0.0, 2.0)]) == (-math.inf,)
