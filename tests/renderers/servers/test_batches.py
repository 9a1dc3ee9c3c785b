"""vLLM-Omni's batches: each text as if it were alone, and none lost with another that fails."""

import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest

from audiomill.renderers.engine.errors import EngineFailed, PartlyRendered
from audiomill.renderers.engine.protocol import Batch
from audiomill.renderers.openai.speaking import item_replies
from audiomill.renderers.servers.flow_control import AdaptiveLimit
from audiomill.renderers.servers.replies import Reply, ServerFailing
from audiomill.renderers.servers.request_gate import RequestGate
from support.hasty_waiter import HastyWaiter
from support.server_rendering import assert_spoken, requests_for, speak, speak_all
from support.speech_server import speech_server

TEXTS = ("The mill stands.", "It turns.", "A long day ends by the sea, and the wind drops.")
SINGLE, BATCH = "/v1/audio/speech", "/v1/audio/speech/batch"


def paths(server):
    return [one.path for one in server.requests]


def test_texts_of_a_batch_go_in_one_call_and_sound_as_they_do_alone(renderer_of):
    with speech_server("vllm-omni") as server:
        renderer = renderer_of(server, batch=8, instructions="Calmly.")
        assert renderer.limits.max_rows == 8
        for text, rendered in zip(TEXTS, speak_all(renderer, TEXTS, "ryan"), strict=True):
            assert_spoken(rendered.samples, text, "ryan")
        (call,) = server.requests
        assert call.path == BATCH
        assert call.body["items"] == [{"input": text} for text in TEXTS]
        assert call.body["voice"] == "ryan"
        assert (call.body["instructions"], call.body["response_format"]) == ("Calmly.", "wav")
        assert "seed" not in call.body


def test_voices_may_differ_within_a_batch(renderer_of):
    with speech_server("vllm-omni") as server:
        renderer = renderer_of(server, batch=2)
        voices = ("ryan", "vivian")
        requests = [requests_for(renderer, [TEXTS[0]], voice)[0] for voice in voices]
        rendered = renderer.render(Batch(tuple(requests)), HastyWaiter())
        for one, voice in zip(rendered, voices, strict=True):
            assert_spoken(one.samples, TEXTS[0], voice)


def test_one_text_alone_has_its_seed_and_its_words(renderer_of):
    with speech_server("vllm-omni") as server:
        rendered = speak(renderer_of(server, batch=8), TEXTS[0], "ryan")
        assert paths(server) == [SINGLE]
        assert server.requests[0].body["seed"] >= 0
        assert len(rendered.timings) == 3


def test_batches_are_not_used_unless_they_are_asked_for(renderer_of):
    with speech_server("vllm-omni") as server:
        assert renderer_of(server).limits.max_rows == 1
    with speech_server("kokoro-fastapi") as server:
        renderer = renderer_of(server, batch=8)
        assert renderer.limits.max_rows == 1
        assert renderer.warnings(()) == (
            "Kokoro-FastAPI takes no batches: openai.batch has no effect.",
        )


def test_text_without_a_word_is_no_item(renderer_of):
    with speech_server("vllm-omni") as server:
        texts = ("* * *", *TEXTS)
        first, *others = speak_all(renderer_of(server, batch=8), texts, "ryan")
        assert not first.samples.any()
        for text, one in zip(TEXTS, others, strict=True):
            assert_spoken(one.samples, text, "ryan")
        assert len(server.requests[0].body["items"]) == 3


def test_an_item_that_fails_is_asked_for_alone_and_the_others_are_not_again(renderer_of):
    with speech_server("vllm-omni", fails_in_batches=(TEXTS[1],)) as server:
        rendered = speak_all(renderer_of(server, batch=8), TEXTS, "ryan")
        for text, one in zip(TEXTS, rendered, strict=True):
            assert_spoken(one.samples, text, "ryan")
        assert paths(server) == [BATCH, SINGLE]
        assert Counter(server.spoken) == Counter(TEXTS)


def test_what_is_done_is_handed_over_with_the_error_of_the_rest(renderer_of):
    with speech_server("vllm-omni", fails_on=(TEXTS[1],)) as server:
        renderer = renderer_of(server, batch=8)
        requests = requests_for(renderer, TEXTS, "ryan")
        with pytest.raises(PartlyRendered, match=r"(has not answered|fails each time)") as raised:
            renderer.render(Batch(requests), HastyWaiter(20.0))
        done = raised.value.done
        assert set(done) == {requests[0].key, requests[2].key}
        assert_spoken(done[requests[2].key].samples, TEXTS[2], "ryan")


