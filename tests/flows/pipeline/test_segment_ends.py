"""Chapters are cut into parts that fit into a file, as equal as their pauses allow."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from audiomill.flows.pipeline.long_chapters import (
    SegmentEnd,
    best_end,
    cuts_of_chapter,
)

CHAPTERS = st.lists(
    st.tuples(st.integers(1, 500), st.booleans(), st.booleans()), min_size=1, max_size=60
)


def ends_of(segments: list[tuple[int, bool, bool]]) -> tuple[list[SegmentEnd], int]:
    """The ends in a chapter of segments (samples, has a pause, ends a paragraph); its length."""
    at, ends = 0, list[SegmentEnd]()
    for number, (n_samples, has_pause, ends_paragraph) in enumerate(segments, 1):
        at += n_samples
        if has_pause and number < len(segments):
            ends.append(SegmentEnd(number, at, n_samples % 7 + 1, ends_paragraph))
    return ends, at


def lengths_of(ends: list[SegmentEnd], n_samples: int, cuts: tuple[int, ...]) -> list[int]:
    places = {one.n_segments: one.at for one in ends}
    edges = [0, *(places[cut] for cut in cuts), n_samples]
    return [end - start for start, end in pairwise(edges)]


@given(CHAPTERS, st.integers(1, 3000))
def test_parts_fit_wherever_there_is_a_place_to_cut(segments, most) -> None:
    ends, n_samples = ends_of(segments)
    cuts = cuts_of_chapter(ends, n_samples, most)
    assert list(cuts) == sorted({*cuts})
    places = [0, *(one.at for one in ends), n_samples]
    longest_gap = max(end - start for start, end in pairwise(places))
    lengths = lengths_of(ends, n_samples, cuts)
    assert sum(lengths) == n_samples
    assert max(lengths) <= max(most, longest_gap)
    assert (len(cuts) == 0) == (n_samples <= most or not ends)


@given(st.integers(2, 40), st.integers(1, 200))
def test_parts_are_few_and_about_equal_where_pauses_are_everywhere(n_parts, slack) -> None:
    ends, n_samples = ends_of([(10, True, True)] * (100 * n_parts))
    most = n_samples // n_parts + 10 * slack
    lengths = lengths_of(ends, n_samples, cuts_of_chapter(ends, n_samples, most))
    assert len(lengths) == -(-n_samples // most)
    assert max(lengths) <= most
    assert min(lengths) >= 0.75 * n_samples / len(lengths)


def test_a_paragraph_ends_a_part_rather_than_a_longer_pause() -> None:
    ends = [SegmentEnd(1, 90, 50), SegmentEnd(2, 95, 5, ends_paragraph=True), SegmentEnd(3, 99, 9)]
    assert best_end(ends, 80, 100) == ends[1]
    assert best_end(ends, 96, 100) == ends[2]
    assert best_end(ends, 100, 200) is None
    assert best_end(ends[::2], 80, 100) == ends[0]
