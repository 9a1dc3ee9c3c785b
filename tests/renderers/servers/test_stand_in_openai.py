"""OpenAI's own client library takes the stand-ins for what they stand for.

It is the client that OpenAI, Kokoro-FastAPI, vLLM-Omni, FlashTTS, speaches and Xinference show in
their documents. The others have no client of their own, and only say that they speak OpenAI's
protocol. Xinference's own client has a test beside this one.
"""

import base64

import numpy as np
import openai
import pytest

from audiomill.renderers.speech.wav import pcm16, read_wav
from support.case_files import each_row
from support.speech_audio import voice_heard
from support.speech_profiles import PROFILES
from support.speech_server import KEY, speech_server, spoken_samples

pytestmark = pytest.mark.prove

TEXT = "The mill stands by the sea."
# Two voices and a model of those whose answers are looked at more closely.
VOICES = {
    "openai": ("alloy", "nova", "tts-1"),
    "kokoro-fastapi": ("af_heart", "af_bella", "kokoro"),
    "vllm-omni": ("vivian", "ryan", "Qwen/Qwen3-TTS-12Hz-1.7B-CustomVoice"),
}


@pytest.fixture(params=VOICES)
def kind(request):
    return request.param


def client_of(server, key=KEY, max_retries=0):
    return openai.OpenAI(api_key=key, base_url=server.url, max_retries=max_retries)


def request_of(kind, **more):
    voice, _, model = VOICES[kind]
    body = {"input": TEXT, "voice": voice, "model": model, "response_format": "wav"}
    return body | more


def speak(server, key=KEY, max_retries=0, **more):
    """The bytes that the library returns for one request."""
    with client_of(server, key, max_retries) as client:
        return client.audio.speech.create(**request_of(server.kind, **more)).content


def assert_spoken(samples, voice, speed=1.0, sample_rate=24_000):
    assert np.abs(samples - spoken_samples(TEXT, voice, speed, sample_rate)).max() < 2 / 32768


def first_of(server):
    """The first voice of a server, and a model that it has or does not look at."""
    return {"voice": server.profile.voices[0], "model": [*server.profile.models, "any"][0]}


@pytest.mark.parametrize("kind", PROFILES)
def test_a_file_comes_as_it_is_spoken_whole_and_in_pieces(kind):
    with speech_server(kind) as server, client_of(server) as client:
        create = client.audio.speech.create
        content = create(input=TEXT, response_format="wav", **first_of(server)).content
        samples, rate = read_wav(content)
        assert rate == server.profile.sample_rate
        assert_spoken(samples, server.profile.voices[0], sample_rate=rate)
        (request,) = server.requests
        assert request.headers["authorization"] == f"Bearer {KEY}"
        assert (request.path, request.status) == ("/v1/audio/speech", 200)
        assert request.began_s <= request.ended_s
        stream = client.audio.speech.with_streaming_response.create
        with stream(input=TEXT, response_format="wav", **first_of(server)) as response:
            pieces = list(response.iter_bytes(1000))
        assert len(pieces) > 10
        assert b"".join(pieces) == content


def test_the_voice_can_be_heard_and_so_can_the_speed(kind):
    first, second, _ = VOICES[kind]
    with speech_server(kind) as server:
        samples, _ = read_wav(speak(server, voice=second))
        assert voice_heard(samples, TEXT, (first, second)) == second
        fast, _ = read_wav(speak(server, voice=second, speed=2.0))
        assert_spoken(fast, second, 2.0)
        assert fast.size == pytest.approx(samples.size / 2, rel=0.02)


def test_headerless_samples_and_compressed_files(kind):
    beginnings = {"mp3": b"\xff", "flac": b"fLaC", "opus": b"OggS"}
    with speech_server(kind) as server:
        assert_spoken(pcm16(speak(server, response_format="pcm")), VOICES[kind][0])
        for response_format, beginning in beginnings.items():
            assert speak(server, response_format=response_format).startswith(beginning)


@pytest.mark.parametrize("kind", ["openai", "vllm-omni"])
def test_events_carry_the_file(kind):
    """The library has no type for these events, so its own parser of streams reads them."""
    with speech_server(kind) as server, client_of(server) as client:
        stream = client.post(
            "/audio/speech",
            body=request_of(kind, stream_format="sse"),
            cast_to=object,
            stream=True,
            stream_cls=openai.Stream[dict],
        )
        *deltas, last = list(stream)
        assert {event["type"] for event in deltas} == {"speech.audio.delta"}
        assert last["type"] == "speech.audio.done"
        usage = last["usage"]
        assert usage["total_tokens"] == usage["input_tokens"] + usage["output_tokens"]
        content = b"".join(base64.b64decode(event["audio"]) for event in deltas)
        assert_spoken(read_wav(content)[0], VOICES[kind][0])


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


@pytest.mark.parametrize("behaviour", [{"is_down": True}, {"faults": {"cut": 1.0}}])
def test_a_cut_connection_is_a_connection_error(kind, behaviour):
    with speech_server(kind, **behaviour) as server:
        with pytest.raises(openai.APIConnectionError):
            speak(server)
        assert [request.status for request in server.requests] == [0]
        was_spoken = "faults" in behaviour
        assert server.billed_characters == was_spoken * len(TEXT)


def test_a_body_that_is_cut_never_comes_whole(kind):
    with speech_server(kind, faults={"cut in body": 1.0}) as server:
        with pytest.raises(openai.APIConnectionError):
            speak(server)
        assert server.spoken == []
        assert server.billed_characters == len(TEXT)


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
