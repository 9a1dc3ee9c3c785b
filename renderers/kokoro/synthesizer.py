"""Kokoro by itself: texts or phonemes in, samples in the same order out. No book, no store.

    texts ─▶ requests ─▶ batches ─▶ KokoroRenderer ─▶ Speech, in the order of the texts

The audio is the one that a book gets: the same batches, the same noise. A text has the same samples
alone and among others (on a GPU within rounding), and in every run.
"""

from __future__ import annotations

from dataclasses import dataclass

from audiomill.renderers.base import Remark, Samples, WordTiming


@dataclass(frozen=True, slots=True)
class Speech:
    """The audio of one text."""

    samples: Samples  # float32, mono, (n_samples,), from -1 to 1
    sample_rate: int  # Hz
    words: tuple[WordTiming, ...]  # where in the text each word is, and when it sounds
    remarks: tuple[Remark, ...]  # parts of the text that could not be spoken, with the reason

    @property
    def duration_s(self) -> float:
        """The length of the audio in seconds."""
        return self.samples.size / self.sample_rate
