"""What each server of speech does of its own, as its stand-in does it."""

import base64
import json
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import httpx
import numpy as np
import pytest

from audiomill.renderers.servers.event_stream import audio_in
from audiomill.renderers.servers.profiles import PROFILES as OURS
from audiomill.renderers.servers.wav import pcm16, read_wav
from support.process_data import wait_until
from support.speech_audio import UNKNOWN, voice_heard
from support.speech_profiles import PROFILES
from support.speech_server import KEY, speech_server, spoken_samples

TEXT = "The mill stands by the sea."
TOKENS = "The mill stands by the sea ."  # as Kokoro-FastAPI tells them


@pytest.fixture(params=PROFILES)
def kind(request):
    return request.param


def body_of(kind, **more):
    profile = PROFILES[kind]
    model = profile.models[0] if profile.models else "any"
    body = {"model": model, "input": TEXT, "voice": profile.voices[0], "response_format": "wav"}
    return body | more


def post(server, path="/audio/speech", body=None, **more):
    url = server.url.removesuffix("/v1") + path if path.startswith("/dev") else server.url + path
    sent = body or body_of(server.kind, **more)
    return httpx.post(url, json=sent, headers={"Authorization": f"Bearer {KEY}"}, timeout=30)


def told_length(content):
    """What a WAV file tells of the bytes of its audio."""
    at = content.index(b"data") + 4
    return int.from_bytes(content[at : at + 4], "little")


def assert_spoken(samples, kind, voice=None, speed=1.0):
    profile = PROFILES[kind]
    voice = voice or profile.voices[0]
    expected = spoken_samples(TEXT, voice, speed, profile.sample_rate)
    assert np.abs(samples - expected).max() < 2 / 32768


def test_each_profile_has_a_stand_in():
    assert PROFILES.keys() == OURS.keys()
    assert {name: one.sample_rate for name, one in PROFILES.items()} == {
        name: one.sample_rate for name, one in OURS.items()
    }


def test_a_file_at_the_rate_of_the_server(kind):
    with speech_server(kind) as server:
        response = post(server)
        assert (response.status_code, response.headers["content-type"]) == (200, "audio/wav")
        samples, rate = read_wav(response.content)
        assert rate == PROFILES[kind].sample_rate
        assert_spoken(samples, kind)
        assert server.spoken == [TEXT]
        assert server.billed_characters == len(TEXT)


@pytest.mark.parametrize(
    ("kind", "is_unknown", "is_chunked"),
    [
        ("openai", True, True),
        ("kokoro-fastapi", True, True),  # it streams unless told not to
        ("vllm-omni", False, False),
        ("orpheus-fastapi", False, False),
        ("faster-qwen3-tts", True, True),
        ("speaches", True, True),
        ("nari", False, False),
        ("coqui", False, False),
    ],
)
def test_lengths_are_told_as_the_server_tells_them(kind, is_unknown, is_chunked):
    with speech_server(kind) as server:
        response = post(server)
        length = told_length(response.content)
        assert length == UNKNOWN if is_unknown else length > 10_000
        assert ("content-length" not in response.headers) == is_chunked


def test_kokoro_tells_no_length_even_if_it_does_not_stream():
    with speech_server("kokoro-fastapi") as server:
        response = post(server, stream=False)
        assert int(response.headers["content-length"]) == len(response.content)
        assert told_length(response.content) == UNKNOWN
        assert b"LIST" in response.content[:64]


def test_nari_tells_no_length_if_it_streams():
    with speech_server("nari") as server:
        assert told_length(post(server, stream=True).content) == UNKNOWN


@pytest.mark.parametrize(
    ("kind", "voices"),
    [
        ("kokoro-fastapi", [{"id": "af_bella", "name": "af_bella"}]),
        ("vllm-omni", ["aiden", "default"]),
        ("orpheus-fastapi", ["tara", "leah"]),
        ("chatterbox-devnen", ["Abigail.wav"]),
        ("flashtts", ["female", "male"]),
        ("csm", [{"voice_id": "alloy", "name": "Alloy"}]),
        ("speaches",
         [{"name": "af_bella", "language": "en-us", "gender": "female", "id": "af_bella"}]),
        ("chatterbox-travisvn",
         [{"name": "default", "filename": "default.mp3", "language": "en", "aliases": [],
           "exists": True}]),
        ("sglang-omni", ["anna", "default"]),
    ],
)  # fmt: skip
def test_voices_are_listed_as_the_server_lists_them(kind, voices):
    with speech_server(kind) as server:
        path = server.profile.voices_path.removeprefix("/v1")
        listed = httpx.get(f"{server.url}{path}").json()["voices"]
        assert listed[: len(voices)] == voices
        assert server.requests == []


@pytest.mark.parametrize(
    "kind", ["openai", "dia", "coqui", "xinference", "faster-qwen3-tts", "nari"]
)
def test_a_server_without_a_list(kind):
    with speech_server(kind) as server:
        assert httpx.get(f"{server.url}/audio/voices").status_code == 404


