"""Joining parts: never over the limit, as cheap as can be, even, and the same every time."""

from itertools import combinations, pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audiomill.inputs.segmentation.grouping import TextUnit, group_by_length

BEST, LONGEST = (100, 200), 400


def joined(lengths, cuts):
    """The lengths of the segments: parts and the spaces between them."""
    bounds = [0, *cuts, len(lengths)]
    return [sum(lengths[first:last]) + last - first - 1 for first, last in pairwise(bounds)]


def grouped(*lengths, price=0.0):
    return joined(
        lengths, group_by_length([TextUnit(length, price) for length in lengths], BEST, LONGEST)
    )


parts = st.lists(st.builds(TextUnit, st.integers(0, 500), st.sampled_from([0.0, 0.03, 1.0])))


@settings(deadline=None)
@given(parts)
def test_no_joined_parts_are_too_long(some):
    cuts = group_by_length(some, BEST, LONGEST)
    assert cuts == sorted(set(cuts))
    assert all(0 < cut < len(some) for cut in cuts)
    for first, last in pairwise([0, *cuts, len(some)]):
        assert last - first <= 1 or joined([part.length for part in some[first:last]], [])[0] <= 400


def beyond(length):
    """How far a segment is from the best range."""
    return max(BEST[0] - length, length - BEST[1], 0)


@settings(deadline=None)
@given(st.lists(st.integers(1, 200), min_size=1, max_size=9))
def test_where_all_can_be_in_range_all_are(lengths):
    ways = [
        joined(lengths, cuts)
        for n_cuts in range(len(lengths))
        for cuts in combinations(range(1, len(lengths)), n_cuts)
    ]
    if any(not any(map(beyond, way)) for way in ways):
        assert not any(map(beyond, grouped(*lengths)))


@pytest.mark.parametrize(
    ("lengths", "segments"),
    [
        ((12,), [12]),
        ((90, 90), [181]),
        ((100, 100, 30), [100, 131]),  # no scrap at the end
        ((30, 100, 100), [131, 100]),
        ((15, 195, 170), [211, 170]),  # a little too long is better than a scrap
        ((50, 50, 50, 50, 50, 50), [152, 152]),
        ((60, 190), [60, 190]),
        ((500, 5, 500), [500, 5, 500]),  # what cannot be joined
        ((395, 10), [395, 10]),
    ],
)
def test_segments_come_out_even(lengths, segments):
    assert grouped(*lengths) == segments


def test_dear_places_are_cut_only_for_cause():
    assert grouped(110, 110, price=0.03) == [110, 110]
    assert grouped(110, 110, price=1.0) == [221]
    assert grouped(210, 210, price=1.0) == [210, 210]


def test_nothing_is_cut_nowhere():
    assert group_by_length([], BEST, LONGEST) == []


@settings(deadline=None)
@given(parts)
def test_the_same_parts_are_always_cut_alike(some):
    assert group_by_length(some, BEST, LONGEST) == group_by_length(list(some), BEST, LONGEST)
