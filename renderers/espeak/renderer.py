"""The espeak-ng engine: small and fast, some 140 languages, installed as a wheel.

The sound of a request depends only on that request, to the last bit: see `libespeak.py`. It is
spoken in a child process, which some texts kill: see `speech.py`.
"""

from __future__ import annotations

import hashlib
import os
import zlib
from collections.abc import Sequence
from contextlib import closing
from functools import cached_property
from importlib import import_module
from math import ceil, floor
from pathlib import Path

import numpy as np

from audiomill.renderers.engine.errors import EngineFailed, EngineMissing
from audiomill.renderers.engine.protocol import (
    Batch,
    EngineLimits,
    Rendered,
    Request,
    Samples,
    Voice,
    WordTiming,
)
from audiomill.renderers.engine.text_process import Part, left_out
from audiomill.renderers.engine.text_renderer import silence, speakable
from audiomill.renderers.espeak.libespeak import (
    EspeakUtterance,
    Library,
    ListedVoice,
    SpeechSetting,
)
from audiomill.renderers.espeak.long_words import break_long_words
from audiomill.renderers.espeak.pronounced import codes_of, with_codes
from audiomill.renderers.espeak.speech import SpeechPool, SpeechTask, ipa_of
from audiomill.renderers.espeak.voices import EspeakVoices
from audiomill.renderers.espeak.word_timing import word_timings
from audiomill.renderers.host.cores import usable_cores
from audiomill.renderers.host.installation import this_installation
from audiomill.renderers.host.waiting import UNATTENDED, Waiter

# Version of the samples; increment by hand when they change without the library or its data.
SOUND = 2
SAMPLE_RATE = 22_050
NORMAL_RATE = 175  # words per minute, the library's default
RATES = (80, 900)  # words per minute; the library goes no slower, and faster is not speech
# Slowest and fastest speed, rounded inwards to be readable.
SPEEDS = (ceil(100 * RATES[0] / NORMAL_RATE) / 100, floor(10 * RATES[1] / NORMAL_RATE) / 10)
# A core speaks at several hundred times real time: more processes would wait for those that encode.
N_PROCESSES = min(8, usable_cores())
FULL_SCALE = np.float32(1 << 15)


class EspeakRenderer:
    """Renders with libespeak-ng from the wheel espeakng-loader, on any number of threads."""

    name = "espeak"
    title = "eSpeak NG"
    sample_rate = SAMPLE_RATE
    limits = EngineLimits(
        max_length=500,
        max_rows=8,
        chars_per_s=18.0,
        exact_bits=16,
        speeds=SPEEDS,
        n_at_once=N_PROCESSES,
    )

    def __init__(self) -> None:
        """Raises EngineMissing."""
        self._library_file, self._data = _wheel_paths()
        library = Library(self._library_file, self._data)
        self._version = library.version
        self._voices = EspeakVoices(
            [voice for voice in library.voices() if _has_dictionary(voice, self._data)],
            [path.name for path in sorted((self._data / "voices" / "!v").iterdir())],
        )
        self._speech = SpeechPool(N_PROCESSES, self._library_file, self._data)

    def voices(self) -> Sequence[Voice]:
        """One voice per language or dialect; each also has variants, such as "en-us+f3"."""
        return self._voices.voices

    def default_voice(self, language: str) -> str:
        """The best voice for `language`; American for plain "en". Raises UnknownVoice."""
        return self._voices.for_language(language)

    def known_voice(self, name: str) -> str:
        """The name, unchanged. Raises UnknownVoice."""
        self._voices.choose(name)
        return name

    def display_name(self, voice: str) -> str:
        """The language, its region and the variant. Raises UnknownVoice."""
        return self._voices.display_name(voice)

    def in_language(self, voice: str, language: str) -> str:
        """The voice of the language, in the variant of `voice`. Raises UnknownVoice."""
        return self._voices.in_language(voice, language)

    def warnings(self, voices: Sequence[str]) -> Sequence[str]:  # noqa: ARG002
        """No warnings."""
        return ()

    def prefetch(self, requests: Sequence[Request]) -> None:
        """Do nothing: there is no work to do ahead."""

    def fingerprint(self, voice: str) -> str:
        """Version, and a hash of library and data. Raises UnknownVoice."""
        self._voices.choose(voice)
        return f"espeak-ng {self._version} {self._files_hash} sound {SOUND}"

    def normalized_text(self, spoken: str) -> str:
        """The text with spaces in words whose ends the library would drop."""
        return break_long_words(spoken).text

    def own_phonemes(self, phonemes: str, voice: str) -> str:
        """The library's codes for them; "" in a language without a table of codes.

        Raises UnknownPhoneme, UnknownVoice.
        """
        return codes_of(phonemes, self._voices.choose(voice).identifier)

    def model_input(self, request: Request) -> str:
        """The text that the library gets, with codes in double brackets."""
        return break_long_words(with_codes(request.spoken, request.pronunciations).text).text

    def known_words(self, words: Sequence[str], voice: str) -> None:
        """None: there is no dictionary that could be asked."""

    def phonemes(self, texts: Sequence[str], voice: str) -> Sequence[str]:
        """The IPA of each text. Raises UnknownVoice, EngineFailed."""
        tasks = [self._task(Request("", text, voice, 1.0), text) for text in texts]
        return ipa_of(tasks, self._library_file, self._data) if tasks else []

    def render(self, batch: Batch, waiter: Waiter = UNATTENDED) -> list[Rendered]:  # noqa: ARG002
        """Render the requests one by one. Raises UnknownVoice, EngineFailed.

        Text that a voice cannot speak becomes a short silence without timings. What kills the
        library is left out, with a remark.
        """
        coded = [with_codes(request.spoken, request.pronunciations) for request in batch.requests]
        broken = [break_long_words(one.text) for one in coded]
        tasks = [
            self._task(request, one.text)
            for request, one in zip(batch.requests, broken, strict=True)
        ]
        with closing(self._speech.speak(tasks)) as spoken:
            return [
                codes.of_spoken(one.of_original(_rendered(text, parts)))
                for codes, one, (_, text), parts in zip(coded, broken, tasks, spoken, strict=True)
            ]

    def _task(self, request: Request, said: str) -> SpeechTask:
        """What a child is asked to speak: `said`, with the sound that the request asks for."""
        voice = self._voices.choose(request.voice)
        setting = SpeechSetting(
            voice.identifier,
            voice.variant,
            _words_per_minute(request.speed),
            seed=zlib.crc32(request.key.encode()),
            has_codes=bool(request.pronunciations),
        )
        return setting, speakable(said)

    @cached_property
    def _files_hash(self) -> str:
        """A hash of the library and every file of its data (20 MB), computed once in some 20 ms."""
        digest = hashlib.sha256(self._library_file.read_bytes())
        for name in _files_below(str(self._data)):
            digest.update(f"\0{name}\0".encode())
            digest.update(hashlib.sha256((self._data / name).read_bytes()).digest())
        return digest.hexdigest()[:16]


