"""The interface of what writes down speech."""

from __future__ import annotations

from typing import Protocol

from audiomill.renderers.engine.protocol import Samples


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
