"""The interface of what writes down speech."""

from __future__ import annotations

from typing import Protocol

from audiomill.renderers.engine.protocol import Samples

# Languages whose transcripts cannot be compared with a text by their sound: they have no spaces
# between words, or leave vowels out.
_WITHOUT_SPACES = ("bo", "ja", "km", "ko", "lo", "my", "th", "yue", "zh")
_WITHOUT_VOWELS = ("ar", "fa", "he", "ps", "sd", "ur", "yi")
NOT_COMPARED = frozenset((*_WITHOUT_SPACES, *_WITHOUT_VOWELS))


class Recogniser(Protocol):
    """Writes down speech. Thread-safe."""

    @property
    def identity(self) -> str:
        """What decides its transcripts: its model, and how that is used."""
        ...

    def knows(self, language: str) -> bool:
        """Whether it writes down a language (BCP 47)."""
        ...

    def transcript(
        self, samples: Samples, sample_rate: int, language: str, n_guesses: int = 1
    ) -> str:
        """What is said in the samples; "" for nothing. Raises EngineFailed.

        With more guesses that are followed at once, it is slower and errs less.
        """
        ...
