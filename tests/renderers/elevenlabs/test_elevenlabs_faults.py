"""What each fault and each lie of ElevenLabs becomes: one clear line, or another attempt."""

import json
from concurrent.futures import ThreadPoolExecutor

import pytest

from audiomill.renderers.elevenlabs.account import listed_model
from audiomill.renderers.elevenlabs.errors import check_elevenlabs
from audiomill.renderers.engine.errors import EngineFailed
from audiomill.renderers.servers.replies import Reply, ServerBusy, ServerFailing
from support.case_files import each_row, each_row_apart
from support.elevenlabs_data import TEXT, assert_spoken, speak
from support.elevenlabs_server import elevenlabs_server

KINDS = {one.__name__: one for one in (EngineFailed, ServerBusy, ServerFailing)}


def assert_one_line(raised, words):
    assert words in str(raised.value)
    assert "\n" not in str(raised.value)


@each_row_apart
def test_a_key_that_is_missing_or_wrong(monkeypatch, renderer_of, server, key, words, n_asked):
    renderer = renderer_of(server)
    monkeypatch.delenv("ELEVENLABS_API_KEY")
    if key:
        monkeypatch.setenv("ELEVENLABS_API_KEY", key)
    with pytest.raises(EngineFailed) as raised:
        speak(renderer)
    assert_one_line(raised, words)
    assert (len(server.lists_asked), server.requests) == (n_asked, [])


@pytest.mark.parametrize("missing", ["voices_read", "models_read", "text_to_speech"])
def test_a_key_that_may_not_do_what_is_needed(renderer_of, missing):
    rights = {"voices_read", "models_read", "text_to_speech"} - {missing}
    with elevenlabs_server(permissions=tuple(rights)) as server:
        with pytest.raises(EngineFailed) as raised:
            speak(renderer_of(server))
        assert_one_line(raised, f"missing the permission {missing}")
        assert "Give the key in ELEVENLABS_API_KEY access" in str(raised.value)


def test_a_quota_that_is_gone_is_not_waited_for(renderer_of):
    with elevenlabs_server(quota=2 * len(TEXT)) as server:
        renderer = renderer_of(server)
        speak(renderer)
        speak(renderer)
        with pytest.raises(EngineFailed) as raised:
            speak(renderer)
        assert_one_line(raised, "has no credit left for this account (This request exceeds")
        assert "What is finished is kept" in str(raised.value)
        assert len(server.requests) == 3


@each_row_apart
def test_a_lie_is_one_clear_line(renderer_of, lie, words):
    with elevenlabs_server(lie=lie) as server:
        with pytest.raises(EngineFailed) as raised:
            speak(renderer_of(server))
        assert_one_line(raised, words)
        assert len(server.requests) <= 3  # each of which is paid for


def test_a_heading_that_is_cut_to_a_third_is_noticed(renderer_of):
    """It lacks less than a second."""
    with elevenlabs_server(lie="short") as server:
        with pytest.raises(EngineFailed) as raised:
            speak(renderer_of(server), "The Mill.")
        assert_one_line(raised, "with only 0.")


@each_row
def test_lists_that_are_none(content, words):
    with pytest.raises(EngineFailed, match=words):
        listed_model(Reply(200, {}, content), "eleven_flash_v2_5")


def test_what_a_list_of_models_leaves_out_is_known():
    reply = Reply(200, {}, b'[{"model_id": "eleven_flash_v2_5"}]')
    assert listed_model(reply, "eleven_flash_v2_5").credits_per_char == 0.5


def test_the_service_may_say_how_long_it_is_to_be_left_alone():
    headers = {"retry-after": "7"}
    with pytest.raises(ServerBusy) as raised:
        check_elevenlabs(Reply(429, headers, b"{}"), "THE_KEY")
    assert raised.value.retry_after_s == 7


def detail(status, code, message="Why."):
    """An error in the older form and in the newer one."""
    newer = {"type": "t", "code": code, "message": message, "status": code, "request_id": "1"}
    for body in ({"status": code, "message": message}, newer):
        yield Reply(status, {}, json.dumps({"detail": body}).encode())


@each_row
def test_what_each_error_means(status, code, kind, words):
    for reply in detail(status, code):
        with pytest.raises(KINDS[kind]) as raised:
            check_elevenlabs(reply, "THE_KEY")
        assert words in str(raised.value)
        assert "\n" not in str(raised.value)


def test_a_field_that_does_not_validate_is_named():
    body = b'{"detail": [{"loc": ["body", "seed"], "msg": "Input should be less", "type": "x"}]}'
    with pytest.raises(EngineFailed, match="refuses the request: 422 Input should be less"):
        check_elevenlabs(Reply(422, {}, body), "THE_KEY")


def test_a_busy_service_is_waited_for_whatever_the_text(renderer_of):
    """More often than a text that makes the server fail is tried."""
    with elevenlabs_server(faults={"busy": 0.8}) as server:
        renderer = renderer_of(server)
        for n in range(4):
            assert_spoken(speak(renderer, f"Number {n}.", outage_s=1e6).samples, f"Number {n}.")
        assert len(server.requests) > 12
        assert server.billed_characters == sum(map(len, server.spoken))


def test_a_service_that_stays_busy_ends_the_run(renderer_of):
    with elevenlabs_server(faults={"busy": 1.0}) as server:
        with pytest.raises(EngineFailed) as raised:
            speak(renderer_of(server))
        assert_one_line(raised, "has not answered for")
        assert server.billed_characters == 0


def test_faults_lose_nothing_and_what_they_cost_is_counted(renderer_of):
    """With a limit of five: 429s, 500s, cut connections and a busy service are in the way."""
    faults = {"429": 0.08, "busy": 0.04, "500": 0.04, "cut": 0.05, "cut in body": 0.05}
    texts = [f"Sentence number {n} of this book." for n in range(150)]
    with elevenlabs_server(n_slots=5, latency_s=0.01, faults=faults) as server:
        renderer = renderer_of(server)
        with ThreadPoolExecutor(16) as pool:
            rendered = list(pool.map(lambda text: speak(renderer, text, outage_s=1e6), texts))
        for text, one in zip(texts, rendered, strict=True):
            assert_spoken(one.samples, text)
        assert sorted(server.spoken) == sorted(texts)  # each was answered once
        billed = sum(one.usage.n_characters_billed for one in rendered)
        lost = [one.body["text"] for one in server.requests if one.status == 0]
        assert len(lost) > 5
        assert billed == server.billed_characters == sum(map(len, texts)) + sum(map(len, lost))
        assert max(server.in_flight) <= 5
