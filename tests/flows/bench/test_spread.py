"""The spread that is printed covers the median of another run, as often as it is said to."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from audiomill.flows.bench.statistics import FACTORS, MOST, Verdict, spread, verdict

TIMES = st.floats(0.001, 1e6)
RUNS = 3000


def steady(rng, shape):
    return rng.normal(10.0, 0.1, shape)


def disturbed(rng, shape):
    """Only ever slower, as by what others do on the machine."""
    return 10.0 + rng.exponential(0.2, shape)


def now_and_then(rng, shape):
    """A pass in ten meets something that takes a core away."""
    return rng.normal(10.0, 0.1, shape) + 4.0 * (rng.random(shape) < 0.1)


def drifting(rng, shape):
    """What is slower in one pass is still somewhat slower in the next, and so is the next run."""
    noise = rng.normal(0.0, 0.1, shape)
    for n in range(1, shape[-1]):
        noise[..., n] += 0.3 * noise[..., n - 1]
    return 10.0 + noise


@pytest.mark.parametrize("n_passes", [*FACTORS, 15])
def test_a_rerun_lies_within_the_printed_spread(n_passes):
    assert covered(steady, n_passes) > 0.94


@pytest.mark.parametrize("noise", [disturbed, now_and_then])
@pytest.mark.parametrize("n_passes", [5, 7, 10, 15])
def test_so_it_does_where_noise_is_of_other_kinds_and_passes_are_five(n_passes, noise):
    assert covered(noise, n_passes) > 0.92


def covered(noise, n_passes):
    """In what part of all runs the next one's median is within the spread."""
    rng = np.random.default_rng(n_passes)
    passes = noise(rng, (RUNS, 2 * n_passes))
    first, again = passes[:, :n_passes], passes[:, n_passes:]
    off = np.abs(np.median(again, 1) / np.median(first, 1) - 1)
    return np.mean(off <= [spread(walls) for walls in first.tolist()])


@pytest.mark.parametrize("noise", [steady, disturbed, now_and_then, drifting])
@pytest.mark.parametrize("n_passes", [5, MOST])
def test_two_runs_of_the_same_are_hardly_ever_told_apart(n_passes, noise):
    """Even where passes drift, and the first run's spread alone would hold for nine in ten."""
    rng = np.random.default_rng(1)
    runs = noise(rng, (RUNS, 2 * n_passes)).reshape(RUNS, 2, n_passes).tolist()
    found = [told(first, again) for first, again in runs]
    assert found.count(Verdict.WITHIN) > 0.94 * RUNS


def test_what_is_faster_by_a_tenth_is_told_from_five_passes():
    rng = np.random.default_rng(2)
    runs = steady(rng, (RUNS, 2, 5)) * np.array([1.1, 1.0])[:, None]
    found = [told(first, again) for first, again in runs.tolist()]
    assert found.count(Verdict.FASTER) > 0.99 * RUNS


def test_half_of_the_range_would_say_too_little():
    """What was printed once, and why it is not now."""
    rng = np.random.default_rng(3)
    first, again = steady(rng, (2, RUNS, 2))
    off = np.abs(np.median(again, 1) - np.median(first, 1))
    assert np.mean(off <= np.ptp(first, axis=1) / 2) < 0.45


@given(st.lists(TIMES, min_size=2))
def test_a_spread_is_a_part_of_the_median(walls):
    assert spread(walls) >= 0
    assert spread([wall * 3 for wall in walls]) == pytest.approx(spread(walls))
    assert spread([walls[0]] * len(walls)) == 0


def test_one_pass_says_nothing_of_another():
    assert spread([3.0]) is None
    assert verdict(2.0, (None, 0.1)) is Verdict.UNKNOWN


@given(st.floats(0.01, 100.0), st.floats(0, 10), st.floats(0, 10))
def test_a_verdict_turns_round_with_what_is_compared(ratio, one, other):
    turned = {Verdict.FASTER: Verdict.SLOWER, Verdict.SLOWER: Verdict.FASTER}
    found = verdict(ratio, (one, other))
    assert verdict(1 / ratio, (other, one)) in (turned.get(found, found), found)
    assert verdict(ratio, (one, other + 1000)) is Verdict.WITHIN
    assert (found is Verdict.FASTER) <= (ratio > 1)


def told(first, again):
    ratio = np.median(first) / np.median(again)
    return verdict(ratio, (spread(first), spread(again)))
