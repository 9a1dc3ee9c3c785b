"""Editions of a book: the same text, read by another voice or at another speed.

Each edition has a folder of its own in the library, so none replaces another.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from audiomill.flows.job import Job
from audiomill.flows.pipeline.reading.voices import book_narrator
from audiomill.inputs.book import Book
from audiomill.outputs.text import safe_name
from audiomill.renderers.base import Renderer

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
    narrator = book_narrator(job, book, renderer)
    return Edition(job.engine, narrator, job.speed, job.cast.has_voices)


def _short(voice: str) -> str:
    """The voice's name. A long one is cut, and a hash tells it from others."""
    if len(voice) <= MAX_VOICE_CHARS:
        return voice
    digest = hashlib.sha256(voice.encode()).hexdigest()
    return f"{voice[:MAX_VOICE_CHARS]} {digest[:8]}"
