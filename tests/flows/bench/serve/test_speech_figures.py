"""What follows from when the parts of texts came."""

import pytest

from audiomill.flows.bench.serve.speech_figures import (
    Arrival,
    TimedSpeech,
    level_figures,
)
from support.case_files import each_row

SECOND = 48_000  # bytes


def spoken(*parts, error="", given_up_s=None):
    """Each part as when it came, and how long it plays."""
    arrivals = tuple(Arrival(at_s, round(long_s * SECOND)) for at_s, long_s in parts)
    return TimedSpeech(arrivals, error, given_up_s)


@each_row
def test_a_player_stands_still_where_it_has_played_all(parts, still_s):
    assert spoken(*parts).still_s == pytest.approx(still_s)


def test_the_figures_of_a_level():
    texts = [spoken((0.1, 2.0)), spoken((0.3, 1.0), (3.3, 1.0)), spoken((0.2, 1.0), error="cut")]
    found = level_figures(4, texts, 2.0)
    assert (found.first_p50_s, found.first_p95_s, found.first_p99_s) == (0.1, 0.3, 0.3)
    assert found.still_s == pytest.approx(2.0)
    assert found.n_stood_still == 1
    assert found.speed == pytest.approx(2.0)
    assert found.errors == {"cut": 1}


def test_what_is_given_up_counts_as_far_as_it_came_and_as_an_error():
    texts = [
        spoken((0.1, 2.0)),
        spoken((1.0, 2.0), error="late", given_up_s=8.0),
        spoken(error="late", given_up_s=7.0),
        spoken(error="not asked"),
    ]
    found = level_figures(3, texts, 8.0)
    assert (found.first_p50_s, found.first_p99_s) == (1.0, 7.0)
    assert (found.still_s, found.speed) == (5.0, 0.5)
    assert found.errors == {"late": 2, "not asked": 1}


def test_a_level_of_errors_has_no_time():
    found = level_figures(1, [spoken(error="status 500")] * 3, 1.0)
    assert (found.first_p50_s, found.n_errors, found.speed) == (None, 3, 0)
