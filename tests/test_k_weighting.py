"""Many samples at a time are weighted as they would be one after the other."""

from __future__ import annotations

import numpy as np
import pyloudnorm
import pytest
import scipy.signal

from outputs.k_weighting import N_STATES, k_weighting


def one_after_the_other(samples: np.ndarray, sample_rate: int) -> np.ndarray:
    """By a library's recursion."""
    meter = pyloudnorm.Meter(sample_rate, filter_class="DeMan")
    stages = np.array([[*stage.b, *stage.a] for stage in meter._filters.values()])
    return np.asarray(scipy.signal.sosfilt(stages, samples))


@pytest.mark.parametrize(
    ("sample_rate", "row"),
    [(8000, 800), (16_000, 1600), (22_050, 2205), (24_000, 2400), (48_000, 4800), (11_030, 1103)],
)
def test_it_is_the_recursion_over_any_number_of_turns(sample_rate: int, row: int) -> None:
    weighting = k_weighting(sample_rate, row)
    dice = np.random.default_rng(sample_rate)
    samples = dice.normal(size=(4, weighting.n_rows, row)) + 0.5  # and the offset that goes
    state, turns = np.zeros(N_STATES), []
    for rows in samples:
        weighted, state = weighting.weighted(rows, state)
        turns.append(weighted)
    expected = one_after_the_other(samples.reshape(-1), sample_rate)
    np.testing.assert_allclose(np.concatenate(turns).reshape(-1), expected, rtol=0, atol=1e-9)


def test_what_was_heard_long_ago_is_forgotten() -> None:
    weighting = k_weighting(24_000, 2400)
    loud = np.ones((weighting.n_rows, 2400))
    _, state = weighting.weighted(loud, np.zeros(N_STATES))
    assert np.abs(state).max() > 0.1
    silent, state = weighting.weighted(np.zeros_like(loud), state)
    assert np.abs(silent[:1]).max() > 0.1
    assert np.abs(silent[-1]).max() < 1e-12
    assert np.abs(state).max() < 1e-12
