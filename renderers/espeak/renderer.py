"""The espeak-ng engine: small, quick, some 140 languages, from a wheel. Knows no store.

What a request sounds like depends on that request only, to the last bit: see `espeak_library.py`.
"""

from __future__ import annotations

import hashlib
import re
import zlib
from collections.abc import Sequence
from functools import cached_property
from importlib import import_module
from math import ceil, floor
from pathlib import Path
from queue import Empty, SimpleQueue

import numpy as np

from audiomill.renderers.base import (
    Batch,
    EngineFailed,
    EngineLimits,
    EngineMissing,
    Rendered,
    Request,
    Voice,
)
from audiomill.renderers.espeak.library import Library, ListedVoice
from audiomill.renderers.espeak.voices import EspeakVoices
from audiomill.renderers.espeak.word_timing import word_timings

SOUND = 2  # raised by hand when the samples change though library and data do not
SAMPLE_RATE = 22_050
NORMAL_RATE = 175  # words per minute, the library's own default
RATES = (80, 900)  # slower is not slower any more; faster is no speech
# The slowest and the fastest of those, rounded inwards, for people to read.
SPEEDS = (ceil(100 * RATES[0] / NORMAL_RATE) / 100, floor(10 * RATES[1] / NORMAL_RATE) / 10)
UNSPOKEN_S = 0.050  # of silence for text in which a voice finds nothing to say
FULL_SCALE = np.float32(1 << 15)

# Control characters could begin the library's embedded commands (U+0001) or end the text (U+0000);
# lone surrogates cannot be encoded. A space in their place keeps every position.
UNSAID = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufeff\ud800-\udfff]")


class EspeakRenderer:
    """libespeak-ng through the wheel espeakng-loader. Renders on any number of threads."""

    name = "espeak"
    sample_rate = SAMPLE_RATE
    limits = EngineLimits(
        max_length=500, max_rows=8, chars_per_s=18.0, exact_bits=16, speeds=SPEEDS
    )

    def __init__(self) -> None:
        """Raises EngineMissing."""
        self._library_file, self._data = _wheel_paths()
        self._idle: SimpleQueue[Library] = SimpleQueue()
        library = Library(self._library_file, self._data)
        self._version = library.version
        self._table = EspeakVoices(
            [voice for voice in library.voices() if _has_dictionary(voice, self._data)],
            [path.name for path in sorted((self._data / "voices" / "!v").iterdir())],
        )
        self._idle.put(library)

    def voices(self) -> Sequence[Voice]:
        """One a language or dialect; each also has variants, as in "en-us+f3"."""
        return self._table.voices

    def default_voice(self, language: str) -> str:
        """The voice that speaks `language` best; American for plain "en". Raises UnknownVoice."""
        return self._table.for_language(language)

    def known_voice(self, name: str) -> str:
        """The name as it is. Raises UnknownVoice."""
        self._table.choose(name)
        return name

    def warnings(self, voices: Sequence[str]) -> Sequence[str]:  # noqa: ARG002
        """None."""
        return ()

    def prefetch(self, requests: Sequence[Request]) -> None:
        """Nothing can be done ahead."""

    def fingerprint(self, voice: str) -> str:
        """Version, library and data. Raises UnknownVoice."""
        self._table.choose(voice)
        return f"espeak-ng {self._version} {self._files_hash} sound {SOUND}"

    def render(self, batch: Batch) -> list[Rendered]:
        """One after the other; rows are not padded. Raises UnknownVoice, EngineFailed.

        Text in which a voice finds nothing to say is a moment of silence without timings.
        """
        try:
            library = self._idle.get_nowait()
        except Empty:
            library = Library(self._library_file, self._data)
        try:
            return [self._rendered(library, request) for request in batch.requests]
        finally:
            self._idle.put(library)

    def _rendered(self, library: Library, request: Request) -> Rendered:
        voice = self._table.choose(request.voice)
        text = UNSAID.sub(" ", request.spoken)
        said = library.speak(
            text,
            voice.identifier,
            voice.variant,
            words_per_minute=_words_per_minute(request.speed),
            seed=zlib.crc32(request.key.encode()),
        )
        samples = np.frombuffer(said.pcm, np.int16).astype(np.float32) / FULL_SCALE
        if not samples.any():  # a script that the voice does not know, or only marks
            return Rendered(np.zeros(round(UNSPOKEN_S * SAMPLE_RATE), np.float32))
        return Rendered(samples, word_timings(text, said.events, samples, SAMPLE_RATE))

    @cached_property
    def _files_hash(self) -> str:
        """A hash over the library and every file of its data: 20 MB, some 30 ms, once."""
        digest = hashlib.sha256(self._library_file.read_bytes())
        for path in sorted(path for path in self._data.rglob("*") if path.is_file()):
            digest.update(f"\0{path.relative_to(self._data)}\0".encode())
            digest.update(hashlib.sha256(path.read_bytes()).digest())
        return digest.hexdigest()[:16]


def _words_per_minute(speed: float) -> int:
    slowest, fastest = SPEEDS
    if not slowest <= speed <= fastest:
        raise EngineFailed(
            f"espeak cannot speak at speed {speed}. Choose one from {slowest} to {fastest}."
        )
    return round(NORMAL_RATE * speed)


def _wheel_paths() -> tuple[Path, Path]:
    """The library and its data folder. Raises EngineMissing."""
    try:
        wheel = import_module("espeakng_loader")
        paths = Path(wheel.get_library_path()), Path(wheel.get_data_path())
    except (ImportError, RuntimeError, OSError) as error:
        raise EngineMissing(
            f"The espeak-ng voice is not installed ({error}). Install it:"
            " pip install --force-reinstall espeakng-loader"
        ) from error
    return paths


def _has_dictionary(voice: ListedVoice, data: Path) -> bool:
    """Whether the words of the voice's language came with it; a few are listed without."""
    words = (data / "lang" / voice.identifier).read_text("utf-8", errors="replace").split()
    language = voice.languages[0][1].split("-")[0]
    named = words[words.index("dictionary") + 1] if "dictionary" in words else language
    return (data / f"{named}_dict").is_file()
