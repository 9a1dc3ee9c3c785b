"""Plans contain each key once, in book order, in full batches, and depend only on the book."""

import hashlib
import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audiomill.renderers.engine.planning import RAMP, estimate_s, plan_full_windows, plan_windows
from audiomill.renderers.engine.protocol import Batch, EngineLimits, Request
from support.case_files import each_row

LIMITS = EngineLimits(
    max_length=400, max_rows=8, chars_per_s=15.0, exact_bits=16, speeds=(0.5, 2.0)
)


def request(text, speed=1.0):
    key = hashlib.sha256(f"{text}{speed}".encode("utf-8", "surrogatepass")).hexdigest()
    return Request(key, text, "sine", speed)


books = st.lists(
    st.builds(request, st.text(max_size=400), st.sampled_from([0.5, 1.0, 2.0])), max_size=80
)
engines = st.builds(
    EngineLimits,
    max_length=st.just(400),
    max_rows=st.integers(1, 40),
    chars_per_s=st.floats(5, 30),
    exact_bits=st.just(16),
)
windows_s = st.floats(1, 600)


def planned(windows):
    return [one for window in windows for batch in window.batches for one in batch.requests]


@given(books, engines, windows_s)
def test_windows_have_each_key_once_in_book_order_in_full_batches(book, limits, window_s):
    windows = plan_windows(book, limits, window_s=window_s)
    assert sorted(one.key for one in planned(windows)) == sorted({one.key for one in book})
    assert [window.index for window in windows] == list(range(len(windows)))
    keys, latest = [one.key for one in book], -1
    for window in windows:
        positions = [keys.index(one.key) for one in planned([window])]
        assert min(positions) > latest
        latest = max(positions)
        lengths = [len(one.spoken) for one in planned([window])]
        assert lengths == sorted(lengths, reverse=True)
        sizes = [len(batch.requests) for batch in window.batches]
        assert sizes[:-1] == [limits.max_rows] * (len(sizes) - 1)
        assert 1 <= sizes[-1] <= limits.max_rows


@given(books, engines, windows_s)
def test_full_windows_are_alike_and_only_the_last_batch_is_not_full(book, limits, window_s):
    """No more of them than windows of that length, and all but the last have as many rows."""
    windows = plan_full_windows(book, limits, window_s=window_s)
    batches = [batch for window in windows for batch in window.batches]
    assert all(len(batch.requests) == limits.max_rows for batch in batches[:-1])
    assert sorted(one.key for one in planned(windows)) == sorted({one.key for one in book})
    assert len({len(planned([window])) for window in windows[:-1]}) <= 1
    total_s = sum(window.estimated_s for window in windows)
    assert len(windows) <= max(1, round(total_s / window_s))


def test_a_full_window_may_be_one_batch():
    book = [request(f"segment {number}") for number in range(40)]
    windows = plan_full_windows(book, LIMITS, window_s=0.1)
    assert [len(window.batches) for window in windows] == [1] * 5


@given(books, engines, windows_s)
def test_windows_have_about_the_requested_duration(book, limits, window_s):
    windows = plan_windows(book, limits, window_s=window_s)
    for window in windows:
        ramp = RAMP[window.index] if window.index < len(RAMP) else 1.0
        durations_s = [estimate_s(one, limits) for one in planned([window])]
        assert window.estimated_s == pytest.approx(sum(durations_s))
        assert window.estimated_s - max(durations_s) <= ramp * window_s + 1e-6  # one segment more
        if window is not windows[-1]:
            assert window.estimated_s >= ramp * window_s - 1e-6


@given(books)
def test_repeated_requests_change_nothing(book):
    assert plan_windows([*book, *book], LIMITS) == plan_windows(book, LIMITS)


def test_the_first_windows_are_short():
    book = [request(f"segment {number} ".ljust(150, ".")) for number in range(1000)]
    windows = plan_windows(book, LIMITS, window_s=600)
    assert [round(window.estimated_s, -1) for window in windows[:5]] == [80, 150, 300, 600, 600]


def test_who_listens_has_one_segment_first_and_then_ever_longer_windows():
    book = [request(f"segment {number} ".ljust(30, ".")) for number in range(1000)]
    windows = plan_windows(book, LIMITS, window_s=600, first_window_s=0)
    assert windows[0].requests == (book[0],)
    sizes_s = [round(window.estimated_s) for window in windows[1:]]
    assert sizes_s[:7] == [6, 10, 20, 40, 80, 160, 320]
    assert set(sizes_s[7:-1]) == {600}
    assert sorted(planned(windows), key=book.index) == book


@given(books, engines, windows_s)
def test_the_engines_window_size_is_the_default(book, limits, window_s):
    expected = plan_windows(book, limits, window_s=window_s)
    assert plan_windows(book, replace(limits, window_s=window_s)) == expected


@pytest.mark.parametrize("window_s", [0, -1])
def test_an_empty_window_size_is_refused(window_s):
    with pytest.raises(ValueError, match="window"):
        plan_windows([], LIMITS, window_s=window_s)


def test_sorting_by_length_leaves_little_padding():
    """For lengths from 10 to 250 characters in random order."""
    rng = random.Random(1)
    lengths = [rng.randint(10, 250) for _ in range(3000)]
    book = [request(f"{number} ".ljust(length, "x")) for number, length in enumerate(lengths)]
    batches = [batch for window in plan_windows(book, LIMITS) for batch in window.batches]
    in_book_order = [Batch(tuple(book[first : first + 8])) for first in range(0, len(book), 8)]
    assert text_fraction(batches) > 0.9
    assert text_fraction(in_book_order) < 0.65


def text_fraction(batches):
    """The fraction of the batches that is text if rows are padded to the longest in the batch."""
    lengths = [[len(one.spoken) for one in batch.requests] for batch in batches]
    return sum(map(sum, lengths)) / sum(max(batch) * len(batch) for batch in lengths)


@each_row
def test_windows_are_made_smaller_for_many_machines_to_share(n_requests, window_s, sizes_s):
    limits = EngineLimits(
        max_length=400, max_rows=8, chars_per_s=10.0, exact_bits=16, speeds=(1.0, 1.0)
    )
    requests = [Request(f"{n:064x}", "x" * 25, "v", 1.0) for n in range(n_requests)]
    windows = plan_windows(requests, limits, window_s=window_s, n_shared=32)
    lowest, highest = sizes_s
    full = [window.estimated_s for window in windows[3:-1]]  # after the ramp
    assert all(lowest <= size_s <= highest for size_s in full)
    rendered = [request for window in windows for request in window.requests]
    assert sorted(rendered, key=lambda one: one.key) == requests
    assert len(plan_windows(requests, limits)) <= len(windows) or window_s
