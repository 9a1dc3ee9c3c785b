"""What each server of speech does of its own, as its stand-in does it: `exchanges.txt`."""

import json
from collections.abc import Iterator
from pathlib import Path

import httpx
import numpy as np
import openai
import pytest

from audiomill.renderers.openai.profiles import PROFILES as OURS
from audiomill.renderers.speech.wav import read_wav
from support import patient_http
from support.case_files import each_row
from support.speech_audio import UNKNOWN
from support.speech_profiles import PROFILES
from support.speech_server import KEY, speech_server, spoken_samples

pytestmark = pytest.mark.prove

TEXT = "The mill stands by the sea."


def post(server, **more):
    profile = server.profile
    model = profile.models[0] if profile.models else "any"
    first = {"model": model, "input": TEXT, "voice": profile.voices[0], "response_format": "wav"}
    headers = {"Authorization": f"Bearer {KEY}"}
    return patient_http.post(f"{server.url}/audio/speech", json=first | more, headers=headers)


def is_spoken(samples, profile, voice) -> bool:
    expected = spoken_samples(TEXT, voice, 1.0, profile.sample_rate)
    return bool(samples.shape == expected.shape and np.abs(samples - expected).max() < 2 / 32768)


def answer_to(server, asked: str, expected: str) -> str:
    """The answer in the form of the table, so far as it tells it."""
    if asked.startswith("/"):
        response = patient_http.get(f"{server.url.removesuffix('/v1')}{asked}")
        return response.text.replace("\n", r"\n")[: len(expected)]
    response = post(server, **json.loads(f"{{{asked}}}"))
    if response.status_code != 200:
        assert server.billed_characters == 0
        words = expected.partition(" ")[2]
        told = words if words in response.text else response.text
        return f"{response.status_code} {told}"
    content = response.content
    if not expected.startswith(("told", "unknown")):
        is_right = is_spoken(read_wav(content)[0], server.profile, expected)
        return expected if is_right and response.headers["content-type"] == "audio/wav" else "else"
    at = content.index(b"data") + 4
    length = "unknown" if int.from_bytes(content[at : at + 4], "little") == UNKNOWN else "told"
    return f"{length} {'whole' if 'content-length' in response.headers else 'chunked'}"


def exchanges() -> Iterator[tuple[str, str, str]]:
    for line in Path(__file__).with_name("exchanges.txt").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            kind, asked, expected = (part.strip() for part in line.split("|", 2))
            yield kind, asked, expected


def test_each_server_answers_as_it_does():
    wrong = []
    for kind, asked, expected in exchanges():
        with speech_server(kind) as server:
            told = answer_to(server, asked, expected)
        wrong += [f"{kind} | {asked} | {expected}\n  told: {told}"] if told != expected else []
    assert not wrong, "\n".join(wrong)


def test_each_profile_has_a_stand_in():
    assert PROFILES.keys() == OURS.keys()
    assert {name: one.sample_rate for name, one in PROFILES.items()} == {
        name: one.sample_rate for name, one in OURS.items()
    }


def test_a_text_may_be_too_long_for_a_server():
    with speech_server("chatterbox-travisvn") as server:
        assert post(server, input="a" * 3001).status_code == 422


def test_speaches_cuts_the_connection_when_it_notices():
    with speech_server("speaches") as server, pytest.raises(httpx.RemoteProtocolError):
        post(server, voice="nobody")


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
