"""How fast one process turns text into phonemes, and how many keep ahead of a model.

`Reading` lives in a `Worker` and needs the full installation.
"""

from __future__ import annotations

import time
from math import ceil

from flows.bench.passes import Tell
from flows.bench.phonemes import phonemiser
from flows.bench.subject import CORPUS
from renderers.options import KokoroOptions

READ_S = 4.0
AHEAD = 1.5  # times as fast as the model: texts differ, and a model that waits is the dearer one


class Reading:
    """Reads the corpus."""

    def __init__(self, options: KokoroOptions, voice: str, tell: Tell) -> None:  # noqa: ARG002
        """Loads what reads the language. Raises EngineMissing, WeightsUnfit, ImportError."""
        from flows.bench.texts import read, sentences_of

        self._say = phonemiser(voice, options)
        self._sentences = [
            said for block in sentences_of(read(CORPUS)).values() for said in dict.fromkeys(block)
        ]

    def characters_per_s(self) -> float:
        """Of spoken text, by the time that this process computes: others may be at work."""
        began = time.process_time()
        n_chars = 0
        for sentence in dict.fromkeys(self._sentences):
            self._say(sentence)
            n_chars += len(sentence)
            if time.process_time() - began > READ_S:
                break
        return n_chars / max(time.process_time() - began, 1e-9)


def workers_wanted(spoken_per_s: float, read_per_s: float, default: int, cores: int) -> int:
    """Processes that keep ahead of a model; both rates are characters a second.

    -1, the default, where `default` processes do: more would only take memory.
    """
    wanted = min(ceil(AHEAD * spoken_per_s / read_per_s), cores)
    return wanted if wanted > default else -1
