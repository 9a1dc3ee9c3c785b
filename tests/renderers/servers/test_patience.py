"""How long a server is waited for: to a time-out, as it asks, and one at a time if it is down."""

import re
from concurrent.futures import ThreadPoolExecutor

import pytest

from audiomill.renderers.engine.errors import EngineFailed
from audiomill.renderers.servers import client
from support import elevenlabs_data
from support.elevenlabs_server import elevenlabs_server
from support.hasty_waiter import VirtualWaiter
from support.process_data import wait_until
from support.server_rendering import TEXT, assert_spoken, speak
from support.speech_server import speech_server

elevenlabs_of = elevenlabs_data.renderer_of


class ActingWaiter(VirtualWaiter):
    """Does something after each sleep, which a test sets."""

    def __init__(self, act, is_hanging=lambda: False, outage_s=300.0):
        super().__init__(is_hanging, outage_s)
        self.act = act

    def sleep(self, duration_s):
        super().sleep(duration_s)
        self.act()


def seconds_until_given_up(make, text):
    """Of a virtual clock, for a text to which no answer comes, before the server is well again."""
    with speech_server("openai", faults={"hang": 1.0}) as server:
        waiter = ActingWaiter(
            lambda: server.behave(faults={}),
            is_hanging=lambda: server.faults_met["hang"] and not waiter.given_up_s,
        )
        assert_spoken(speak(make(server), text, waiter=waiter).samples, text)
        (given_up_s,) = waiter.given_up_s
        return given_up_s


def test_a_long_text_is_waited_for_longer(renderer_of):
    """On a virtual clock: a second more for each character, beside that of any request."""
    short = seconds_until_given_up(renderer_of, TEXT)
    long = seconds_until_given_up(renderer_of, f"{TEXT} {TEXT}")
    assert short == client.BASE_TIMEOUT_S + client.CHAR_TIMEOUT_S * len(TEXT) + client.CONNECT_S
    assert long - short == len(TEXT) + 1


@pytest.fixture
def impatient(monkeypatch):
    """Time-outs that a test can wait for."""
    monkeypatch.setattr(client, "BASE_TIMEOUT_S", 0.5)
    monkeypatch.setattr(client, "CHAR_TIMEOUT_S", 0.0)


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("fault", ["hang", "drip"])
def test_a_server_that_hangs_is_given_up_and_what_it_may_bill_counts_once(renderer_of, fault):
    """Whether it sends nothing, or a byte now and then. Its connection is closed."""
    with speech_server("openai", faults={fault: 0.5}, seed=3) as server:
        renderer = renderer_of(server, most_in_flight=1)
        texts = [f"Number {n}." for n in range(8)]
        spoken = [speak(renderer, text, outage_s=1e6) for text in texts]
        for text, one in zip(texts, spoken, strict=True):
            assert_spoken(one.samples, text)
        wait_until(lambda: server.n_in_flight == 0)  # it has noticed each hang-up
        n_lost = server.faults_met[fault]
        assert 2 <= n_lost == sum(one.status == 0 for one in server.requests)
        # On a busy machine an answer may come too late, and is asked for again.
        assert list(dict.fromkeys(server.spoken)) == texts
        billed = sum(one.usage.n_characters_billed for one in spoken)
        assert billed == server.billed_characters
        assert billed == sum(len(one.body["input"]) for one in server.requests)


@pytest.mark.usefixtures("impatient")
def test_an_answer_of_elevenlabs_that_is_lost_counts_as_billed_once(elevenlabs_of):
    with elevenlabs_server(faults={"hang": 0.5}, seed=3) as server:
        renderer = elevenlabs_of(server)
        spoken = [elevenlabs_data.speak(renderer, f"Number {n}.", outage_s=1e6) for n in range(6)]
        wait_until(lambda: server.n_in_flight == 0)  # it has noticed each hang-up
        assert server.faults_met["hang"] >= 2
        billed = sum(one.usage.n_characters_billed for one in spoken)
        assert billed == server.billed_characters
        assert billed == sum(len(one.body["text"]) for one in server.requests)


def sleeping(server, n_times):
    """A waiter for a server that takes requests once this has slept so often."""
    waiter = ActingWaiter(lambda: server.behave(n_slots=int(len(waiter.slept_s) >= n_times)))
    return waiter


@pytest.mark.parametrize(("told", "asked_s"), [("17", 17.0), ("2.5", 2.5), ("86400", 120.0)])
def test_a_server_is_left_alone_for_as_long_as_it_asks(renderer_of, told, asked_s):
    """On a virtual clock, and for two minutes at most."""
    with speech_server("openai", n_slots=0, retry_after=told) as server:
        waiter = sleeping(server, 1)
        assert_spoken(speak(renderer_of(server), waiter=waiter).samples)
        assert waiter.slept_s == [asked_s]
        assert [one.status for one in server.requests] == [429, 200]


def test_a_server_that_asks_for_nothing_is_left_alone_for_longer_each_time(renderer_of):
    with speech_server("openai", n_slots=0) as server:
        waiter = sleeping(server, 8)
        assert_spoken(speak(renderer_of(server), waiter=waiter).samples)
        longest_s = [0.5, 1.0, 2.0, 4.0, 8.0, 15.0, 15.0, 15.0]
        for slept_s, most_s in zip(waiter.slept_s, longest_s, strict=True):
            assert most_s / 2 <= slept_s <= most_s
        refused, again = waiter.told
        assert re.match(r"OpenAI has refused all requests for [12]\d s \(Rate limit", refused)
        assert again == "OpenAI answers again."


def test_an_outage_of_before_a_pause_does_not_count_against_a_new_request(renderer_of):
    """A process may try again after an hour. A failure then is one of a moment, so far."""
    with speech_server("openai", is_down=True) as server:
        renderer, waiter = renderer_of(server), ActingWaiter(lambda: None, outage_s=30.0)
        with pytest.raises(EngineFailed, match=r"has not answered for [34]\d s"):
            speak(renderer, waiter=waiter)
        waiter.time_s += 3600.0
        waiter.act = lambda: server.behave(is_down=False)
        assert_spoken(speak(renderer, waiter=waiter).samples)


def test_one_request_at_a_time_asks_a_server_that_is_down_and_all_do_once_it_answers(renderer_of):
    """It fails slowly, so that several would be seen at once."""
    texts = [f"Number {n}." for n in range(24)]
    with speech_server("kokoro-fastapi", faults={"cut": 1.0}, latency_s=0.05) as server:
        renderer = renderer_of(server, first_in_flight=8)
        with ThreadPoolExecutor(len(texts)) as pool:
            voice = renderer.default_voice("en")
            spoken = [pool.submit(speak, renderer, text, outage_s=1e6) for text in texts]
            wait_until(lambda: len(server.requests) >= 10 + 10)
            while_down = server.in_flight[:]
            server.behave(faults={})
            for text, one in zip(texts, spoken, strict=True):
                assert_spoken(one.result().samples, text, voice)
        assert max(while_down) > 2  # those that were on their way when it began to fail
        # Eight, and two more before the third failure; then one at a time.
        assert set(while_down[10:]) == {1}
        assert max(server.in_flight[len(while_down) :]) >= 3
        assert sorted(server.spoken) == sorted(texts)
