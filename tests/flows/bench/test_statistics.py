"""The figures of passes: medians, cadence, shares, and the spread, which other runs keep to."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from audiomill.flows.bench.statistics import (
    FACTORS,
    MAX_FACTOR_PASSES,
    Pass,
    Verdict,
    figures_of,
    gaps_of,
    quantile,
    shares,
    spread,
    verdict,
)

ONE = Pass(
    wall_s=2.0,
    audio_s=10.0,
    first_s=0.5,
    finished_s=(0.5, 0.5, 2.0),
    real=90,
    computed=100,
    n_batches=2,
    peak_ram_bytes=7,
)
TIMES = st.floats(0.001, 1e6)


def test_the_figures_of_one_pass():
    figures = figures_of([ONE], n_chars=140)
    assert figures.speed == 5.0
    assert figures.real_time_factor == 0.2
    assert figures.characters_per_s == 70.0
    assert figures.first_audio_s == 0.5
    assert (figures.cadence_median_s, figures.cadence_p95_s) == (0.75, 1.5)
    assert figures.batch_rows == 1.5
    assert figures.batch_fill == 0.9
    assert figures.padding_share == pytest.approx(0.1)
    assert figures.spread is None
    assert figures.peak_gpu_bytes is None
    assert figures.cancellation_s is None


def test_of_several_passes_the_median_and_the_highest_peak_count():
    passes = [
        replace(ONE, wall_s=wall_s, peak_ram_bytes=peak, peak_gpu_bytes=peak)
        for wall_s, peak in ((4.0, 1), (2.0, 9), (3.0, 5))
    ]
    figures = figures_of(passes, n_chars=30)
    assert figures.wall_s == (4.0, 2.0, 3.0)
    assert figures.speed == pytest.approx(10.0 / 3.0)
    assert figures.characters_per_s == 10.0
    assert figures.spread == pytest.approx(FACTORS[3] * 2 / 3)
    assert (figures.peak_ram_bytes, figures.peak_gpu_bytes) == (9, 9)


def test_a_figure_without_data_is_none():
    bare = replace(ONE, finished_s=(2.0,), real=0, computed=0, n_batches=0)
    figures = figures_of([bare], n_chars=1)
    assert figures.cadence_median_s is None
    assert figures.batch_rows is None
    assert figures.batch_fill is None
    assert figures.padding_share is None


@given(st.lists(TIMES, min_size=1), st.floats(0.01, 1.0))
def test_a_quantile_is_a_value_that_enough_others_do_not_exceed(values, share):
    value = quantile(values, share)
    assert value in values
    assert sum(one <= value for one in values) >= share * len(values) * (1 - 1e-9)


@given(st.lists(TIMES).map(sorted))
def test_gaps_add_up(finished_s):
    assert sum(gaps_of(finished_s)) == pytest.approx(
        finished_s[-1] - finished_s[0] if finished_s else 0
    )


@given(st.dictionaries(st.text("abc", max_size=3), st.none() | TIMES, min_size=1))
def test_shares_add_up_to_the_whole(seconds):
    found = shares(seconds)
    assert {name for name, share in found.items() if share is None} == {
        name for name, one in seconds.items() if one is None
    }
    if any(one is not None for one in seconds.values()):
        assert sum(share for share in found.values() if share is not None) == pytest.approx(1)


RUNS = 3000


def steady(rng, shape):
    return rng.normal(10.0, 0.1, shape)


def disturbed(rng, shape):
    """Noise that only slows down, like other processes on the machine."""
    return 10.0 + rng.exponential(0.2, shape)


def occasional(rng, shape):
    """In one pass of ten something takes a core away."""
    return rng.normal(10.0, 0.1, shape) + 4.0 * (rng.random(shape) < 0.1)


def drifting(rng, shape):
    """A slow pass makes the next one somewhat slower, and so the next run."""
    noise = rng.normal(0.0, 0.1, shape)
    for n in range(1, shape[-1]):
        noise[..., n] += 0.3 * noise[..., n - 1]
    return 10.0 + noise


@pytest.mark.parametrize("n_passes", [*FACTORS, 15])
def test_a_rerun_lies_within_the_printed_spread(n_passes):
    assert covered(steady, n_passes) > 0.94


@pytest.mark.parametrize("noise", [disturbed, occasional])
@pytest.mark.parametrize("n_passes", [5, 7, 10, 15])
def test_it_does_so_with_other_kinds_of_noise_from_five_passes_on(n_passes, noise):
    assert covered(noise, n_passes) > 0.92


def covered(noise, n_passes):
    """The share of all runs in which the median of the next run is within the spread."""
    rng = np.random.default_rng(n_passes)
    passes = noise(rng, (RUNS, 2 * n_passes))
    first, again = passes[:, :n_passes], passes[:, n_passes:]
    off = np.abs(np.median(again, 1) / np.median(first, 1) - 1)
    return np.mean(off <= [spread(walls) for walls in first.tolist()])


@pytest.mark.parametrize("noise", [steady, disturbed, occasional, drifting])
@pytest.mark.parametrize("n_passes", [5, MAX_FACTOR_PASSES])
def test_two_runs_of_the_same_hardly_ever_differ(n_passes, noise):
    """Even if passes drift, where the spread of the first run alone would hold in nine of ten."""
    rng = np.random.default_rng(1)
    runs = noise(rng, (RUNS, 2 * n_passes)).reshape(RUNS, 2, n_passes).tolist()
    verdicts = [verdict_of(first, again) for first, again in runs]
    assert verdicts.count(Verdict.WITHIN) > 0.94 * RUNS


def test_five_passes_show_what_is_faster_by_a_tenth():
    rng = np.random.default_rng(2)
    runs = steady(rng, (RUNS, 2, 5)) * np.array([1.1, 1.0])[:, None]
    verdicts = [verdict_of(first, again) for first, again in runs.tolist()]
    assert verdicts.count(Verdict.FASTER) > 0.99 * RUNS


def test_half_of_the_range_would_be_too_small():
    """Half of the range was printed until schema 3. This is why it no longer is."""
    rng = np.random.default_rng(3)
    first, again = steady(rng, (2, RUNS, 2))
    off = np.abs(np.median(again, 1) - np.median(first, 1))
    assert np.mean(off <= np.ptp(first, axis=1) / 2) < 0.45


@given(st.lists(TIMES, min_size=2))
def test_a_spread_is_a_share_of_the_median(walls):
    assert spread(walls) >= 0
    assert spread([wall * 3 for wall in walls]) == pytest.approx(spread(walls))
    assert spread([walls[0]] * len(walls)) == 0


def test_a_single_pass_has_no_spread():
    assert spread([3.0]) is None
    assert verdict(2.0, (None, 0.1)) is Verdict.UNKNOWN


@given(st.floats(0.01, 100.0), st.floats(0, 10), st.floats(0, 10))
def test_a_verdict_is_inverted_when_both_sides_are_swapped(ratio, one, other):
    inverse = {Verdict.FASTER: Verdict.SLOWER, Verdict.SLOWER: Verdict.FASTER}
    result = verdict(ratio, (one, other))
    assert verdict(1 / ratio, (other, one)) in (inverse.get(result, result), result)
    assert verdict(ratio, (one, other + 1000)) is Verdict.WITHIN
    assert (result is Verdict.FASTER) <= (ratio > 1)


def verdict_of(first, again):
    ratio = np.median(first) / np.median(again)
    return verdict(ratio, (spread(first), spread(again)))
