"""Servers are measured from outside: ours, and one that is slow, fails and cuts connections."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from itertools import count
from random import Random

import pytest

from audiomill.flows.bench.serve import speech_bench
from audiomill.flows.bench.serve.fresh_texts import fresh_text
from audiomill.flows.bench.serve.speech_bench import ServePlan, run_bench_of_servers
from audiomill.flows.bench.serve.speech_client import NOT_ASKED, NOT_WHOLE, SpeechServer
from audiomill.flows.execution.run_context import RunContext
from audiomill.flows.settings import Settings
from audiomill.flows.speech.server import SpeechLimits, speech_app
from audiomill.flows.speech.speaking import TextSpeaker
from audiomill.flows.web_server.connections import ConnectionLimits
from audiomill.flows.web_server.listening import serving
from support.loopback import Handler, answering
from support.process_data import TIMEOUT_S

KEY = "a-key-that-nobody-guesses"
TENTH = bytes(4_800)  # of a second


@pytest.fixture
def own_url(tmp_path):
    settings = Settings(engine="tone", store=str(tmp_path / "store"), library=tmp_path / "library")
    with TextSpeaker(settings, RunContext(), 128) as speaker:
        app = speech_app(speaker, KEY, SpeechLimits())
        with serving(app, "127.0.0.1", 0, ConnectionLimits()) as port:
            yield f"http://127.0.0.1:{port}/v1"


class FaultyHandler(Handler):
    """Of three requests one fails, one is cut, and one stands still in the middle."""

    numbers: Iterator[int]  # of requests

    def do_POST(self):
        self.body()
        kind = next(self.numbers) % 3
        self.close_connection = True
        if kind == 0:
            self.reply(503)
            return
        self.begin_chunks()
        self.chunk(TENTH)
        if kind == 1:
            threading.Event().wait(1.0)
            self.chunk(TENTH)
            self.chunk(b"")


class SilentHandler(Handler):
    """Each second request has a tenth of a second, and then nothing, until the server ends."""

    numbers: Iterator[int]

    def do_POST(self):
        self.begin_chunks()
        if next(self.numbers) % 2:
            self.chunk(TENTH)
        self.server.is_stopped.wait()


@contextmanager
def faulty_server(handler=FaultyHandler):
    with answering(handler, numbers=count(1)) as server:
        yield f"{server.url}/v1"


def measured(servers, in_flight, stop_at="never", within_s=TIMEOUT_S):
    """What is measured, until something with these words is."""
    stop = threading.Event()

    def tell(line):
        if stop_at in line:
            stop.set()

    return run_bench_of_servers(servers, ServePlan(in_flight, 1, within_s), tell, stop)


@pytest.mark.prove
def test_two_servers_are_measured_side_by_side(own_url):
    own = SpeechServer(own_url, "tts-1", "alloy", KEY)
    with faulty_server() as url:
        mine, other = measured([own, SpeechServer(url, "tts-1", "alloy")], (1, 3)).servers
    assert [one.in_flight for one in mine.levels] == [1, 3]
    for level in (*mine.levels, mine.again):
        assert (level.n_texts, level.n_errors) == (8, 0)
        assert 0 < level.first_p50_s <= level.first_p95_s <= level.first_p99_s
        assert level.speed > 1
        assert level.hits.n_sentences >= 8
    assert [one.hits.n_stored for one in mine.levels] == [0, 0]
    assert mine.again.hits.n_stored == mine.again.hits.n_sentences
    assert mine.cancelled_s is not None
    written = json.loads(json.dumps(asdict(other)))
    assert [one["errors"] for one in written["levels"]] == [one.errors for one in other.levels]
    for level in other.levels:
        assert level.hits is None
        assert set(level.errors) == {"status 503", "the connection was cut"}
        assert 4 <= level.n_errors <= 6
        assert level.still_s >= 0.3
        assert level.n_stood_still == level.n_texts - level.n_errors


def test_without_its_key_each_text_is_an_error(own_url):
    (found,) = measured([SpeechServer(own_url, "tts-1", "alloy")], (2,)).servers
    assert found.levels[0].errors == {"status 401": 8}
    assert found.cancelled_s is None


def test_what_is_measured_until_it_is_stopped_is_kept(own_url):
    found = measured([SpeechServer(own_url, "tts-1", "alloy", KEY)], (1, 2, 4), stop_at="4 at a")
    (figures,) = found.servers
    assert found.is_interrupted
    assert [(one.in_flight, one.n_texts) for one in figures.levels[:2]] == [(1, 8), (2, 8)]
    assert (figures.again, figures.cancelled_s) == (None, None)


def test_a_slow_server_is_not_waited_for_to_tell_what_a_cancelled_text_costs(own_url, monkeypatch):
    monkeypatch.setattr(speech_bench, "CANCELLING_S", 0.0)
    found = measured([SpeechServer(own_url, "tts-1", "alloy", KEY)], (2,))
    assert not found.is_interrupted
    assert found.servers[0].cancelled_s is None
    assert found.servers[0].again.n_texts == 8


def test_what_is_not_said_in_time_is_given_up_and_counted(monkeypatch):
    for bound in ("SETTLE_S", "CANCELLING_S"):
        monkeypatch.setattr(speech_bench, bound, 0.0)
    with faulty_server(SilentHandler) as url:
        # The warm-up would last as long as the client's patience.
        monkeypatch.setattr(speech_bench, "WARM_UP_S", 0.0)
        (found,) = measured([SpeechServer(url, "tts-1", "alloy")], (3,), within_s=1.0).servers
    (level,) = found.levels
    assert set(level.errors) <= {NOT_WHOLE, NOT_ASKED}
    assert level.errors[NOT_ASKED] >= 5
    assert level.n_errors == level.n_texts == found.again.n_errors == 8


def test_texts_are_new_for_each_run():
    texts = [fresh_text(Random(seed)) for seed in range(200)]
    assert len(set(texts)) == 200
    assert fresh_text(Random(1)) == texts[1]