def test_dia_and_coqui_list_voices_elsewhere():
    with speech_server("dia") as server:
        listed = httpx.get(f"{server.url}/../get_predefined_voices").json()
        assert listed[0] == {"display_name": "Abigail", "filename": "Abigail.wav"}
    with speech_server("coqui") as server:
        listed = httpx.get(f"{server.url}/../voices")
        assert listed.text == "Ana Florence multilingual u\nClaribel Dervla multilingual u"
        assert listed.headers["content-type"] == "text/html; charset=utf-8"


def test_kokoro_lists_plain_names_as_it_did_once():
    with speech_server("kokoro-fastapi") as server:
        listed = httpx.get(f"{server.url}/audio/voices?legacy=true").json()
        assert listed == {"voices": list(PROFILES["kokoro-fastapi"].voices)}


@pytest.mark.parametrize(
    ("kind", "spoken_by"),
    [
        ("sglang-omni", "default"),
        ("orpheus-fastapi", "tara"),
        ("chatterbox-travisvn", "default"),
        ("dia", "S1"),
        ("csm", "alloy"),
        ("xinference", "default"),
        ("faster-qwen3-tts", "alloy"),
    ],
)
def test_an_unknown_voice_is_another_one_without_a_word(kind, spoken_by):
    with speech_server(kind) as server:
        samples, _ = read_wav(post(server, voice="nobody").content)
        assert_spoken(samples, kind, spoken_by)
        assert server.requests[0].body["voice"] == "nobody"


@pytest.mark.parametrize(
    ("kind", "status", "words"),
    [
        ("openai", 400, "invalid_value"),
        ("kokoro-fastapi", 400, "validation_error"),
        ("vllm-omni", 400, "BadRequestError"),
        ("chatterbox-devnen", 404, "Voice file 'nobody' not found."),
        ("coqui", 500, "<!doctype html>"),
        ("flashtts", 400, "base64"),
        ("nari", 422, '{"detail": "unsupported speaker: \'nobody\'"}'),
    ],
)
def test_an_unknown_voice_is_refused(kind, status, words):
    with speech_server(kind) as server:
        response = post(server, voice="nobody")
        assert (response.status_code, server.billed_characters) == (status, 0)
        assert words in response.text


def test_a_file_that_dia_lacks_is_refused():
    with speech_server("dia") as server:
        assert post(server, voice="nobody.wav").status_code == 404


def test_speaches_cuts_the_connection_when_it_notices():
    with speech_server("speaches") as server:
        with pytest.raises(httpx.RemoteProtocolError):
            post(server, voice="nobody")
        assert_spoken(read_wav(post(server, voice="nova").content)[0], "speaches", "af_heart")


@pytest.mark.parametrize(
    ("kind", "more", "status"),
    [
        ("kokoro-fastapi", {"model": "tts-9"}, 400),
        ("kokoro-fastapi", {"response_format": "aiff"}, 422),
        ("kokoro-fastapi", {"voice": "af_bella+"}, 400),
        ("kokoro-fastapi", {"voice": "af_bella(0)+af_sky"}, 400),
        ("vllm-omni", {"speed": 9.0}, 400),
        ("vllm-omni", {"input": " "}, 400),
        ("orpheus-fastapi", {"input": ""}, 400),
        ("chatterbox-devnen", {"response_format": "pcm"}, 422),
        ("chatterbox-travisvn", {"input": "a" * 3001}, 422),
        ("dia", {"response_format": "pcm"}, 422),
        ("csm", {"response_format": "pcm"}, 422),
        ("coqui", {"response_format": "ogg"}, 400),
        ("xinference", {"model": "F6"}, 400),
        ("flashtts", {"model": "any"}, 400),
        ("speaches", {"model": "any"}, 404),
        ("faster-qwen3-tts", {"response_format": "flac"}, 400),
        ("nari", {"model": "qwen3-tts"}, 422),
        ("nari", {"speed": 1.5}, 422),
        ("nari", {"seed": 4, "normalize": True}, 422),
    ],
)
def test_what_a_server_refuses(kind, more, status):
    with speech_server(kind) as server:
        response = post(server, **more)
        assert response.status_code == status
        assert json.loads(response.text) if kind != "coqui" else response.text


@pytest.mark.parametrize("kind", ["orpheus-fastapi", "chatterbox-travisvn", "faster-qwen3-tts"])
def test_speed_is_taken_and_ignored(kind):
    with speech_server(kind) as server:
        assert_spoken(read_wav(post(server, speed=2.0).content)[0], kind)


@pytest.mark.parametrize("kind", ["orpheus-fastapi", "chatterbox-travisvn"])
def test_some_answer_wav_whatever_is_asked_for(kind):
    with speech_server(kind) as server:
        response = post(server, response_format="mp3")
        assert response.headers["content-type"] == "audio/wav"
        assert_spoken(read_wav(response.content)[0], kind)


