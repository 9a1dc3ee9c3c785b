"""What is trimmed from a shard is silence, and never a sound."""

from __future__ import annotations

import numpy as np
import pytest

from audiomill.outputs.audio.trimming import voiced_pieces
from audiomill.renderers.base import Samples
from support.signals_data import RATE, noise, silence, sine, voice


def voiced_bounds(samples: Samples) -> tuple[int, int]:
    (piece,) = voiced_pieces(samples, RATE)
    return piece.start, piece.end


def test_hiss_around_a_shard_is_trimmed_too() -> None:
    speech = voice(1.0, peak=0.5)
    padded = np.concatenate((silence(0.5), speech, silence(0.5))) + noise(2 * RATE, level=0.0004)
    start, end = voiced_bounds(padded.astype(np.float32))
    assert abs(start - 0.5 * RATE) < 0.06 * RATE
    assert abs(end - 1.5 * RATE) < 0.2 * RATE


@pytest.mark.parametrize("below_db", [30, 40])
def test_a_quiet_consonant_is_never_trimmed(below_db: float) -> None:
    vowel = sine(150, 0.4, level=0.5)
    consonant = noise(round(0.08 * RATE), level=0.5 / np.sqrt(2) * 10 ** (-below_db / 20))
    shard = np.concatenate((silence(0.3), consonant, vowel, consonant, silence(0.3)))
    start, end = voiced_bounds(shard)
    assert start <= round(0.3 * RATE)
    assert end >= shard.size - round(0.3 * RATE)
    assert start > round(0.25 * RATE)
    assert end < shard.size - round(0.25 * RATE)
