"""ElevenLabs' own client library takes the stand-in for what it stands for."""

import base64
from itertools import pairwise

import httpx
import pytest
from elevenlabs import client as elevenlabs_client
from elevenlabs import errors
from elevenlabs.core import api_error

from audiomill.renderers.speech.wav import pcm16, read_wav
from support.case_files import each_row_apart
from support.elevenlabs_data import TEXT, assert_spoken
from support.elevenlabs_replies import ANNAS, GEORGE
from support.elevenlabs_server import KEY, elevenlabs_server

FLASH = {"text": TEXT, "model_id": "eleven_flash_v2_5", "output_format": "pcm_24000"}
ONCE = {"max_retries": 0}


@pytest.fixture
def client_of():
    """Makes clients, and closes their connections at the end."""
    with httpx.Client(trust_env=False) as connections:
        yield lambda server, key=KEY: elevenlabs_client.ElevenLabs(
            base_url=server.url, api_key=key, httpx_client=connections
        )


@pytest.mark.parametrize(
    ("form", "sample_rate"), [("pcm", 24_000), ("pcm", 44_100), ("wav", 24_000)]
)
def test_samples_come_as_they_are_spoken(client_of, form, sample_rate):
    output_format = f"{form}_{sample_rate}"
    with elevenlabs_server() as server:
        speak = client_of(server).text_to_speech.convert
        content = b"".join(speak(GEORGE, **FLASH | {"output_format": output_format}))
        samples = pcm16(content) if form == "pcm" else read_wav(content)[0]
        assert_spoken(samples, sample_rate=sample_rate)
        (request,) = server.requests
        assert request.path == f"/v1/text-to-speech/{GEORGE}?output_format={output_format}"
        assert request.headers["xi-api-key"] == KEY


def test_each_character_has_a_time(client_of, server):
    answer = client_of(server).text_to_speech.convert_with_timestamps(GEORGE, **FLASH)
    samples = pcm16(base64.b64decode(answer.audio_base_64))
    assert_spoken(samples)
    times = answer.alignment
    assert "".join(times.characters) == TEXT
    spans = zip(times.character_start_times_seconds, times.character_end_times_seconds, strict=True)
    edges = [edge for span in spans for edge in span]
    assert all(first <= second + 0.002 for first, second in pairwise(edges))
    assert 0 < edges[-1] <= samples.size / 24_000
    assert "".join(answer.normalized_alignment.characters) == TEXT


def test_voices_come_in_pages(client_of):
    with elevenlabs_server(n_more_voices=150) as server:
        search = client_of(server).voices.search
        first = search(page_size=100)
        assert (len(first.voices), first.has_more, first.total_count) == (101, True, 156)
        second = search(page_size=100, next_page_token=first.next_page_token)
        assert (len(second.voices), second.has_more, second.next_page_token) == (56, False, None)
        names = {voice.voice_id: voice.name for voice in (*first.voices, *second.voices)}
        assert len(names) == 156
        assert names[GEORGE].startswith("George - ")
        assert names[ANNAS[0]] == "Anna"


def test_models_tell_languages_limits_and_rates(client_of, server):
    models = {one.model_id: one for one in client_of(server).models.list()}
    flash = models["eleven_flash_v2_5"]
    assert flash.maximum_text_length_per_request == 40_000
    assert flash.model_rates.character_cost_multiplier == 0.5
    assert "hu" in [one.language_id for one in flash.languages]
    assert not models["eleven_english_sts_v2"].can_do_text_to_speech


@each_row_apart
def test_errors_have_the_vendors_form(client_of, key, voice, more, status, code):
    with elevenlabs_server(refused_formats=("pcm_44100",)) as server:
        speak = client_of(server, key).text_to_speech.convert
        with pytest.raises(api_error.ApiError) as raised:
            b"".join(speak(voice, **FLASH | more, request_options=ONCE))
        assert raised.value.status_code == status
        assert raised.value.body["detail"]["code"] == code
        assert server.billed_characters == 0


def test_a_field_that_does_not_validate(client_of, server):
    speak = client_of(server).text_to_speech.convert_with_timestamps
    with pytest.raises(errors.UnprocessableEntityError) as raised:
        speak(GEORGE, **FLASH, seed=1 << 32, request_options=ONCE)
    (problem,) = raised.value.body["detail"]
    assert problem["loc"] == ["body", "seed"]


@each_row_apart
def test_what_the_account_may_not_have_now(client_of, options, status, code):
    with elevenlabs_server(**options) as server:
        speak = client_of(server).text_to_speech.convert
        with pytest.raises(api_error.ApiError) as raised:
            b"".join(speak(GEORGE, **FLASH, request_options=ONCE))
        assert (raised.value.status_code, raised.value.body["detail"]["status"]) == (status, code)
