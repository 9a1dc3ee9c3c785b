"""Loudness agrees with the standard and pyloudnorm; with ffmpeg in `checking/test_signal.py`."""

import math

import numpy as np
import pyloudnorm
import pytest
import scipy.signal
from hypothesis import given
from hypothesis import strategies as st

from audiomill.outputs.audio.chapter_loudness import stretches_lufs
from audiomill.outputs.audio.loudness import N_STATES, integrated_lufs, k_weighting
from audiomill.renderers.engine.protocol import Samples
from support.examples import few_examples
from support.signals_data import RATE, cut, measured, silence, sine, voice


def programme(seed: int, sample_rate: int = RATE) -> Samples:
    """Passages of different levels, and a pause, so that both gates have an effect."""
    levels = np.random.default_rng(seed).uniform(0.003, 0.9, 12)
    parts = [voice(1.3, sample_rate, seed=i, peak=level) for i, level in enumerate(levels)]
    parts.insert(6, np.zeros(2 * sample_rate, np.float32))
    return np.concatenate(parts)


@pytest.mark.parametrize(("sample_rate", "seed"), [(22050, 0), (24000, 1), (24000, 2), (48000, 0)])
def test_agrees_with_pyloudnorm(seed, sample_rate):
    samples = programme(seed, sample_rate)
    reference = pyloudnorm.Meter(sample_rate, filter_class="DeMan")
    expected = reference.integrated_loudness(samples.astype(np.float64))
    assert integrated_lufs([measured(samples, sample_rate=sample_rate)]) == pytest.approx(
        expected, abs=0.05
    )


def test_gating_runs_over_all_chapters_together():
    loud, quiet = voice(5, seed=1, peak=0.8), voice(5, seed=2, peak=0.02)
    parts = [measured(loud), measured(quiet)]
    separate = [integrated_lufs([part]) for part in parts]
    assert separate[0] - separate[1] > 25
    assert integrated_lufs(parts) == pytest.approx(separate[0], abs=0.1)  # the quiet part is gated
    whole = measured(np.concatenate((loud, quiet)))
    assert integrated_lufs(parts) == pytest.approx(integrated_lufs([whole]), abs=0.2)


def test_silence_and_no_samples_are_minus_infinity():
    silence = measured(np.zeros(RATE, np.float32))
    for parts in ([], [silence], [measured()], [silence, measured()]):
        assert integrated_lufs(parts) == -math.inf


def test_a_signal_shorter_than_a_block_is_measured():
    assert integrated_lufs([measured(sine(1000, 0.2))]) == pytest.approx(-9, abs=0.5)


SAMPLES = programme(7)[: 5 * RATE]
WHOLE = measured(SAMPLES)


@given(st.lists(st.integers(0, SAMPLES.size), max_size=12))
def test_how_the_stream_is_cut_makes_no_difference(points):
    loudness = measured(*cut(SAMPLES, points))
    np.testing.assert_array_equal(loudness.block_powers, WHOLE.block_powers)
    assert loudness.n_samples == WHOLE.n_samples


def filtered_recursively(samples: np.ndarray, sample_rate: int) -> np.ndarray:
    """Filtered by SciPy's recursion with pyloudnorm's coefficients."""
    meter = pyloudnorm.Meter(sample_rate, filter_class="DeMan")
    stages = np.array([[*stage.b, *stage.a] for stage in meter._filters.values()])
    return np.asarray(scipy.signal.sosfilt(stages, samples))


@pytest.mark.parametrize(
    ("sample_rate", "row"),
    [(8000, 800), (16_000, 1600), (22_050, 2205), (24_000, 2400), (48_000, 4800), (96_000, 9600)],
)
def test_blocks_match_the_recursion_over_several_calls(sample_rate, row):
    """Equal but for rounding: 100 dB under the samples, and nowhere more than six times that.

    The root mean square of 10,000 samples or more depends little on the order of additions: at
    48 kHz, where it is largest, it is 109 dB under without AVX and 114 dB under with AVX-512.
    """
    weighting = k_weighting(sample_rate, row)
    random = np.random.default_rng(sample_rate)
    samples = random.normal(size=(4, weighting.n_rows, row)) + 0.5  # with an offset
    samples = samples.astype(np.float32)
    state, results = np.zeros(N_STATES), []
    for rows in samples:
        weighted, state = weighting.weighted(rows, state)
        results.append(weighted)
    expected = filtered_recursively(samples.reshape(-1), sample_rate)
    error = np.concatenate(results).reshape(-1) - expected
    bound = 1e-5 * expected.std()
    assert np.sqrt((error**2).mean()) < bound
    assert np.abs(error).max() < 6 * bound


def test_the_state_decays_to_silence():
    weighting = k_weighting(24_000, 2400)
    loud = np.ones((weighting.n_rows, 2400), np.float32)
    _, state = weighting.weighted(loud, np.zeros(N_STATES))
    assert np.abs(state).max() > 0.1
    silent, state = weighting.weighted(np.zeros_like(loud), state)
    assert np.abs(silent[:1]).max() > 0.1
    assert np.abs(silent[-1]).max() < 1e-12
    assert np.abs(state).max() < 1e-12


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
