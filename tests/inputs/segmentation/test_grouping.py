"""Joining units: within the limit, with even lengths, at the lowest cost, deterministic."""

from itertools import combinations, pairwise

from hypothesis import given
from hypothesis import strategies as st

from audiomill.inputs.segmentation.lengths import TextUnit, group_by_length
from support.case_files import each_row

BEST, LONGEST = (100, 200), 400


def joined(lengths, cuts):
    """The lengths of the segments: units and the spaces between them."""
    bounds = [0, *cuts, len(lengths)]
    return [sum(lengths[first:last]) + last - first - 1 for first, last in pairwise(bounds)]


def group(*lengths, cut_cost=0.0):
    return joined(
        lengths, group_by_length([TextUnit(length, cut_cost) for length in lengths], BEST, LONGEST)
    )


UNITS = st.lists(st.builds(TextUnit, st.integers(0, 500), st.sampled_from([0.0, 0.03, 1.0])))


@given(UNITS)
def test_joined_units_never_exceed_the_limit(units):
    cuts = group_by_length(units, BEST, LONGEST)
    assert cuts == sorted(set(cuts))
    assert all(0 < cut < len(units) for cut in cuts)
    for first, last in pairwise([0, *cuts, len(units)]):
        assert (
            last - first <= 1 or joined([unit.length for unit in units[first:last]], [])[0] <= 400
        )


def distance_from_best(length):
    """How far a segment is from the best range."""
    return max(BEST[0] - length, length - BEST[1], 0)


@given(st.lists(st.integers(1, 200), min_size=1, max_size=9))
def test_all_lengths_are_in_range_if_that_is_possible(lengths):
    alternatives = [
        joined(lengths, cuts)
        for n_cuts in range(len(lengths))
        for cuts in combinations(range(1, len(lengths)), n_cuts)
    ]
    if any(not any(map(distance_from_best, alternative)) for alternative in alternatives):
        assert not any(map(distance_from_best, group(*lengths)))


@each_row
def test_segments_have_even_lengths(lengths, segments):
    assert group(*lengths) == segments


def test_costly_cuts_are_made_only_if_needed():
    assert group(110, 110, cut_cost=0.03) == [110, 110]
    assert group(110, 110, cut_cost=1.0) == [221]
    assert group(210, 210, cut_cost=1.0) == [210, 210]
