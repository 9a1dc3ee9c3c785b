"""The server of OpenAI's protocol for speech, asked by OpenAI's own client and by strangers."""

import base64
import io
import json
import socket
import subprocess
import wave
from http.client import HTTPResponse

import httpx
import numpy as np
import openai
import pytest

from audiomill.flows.speech import server
from audiomill.outputs.ffmpeg.find_ffmpeg import find_ffmpeg
from audiomill.renderers.tone.renderer import ToneRenderer
from support import patient_http
from support.case_files import each_row
from support.process_data import TIMEOUT_S, wait_until

TEXT = "Hi Mediclinic. Your project is on track. We call you at ten."
FORMATS = ("mp3", "opus", "aac", "flac", "wav", "pcm")
KEY = "a-key-that-nobody-guesses"


def client(url, key="none"):
    return openai.OpenAI(base_url=f"{url}/v1", api_key=key, max_retries=0, timeout=TIMEOUT_S)


def spoken(url, text=TEXT, **options):
    options = {"model": "held", "voice": "sine", "response_format": "pcm"} | options
    with client(url) as asked:
        return asked.audio.speech.create(input=text, **options).content


def pcm_of(content, form):
    """The samples of a file in a format, at 24 kHz, by ffmpeg."""
    given = ("-f", "s16le", "-ar", "24000") if form == "pcm" else ()
    command = [find_ffmpeg(), "-v", "error", *given, "-i", "-", "-f", "s16le", "-ar", "24000", "-"]
    done = subprocess.run(command, input=content, capture_output=True, check=True)
    assert not done.stderr
    return np.frombuffer(done.stdout, "<i2") / 32768


@pytest.mark.parametrize("form", FORMATS)
def test_each_format_has_the_whole_text(url, form):
    exact = np.frombuffer(spoken(url), "<i2") / 32768
    found = pcm_of(spoken(url, response_format=form), form)
    if form in ("flac", "wav", "pcm"):
        assert np.array_equal(found, exact)
    else:
        assert exact.size <= found.size <= exact.size + 4800  # an encoder's delay and last frame
        assert abs(np.sqrt(np.mean(found**2)) / np.sqrt(np.mean(exact**2)) - 1) < 0.05


def test_the_header_of_a_wav_that_is_streamed_can_be_read(url):
    content = spoken(url, response_format="wav")
    with wave.open(io.BytesIO(content)) as file:
        assert (file.getnchannels(), file.getsampwidth(), file.getframerate()) == (1, 2, 24_000)
    assert content[44:] == spoken(url)


