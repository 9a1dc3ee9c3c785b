"""Which rows are rendered next, and which never."""

import math
from concurrent.futures import Future

from hypothesis import given
from hypothesis import strategies as st

from audiomill.flows.speech.row_queue import RowQueue
from audiomill.renderers.engine.protocol import Request


def queue() -> RowQueue:
    """A queue in which each segment lasts as many seconds as its text says."""
    return RowQueue(lambda request: float(request.spoken))


def request(key: str, duration_s: float = 2.0) -> Request:
    return Request(key, str(duration_s), "voice", 1.0)


def wanted(*keys: str, duration_s: float = 2.0) -> list[tuple[Request, Future[None]]]:
    return [(request(key, duration_s), Future()) for key in keys]


def taken(rows: RowQueue, n: int = 1, now_s: float = 0.0) -> list[str]:
    return [row.request.key for row in rows.take(n, now_s)]


def all_taken(rows: RowQueue, now_s: float = 0.0) -> str:
    """The keys in the order in which rows are given out one by one."""
    order = ""
    while found := taken(rows, now_s=now_s):
        order += found[0]
    return order


def test_a_first_sentence_goes_before_all_that_is_not_heard_yet():
    rows = queue()
    rows.add(wanted("a", "b", "c"), "ann", now_s=0.0)
    rows.add(wanted("x", "y"), "bob", now_s=1.0)
    assert all_taken(rows) == "axbyc"


def test_what_comes_later_does_not_keep_a_row_waiting_for_ever():
    rows = queue()
    rows.add(wanted("a", "b"), "ann", now_s=0.0)  # b is to be heard at 2 s
    for number in range(5):
        rows.add(wanted(str(number)), f"client {number}", now_s=float(number))
    assert all_taken(rows).index("b") <= 4


def test_a_client_with_many_texts_does_not_keep_others_waiting():
    rows = queue()
    for number in range(9):
        rows.add(wanted(str(number)), "ann", now_s=0.0)
    rows.add(wanted("x"), "bob", now_s=1.0)
    assert all_taken(rows).index("x") == 1


def test_what_nobody_hears_yet_is_rendered_last_and_in_its_order():
    rows = queue()
    rows.add_following(wanted("x", "y", "z"), "book", math.inf)
    rows.add(wanted("a", "b"), "ann", now_s=0.0)
    rows.add_following(wanted("z", "c"), "ann", due_s=1.0)  # somebody hears one of them now
    assert all_taken(rows) == "azbcxy"


def test_a_row_that_is_due_is_not_rendered_with_later_ones():
    rows = queue()
    rows.add(wanted("a", "b", "c"), "ann", now_s=5.0)
    assert taken(rows, 4, now_s=5.0) == ["a"]
    assert taken(rows, 4, now_s=5.0) == ["b", "c"]


def test_rows_that_are_due_are_rendered_together():
    rows = queue()
    rows.add(wanted("a"), "ann", now_s=5.0)
    rows.add(wanted("x"), "bob", now_s=5.0)
    assert taken(rows, 4, now_s=6.0) == ["a", "x"]


def test_a_row_that_two_texts_want_is_rendered_once_and_told_to_both():
    rows = queue()
    first, second = wanted("a"), wanted("a")
    rows.add(first, "ann", now_s=0.0)
    rows.add(second, "bob", now_s=0.0)
    (row,) = rows.take(4, 0.0)
    assert rows.take(4, 0.0) == []
    assert rows.finish(row) == (first[0][1], second[0][1])


def test_a_row_under_way_is_not_begun_again_for_another_text():
    rows = queue()
    rows.add(wanted("a"), "ann", now_s=0.0)
    (row,) = rows.take(1, 0.0)
    late = wanted("a")
    rows.add(late, "bob", now_s=0.0)
    assert rows.take(1, 0.0) == []
    assert rows.finish(row)[1] is late[0][1]


def test_a_row_that_nobody_wants_any_more_never_begins():
    rows = queue()
    text = wanted("a", "b")
    rows.add(text, "ann", now_s=0.0)
    text[0][1].cancel()
    assert all_taken(rows) == "b"
    assert rows.n_waiting == 0


def test_a_row_that_was_dropped_by_one_of_two_texts_is_rendered():
    rows = queue()
    dropped, kept = wanted("a"), wanted("a")
    rows.add(dropped, "ann", now_s=0.0)
    rows.add(kept, "bob", now_s=0.0)
    dropped[0][1].cancel()
    assert all_taken(rows) == "a"


TEXTS = st.lists(
    st.tuples(
        st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=5),
        st.sampled_from(("ann", "bob", "cyd")),
        st.floats(0, 10),
        st.booleans(),
    ),
    max_size=12,
)


@given(TEXTS, st.integers(1, 4))
def test_each_wanted_row_begins_once_and_no_other_does(texts, n):
    rows, still_wanted = queue(), set[str]()
    for keys, client, now_s, is_dropped in texts:
        pairs = wanted(*keys)
        rows.add(pairs, client, now_s)
        for key, future in pairs:
            if is_dropped:
                future.cancel()
            else:
                still_wanted.add(key.key)
    begun = list[str]()
    while batch := rows.take(n, 5.0):
        assert len(batch) <= n
        begun += [row.request.key for row in batch]
    assert sorted(begun) == sorted(still_wanted)
    assert rows.n_waiting == 0
