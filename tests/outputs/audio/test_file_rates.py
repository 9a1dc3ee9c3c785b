"""Audio at the rate of a file: exact in length and place, and the same in regions as whole."""

import math
from fractions import Fraction

import numpy as np
import pytest
import soxr
from hypothesis import given, settings
from hypothesis import strategies as st

from audiomill.outputs.audio.file_sound import FileRates, RegionPlace, resampled
from audiomill.renderers.engine.protocol import Samples
from support.signals_data import cut, voice

RATES = [(24000, 44100), (22050, 44100), (24000, 48000), (22050, 24000), (44100, 22050)]
SILENCE = 9 * 1024  # joined samples at the end of a region


def in_file(
    samples: Samples, place: RegionPlace, rates: FileRates, points: list[int] | None = None
) -> Samples:
    blocks = resampled(cut(samples, points or [1000]), place, rates)
    return np.concatenate([np.zeros(0, np.float32), *blocks])


def regions_of(lengths: list[int], rate: int) -> list[Samples]:
    """Regions that begin with sound at once and end in silence."""
    return [
        np.concatenate((voice(n / rate, rate, seed=i), np.zeros(SILENCE, np.float32)))
        for i, n in enumerate(lengths)
    ]


@pytest.mark.parametrize(("joined", "file"), [*RATES, (24000, 8000), (48000, 8000)])
@settings(max_examples=6, deadline=None)
@given(lengths=st.lists(st.integers(1, 40_000), min_size=2, max_size=5))
def test_regions_together_are_the_whole_stream(joined, file, lengths):
    rates, parts = FileRates(joined, file), regions_of(lengths, joined)
    whole = np.concatenate(parts)
    pieces, start = [], 0
    for index, part in enumerate(parts):
        place = RegionPlace(start, part.size, index == 0, index == len(parts) - 1)
        first, end = place.in_file(rates)
        assert first == sum(piece.size for piece in pieces)
        pieces.append(in_file(part, place, rates))
        assert pieces[-1].size == end - first
        start += part.size
    together = np.concatenate(pieces)
    expected = in_file(whole, RegionPlace(0, whole.size), rates)
    assert together.size == math.ceil(Fraction(whole.size * file, joined))
    assert np.abs(together - expected).max() < 1e-6


@pytest.mark.parametrize(("joined", "file"), RATES)
@pytest.mark.parametrize("n_samples", [0, 1, 79, 80, 81, 1000, 24_001])
def test_any_length_becomes_the_next_whole_number(joined, file, n_samples):
    samples = voice(2, joined)[:n_samples]
    out = in_file(samples, RegionPlace(0, n_samples), FileRates(joined, file))
    assert out.size == math.ceil(Fraction(n_samples * file, joined))


@pytest.mark.parametrize(("joined", "file"), RATES)
def test_a_sample_keeps_its_time(joined, file):
    """A tone, sampled at the times of the file's samples."""
    n_samples = 2 * joined
    tone = np.sin(2 * np.pi * 440 * np.arange(n_samples) / joined).astype(np.float32)
    out = in_file(tone, RegionPlace(0, n_samples), FileRates(joined, file))
    expected = np.sin(2 * np.pi * 440 * np.arange(out.size) / file)
    inside = slice(file // 4, -file // 4)
    assert np.abs(out[inside] - expected[inside]).max() < 1e-5


def test_how_the_stream_is_cut_makes_no_difference():
    samples, rates = voice(3), FileRates(24000, 44100)
    place = RegionPlace(0, samples.size)
    whole = in_file(samples, place, rates, [samples.size])
    np.testing.assert_array_equal(in_file(samples, place, rates, [1, 5, 777, 40_000]), whole)
    np.testing.assert_array_equal(whole, soxr.resample(samples, 24000, 44100, "VHQ")[: whole.size])


def test_the_same_rate_passes_every_sample():
    samples = voice(1)
    np.testing.assert_array_equal(
        in_file(samples, RegionPlace(0, samples.size), FileRates(24000, 24000)), samples
    )
