"""What each server of speech does of its own, as its stand-in does it: `exchanges.txt`."""

import base64
import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path

import httpx
import numpy as np
import pytest

from audiomill.renderers.openai.profiles import PROFILES as OURS
from audiomill.renderers.servers.audio import audio_in
from audiomill.renderers.speech.wav import pcm16, read_wav
from support.process_data import wait_until
from support.speech_audio import UNKNOWN
from support.speech_profiles import PROFILES
from support.speech_server import KEY, speech_server, spoken_samples

pytestmark = pytest.mark.prove

TEXT = "The mill stands by the sea."
TOKENS = "The mill stands by the sea ."  # as Kokoro-FastAPI tells them


def post(server, path="/v1/audio/speech", body=None, **more):
    profile = server.profile
    model = profile.models[0] if profile.models else "any"
    first = {"model": model, "input": TEXT, "voice": profile.voices[0], "response_format": "wav"}
    headers = {"Authorization": f"Bearer {KEY}"}
    url = f"{server.url.removesuffix('/v1')}{path}"
    return httpx.post(url, json=body or first | more, headers=headers, timeout=30)


def is_spoken(samples, profile, voice) -> bool:
    expected = spoken_samples(TEXT, voice, 1.0, profile.sample_rate)
    return bool(samples.shape == expected.shape and np.abs(samples - expected).max() < 2 / 32768)


def answer_to(server, asked: str, expected: str) -> str:
    """The answer in the form of the table, so far as it tells it."""
    if asked.startswith("/"):
        response = httpx.get(f"{server.url.removesuffix('/v1')}{asked}")
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


@pytest.mark.parametrize("kind", ["chatterbox-travisvn", "sglang-omni", "speaches"])
def test_each_dialect_of_events(kind):
    with speech_server(kind) as server:
        response = post(server, stream_format="sse", stream=True)
        assert response.headers["content-type"] == "text/event-stream"
        pieces = audio_in(response.content).pieces
        assert len(pieces) > 2
        if kind == "chatterbox-travisvn":  # headerless, after an event that tells the rate
            assert '"type": "speech.audio.info"' in response.text
            samples = pcm16(b"".join(pieces))
        elif kind == "sglang-omni":  # a file each, and an end of its own
            assert response.text.endswith("data: [DONE]\n\n")
            samples = np.concatenate([read_wav(piece)[0] for piece in pieces])
        else:
            assert '"token_usage"' in response.text
            samples, _ = read_wav(b"".join(pieces))
        assert is_spoken(samples, server.profile, server.profile.voices[0])


def heard_in(captions):
    """The text between the times of each word."""
    content = base64.b64decode("".join(one["audio"] for one in captions))
    samples, rate = read_wav(content)
    words = [word for one in captions for word in one["timestamps"]]
    for word in words:
        assert word.keys() == {"word", "start_time", "end_time"}
        first, end = (round(word[name] * rate) for name in ("start_time", "end_time"))
        assert np.abs(samples[first + 200 : end - 200]).max() > 0.2
    for before, after in pairwise(words):
        between = slice(round(before["end_time"] * rate) + 5, round(after["start_time"] * rate) - 5)
        assert not samples[between].any()
    return " ".join(word["word"] for word in words)


def test_captions_tell_when_each_word_sounds():
    with speech_server("kokoro-fastapi") as server:
        path = "/dev/captioned_speech"
        whole = post(server, path, stream=False, speed=1.5).json()
        assert whole["audio_format"] == "audio/wav"
        assert heard_in([whole]) == TOKENS
        streamed = post(server, path, speed=1.5)
        assert streamed.headers["content-type"] == "application/json"
        lines = [json.loads(line) for line in streamed.text.splitlines()]
        assert len(lines) > 2
        assert heard_in(lines) == TOKENS
        without = post(server, path, stream=False, return_timestamps=False).json()
        assert without["timestamps"] is None


def test_an_item_of_a_batch_fails_alone():
    with speech_server("vllm-omni", fails_on=("Broken.",)) as server:
        items = [{"input": TEXT}, {"input": "Broken."}, {"input": TEXT, "voice": "nobody"}]
        common = {"voice": "ryan", "response_format": "wav"}
        path = "/v1/audio/speech/batch"
        answer = post(server, path, {"items": items, **common}).json()
        assert (answer["total"], answer["succeeded"], answer["failed"]) == (3, 1, 2)
        first, broken, unknown = answer["results"]
        samples, _ = read_wav(base64.b64decode(first["audio_data"]))
        assert is_spoken(samples, server.profile, "ryan")
        assert broken == {"index": 1, "status": "error", "error": "CUDA out of memory"}
        assert unknown["error"].startswith("Invalid voice 'nobody'")
        assert (server.spoken, server.billed_characters) == ([TEXT], len(TEXT))
        for n_items in (0, 33):
            refused = post(server, path, {"items": [{"input": TEXT}] * n_items, **common})
            assert (refused.status_code, refused.json()["error"]["code"]) == (400, 400)


def test_more_requests_than_slots_are_told_to_wait():
    with (
        speech_server("coqui", n_slots=2, retry_after="3") as server,
        ThreadPoolExecutor(2) as pool,
    ):
        with server.model_lock:  # so that none is done
            waiting = [pool.submit(post, server) for _ in range(2)]
            wait_until(lambda: len(server.in_flight) == 2)
            refused = post(server)
        assert (refused.status_code, refused.headers["retry-after"]) == (429, "3")
        assert [one.result().status_code for one in waiting] == [200, 200]
        assert (server.most_in_flight, server.in_flight) == (2, [1, 2, 3])
        assert server.billed_characters == 2 * len(TEXT)