def _rendered(text: str, parts: Sequence[Part[EspeakUtterance]]) -> Rendered:
    """One request's audio: that of the parts of its text, one after the other."""
    pieces: list[Samples] = []
    timings: list[WordTiming] = []
    for part in parts:
        if part.answer is None:
            continue
        part_start_s = sum(piece.size for piece in pieces) / SAMPLE_RATE
        samples = np.frombuffer(part.answer.pcm, np.int16).astype(np.float32) / FULL_SCALE
        pieces.append(samples)
        if samples.any():  # else an unknown script, or only punctuation
            words = word_timings(
                text[part.start : part.end], part.answer.events, samples, SAMPLE_RATE
            )
            timings += (_shifted(word, part.start, part_start_s) for word in words)
    samples = np.concatenate(pieces) if pieces else np.zeros(0, np.float32)
    if not samples.any():
        samples = silence(SAMPLE_RATE).samples
    return Rendered(samples, tuple(timings), left_out(parts))


def _shifted(word: WordTiming, n_characters: int, delay_s: float) -> WordTiming:
    return WordTiming(
        word.start + n_characters,
        word.end + n_characters,
        word.start_s + delay_s,
        word.end_s + delay_s,
    )


def _words_per_minute(speed: float) -> int:
    """The library's rate for a speed. Raises EngineFailed if the speed is out of range."""
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
            f"The espeak-ng voice is not installed ({error})."
            f" {this_installation().repair_hint('espeakng-loader')}"
        ) from error
    return paths


def _files_below(folder: str) -> list[str]:
    """The names of all files below `folder`, from there, in the order of their parts."""
    found = (f"{at}/{name}" for at, _, names in os.walk(folder) for name in names)
    return sorted((path[len(folder) + 1 :] for path in found), key=lambda name: name.split("/"))


def _has_dictionary(voice: ListedVoice, data: Path) -> bool:
    """Whether the voice's dictionary is installed; a few voices are listed without one."""
    words = (data / "lang" / voice.identifier).read_text("utf-8", errors="replace").split()
    language = voice.languages[0][1].split("-")[0]
    name = words[words.index("dictionary") + 1] if "dictionary" in words else language
    return (data / f"{name}_dict").is_file()
