"""How many requests a server gets: found by trying, near what it takes, one while it is down."""

import random
from statistics import median

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audiomill.renderers.servers.flow_control import AdaptiveLimit
from support.server_rendering import renderers, speak
from support.speech_server import speech_server


def rounds(limit, n_slots, n):
    """The limit after each of `n` rounds with a server that takes `n_slots` requests."""
    for _ in range(n):
        in_flight = int(limit.now)
        if in_flight > n_slots:
            limit.refused(in_flight)
        for _ in range(min(in_flight, n_slots)):
            limit.succeeded(int(limit.now), 100, 1.0)
        yield limit.now


@pytest.mark.parametrize("n_slots", [1, 2, 5, 20])
def test_the_limit_settles_near_what_the_server_takes(n_slots):
    limits = list(rounds(AdaptiveLimit(64), n_slots, 400))[40:]
    assert max(limits) < n_slots + 2
    assert sum(limits) / len(limits) > 0.75 * n_slots


def test_a_server_that_takes_all_gets_the_most_that_is_allowed_soon():
    assert list(rounds(AdaptiveLimit(64), 1000, 16))[-1] == 64


def replies(limit, n, reply_s):
    """The limit after each of `n` replies, which take `reply_s(requests in flight)`."""
    for _ in range(n):
        in_flight = int(limit.now)
        limit.succeeded(in_flight, 100, reply_s(in_flight))
        yield limit.now


def queue_of_four(in_flight):
    return max(1, in_flight / 4)


def test_a_server_that_queues_gets_no_more_than_it_answers_in_time():
    """Also in the long run: what is usual there does not become the measure."""
    limits = list(replies(AdaptiveLimit(64), 20_000, queue_of_four))
    assert max(limits) <= 16
    assert min(limits[500:]) >= 4


def by_chance(seed):
    """Seconds of a reply of a busy machine: one in ten takes over six times as long as another."""
    drawn = random.Random(seed)
    return lambda: 1 + 2 * drawn.expovariate(1)


@pytest.mark.parametrize("seed", range(5))
def test_a_busy_machine_is_not_taken_for_a_server_that_queues(seed):
    reply_s = by_chance(seed)
    limits = list(replies(AdaptiveLimit(64), 1000, lambda _: reply_s()))
    assert limits[-1] == 64


@pytest.mark.parametrize("seed", range(5))
def test_a_queue_is_seen_on_a_busy_machine_too(seed):
    reply_s = by_chance(seed)
    limits = list(
        replies(AdaptiveLimit(64), 3000, lambda in_flight: queue_of_four(in_flight) * reply_s())
    )
    assert 4 <= median(limits[500:]) <= 16


def test_the_number_that_a_benchmark_begins_with_is_kept():
    """Where the limit was never doubled, slow replies do not say that it was too high."""
    limit = AdaptiveLimit(8, now=8)
    found = [*replies(limit, 40, lambda _: 1.0), *replies(limit, 40, lambda _: 5.0)]
    assert {*found} == {8}


def test_what_a_server_tells_is_kept_where_it_is_slow_for_a_while():
    limit = AdaptiveLimit(64)
    limit.counted(20, 20)
    found = [*replies(limit, 40, lambda _: 1.0), *replies(limit, 80, lambda _: 5.0)]
    assert {*found} == {20}


def test_a_server_that_is_slower_for_good_gets_as_many_as_before():
    limit = AdaptiveLimit(16)
    list(replies(limit, 200, lambda _: 1.0))
    found = list(replies(limit, 3000, lambda _: 5.0))
    assert min(found) >= 4
    assert limit.now == 16


@pytest.mark.parametrize("first", [2, 40])
def test_a_server_that_failed_gets_half_as_many_as_before_soon(first):
    limit = AdaptiveLimit(64, now=first)
    for _ in range(3):
        limit.failed()
        assert limit.now == 1
    assert list(rounds(limit, 1000, 6))[-1] >= max(2, first / 2)


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["ok", "slow", "busy", "down", "told"]),
            st.integers(1, 64),
            st.integers(1, 30),
        )
    ),
    st.integers(1, 64),
)
def test_the_limit_stays_between_one_and_the_highest(events, highest):
    """And only a reply in time raises it, or what the server tells."""
    limit = AdaptiveLimit(highest)
    for kind, in_flight, n in events:
        for _ in range(n):
            before = limit.now
            if kind in ("ok", "slow"):
                limit.succeeded(in_flight, 10, 0.5 if kind == "ok" else 5.0)
            elif kind == "busy":
                limit.refused(in_flight)
            elif kind == "down":
                limit.failed()
            else:
                limit.counted(in_flight, in_flight)
            assert 1 <= limit.now <= highest
            assert kind in ("ok", "slow", "told") or limit.now <= before


def test_what_has_no_text_is_no_measure_of_speech():
    """A list of voices comes at once: beside it all speech would look as if it had queued."""
    with speech_server("kokoro-fastapi") as server, renderers() as make:
        renderer = make(server, first_in_flight=1)
        renderer.voices()
        assert renderer._client.gate.limit == AdaptiveLimit(64, now=1)
        speak(renderer)
        assert renderer._client.gate.limit != AdaptiveLimit(64, now=1)
