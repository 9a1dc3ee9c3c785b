"""Fish Audio's own client library takes the stand-in for its service."""

import fishaudio
import numpy as np
import pytest

from audiomill.renderers.speech.wav import read_wav
from support.case_files import each_row_apart
from support.fish_server import ANNA, KEY, PUBLIC, UNREADY, fish_server, heard_reference
from support.speech_audio import voice_heard
from support.speech_server import spoken_samples

TEXT = "The mill stands by the sea."


def as_wav():
    return fishaudio.types.TTSConfig(format="wav", sample_rate=44_100)


def convert(server, key=KEY, voice=ANNA, **more):
    with fishaudio.FishAudio(api_key=key, base_url=server.url) as client:
        return client.tts.convert(text=TEXT, reference_id=voice, config=as_wav(), **more)


def test_a_file_comes_as_it_is_spoken():
    with fish_server("cloud") as server:
        samples, rate = read_wav(convert(server, model="s1", speed=1.5))
        assert rate == 44_100
        assert np.abs(samples - spoken_samples(TEXT, ANNA, 1.5, rate)).max() < 2 / 32768
        (request,) = server.requests
        assert request.headers["content-type"] == "application/msgpack"
        assert (request.headers["model"], request.body["prosody"]["speed"]) == ("s1", 1.5)
        assert server.billed_bytes == len(TEXT)


def test_fish_speech_takes_a_recording_in_msgpack():
    recording = b"RIFF" + bytes(40)
    with (
        fish_server("local") as server,
        fishaudio.FishAudio(api_key="any", base_url=server.url) as client,
    ):
        reference = fishaudio.types.ReferenceAudio(audio=recording, text="Hello.")
        content = client.tts.convert(text=TEXT, references=[reference], config=as_wav())
        samples, rate = read_wav(content)
        known = ("anna", heard_reference(recording))
        assert voice_heard(samples, TEXT, known, rate) == known[1]


def test_voices_are_listed_and_described():
    with (
        fish_server("cloud", n_own=12) as server,
        fishaudio.FishAudio(api_key=KEY, base_url=server.url) as client,
    ):
        first = client.voices.list(self_only=True)
        assert (first.total, len(first.items)) == (13, 10)
        rest = client.voices.list(self_only=True, page_number=2)
        assert {one.id: one.state for one in rest.items}[UNREADY] == "training"
        assert client.voices.get(PUBLIC).title == "Public"
        with pytest.raises(fishaudio.exceptions.NotFoundError, match="Model not found"):
            client.voices.get("e" * 32)


@each_row_apart
def test_refusals_are_the_errors_that_the_library_knows(behaviour, call, error, words):
    with fish_server("cloud", **behaviour) as server:
        with pytest.raises(getattr(fishaudio.exceptions, error), match=words):
            convert(server, **call)
        assert (server.spoken, server.billed_bytes) == ([], 0)
