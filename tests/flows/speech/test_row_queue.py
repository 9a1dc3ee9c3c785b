"""Which rows are rendered next, and which never."""

import math
from concurrent.futures import Future

from hypothesis import given
from hypothesis import strategies as st

from audiomill.flows.speech.row_queue import AHEAD_S, PATIENCE_S, RowQueue, WantedSegment
from audiomill.renderers.engine.protocol import Request


def request(key: str) -> Request:
    return Request(key, key, "voice", 1.0)


def wanted(*keys: str, duration_s: float = 2.0) -> list[WantedSegment]:
    return [WantedSegment(request(key), Future(), duration_s) for key in keys]


def taken(rows: RowQueue, n: int = 1, now_s: float = 0.0) -> list[str]:
    return [row.request.key for row in rows.take(n, now_s)]


def all_taken(rows: RowQueue, now_s: float = 0.0) -> str:
    """The keys in the order in which rows are given out one by one."""
    order = ""
    while found := taken(rows, now_s=now_s):
        order += found[0]
    return order


def all_rendered(rows: RowQueue, render_s: float = 1.0, now_s: float = 0.0) -> str:
    """The keys in the order in which rows are rendered, each in so many seconds."""
    order = ""
    while batch := rows.take(1, now_s):
        now_s += render_s
        rows.finish(batch[0], now_s)
        order += batch[0].request.key
    return order


def test_a_first_sentence_goes_before_all_that_is_not_heard_yet():
    rows = RowQueue()
    rows.add(wanted("a", "b", "c"), "ann", now_s=0.0)
    rows.add(wanted("x", "y"), "bob", now_s=1.0)
    assert all_taken(rows) == "axbyc"


def test_first_sentences_of_one_address_go_first_in_the_order_in_which_they_came():
    rows = RowQueue()
    for number, text in enumerate(("ab", "cd", "ef", "gh")):
        rows.add(wanted(*text), "proxy", now_s=0.1 * number)
    assert all_rendered(rows, render_s=4.0) == "acegbdfh"


def test_who_has_heard_all_there_is_goes_before_who_has_more_to_hear():
    rows = RowQueue()
    rows.add([*wanted("a", duration_s=20.0), *wanted("b")], "proxy", now_s=0.0)
    rows.add([*wanted("x", duration_s=1.0), *wanted("y", "z", "v", "w")], "proxy", now_s=0.0)
    assert all_rendered(rows) == "axyzvwb"


def test_of_those_who_stand_still_the_first_to_do_so_goes_first():
    rows = RowQueue()
    rows.add(wanted("a", "b", "c", duration_s=3.0), "proxy", now_s=0.0)  # heard from 4 s to 7 s
    rows.add(wanted("x", "y", "z", duration_s=1.0), "proxy", now_s=0.0)  # heard from 8 s to 9 s
    assert all_rendered(rows, render_s=4.0) == "axbycz"


def test_what_is_stored_before_a_row_is_heard_first():
    rows = RowQueue()
    rows.add(wanted("a"), "proxy", now_s=0.0, stored_s=9.0)
    rows.add(wanted("x", "y", "z"), "proxy", now_s=0.0)
    assert all_rendered(rows) == "xyza"


def test_new_texts_do_not_keep_a_listener_waiting_for_ever():
    rows, now_s, order = RowQueue(), 0.0, list[str]()
    rows.add(wanted("a", "b"), "proxy", now_s=0.0)
    while "b" not in order:  # at each moment somebody of the same address has sent a new text
        rows.add(wanted(f"new {now_s}"), "proxy", now_s)
        (row,) = rows.take(1, now_s)
        now_s += 2.0
        rows.finish(row, now_s)
        order.append(row.request.key)
    assert order[0] == "a"
    assert PATIENCE_S < now_s < 2 * PATIENCE_S


def test_a_client_with_many_texts_does_not_keep_others_waiting():
    rows = RowQueue()
    for number in range(9):
        rows.add(wanted(str(number)), "ann", now_s=0.0)
    rows.add(wanted("x"), "bob", now_s=1.0)
    assert all_taken(rows, now_s=1.0).index("x") == 1