@pytest.mark.parametrize("form", FORMATS)
def test_the_first_sentence_comes_before_the_second_is_rendered(url, renderer, form):
    text = "The first one takes three seconds of sound or more. This is held."
    options = {"model": "held", "voice": "sine", "response_format": form}
    with (
        client(url) as asked,
        asked.audio.speech.with_streaming_response.create(input=text, **options) as answer,
    ):
        chunks, first = answer.iter_bytes(), b""
        while len(first) <= 44:  # no more than a header, or than a frame of silence
            first += next(chunks)
        if form == "pcm":
            assert np.frombuffer(first[: len(first) // 2 * 2], "<i2").any()
        assert not renderer.go.is_set()
        renderer.go.set()
        rest = b"".join(chunks)
    assert first + rest == spoken(url, text, response_format=form)


@pytest.mark.parametrize("form", ["pcm", "mp3"])
def test_the_first_words_are_heard_while_the_rest_is_rendered(url, renderer, form):
    body = {"input": "Hi Mediclinic. Your EHR project is held.", "response_format": form}
    with patient_http.stream("POST", f"{url}/v1/audio/speech", json=body) as answer:
        chunks, first = answer.iter_raw(), b""
        while heard_s(first, form) < 0.5:
            first += next(chunks)
        assert not renderer.go.is_set()
        renderer.go.set()
        whole = first + b"".join(chunks)
    assert heard_s(whole, form) > heard_s(first, form) + 1.0


def heard_s(content, form):
    """The seconds of sound in the beginning of a file, as far as it can be decoded."""
    given = ("-f", "s16le", "-ar", "24000") if form == "pcm" else ("-f", form)
    command = [find_ffmpeg(), "-v", "quiet", *given, "-i", "-", "-f", "s16le", "-ar", "24000", "-"]
    done = subprocess.run(command, input=content, capture_output=True, check=False)
    samples = np.frombuffer(done.stdout, "<i2")
    loud = np.flatnonzero(abs(samples) > 300)
    return (loud[-1] - loud[0]) / 24_000 if loud.size else 0.0


@pytest.mark.parametrize("form", ["pcm", "mp3"])
def test_events_have_the_audio_and_an_end(url, form):
    body = {"input": TEXT, "response_format": form, "stream_format": "sse"}
    lines = patient_http.post(f"{url}/v1/audio/speech", json=body).text.split("\n\n")
    events = [json.loads(line.removeprefix("data: ")) for line in lines if line]
    audio = b"".join(base64.b64decode(one["audio"]) for one in events[:-1])
    assert {one["type"] for one in events[:-1]} == {"speech.audio.delta"}
    assert events[-1]["type"] == "speech.audio.done"
    assert events[-1]["usage"]["input_tokens"] == len(TEXT)
    assert audio == spoken(url, response_format=form)


def test_a_text_said_twice_comes_from_the_store(url, renderer):
    first = spoken(url)
    n_rendered = len(renderer.rendered)
    assert spoken(url) == first
    assert len(renderer.rendered) == n_rendered == 3


def test_a_client_that_leaves_costs_nothing_more(url, renderer, asking):
    with asking(url, "This is held. Never said. Nor this."):
        assert renderer.begun.wait(TIMEOUT_S)
    wait_until(lambda: patient_http.get(f"{url}/health").json()["texts"] == 0)
    renderer.go.set()
    spoken(url, "The next one.")
    assert renderer.rendered == ["This is held.", "The next one."]


def test_a_failure_before_any_audio_has_its_status(url):
    with pytest.raises(openai.InternalServerError, match="cannot be said"):
        spoken(url, "This is broken.")


def test_a_failure_in_the_middle_ends_the_stream_unfinished(url, caplog, capfd):
    with pytest.raises(openai.APIConnectionError):
        spoken(url, "A good one. This is broken.")
    logged = caplog.text + "".join(capfd.readouterr())
    assert "good one" not in logged
    assert "Traceback" not in logged
    assert "ASGI" not in logged


def test_a_failure_in_the_middle_is_the_last_event(url):
    body = {"input": "A good one. This is broken.", "stream_format": "sse"}
    answer = patient_http.post(f"{url}/v1/audio/speech", json=body)
    assert '"type":"error"' in answer.text.split("\n\n")[-2]


def test_models_and_voices_are_listed(url):
    with client(url) as asked:
        assert next(one.id for one in asked.models.list()) == "held"
    voices = patient_http.get(f"{url}/v1/audio/voices").json()["voices"]
    assert [one["id"] for one in voices] == [one.name for one in ToneRenderer().voices()]
    assert patient_http.get(f"{url}/v1/audio/voices?model=nobody").status_code == 404


def test_programs_that_know_openais_names_only_get_the_default(url):
    assert spoken(url, model="tts-1", voice="alloy") == spoken(url, voice="sine", model="held")


def test_speed_is_that_of_the_engine(url):
    slow, fast = (len(spoken(url, speed=speed)) for speed in (0.5, 2.0))
    assert slow > 2 * fast


@each_row
def test_what_is_wrong_is_told(url, status, message, body):
    answer = patient_http.post(f"{url}/v1/audio/speech", content=body.encode())
    error = answer.json()["error"]
    assert (answer.status_code, error["type"]) == (status, "invalid_request_error")
    assert message in error["message"]


@pytest.mark.parametrize("n_bytes", [2 << 20, 16 << 20])
def test_who_sends_a_body_that_is_too_large_to_its_end_is_told(url, n_bytes):
    """Whoever closes a connection on which bytes come resets it, and what was answered is lost."""
    place = httpx.URL(url)
    head = b"POST /v1/audio/speech HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
    with socket.create_connection((place.host, place.port), TIMEOUT_S) as connection:
        connection.sendall(head + b"Content-Length: %d\r\n\r\n" % n_bytes)
        for _ in range(n_bytes >> 16):
            connection.sendall(bytes(1 << 16))
        answer = HTTPResponse(connection)
        answer.begin()
        assert answer.status == 413
        assert "in parts" in json.loads(answer.read())["error"]["message"]


def test_a_body_that_says_that_it_is_too_large_is_not_asked_for(url):
    place = httpx.URL(url)
    head = b"POST /v1/audio/speech HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\n"
    with socket.create_connection((place.host, place.port), TIMEOUT_S) as connection:
        connection.sendall(head + b"Content-Length: 2000000\r\n\r\n")
        answer = HTTPResponse(connection)
        answer.begin()
        assert answer.status == 413


@pytest.mark.parametrize("given", ["", "Bearer", "Bearer wrong", f"Basic {KEY}", f"Bearer {KEY}x"])
def test_without_its_key_nothing_is_answered_but_health(served, given):
    url = served(KEY)
    headers = {"Authorization": given} if given else {}
    for path in ("/v1/models", "/v1/audio/voices", "/anything"):
        assert patient_http.get(url + path, headers=headers).status_code == 401
    assert patient_http.get(f"{url}/health").status_code == 200
    with client(url, KEY) as asked:
        assert [one.id for one in asked.models.list()]


def test_too_many_texts_are_sent_away_for_a_while(served, renderer):
    url = served(n_at_once=1)
    with patient_http.stream(
        "POST", f"{url}/v1/audio/speech", json={"input": "One. Is held."}
    ) as first:
        chunks = first.iter_raw()
        next(chunks)
        with pytest.raises(openai.RateLimitError) as refused:
            spoken(url)
        assert int(refused.value.response.headers["Retry-After"]) > 0
        renderer.go.set()
        assert b"".join(chunks)
    wait_until(lambda: patient_http.get(f"{url}/health").json()["texts"] == 0)
    assert spoken(url)


def test_a_client_that_reads_nothing_keeps_no_other_waiting(url, renderer, asking):
    renderer.go.set()
    assert asking(url, "A long text of it. " * 2000, "wav").recv(16)
    assert spoken(url, "Another one.")


@pytest.mark.prove
def test_a_player_that_is_paused_keeps_its_stream(url, monkeypatch):
    """A program that takes nothing for so long loses its stream."""
    monkeypatch.setattr(server, "SEND_S", 0.2)
    body = {"input": "Nobody heard the mill. " * 600, "response_format": "wav", "voice": "sine"}
    address = patient_http.post(f"{url}/play", json=body).json()["url"]
    with httpx.Client(base_url=url, timeout=TIMEOUT_S) as asked:
        whole = asked.post("/v1/audio/speech", json=body).content
        with (
            asked.stream("GET", f"/{address}") as page,
            asked.stream("POST", "/v1/audio/speech", json=body) as program,
        ):
            wait_until(lambda: patient_http.get(f"{url}/health").json()["texts"] == 1)
            assert page.read() == whole
            with pytest.raises(httpx.RemoteProtocolError):
                program.read()
