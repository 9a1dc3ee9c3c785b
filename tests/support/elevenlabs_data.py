"""Renderers for stand-ins for ElevenLabs, as fixtures, and what the tests of them speak."""

import pytest

from audiomill.renderers.elevenlabs.options import ElevenLabsOptions
from audiomill.renderers.elevenlabs.renderer import ElevenLabsRenderer
from audiomill.renderers.engine.planning import make_request
from audiomill.renderers.engine.protocol import Batch
from support import server_rendering
from support.elevenlabs_replies import GEORGE
from support.elevenlabs_server import KEY
from support.hasty_waiter import HastyWaiter
from support.server_rendering import closed_at_the_end

TEXT = "The mill stands by the sea, and turns."


@pytest.fixture
def renderer_of(monkeypatch):
    """Makes renderers for stand-ins, and closes them at the end."""
    monkeypatch.setenv("ELEVENLABS_API_KEY", KEY)

    def make(server, n_retakes=0, **options):
        return ElevenLabsRenderer(ElevenLabsOptions(url=server.url, **options), n_retakes)

    with closed_at_the_end(make) as renderer_of:
        yield renderer_of


def request_of(renderer, text=TEXT, voice="George", speed=1.0, pronunciations=()):
    return make_request(text, renderer.known_voice(voice), renderer, speed, pronunciations)


def speak(renderer, text=TEXT, outage_s=30.0, **request):
    """What a renderer makes of a text, with a waiter who waits little."""
    batch = Batch((request_of(renderer, text, **request),))
    (rendered,) = renderer.render(batch, HastyWaiter(outage_s))
    return rendered


def assert_spoken(samples, text=TEXT, voice=GEORGE, speed=1.0, sample_rate=24_000):
    server_rendering.assert_spoken(samples, text, voice, speed, sample_rate)
