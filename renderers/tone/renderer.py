"""An engine for tests and dry runs: every word is a tone.

    spoken   a t w o   w o r d s
    samples  ▁▂▂▂▂▂▁▂▂▂▁▁▂▂▂▂▂▁▁     60 ms per character, silence for each space

The pitch of a word is a hash of its letters, so a test can tell words apart. The period of a tone
is a whole number of samples, so a word is one period repeated: copying it is thousands of times
faster than computing a sine for every sample.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Sequence
from functools import cache

import numpy as np

from audiomill.renderers.engine.errors import EngineFailed, UnknownVoice
from audiomill.renderers.engine.protocol import (
    Batch,
    EngineLimits,
    Rendered,
    Request,
    Samples,
    Voice,
    WordTiming,
)
from audiomill.renderers.engine.text_renderer import TextRenderer, unknown_voice
from audiomill.renderers.host.waiting import UNATTENDED, Waiter

SAMPLE_RATE = 24_000
CHAR_S = 0.060
EDGE_S = 0.005  # silence before the first and after the last word
RAMP = 120  # samples (5 ms) of fade at both ends of a word, against clicks
LEVEL = 0.35  # of full scale
SPEEDS = (0.05, 20.0)  # slowest and fastest
PERIODS = (60, 240)  # in samples: 400 Hz down to 100 Hz
SOUND = 1  # version of the samples; increment by hand when they change

# Voices, as amplitudes of the harmonics, starting with the fundamental.
HARMONICS = {"reed": (1.0, 0.0, 0.6, 0.0, 0.3), "sine": (1.0,)}
WORD = re.compile(r"\S+")


class ToneRenderer(TextRenderer):
    """Renders one tone per word. Needs no installation and accepts any text."""

    name = "tone"
    title = "test tones"
    sample_rate = SAMPLE_RATE
    limits = EngineLimits(
        max_length=400, max_rows=8, chars_per_s=1 / CHAR_S, exact_bits=16, speeds=SPEEDS
    )

    def voices(self) -> Sequence[Voice]:
        """The voices: a pure tone and one with overtones."""
        return tuple(Voice(name, "mul", description="test tones") for name in HARMONICS)

    def default_voice(self, language: str) -> str:  # noqa: ARG002 - the same for all
        """The pure tone, for any language."""
        return "sine"

    def fingerprint(self, voice: str) -> str:
        """The engine's name and version. Raises UnknownVoice."""
        _harmonics(voice)
        return f"tone sound {SOUND}"

    def render(self, batch: Batch, waiter: Waiter = UNATTENDED) -> list[Rendered]:  # noqa: ARG002
        """Render one tone per word. Raises UnknownVoice, EngineFailed."""
        return [_rendered(request) for request in batch.requests]


def word_period(word: str) -> int:
    """The period of a word's tone in samples; its pitch is SAMPLE_RATE / period."""
    shortest, longest = PERIODS
    return shortest + zlib.crc32(word.encode("utf-8", "surrogatepass")) % (longest - shortest)


def _rendered(request: Request) -> Rendered:
    slowest, fastest = SPEEDS
    if not slowest <= request.speed <= fastest:
        raise EngineFailed(
            f"tone speaks at speeds from {slowest} to {fastest}, not {request.speed}."
        )
    harmonics = _harmonics(request.voice)
    n_char = CHAR_S * SAMPLE_RATE / request.speed  # samples per character
    edge = round(EDGE_S * SAMPLE_RATE)
    samples = np.zeros(2 * edge + round(len(request.spoken) * n_char), np.float32)
    timings: list[WordTiming] = []
    for word in WORD.finditer(request.spoken):
        first, end = edge + round(word.start() * n_char), edge + round(word.end() * n_char)
        samples[first:end] = _tone(word_period(word.group()), end - first, harmonics)
        timings.append(WordTiming(*word.span(), first / SAMPLE_RATE, end / SAMPLE_RATE))
    return Rendered(samples, tuple(timings))


def _tone(period: int, n_samples: int, harmonics: tuple[float, ...]) -> Samples:
    samples = np.resize(_one_period(period, harmonics), n_samples)
    ramp = np.linspace(0, 1, min(RAMP, n_samples // 2), endpoint=False, dtype=np.float32)
    samples[: ramp.size] *= ramp
    samples[n_samples - ramp.size :] *= ramp[::-1]
    return samples


@cache
def _one_period(period: int, harmonics: tuple[float, ...]) -> Samples:
    angle = 2 * np.pi * np.arange(period) / period
    wave = sum(amplitude * np.sin(n * angle) for n, amplitude in enumerate(harmonics, 1))
    return np.asarray(LEVEL * wave / np.abs(wave).max(), np.float32)


def _harmonics(voice: str) -> tuple[float, ...]:
    if voice not in HARMONICS:
        raise UnknownVoice(unknown_voice("tone", voice, tuple(HARMONICS)))
    return HARMONICS[voice]