def test_an_older_server_gets_each_text_alone_side_by_side_and_that_is_said_once(renderer_of):
    waiter = HastyWaiter()
    texts = [f"Number {n}." for n in range(8)]
    with speech_server("vllm-omni", is_older=True, latency_s=0.05) as server:
        renderer = renderer_of(server, batch=8)
        for _ in range(3):
            rendered = speak_all(renderer, texts, "ryan", waiter=waiter)
            for text, one in zip(texts, rendered, strict=True):
                assert_spoken(one.samples, text, "ryan")
        assert paths(server) == [BATCH, *[SINGLE] * 24]
        assert waiter.told == [
            "vLLM-Omni takes no batches, as it is an older one: each text is sent alone."
        ]
        assert server.most_in_flight >= 2


def test_a_batch_larger_than_the_server_takes_is_told(renderer_of):
    with speech_server("vllm-omni") as server:
        renderer = renderer_of(server, batch=40)
        with pytest.raises(EngineFailed, match="Batch contains 33 items"):
            speak_all(renderer, [f"Number {n}." for n in range(33)], "ryan")


@pytest.mark.parametrize("fault", ["500", "cut", "cut in body", "429"])
def test_a_call_that_fails_is_made_again(fault, renderer_of):
    with speech_server("vllm-omni", faults={fault: 0.5}, seed=3) as server:
        renderer = renderer_of(server, batch=4)
        for n in range(6):
            texts = [f"Number {n} {part}." for part in "abcd"]
            for text, one in zip(texts, speak_all(renderer, texts, "ryan"), strict=True):
                assert_spoken(one.samples, text, "ryan")
        assert len(server.requests) > 6


def test_audio_that_is_cut_off_in_an_item_is_asked_for_again(renderer_of):
    with speech_server("vllm-omni", lie="cut off") as server:
        renderer = renderer_of(server, batch=4)
        with ThreadPoolExecutor(1) as threads:
            future = threads.submit(speak_all, renderer, TEXTS, "ryan")
            while len(server.requests) < 2:
                threading.Event().wait(0.01)
            server.behave(lie=None)
            for text, one in zip(TEXTS, future.result(), strict=True):
                assert_spoken(one.samples, text, "ryan")
        assert paths(server)[:2] == [BATCH, SINGLE]


@pytest.mark.parametrize(
    "content",
    [b"", b"[]", b"{}", b'{"results": [{"index": 2, "status": "error"}]}', b'{"results": [{}]}'],
)
def test_an_answer_of_another_form_is_damage(content):
    with pytest.raises(ServerFailing):
        item_replies(Reply(200, {}, content), 2)


def test_results_in_another_order_and_results_that_are_missing():
    content = b"""{"results": [
        {"index": 2, "status": "success", "audio_data": "UklGRg==", "media_type": "audio/wav"},
        {"index": 0, "status": "error", "error": "no"},
        {"index": 3, "status": "success", "audio_data": "???"}]}"""
    none, missing, third, damaged = item_replies(Reply(200, {}, content), 4)
    assert none is missing is damaged is None
    assert (third.content, third.media_type) == (b"RIFF", "audio/wav")


def test_the_limit_counts_items():
    gate = RequestGate(AdaptiveLimit(64, now=8))
    five = gate._try(0.0, 5)
    assert gate._try(0.0, 5) is None
    assert gate._try(0.0, 3) is not None
    assert gate._try(0.0, 1) is None
    gate.refused(five, 0.0)
    assert gate.limit.now == pytest.approx(0.85 * 8)


def test_a_batch_above_the_limit_goes_in_alone_and_raises_it():
    gate = RequestGate(AdaptiveLimit(64))
    entry = gate._try(0.0, 16)
    assert gate._try(0.0, 1) is None
    gate.succeeded(entry, 100, 1.0)
    assert gate.limit.now == 18


def test_a_batch_that_is_refused_alone_closes_the_gate():
    gate = RequestGate(AdaptiveLimit(64, now=16))
    entry = gate._try(0.0, 16)
    gate.refused(entry, 5.0)
    gate._n_in_flight = 0
    assert gate._try(4.9, 1) is None
    assert gate._try(5.0, 1) is not None


def test_items_in_flight_settle_near_what_the_server_takes(renderer_of):
    """The server takes two calls at a time; each has four items."""
    with speech_server("vllm-omni", n_slots=2, latency_s=0.01) as server:
        renderer = renderer_of(server, batch=4, most_in_flight=32)
        assert renderer.limits.n_at_once == 8
        texts = [[f"Number {n} {part}." for part in "abcd"] for n in range(40)]
        with ThreadPoolExecutor(8) as threads:
            done = threads.map(lambda some: speak_all(renderer, some, "ryan"), texts)
            assert sum(map(len, done)) == 160
        assert sorted(server.spoken) == sorted(text for some in texts for text in some)
        refused = sum(one.status == 429 for one in server.requests)
        assert refused < 40