def test_a_client_with_many_texts_leaves_a_listener_as_much_as_it_gets():
    rows = RowQueue()
    for number in range(9):
        rows.add(wanted(str(number), duration_s=10.0), "ann", now_s=0.0)
    rows.add(wanted(*"abcdefghi", duration_s=10.0), "bob", now_s=0.0)
    order = all_rendered(rows, render_s=15.0)  # slower than it is heard
    ahead_s = [10.0 * sum(1 if one.isdigit() else -1 for one in order[:n]) for n in range(18)]
    assert max(ahead_s) == AHEAD_S
    assert min(ahead_s) >= -10.0


def test_a_book_that_nobody_hears_is_no_client_who_was_given_less():
    rows = RowQueue()
    rows.add_following(wanted("x", "y"), "book", math.inf)
    rows.add(wanted(*"abcdefgh", duration_s=20.0), "ann", now_s=0.0)
    for _ in range(4):
        (row,) = rows.take(1, 0.0)
        rows.finish(row, 0.0)
    rows.add(wanted(*"stuv", duration_s=20.0), "bob", now_s=85.0)
    order = all_rendered(rows, render_s=40.0, now_s=85.0)
    assert order[:4] == "setf"
    assert order.endswith("xy")


def test_who_comes_later_is_not_given_what_others_had_before():
    rows = RowQueue()
    rows.add(wanted(*"abcdefgh"), "ann", now_s=0.0)
    for _ in range(3):
        (row,) = rows.take(1, 0.0)
        rows.finish(row, 0.0)
    rows.add(wanted(*"stuvwxyz"), "bob", now_s=99.0)
    assert all_rendered(rows, render_s=9.0, now_s=99.0) == "dsetfugvhwxyz"


def test_what_nobody_hears_yet_is_rendered_last_and_in_its_order():
    rows = RowQueue()
    rows.add_following(wanted("x", "y", "z"), "book", math.inf)
    rows.add(wanted("a", "b"), "ann", now_s=0.0)
    rows.add_following(wanted("z", "c"), "ann", due_s=1.0)  # somebody hears one of them now
    assert all_taken(rows) == "azbcxy"


def test_a_row_that_is_due_is_not_rendered_with_later_ones():
    rows = RowQueue()
    rows.add(wanted("a", "b", "c"), "ann", now_s=5.0)
    assert taken(rows, 4, now_s=5.0) == ["a"]
    assert taken(rows, 4, now_s=5.0) == ["b", "c"]


def test_rows_that_are_due_are_rendered_together():
    rows = RowQueue()
    rows.add(wanted("a"), "ann", now_s=5.0)
    rows.add(wanted("x"), "bob", now_s=5.0)
    assert taken(rows, 4, now_s=6.0) == ["a", "x"]


def test_a_row_that_two_texts_want_is_rendered_once_and_told_to_both():
    rows = RowQueue()
    first, second = wanted("a"), wanted("a")
    rows.add(first, "ann", now_s=0.0)
    rows.add(second, "bob", now_s=0.0)
    (row,) = rows.take(4, 0.0)
    assert rows.take(4, 0.0) == []
    assert rows.finish(row, 0.0) == (first[0].future, second[0].future)


def test_a_row_under_way_is_not_begun_again_for_another_text():
    rows = RowQueue()
    rows.add(wanted("a"), "ann", now_s=0.0)
    (row,) = rows.take(1, 0.0)
    late = wanted("a")
    rows.add(late, "bob", now_s=0.0)
    assert rows.take(1, 0.0) == []
    assert rows.finish(row, 0.0)[1] is late[0].future


def test_a_row_that_nobody_wants_any_more_never_begins():
    rows = RowQueue()
    text = wanted("a", "b")
    rows.add(text, "ann", now_s=0.0)
    text[0].future.cancel()
    assert all_taken(rows) == "b"
    assert rows.n_waiting == 0


def test_a_row_that_was_dropped_by_one_of_two_texts_is_rendered():
    rows = RowQueue()
    dropped, kept = wanted("a"), wanted("a")
    rows.add(dropped, "ann", now_s=0.0)
    rows.add(kept, "bob", now_s=0.0)
    dropped[0].future.cancel()
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
    rows, still_wanted = RowQueue(), set[str]()
    for keys, client, now_s, is_dropped in texts:
        pairs = wanted(*keys)
        rows.add(pairs, client, now_s)
        for one in pairs:
            if is_dropped:
                one.future.cancel()
            else:
                still_wanted.add(one.request.key)
    begun = list[str]()
    while batch := rows.take(n, 5.0):
        assert len(batch) <= n
        begun += [row.request.key for row in batch]
    assert sorted(begun) == sorted(still_wanted)
    assert rows.n_waiting == 0
