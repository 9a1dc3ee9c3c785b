"""Kokoro by itself: texts or phonemes in, samples in the same order out. No book, no store.

    texts ─▶ requests ─▶ batches ─▶ KokoroRenderer ─▶ Speech, in the order of the texts

A book gets the same audio: the same rows, the same noise. A text has the same samples alone and
among others (on a GPU within rounding), and in every run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

from audiomill.renderers.engine.planning import make_request
from audiomill.renderers.engine.protocol import Batch, Remark, Rendered, Samples, Voice, WordTiming
from audiomill.renderers.kokoro.options import KokoroOptions
from audiomill.renderers.kokoro.renderer import KokoroRenderer

__all__ = ["KokoroOptions", "Speech", "Synthesizer"]


@dataclass(frozen=True, slots=True)
class Speech:
    """The audio of one text."""

    samples: Samples  # float32, mono, (n_samples,), full scale is ±1
    sample_rate: int  # Hz
    words: tuple[WordTiming, ...]  # where each word is in the text, and when it sounds
    remarks: tuple[Remark, ...]  # parts of the text that could not be spoken as they are

    @property
    def duration_s(self) -> float:
        """The length of the audio in seconds."""
        return self.samples.size / self.sample_rate


class Synthesizer:
    """Kokoro-82M, loaded on first use. Not for several threads at once."""

    def __init__(self, options: KokoroOptions | None = None) -> None:
        """Raises EngineMissing if the release is unknown or the folder of weights is missing."""
        self._renderer = KokoroRenderer(options or KokoroOptions())

    def voices(self) -> tuple[Voice, ...]:
        """The voices that `speak` takes, besides mixes of them."""
        return tuple(self._renderer.voices())

    def speak(
        self, texts: Iterable[str], *, voice: str | None = None, speed: float = 1.0
    ) -> Iterator[Speech]:
        """The audio of each text, in order. Texts are read as they are needed.

        `voice` is a voice or a mix, by default the first English one. A text should be a sentence
        or a few: 100 to 200 phonemes sound best, and more than 510 are split. Raises UnknownVoice
        at once; EngineMissing, WeightsUnfit or EngineFailed while it runs.
        """
        return self._run(texts, self._renderer.render, self._known(voice), speed)

    def speak_phonemes(
        self, phonemes: Iterable[str], *, voice: str | None = None, speed: float = 1.0
    ) -> Iterator[Speech]:
        """Like `speak`, for phonemes as misaki writes them, for example "həlˈO wˈɜɹld"."""
        return self._run(phonemes, self._renderer.render_phonemes, self._known(voice), speed)

    def _known(self, voice: str | None) -> str:
        return self._renderer.known_voice(voice or self._renderer.default_voice("en-US"))

    def _run(
        self,
        texts: Iterable[str],
        render: Callable[[Batch], list[Rendered]],
        voice: str,
        speed: float,
    ) -> Iterator[Speech]:
        requests = (make_request(text, voice, self._renderer, speed) for text in texts)
        while group := tuple(islice(requests, self._renderer.limits.max_rows)):
            for rendered in render(Batch(group)):
                yield self._speech(rendered)

    def _speech(self, rendered: Rendered) -> Speech:
        rate = self._renderer.sample_rate
        return Speech(rendered.samples, rate, rendered.timings, rendered.remarks)
