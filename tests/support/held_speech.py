"""A server of speech on loopback, whose engine speaks when it is asked to: as fixtures."""

import json
import socket
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import replace

import httpx
import pytest

from audiomill.flows.execution.run_context import RunContext
from audiomill.flows.settings import Settings
from audiomill.flows.speech.server import SpeechLimits, speech_app
from audiomill.flows.speech.speaking import TextSpeaker
from audiomill.flows.web_server.connections import ConnectionLimits
from audiomill.flows.web_server.listening import serving
from audiomill.renderers.engine.declaration import Engine
from audiomill.renderers.engine.errors import EngineFailed
from audiomill.renderers.engine.registry import ENGINES
from audiomill.renderers.host.waiting import UNATTENDED
from audiomill.renderers.tone.renderer import ToneRenderer
from support import patient_http
from support.process_data import TIMEOUT_S


class HeldTones(ToneRenderer):
    """Tones. A text with "held" waits for `go`, one with "broken" fails."""

    def __init__(self):
        super().__init__()
        self.limits = replace(ToneRenderer().limits, max_rows=64)
        self.go, self.begun, self.batches = threading.Event(), threading.Event(), []

    def render(self, batch, waiter=UNATTENDED):
        texts = [request.spoken for request in batch.requests]
        self.batches.append(texts)
        self.begun.set()
        if any("held" in text for text in texts):
            assert self.go.wait(TIMEOUT_S)
        if any("broken" in text for text in texts):
            raise EngineFailed("This cannot be said.")
        if any("fault" in text for text in texts):
            raise ZeroDivisionError("a fault of the engine")
        return super().render(batch, waiter)

    @property
    def rendered(self):
        return [text for batch in self.batches for text in batch]


HELD = HeldTones()


@pytest.fixture
def renderer(monkeypatch):
    """The engine of this process, which opens it once, as new."""
    monkeypatch.setitem(ENGINES, "held", Engine("held", lambda _options: HELD))
    HELD.go.clear()
    HELD.begun.clear()
    HELD.batches.clear()
    yield HELD
    HELD.go.set()


@pytest.fixture
def dropped(renderer):
    """A function that hears a sound, drops it as the engine begins, and returns how it ended."""

    def dropped(sound):
        with ThreadPoolExecutor(1) as listener:
            hearing = listener.submit(lambda: list(sound.samples()))
            assert renderer.begun.wait(TIMEOUT_S)
            sound.drop()
            return hearing.exception(TIMEOUT_S)

    return dropped


@pytest.fixture
def settings(tmp_path):
    return Settings(engine="held", store=str(tmp_path / "store"), library=tmp_path / "library")


@pytest.fixture
def asking():
    """A function that asks for a text and returns the connection, from which nothing is read."""
    with ExitStack() as stack:

        def asking(url, text, form="pcm"):
            body = json.dumps({"input": text, "response_format": form}).encode()
            head = (
                b"POST /v1/audio/speech HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n"
            )
            place = httpx.URL(url)
            connection = stack.enter_context(socket.create_connection((place.host, place.port)))
            connection.sendall(head % len(body) + body)
            return connection

        yield asking


@pytest.fixture
def served(renderer, settings):
    """Makes a function that serves speech until the test ends, and returns the address."""
    with ExitStack() as stack:

        def serve(key="", **limits):
            made = SpeechLimits(**limits)
            speaker = stack.enter_context(TextSpeaker(settings, RunContext(), made.n_at_once))
            app = speech_app(speaker, key, made)
            port = stack.enter_context(serving(app, "127.0.0.1", 0, ConnectionLimits()))
            stack.callback(renderer.go.set)
            return f"http://127.0.0.1:{port}"

        yield serve


@pytest.fixture
def url(served):
    """The address of a server without a key."""
    return served()


def waiting_rows(url):
    """How many segments wait for their batch at a server, of all engines."""
    lines = patient_http.get(f"{url}/metrics").text.splitlines()
    return sum(
        float(one.split()[-1]) for one in lines if one.startswith("audiomill_speech_rows_waiting{")
    )
