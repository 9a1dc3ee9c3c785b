"""Engines that ask servers, on stand-ins for them, and what is heard of it."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from audiomill.renderers.engine.planning import make_request
from audiomill.renderers.engine.protocol import Batch
from audiomill.renderers.openai.options import ServerOptions
from audiomill.renderers.openai.renderer import ServerRenderer
from support.hasty_waiter import HastyWaiter
from support.speech_server import spoken_samples

TEXT = "The mill stands by the sea."


@contextmanager
def closed_at_the_end(make: Callable[..., Any]) -> Iterator[Callable[..., Any]]:
    """`make`, and what it has made is closed with the block."""
    with ExitStack() as opened:
        yield lambda *given, **options: opened.enter_context(closing(make(*given, **options)))


@contextmanager
def renderers(voices: Path | None = None) -> Iterator:
    """Makes renderers of `openai` for stand-ins. `voices`: those to clone."""

    def make(server, **options):
        made = ServerOptions(profile=server.kind, url=server.url, **options)
        return ServerRenderer(made, voices)

    with closed_at_the_end(make) as renderer_of:
        yield renderer_of


def requests_for(renderer, texts, voice=None, speed=1.0):
    voice = voice or renderer.default_voice("en")
    return tuple(make_request(text, voice, renderer, speed) for text in texts)


def speak(renderer, text=TEXT, voice=None, speed=1.0, waiter=None, outage_s=300.0):
    waiter = waiter or HastyWaiter(outage_s)
    (rendered,) = speak_all(renderer, [text], voice, speed, waiter)
    return rendered


def speak_all(renderer, texts, voice=None, speed=1.0, waiter=None):
    """One batch of these texts."""
    batch = Batch(requests_for(renderer, texts, voice, speed))
    return renderer.render(batch, waiter or HastyWaiter())


def assert_spoken(samples, text=TEXT, voice="alloy", speed=1.0, sample_rate=24_000):
    assert np.abs(samples - spoken_samples(text, voice, speed, sample_rate)).max() < 2 / 32768
