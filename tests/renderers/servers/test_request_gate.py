"""Requests wait in a line for a server, and no more of them are in flight than its limit."""

import threading
from unittest import mock

import pytest

from audiomill.renderers.engine.errors import EngineFailed
from audiomill.renderers.host.waiting import UNATTENDED, RunWaiter
from audiomill.renderers.servers import request_gate
from audiomill.renderers.servers.flow_control import AdaptiveLimit
from audiomill.renderers.servers.request_gate import RequestGate
from support.process_data import TIMEOUT_S, wait_until


def test_no_more_than_the_limit_are_in_flight():
    gate = RequestGate(AdaptiveLimit(3))
    inside, most, lock = 0, 0, threading.Lock()
    both = threading.Barrier(2, timeout=TIMEOUT_S)

    def work():
        nonlocal inside, most
        for _ in range(50):
            with gate.passed(gate.place(), UNATTENDED) as entry:
                with lock:
                    inside += 1
                    most = max(most, inside)
                gate.succeeded(entry, 10, entry.began_s + 1.0)  # as if no machine were busy
                with lock:
                    inside -= 1

    def meet():
        with gate.passed(gate.place(), UNATTENDED):
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

    def check(self):
        pass

    def wait(self, done, timeout_s):  # noqa: ARG002
        self.time_s += timeout_s

    def sleep(self, duration_s):
        self.time_s += duration_s

    def tell(self, line):
        raise AssertionError(line)


def test_nothing_goes_in_while_a_server_takes_none():
    gate, clock = RequestGate(AdaptiveLimit(8)), StoppedClock()
    with gate.passed(gate.place(), clock) as entry:
        gate.failed(entry, 7.0)
    with gate.passed(gate.place(), clock):
        assert clock.time_s >= 7.0


def test_a_run_that_is_stopped_does_not_wait_at_the_gate():
    class Stopped(Exception):
        pass

    class Stopping(StoppedClock):
        def wait(self, done, timeout_s):  # noqa: ARG002
            raise Stopped

    gate = RequestGate(AdaptiveLimit(1))
    with gate.passed(gate.place(), StoppedClock()):  # noqa: SIM117 - the second one waits for the first
        with pytest.raises(Stopped), gate.passed(gate.place(), Stopping()):
            pass


class Looks(RunWaiter):
    """A waiter that counts the looks of those who wait in turn for a place that is free."""

    def __init__(self, check=lambda: None):
        super().__init__(check, print)
        self.n_looks = 0

    def wait(self, done, timeout_s):
        self.n_looks += 1
        super().wait(done, timeout_s)


def line_up(gate, go, n):
    """Threads that stand in the line of `gate` in the order of their numbers."""
    threads = [threading.Thread(target=go, args=[number]) for number in range(n)]
    for number, thread in enumerate(threads, 1):
        thread.start()
        wait_until(lambda number=number: len(gate._line) == number)
    return threads


def test_the_line_keeps_its_order_but_for_what_segments_that_have_begun_need():
    """Only the first one looks often: else each reply would wake all threads of all books."""
    gate, entered, looks = RequestGate(AdaptiveLimit(1)), [], Looks()

    def go(number):
        place = gate.place(is_first=number >= 30)
        with gate.passed(place, looks if 0 < number < 30 else UNATTENDED):
            entered.append(number)

    with gate.passed(gate.place(), UNATTENDED):
        threads = line_up(gate, go, 40)
        assert not looks.n_looks
    for thread in threads:
        thread.join()
    assert entered == [*range(30, 40), *range(30)]


def test_a_request_that_was_refused_keeps_its_place():
    gate, entered = RequestGate(AdaptiveLimit(1)), []
    refused, other, later = gate.place(), gate.place(), gate.place()

    def go(number):
        with gate.passed((later, refused)[number], UNATTENDED):
            entered.append(number)

    with gate.passed(other, UNATTENDED):
        threads = line_up(gate, go, 2)
    for thread in threads:
        thread.join()
    assert entered == [1, 0]


def test_all_in_the_line_of_a_run_that_is_stopped_leave_it_with_the_first():
    """The others do not look by themselves here."""
    gate, stop, n_stopped = RequestGate(AdaptiveLimit(1)), threading.Event(), []

    def check():
        if stop.is_set():
            raise EngineFailed("stopped")

    def go(_number):
        with pytest.raises(EngineFailed), gate.passed(gate.place(), RunWaiter(check, print)):
            pass
        n_stopped.append(1)

    with (
        mock.patch.object(request_gate, "TURN_S", TIMEOUT_S),
        gate.passed(gate.place(), UNATTENDED),
    ):
        threads = line_up(gate, go, 5)
        stop.set()
        for thread in threads:
            thread.join(TIMEOUT_S / 2)
    assert len(n_stopped) == 5
    assert not gate._line
