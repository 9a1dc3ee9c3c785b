"""Requests for espeak-ng, and helpers to render them and to compare the results."""

import hashlib

from audiomill.renderers.engine.protocol import Batch, Request
from audiomill.renderers.engine.registry import open_renderer
from audiomill.renderers.engine.text_process import Part
from audiomill.renderers.espeak.libespeak import Library
from audiomill.renderers.espeak.renderer import _rendered, _wheel_paths

ESPEAK = open_renderer("espeak")
FOX = "The quick brown fox jumps over the lazy dog, and then it slept."


def request(text, voice="en-us", speed=1.0, key=None):
    key = key or hashlib.sha256(f"{text}{voice}{speed}".encode("utf-8", "replace")).hexdigest()
    return Request(key, text, voice, speed)


def say(text, voice="en-us", speed=1.0, key=None, engine=ESPEAK):
    (rendered,) = engine.render(Batch((request(text, voice, speed, key),)))
    return rendered


def open_library():
    """A library in this process, as children of the engine open one."""
    return Library(*_wheel_paths())


def render_here(requests, library):
    """As the engine renders them, but in this process."""
    for request in requests:
        setting, text = ESPEAK._task(request, ESPEAK.normalized_text(request.spoken))
        utterance = library.speak(setting, text)
        yield _rendered(text, [Part(0, len(text), utterance)])


def digest(rendered):
    return hashlib.sha256(rendered.samples.tobytes()).hexdigest()


def timed_words(rendered, text):
    return [text[one.start : one.end] for one in rendered.timings]


REQUESTS = [
    request(FOX),
    request(FOX, "en-us+f3"),
    request(FOX, "en-us+whisper"),  # noise
    request(FOX, "en-gb+klatt4"),  # another synthesiser, with its own noise
    request(FOX, "en-gb", 2.0),
    request(FOX, "en-us", 3.5),  # the library speeds it up in a second stage
    request("Zwölf Boxkämpfer jagen Viktor über den Sylter Deich.", "de", 0.8),
    request("Съешь же ещё этих мягких французских булок. Hello!", "ru"),
    request("今天天气很好。", "cmn"),
    request("A"),
    request("…"),
    request("Wait; stop! Who? Me — 1,234 times."),
]
