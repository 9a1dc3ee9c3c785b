"""Xinference's own client library takes its stand-in for Xinference."""

import json
from contextlib import closing

import numpy as np
import pytest
from xinference_client import RESTfulClient

from audiomill.renderers.speech.wav import read_wav
from support.speech_server import speech_server, spoken_samples

TEXT = "The mill stands by the sea."


@pytest.fixture
def server():
    with speech_server("xinference") as running:
        yield running


def client_of(server):
    return closing(RESTfulClient(server.url.removesuffix("/v1")))


def speak(server, model="F5-TTS", **more):
    """The library's handle of a model asks the server whether keys are needed, and for both."""
    with client_of(server) as client:
        return client.get_model(model).speech(TEXT, response_format="wav", **more)


def test_a_file_comes_as_it_is_spoken(server):
    samples, rate = read_wav(speak(server, speed=1.5))
    assert rate == 24_000
    assert np.abs(samples - spoken_samples(TEXT, "default", 1.5)).max() < 2 / 32768
    assert server.lists_asked == ["/v1/cluster/auth", "/v1/models/F5-TTS"]


def test_a_seed_is_in_a_text_of_json_as_ours_is(server):
    speak(server, seed=5)
    assert json.loads(server.requests[0].body["kwargs"]) == {"seed": 5}


def test_an_unknown_model_is_named(server):
    with pytest.raises(RuntimeError, match="Model not found in the model list, uid: F6"):
        speak(server, "F6")


def test_models_are_listed(server):
    with client_of(server) as client:
        assert list(client.list_models()) == ["F5-TTS"]


def test_a_refusal_is_told():
    with (
        speech_server("xinference", faults={"500": 1.0}) as server,
        pytest.raises(RuntimeError, match="Failed to speech the text, detail"),
    ):
        speak(server)
