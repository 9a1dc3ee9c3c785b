"""OpenAI's own client library takes the stand-ins for what they stand for.

It is the client that OpenAI, Kokoro-FastAPI, vLLM-Omni, FlashTTS, speaches and Xinference show in
their documents. The others have no client of their own, and only say that they speak OpenAI's
protocol. Xinference's own client has a test beside this one.
"""

import numpy as np
import openai
import pytest

from audiomill.renderers.speech.wav import read_wav
from support.case_files import each_row
from support.speech_profiles import PROFILES
from support.speech_server import KEY, speech_server, spoken_samples

pytestmark = pytest.mark.prove

TEXT = "The mill stands by the sea."


def client_of(server, key=KEY):
    return openai.OpenAI(api_key=key, base_url=server.url, max_retries=0)


def first_of(server):
    """The first voice of a server, and a model that it has or does not look at."""
    voice, model = server.profile.voices[0], [*server.profile.models, "any"][0]
    return {"input": TEXT, "response_format": "wav", "voice": voice, "model": model}


def speak(server, key=KEY, **more):
    """The bytes that the library returns for one request."""
    with client_of(server, key) as client:
        return client.audio.speech.create(**first_of(server) | more).content


@pytest.mark.parametrize("kind", PROFILES)
def test_a_file_comes_as_it_is_spoken_whole_and_in_pieces(kind):
    with speech_server(kind) as server, client_of(server) as client:
        content = speak(server)
        samples, rate = read_wav(content)
        assert rate == server.profile.sample_rate
        expected = spoken_samples(TEXT, server.profile.voices[0], sample_rate=rate)
        assert np.abs(samples - expected).max() < 2 / 32768
        (request,) = server.requests
        assert request.headers["authorization"] == f"Bearer {KEY}"
        assert (request.path, request.status) == ("/v1/audio/speech", 200)
        stream = client.audio.speech.with_streaming_response.create
        with stream(**first_of(server)) as response:
            pieces = list(response.iter_bytes(1000))
        assert len(pieces) > 10
        assert b"".join(pieces) == content


@each_row
def test_each_refusal_is_the_error_that_the_library_knows(kind, behaviour, asked, error, words):
    """Of one that the stand-in was told to make, or that the request makes; nothing is billed."""
    with speech_server(kind, **behaviour) as server:
        with pytest.raises(getattr(openai, error)) as raised:
            speak(server, **asked)
        if isinstance(raised.value, openai.APIStatusError):
            assert words in raised.value.response.text
        assert (server.spoken, server.billed_characters) == ([], 0)


def test_text_is_refused_from_4097_characters_on():
    """As OpenAI does: so a renderer's test fails if too long a text is sent."""
    with speech_server("openai") as server:
        assert read_wav(speak(server, input="a" * 4096))[1] == 24_000
        with pytest.raises(openai.BadRequestError) as raised:
            speak(server, input="a" * 4097)
        assert (raised.value.code, raised.value.param) == ("string_above_max_length", "input")


def test_faults_depend_on_the_text_and_the_attempt_only():
    def statuses(order):
        faults = {"429": 0.3, "500": 0.3}
        with speech_server("openai", faults=faults, seed=3) as server:
            for n in order:
                try:
                    speak(server, input=f"Number {n}.")
                except openai.APIStatusError:
                    continue
            return {one.body["input"]: one.status for one in server.requests}

    assert statuses(range(12)) == statuses(reversed(range(12)))
    assert {200, 429, 500} == set(statuses(range(12)).values())
