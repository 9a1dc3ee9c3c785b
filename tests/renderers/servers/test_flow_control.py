"""How many requests a server gets: found by trying, near what it takes, one while it is down."""

import random
import threading
from statistics import median

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audiomill.renderers.host.waiting import UNATTENDED
from audiomill.renderers.servers.flow_control import AdaptiveLimit, RequestGate
from support.process_data import TIMEOUT_S
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


def test_no_more_than_the_limit_are_in_flight():
    gate = RequestGate(AdaptiveLimit(3))
    inside, most, lock = 0, 0, threading.Lock()
    both = threading.Barrier(2, timeout=TIMEOUT_S)

    def work():
        nonlocal inside, most
        for _ in range(50):
            with gate.passed(UNATTENDED) as entry:
                with lock:
                    inside += 1
                    most = max(most, inside)
                gate.succeeded(entry, 10, entry.began_s + 1.0)  # as if no machine were busy
                with lock:
                    inside -= 1

    def meet():
        with gate.passed(UNATTENDED):
            both.wait()

    pair = [threading.Thread(target=meet) for _ in range(2)]
    threads = [threading.Thread(target=work) for _ in range(8)]
    for one in (*pair, *threads):
        one.start()
    for one in (*pair, *threads):
        one.join()
    assert most <= 3
    assert not both.broken  # two were in at the same time


def test_old_refusals_lower_the_limit_once():
    """Eight requests are refused for one reason: they do not count as eight."""
    gate = RequestGate(AdaptiveLimit(64, now=8))
    entries = [gate._try(0.0, 1) for _ in range(8)]
    for entry in entries:
        gate.refused(entry, 0.0)
    assert gate.limit.now == pytest.approx(6.8)


def test_what_has_no_text_is_no_measure_of_speech():
    """A list of voices comes at once: beside it all speech would look as if it had queued."""
    with speech_server("kokoro-fastapi") as server, renderers() as make:
        renderer = make(server, first_in_flight=1)
        renderer.voices()
        assert renderer._client.gate.limit == AdaptiveLimit(64, now=1)
        speak(renderer)
        assert renderer._client.gate.limit != AdaptiveLimit(64, now=1)


def test_a_refusal_holds_up_others_only_where_one_at_a_time_is_too_many():
    gate = RequestGate(AdaptiveLimit(8, now=8))
    entries = [gate._try(0.0, 1) for _ in range(6)]
    gate.refused(entries[0], 60.0)
    gate._n_in_flight -= 2
    assert gate._try(0.0, 1) is not None
    gate = RequestGate(AdaptiveLimit(8, now=1))
    gate.refused(gate._try(0.0, 1), 60.0)
    gate._n_in_flight = 0
    assert gate._try(59.0, 1) is None
    assert gate._try(60.0, 1) is not None


class StoppedClock:
    """A waiter whose time goes on only while it waits."""

    outage_s = 300.0

    def __init__(self):
        self.time_s = 0.0

    def now_s(self):
        return self.time_s

    def wait(self, done, timeout_s):  # noqa: ARG002
        self.time_s += timeout_s

    def sleep(self, duration_s):
        self.time_s += duration_s

    def tell(self, line):
        raise AssertionError(line)


def test_nothing_goes_in_while_a_server_takes_none():
    gate, clock = RequestGate(AdaptiveLimit(8)), StoppedClock()
    with gate.passed(clock) as entry:
        gate.failed(entry, 7.0)
    with gate.passed(clock):
        assert clock.time_s >= 7.0


def test_a_run_that_is_stopped_does_not_wait_at_the_gate():
    class Stopped(Exception):
        pass

    class Stopping(StoppedClock):
        def wait(self, done, timeout_s):  # noqa: ARG002
            raise Stopped

    gate = RequestGate(AdaptiveLimit(1))
    with gate.passed(StoppedClock()):  # noqa: SIM117 - the second one waits for the first
        with pytest.raises(Stopped), gate.passed(Stopping()):
            pass
