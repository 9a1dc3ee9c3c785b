"""Xinference's own client library takes its stand-in for Xinference."""

import json
from contextlib import closing

import numpy as np
import pytest
from xinference_client import RESTfulClient

from audiomill.renderers.speech.wav import pcm16, read_wav
from support import speech_profiles
from support.speech_server import speech_server, spoken_samples

TEXT = "The mill stands by the sea."


@pytest.fixture
def server():
    with speech_server("xinference") as running:
        yield running


def model_of(server, model="F5-TTS"):
    """The library's handle of a model: it asks the server whether keys are needed, and for both."""
    client = RESTfulClient(server.url.removesuffix("/v1"))
    return closing(client), client.get_model(model)


def speak(server, model="F5-TTS", **more):
    session, handle = model_of(server, model)
    with session:
        return handle.speech(TEXT, **{"response_format": "wav"} | more)


def assert_spoken(samples, voice="default", speed=1.0, sample_rate=24_000):
    expected = spoken_samples(TEXT, voice, speed, sample_rate)
    assert np.abs(samples - expected).max() < 2 / 32768


def test_a_file_comes_as_it_is_spoken(server):
    samples, rate = read_wav(speak(server, speed=1.5))
    assert rate == 24_000
    assert_spoken(samples, speed=1.5)
    assert server.lists_asked == ["/v1/cluster/auth", "/v1/models/F5-TTS"]


def test_a_stream_and_other_formats(server):
    session, handle = model_of(server)
    with session:
        pieces = list(handle.speech(TEXT, response_format="pcm", stream=True))
    assert len(pieces) > 10
    assert_spoken(pcm16(b"".join(pieces)))
    assert speak(server, response_format="mp3").startswith(b"\xff")


def test_a_seed_is_in_a_text_of_json_as_ours_is(server):
    speak(server, seed=5)
    assert json.loads(server.requests[0].body["kwargs"]) == {"seed": 5}


def test_an_unknown_voice_of_f5_is_its_only_one(server):
    assert_spoken(read_wav(speak(server, voice="nobody"))[0])


def test_an_unknown_model_is_named(server):
    with pytest.raises(RuntimeError, match="Model not found in the model list, uid: F6"):
        speak(server, "F6")


def test_an_unknown_voice_of_melotts_is_named(server, monkeypatch):
    name = "MeloTTS-English"
    melo = speech_profiles.xinference_with(name, ("EN-US", "EN-BR"), 44_100)
    monkeypatch.setitem(speech_profiles.PROFILES, "xinference", melo)
    samples, rate = read_wav(speak(server, name, voice="EN-BR"))
    assert_spoken(samples, "EN-BR", sample_rate=rate)
    assert rate == 44_100
    with pytest.raises(RuntimeError, match=r"Invalid voice: EN-UK, available speakers: .*EN-US"):
        speak(server, name, voice="EN-UK")


def test_models_are_listed(server):
    client = RESTfulClient(server.url.removesuffix("/v1"))
    with closing(client):
        assert list(client.list_models()) == ["F5-TTS"]


@pytest.mark.parametrize(("lie", "status"), [("500", 500), ("429", 429)])
def test_a_refusal_is_told(lie, status):
    with (
        speech_server("xinference", faults={lie: 1.0}) as server,
        pytest.raises(RuntimeError, match="Failed to speech the text, detail"),
    ):
        speak(server)
    assert [request.status for request in server.requests] == [status]
