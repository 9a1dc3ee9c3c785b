"""Kokoro by itself: texts or phonemes in, samples in the same order out. No book, no store, no files.

    texts ─▶ requests ─▶ batches ─▶ KokoroRenderer ─▶ Speech, in the order of the texts

The audio is the one that a book gets: the same batches, the same noise. A text has the same samples
alone and among others (on a GPU within rounding), and in every run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import batched
from pathlib import Path

from audiomill.renderers.base import Batch, Remark, Rendered, Request, Samples, Voice, WordTiming
from audiomill.renderers.kokoro.renderer import KokoroRenderer
from audiomill.renderers.options import KokoroOptions
from audiomill.renderers.planning import key_of


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
