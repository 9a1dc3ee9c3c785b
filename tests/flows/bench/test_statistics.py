"""The figures of passes: medians, spread, cadence, shares."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audiomill.flows.bench.statistics import (
    FACTORS,
    Pass,
    figures_of,
    gaps_of,
    quantile,
    shares,
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


@given(st.dictionaries(st.text(max_size=3), st.none() | TIMES, min_size=1))
def test_shares_add_up_to_the_whole(seconds):
    found = shares(seconds)
    assert {name for name, share in found.items() if share is None} == {
        name for name, one in seconds.items() if one is None
    }
    if any(one is not None for one in seconds.values()):
        assert sum(share for share in found.values() if share is not None) == pytest.approx(1)
