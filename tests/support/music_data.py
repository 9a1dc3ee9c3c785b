"""Pieces of music for tests, made from formulas, and files of them."""

from pathlib import Path

import numpy as np
import soundfile

from audiomill.renderers.engine.protocol import Samples


def chord(seconds: float, sample_rate: int = 24000, *, level: float = 0.3) -> Samples:
    """A steady chord of low notes: a click or a step in it has all frequencies."""
    t = np.arange(round(seconds * sample_rate)) / sample_rate
    notes = sum(np.sin(2 * np.pi * hz * t) for hz in (220.0, 277.2, 329.6))
    return (level / 3 * notes).astype(np.float32)


def write_piece(
    path: Path, seconds: float, sample_rate: int = 24000, *, level: float = 0.3, **choices
) -> Path:
    """A sound file of the chord. `choices` are soundfile's: subtype, format."""
    soundfile.write(path, chord(seconds, sample_rate, level=level), sample_rate, **choices)
    return path
