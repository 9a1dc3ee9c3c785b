"""What a hostile server answers costs no more than what was asked for, and is one clear line."""

import base64
import io
import json
from contextlib import closing
from urllib.parse import quote

import numpy as np
import pytest
import soundfile

from audiomill.renderers.engine.errors import EngineFailed, RenderError
from audiomill.renderers.servers.audio import samples_in
from audiomill.renderers.servers.calls import Call, Server
from audiomill.renderers.servers.client import ServerClient
from audiomill.renderers.servers.replies import Reply, longest_s, max_speech_bytes, reason_in
from audiomill.renderers.servers.spending import Spending
from support.case_files import each_row_apart
from support.hasty_waiter import HastyWaiter
from support.loopback import Handler, listening
from support.loopback import Server as LoopbackServer

KEY = "sk-test-0123456789abcdef"
PIECE = bytes(1 << 20)
RATE = 24_000


def compressed(n_frames, form, n_channels=1, rate=RATE):
    file = io.BytesIO()
    soundfile.write(file, np.zeros((n_frames, n_channels), np.int16), rate, format=form)
    return file.getvalue()


HOURS = compressed(3600 * 1000, "FLAC", rate=1000)  # some kilobytes


class _Hostile(Handler):
    """Answers each path with a lie. Nothing that it sends ends by itself."""

    protocol_version = "HTTP/1.0"

    def do_POST(self):
        self.body()
        kind, _, form = self.path.strip("/").partition("/")
        status = int(kind) if kind.isdecimal() else 200
        self.send_response(status)
        if kind == "gzip":
            self.send_header("Content-Encoding", "gzip")
        self.end_headers()
        for piece in self._pieces(kind, form):
            self.wfile.write(piece)

    def _pieces(self, kind, form):
        if kind == "hours":
            yield HOURS
        elif kind.isdecimal():
            yield self._echo(form)
            if form == "endless":
                yield from (PIECE for _ in range(4096))
        else:
            yield from (PIECE for _ in range(4096))

    def _echo(self, form):
        key = self.headers["Authorization"].removeprefix("Bearer ")
        coded = base64.b64encode(key.encode()).decode()
        escaped = "".join(f"\\u{ord(letter):04x}" for letter in key)
        forms = {"plain": key, "url": quote(key), "base64": f"Basic {coded}",
                 "json": f'{{"error": "{escaped}"}}', "late": "x" * 190 + key}  # fmt: skip
        return forms.get(form, "busy").encode()


@pytest.fixture(scope="module")
def url():
    with listening(LoopbackServer(_Hostile)) as server:
        yield server.url


def failure(url, call, monkeypatch, read=reason_in):
    monkeypatch.setenv("SPEECH_KEY", KEY)
    server = Server("Speech", url, "SPEECH_KEY")
    opened = closing(ServerClient(server, 2, Spending(0.0, None)))
    with opened as client, pytest.raises(RenderError) as error:
        client.send(call, read, HastyWaiter())
    assert "\n" not in str(error.value)
    return str(error.value)


@each_row_apart
def test_an_answer_without_an_end_is_stopped(url, monkeypatch, path, n_chars, max_bytes, words):
    call = Call("POST", path, {}, n_chars, max_bytes=max_bytes)
    assert words in failure(url, call, monkeypatch)


def test_a_line_without_an_end_is_stopped(url, monkeypatch):
    call = Call("POST", "/endless", {}, 10, max_bytes=4 << 20, is_enough=lambda _: False)
    assert "more than 4 MiB" in failure(url, call, monkeypatch)


def test_an_hour_of_audio_in_a_small_answer_is_not_taken(url, monkeypatch):
    message = failure(url, Call("POST", "/hours", {}, 10), monkeypatch, _samples)
    assert "more than 155 s of audio, more than the text" in message


def _samples(reply):
    return samples_in(reply, "Speech", 1000, is_pcm=False, table="x")


@pytest.mark.parametrize("form", ["plain", "url", "base64", "json", "late"])
@pytest.mark.parametrize("status", [400, 401, 404])
def test_a_key_that_is_sent_back_is_in_no_message(url, form, status, monkeypatch):
    message = failure(url, Call("POST", f"/{status}/{form}", {}, 10), monkeypatch)
    coded = base64.b64encode(KEY.encode()).decode()
    assert KEY[:10] not in message and coded[:16] not in message


def test_a_password_in_the_url_is_in_no_message(monkeypatch):
    message = failure("http://reader:pass-word@127.0.0.1:1", Call("POST", "/", {}), monkeypatch)
    assert "127.0.0.1:1" in message and "pass-word" not in message


@pytest.mark.parametrize("form", ["WAV", "RAW", "FLAC", "MP3"])
def test_audio_that_lasts_too_long_is_not_taken(form):
    """FLAC of silence unpacks to some hundred times its size."""
    audio = bytes(2 * 3 * RATE) if form == "RAW" else compressed(3 * RATE, form)
    for longest, is_too_long in ((2.5, True), (3.5, False)):
        reply = Reply(200, {}, audio, longest_s=longest)
        if not is_too_long:
            samples = samples_in(reply, "Speech", RATE, is_pcm=True, table="x")
            assert abs(samples.size - 3 * RATE) < RATE / 10
            continue
        with pytest.raises(EngineFailed, match="more than 2 s of audio, more than the text"):
            samples_in(reply, "Speech", RATE, is_pcm=True, table="x")


def test_audio_of_many_channels_is_not_taken():
    reply = Reply(200, {}, compressed(100, "FLAC", 8))
    with pytest.raises(EngineFailed, match="8 channels"):
        samples_in(reply, "Speech", RATE, is_pcm=False, table="x")


def test_events_of_too_much_audio():
    audio = base64.b64encode(bytes(2 * 3 * RATE)).decode()
    events = f"data: {json.dumps({'type': 'x', 'audio': audio})}\n\ndata: [DONE]\n\n".encode()
    reply = Reply(200, {"content-type": "text/event-stream"}, events, longest_s=1.0)
    with pytest.raises(EngineFailed, match="more than 1 s"):
        samples_in(reply, "Speech", RATE, is_pcm=True, table="x")


def test_slow_speech_is_within_the_budget():
    """A Chinese text of 400 characters at a quarter of the speed, as PCM of 48 kHz."""
    n_chars, s = 400, 400 / 4.5 / 0.25
    assert longest_s(n_chars) >= 0.9 * s
    assert max_speech_bytes(n_chars) > 300 * 2 * 2 * 48_000
