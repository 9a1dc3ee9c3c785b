"""Replies of servers whose values are of other types than they should be, or no numbers."""

import base64
import json

import numpy as np
import pytest

from audiomill.renderers.elevenlabs.account import listed_model, voices_in_page
from audiomill.renderers.elevenlabs.errors import n_billed
from audiomill.renderers.elevenlabs.speech import alignment_of, speech_path
from audiomill.renderers.engine.errors import EngineFailed
from audiomill.renderers.fish import voices as fish
from audiomill.renderers.openai.speaking import item_replies
from audiomill.renderers.openai.word_times import captioned, words_in_header
from audiomill.renderers.piper.server_renderer import served_speakers
from audiomill.renderers.servers.audio import MEDIA_TYPE, samples_in
from audiomill.renderers.servers.replies import Reply, ServerFailing
from support.speech_audio import wav

NAN, HUGE = float("nan"), 10**400
ODD = (None, True, 5, NAN, HUGE, "x", [5], {"a": 5})


def reply_of(value, media_type="application/json"):
    return Reply(200, {"content-type": media_type}, json.dumps(value).encode())


def samples_of(content, media_type="audio/wav"):
    reply = Reply(200, {"content-type": media_type}, content)
    return samples_in(reply, "OpenAI", 24_000, is_pcm=False, table="openai")


def events(*values):
    return "".join(f"data: {json.dumps(value)}\n\n" for value in values).encode()


def test_audio_in_letters_that_base64_has_not_is_damaged():
    delta = {"type": "speech.audio.delta", "audio": "AAÄA"}
    with pytest.raises(ServerFailing, match="cut off"):
        samples_of(events(delta), MEDIA_TYPE)
    with pytest.raises(ServerFailing, match=r"no base64|not base64"):
        captioned(reply_of({"audio": "Ä", "timestamps": None}), "Kokoro-FastAPI")
    result = {"index": 0, "status": "success", "audio_data": "Ä"}
    assert item_replies(reply_of({"results": [result]}), 1) == [None]


@pytest.mark.parametrize("odd", ODD)
def test_times_of_words_that_are_no_numbers_are_left_out(odd):
    words = [
        {"word": "The", "start_ms": odd, "end_ms": 5},
        {"word": "mill", "start_ms": 1, "end_ms": 2},
    ]
    told = words_in_header({"x-word-timestamps": json.dumps([odd, *words])})
    assert [one.text for one in told if np.isfinite(one.start_s)] == ["The"] * (odd == 5) + ["mill"]
    names = ("characters", "character_start_times_seconds", "character_end_times_seconds")
    for found in (
        odd,
        dict.fromkeys(names, odd),
        dict(zip(names, (["a"], [odd], [1.0]), strict=True)),
    ):
        alignment = alignment_of(found)
        assert alignment is None or np.isfinite(alignment.starts_s).all()


@pytest.mark.parametrize("odd", ODD)
def test_a_list_of_elevenlabs_with_odd_values_is_read(odd):
    entry = {"voice_id": "v", "labels": odd, "sharing": odd, "verified_languages": odd}
    shared = {"voice_id": "w", "sharing": {"rate": odd}, "verified_languages": [odd]}
    (one, two), token = voices_in_page(
        reply_of({"voices": [odd, entry, shared], "has_more": odd, "next_page_token": odd})
    )
    assert (one.id, two.id, token) == ("v", "w", str(odd) if odd is not None else "")
    assert one.price_factor == 1 and two.price_factor in (1, 5)
    model = {"model_id": "eleven_v3", "languages": odd, "maximum_text_length_per_request": odd}
    rates = {**model, "languages": [odd], "model_rates": {"character_cost_multiplier": odd}}
    for entry in (model, rates, {**model, "model_rates": odd}):
        found = listed_model(reply_of([odd, {"model_id": None}, entry]), "eleven_v3")
        assert found.max_chars in (0, 5) and found.credits_per_char in (1, 5)


@pytest.mark.parametrize("told", ["nan", "inf", "-5", "1e400", "1e308", "dear", ""])
def test_a_cost_that_is_no_number_is_the_expected_one(told):
    assert n_billed({"character-cost": told}, 100, 0.5) == 100


def test_an_id_of_a_voice_is_no_path():
    assert speech_path("../../x?a=\r\n", "wav").startswith(
        "/v1/text-to-speech/..%2F..%2Fx%3Fa%3D%0D%0A/"
    )


@pytest.mark.parametrize("odd", ODD)
def test_a_list_of_fish_audio_with_odd_values_is_read(odd):
    voice = {"_id": "a", "type": "tts", "state": "trained", "languages": odd, "title": odd}
    page = fish.voice_page(reply_of({"items": [odd, {**voice, "_id": None}, voice], "total": odd}))
    assert [one.name for one in page.voices] == ["a"]
    assert page.total in (0, 5)
    names = [one.name for one in fish.references(reply_of({"reference_ids": ["b", odd]}))]
    assert sorted(names) == names and "b" in names


CONFIG = {"audio": {"sample_rate": 22_050}, "espeak": {"voice": "en-us"}}


@pytest.mark.parametrize(
    "more",
    [
        *({"audio": {"sample_rate": odd}} for odd in (*ODD, 0, -5, 10**9)),
        *({"inference": {"length_scale": odd}} for odd in (True, NAN, HUGE, "x", 0, -1)),
        *({"num_speakers": odd} for odd in (NAN, HUGE, "x", [5])),
        *({"num_speakers": 2, "speaker_id_map": odd} for odd in ([5], {"a": NAN}, {"a": HUGE}, 5)),
        {"language": 5},
        {"inference": [5]},
    ],
)
def test_a_voice_of_pipers_server_with_odd_values_is_one_clear_line(more):
    with pytest.raises(EngineFailed, match="does not list its voices"):
        served_speakers(reply_of({"a": {**CONFIG, **more}}))


@pytest.mark.parametrize(
    ("content", "media_type", "words"),
    [
        (wav(b"\0\0" * 100, 0), "audio/wav", "1 channels and 0 Hz"),
        (wav(b"\0\0" * 100, 500_000), "audio/wav", "500000 Hz, not of 24000. Look at the"),
        (wav(b"\0\0" * 100, 44_100), "audio/wav", "set sample_rate = 44100 under .openai."),
        (b"OggS" + bytes(500), "audio/ogg", "begins with b'OggS', but cannot be decoded.$"),
        (b"\xff\xfb\x90\x64" * 9, "audio/mpeg", "but cannot be decoded.$"),
    ],
)
def test_audio_that_cannot_be_is_one_true_line(content, media_type, words):
    with pytest.raises(EngineFailed, match=words):
        samples_of(content, media_type)


@pytest.mark.parametrize("rate", [-5, True, NAN, HUGE, "x"])
def test_a_rate_that_is_none_in_a_stream(rate):
    info = {"type": "speech.audio.info", "channels": 1, "bits_per_sample": 16, "sample_rate": rate}
    delta = {"type": "speech.audio.delta", "audio": base64.b64encode(bytes(200)).decode()}
    with pytest.raises(EngineFailed, match="cannot be read: it begins with"):
        samples_of(events(info, delta, {"type": "speech.audio.done"}), MEDIA_TYPE)
