"""Noise without PyTorch: the same for a seed on every machine, and as normal as noise must be."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from audiomill.renderers.onnx.sessions import N_QUANTILES, seeded_noise, seeded_uniform

SEEDS = st.integers(0, 2**64 - 1)
MANY = 1 << 20
PINNED = [1.0541279, -0.3965129, 0.3897775, 2.6477718]  # the first values of the seed 5

PINNED_UNIFORM = [0.9155119, 0.2000639]


@given(
    st.sampled_from([seeded_noise, seeded_uniform]),
    SEEDS,
    st.integers(1, 300_000),
    st.integers(1, 300_000),
)
def test_less_noise_is_the_beginning_of_more(seeded, seed, n_values, n_others):
    less, more = sorted((n_values, n_others))
    noise = seeded(seed, less)
    assert noise.dtype == np.float32
    assert noise.shape == (less,)
    np.testing.assert_array_equal(noise, seeded(seed, more)[:less])


def test_its_moments_are_those_of_a_normal_distribution():
    """Within 5 standard errors: of n values, 1, 2, 15 and 96 over n, squared."""
    noise = seeded_noise(7, MANY).astype(np.float64)
    moments = [(noise**power).mean() for power in (1, 2, 3, 4)]
    bounds = 5 * np.sqrt(np.array([1, 2, 15, 96]) / MANY)
    assert (np.abs(np.array(moments) - [0, 1, 0, 3]) < bounds).all()


def test_it_is_white():
    """No value tells another one: correlations are within 5 standard errors of 0."""
    noise = seeded_noise(7, MANY)
    for lag in (1, 2, 3, 4, 9, 1 << 16):
        assert abs(np.mean(noise[:-lag] * noise[lag:])) < 5 / np.sqrt(MANY)


def test_other_seeds_give_other_noise():
    firsts = {seeded_noise(seed, 8).tobytes() for seed in range(1000)}
    assert len(firsts) == 1000


def test_extreme_values_are_those_of_65536_quantiles():
    noise = seeded_noise(1, MANY)
    assert np.unique(noise).size <= N_QUANTILES
    assert 4.2 < np.abs(noise).max() < 4.4


def test_uniform_noise_fills_its_range_evenly():
    """Within 5 standard errors, of the mean and in each of 16 parts."""
    noise = seeded_uniform((7, 0), MANY).astype(np.float64)
    assert noise.min() >= 0
    assert noise.max() < 1
    assert abs(noise.mean() - 0.5) < 5 / np.sqrt(12 * MANY)
    counts = np.histogram(noise, 16, (0, 1))[0]
    assert (np.abs(counts - MANY / 16) < 5 * np.sqrt(MANY / 16)).all()


def test_a_change_of_the_noise_is_noticed():
    """It would change the sound, and not the keys."""
    assert seeded_noise(5, 4).tolist() == pytest.approx(PINNED, rel=1e-6)
    assert seeded_uniform((5, 1), 2).tolist() == pytest.approx(PINNED_UNIFORM, rel=1e-6)