def test_a_mix_of_kokoros_voices_is_a_voice_of_its_own():
    mix = "af_bella(2)+af_heart"
    with speech_server("kokoro-fastapi") as server:
        samples, _ = read_wav(post(server, voice=mix).content)
        assert voice_heard(samples, TEXT, ("af_bella", "af_heart", mix)) == mix


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
        assert_spoken(samples, kind)


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


def captioned(server, **more):
    return post(server, "/dev/captioned_speech", **more)


def test_captions_tell_when_each_word_sounds():
    with speech_server("kokoro-fastapi") as server:
        whole = captioned(server, stream=False, speed=1.5).json()
        assert whole["audio_format"] == "audio/wav"
        assert heard_in([whole]) == TOKENS
        streamed = captioned(server, speed=1.5)
        assert streamed.headers["content-type"] == "application/json"
        lines = [json.loads(line) for line in streamed.text.splitlines()]
        assert len(lines) > 2
        assert heard_in(lines) == TOKENS
        without = captioned(server, stream=False, return_timestamps=False).json()
        assert without["timestamps"] is None


def batch(server, *items, **common):
    return post(server, "/audio/speech/batch", {"items": list(items), **common})


def test_an_item_of_a_batch_fails_alone():
    with speech_server("vllm-omni", fails_on=("Broken.",)) as server:
        items = [{"input": TEXT}, {"input": "Broken."}, {"input": TEXT, "voice": "nobody"}]
        answer = batch(server, *items, voice="ryan", response_format="wav").json()
        assert (answer["total"], answer["succeeded"], answer["failed"]) == (3, 1, 2)
        first, broken, unknown = answer["results"]
        assert_spoken(read_wav(base64.b64decode(first["audio_data"]))[0], "vllm-omni", "ryan")
        assert broken == {"index": 1, "status": "error", "error": "CUDA out of memory"}
        assert unknown["error"].startswith("Invalid voice 'nobody'")
        assert server.spoken == [TEXT]
        assert server.billed_characters == len(TEXT)


@pytest.mark.parametrize("n_items", [0, 33])
def test_a_batch_has_some_items_and_not_too_many(n_items):
    with speech_server("vllm-omni") as server:
        answer = batch(server, *[{"input": TEXT}] * n_items, voice="ryan")
        assert (answer.status_code, answer.json()["error"]["code"]) == (400, 400)


def test_vllm_counts_tokens_in_headers():
    with speech_server("vllm-omni") as server:
        headers = post(server).headers
        counts = [int(headers[f"x-vllm-omni-{name}-tokens"]) for name in ("input", "output")]
        assert int(headers["x-vllm-omni-total-tokens"]) == sum(counts) > 2


def test_files_of_one_name_collide():
    with speech_server("orpheus-fastapi", collisions=True) as server:
        first = post(server).content
        assert post(server, input="Another text.").content == first
        assert post(server, input="Another text.", voice="leo").content != first


@pytest.mark.parametrize(
    ("lie", "check"),
    [
        ("default voice", lambda samples: voice_heard(samples, TEXT, ("alloy", "ash")) == "ash"),
        ("short", lambda samples: samples.size < spoken_samples(TEXT, "alloy").size / 2),
        ("cut off", lambda samples: samples.size < spoken_samples(TEXT, "alloy").size * 0.6),
        ("silence", lambda samples: samples.size and not samples.any()),
    ],
)
def test_lies_that_are_whole_files(lie, check):
    with speech_server("openai", lie=lie) as server:
        samples, rate = read_wav(post(server).content)
        assert rate == 24_000
        assert check(samples)
        assert server.billed_characters == len(TEXT)


@pytest.mark.parametrize(
    ("lie", "media_type", "beginning"),
    [
        ("page", "text/html", b"<!DOCTYPE html>"),
        ("error with 200", "application/json", b'{"error"'),
        ("empty", "audio/wav", b""),
    ],
)
def test_lies_that_are_no_audio(lie, media_type, beginning):
    with speech_server("openai", lie=lie) as server:
        response = post(server)
        assert (response.status_code, response.headers["content-type"]) == (200, media_type)
        assert response.content.startswith(beginning)
        assert server.spoken == []


def test_a_wrong_rate_is_told_in_the_header():
    with speech_server("openai", lie="wrong rate") as server:
        assert read_wav(post(server).content)[1] == 44_100


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


def test_a_server_with_one_lock_works_at_one_request_at_a_time():
    with speech_server("coqui", char_latency_s=0.001) as server:
        with ThreadPoolExecutor(4) as pool:
            assert {one.status_code for one in pool.map(lambda _: post(server), range(4))} == {200}
        took_s = max(one.ended_s for one in server.requests) - server.began_s
        assert took_s >= 4 * 0.001 * len(TEXT)
