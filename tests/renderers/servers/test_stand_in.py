"""What each server of speech does of its own, as its stand-in does it: `exchanges.txt`."""

import json
from collections.abc import Iterator
from pathlib import Path

import httpx
import numpy as np
import pytest

from audiomill.renderers.openai.profiles import PROFILES as OURS
from audiomill.renderers.speech.wav import read_wav
from support import patient_http
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
