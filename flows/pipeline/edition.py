"""Editions of a book: the same text, read by another voice or at another speed.

Each edition has a folder of its own in the library, so none replaces another.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from audiomill.flows.job import Job
from audiomill.inputs.book import Book
from audiomill.outputs.text import safe_name
from audiomill.renderers.base import Renderer, UnknownVoice

MAX_VOICE_CHARS = 40  # in the name of a folder; a mix of voices may be longer


@dataclass(frozen=True, slots=True)
class Edition:
    """What a listener hears as another reading. Field names are part of the library's records."""

    engine: str
    voice: str  # that reads the book's own language
    speed: float
    is_cast: bool = False  # other voices read dialogue, headings, …

    @property
    def ending(self) -> str:
        """What the folder's name ends in if another edition has the plain name."""
        speed = "" if self.speed == 1 else f", speed {self.speed:g}"
        cast = ", cast" if self.is_cast else ""
        return f" {safe_name(f'({_short(self.voice)}{cast}{speed})')}"


def edition_of(job: Job, book: Book, renderer: Renderer) -> Edition:
    """The edition that `job` asks for. Raises UnknownVoice."""
    voice = None if job.voice is None else renderer.known_voice(job.voice)
    narrator = voice_for(renderer, voice, book.language)
    return Edition(job.engine, narrator, job.speed, job.cast.has_voices)


def voice_for(renderer: Renderer, voice: str | None, language: str) -> str:
    """`voice` if one is chosen, else the engine's default for `language` (BCP 47).

    The default English voice reads languages that the engine does not know.
    """
    if voice is not None:
        return voice
    try:
        return renderer.default_voice(language)
    except UnknownVoice:
        return renderer.default_voice("en")


def _short(voice: str) -> str:
    """The voice's name. A long one is cut, and a hash tells it from others."""
    if len(voice) <= MAX_VOICE_CHARS:
        return voice
    digest = hashlib.sha256(voice.encode()).hexdigest()
    return f"{voice[:MAX_VOICE_CHARS]} {digest[:8]}"
