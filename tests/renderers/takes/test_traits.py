"""The traits of a shard are those of its samples, wherever they lie and however loud they are."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from audiomill.renderers.engine.faults import Fault
from audiomill.renderers.takes.traits import measured_traits, own_faults
from support.signals_data import RATE, noise, silence, sine, voice


def faults(samples: np.ndarray, speed: float = 1.0) -> dict[Fault, int]:
    return {one.fault: one.at for one in own_faults(measured_traits(samples, RATE), RATE, speed)}


@pytest.mark.parametrize("samples", [silence(0), silence(1), noise(RATE, level=1e-6)])
def test_silence_has_no_traits(samples):
    assert measured_traits(samples, RATE) is None


@pytest.mark.parametrize("n_samples", [5, 100, 239, 240, 241])
def test_the_shortest_shards_have_traits(n_samples):
    traits = measured_traits(noise(n_samples), RATE)
    assert traits.start == 0
    assert traits.n_clipped == 0


@given(st.floats(0, 2), st.floats(0, 2), st.floats(-30, 0))
def test_silence_around_and_gain_change_positions_and_level_only(before_s, after_s, gain_db):
    speech = voice(1.0)
    around = np.concatenate((silence(before_s), speech, silence(after_s)))
    plain, other = (
        measured_traits(one, RATE) for one in (speech, around * np.float32(10 ** (gain_db / 20)))
    )
    n_before = round(before_s * RATE)
    assert abs(other.start - n_before - plain.start) <= 0.01 * RATE
    assert abs(other.end - n_before - plain.end) <= 0.01 * RATE
    assert other.level_dbfs == pytest.approx(plain.level_dbfs + gain_db, abs=0.6)
    assert other.hole_end - other.hole_start < 0.3 * RATE


@pytest.mark.parametrize(
    ("hole_s", "speed", "is_fault"), [(1.8, 1, 0), (3, 1, 1), (3, 2, 1), (3, 0.5, 0)]
)
def test_a_hole_is_a_long_silence_between_sounds(hole_s, speed, is_fault):
    samples = np.concatenate((voice(1.0), silence(hole_s), voice(1.0, seed=2), silence(5)))
    found = faults(samples, speed)
    assert (Fault.HOLE in found) == is_fault
    if is_fault:
        assert found[Fault.HOLE] == pytest.approx(RATE, abs=0.05 * RATE)


@pytest.mark.parametrize("peak", [0.2, 0.5, 1.0, 3.0])
def test_flat_tops_are_clipped_at_any_level(peak):
    assert not faults(voice(1.0, peak=peak))
    found = faults(np.clip(voice(1.0, peak=2 * peak), -peak, peak))
    flat = np.abs(voice(1.0, peak=2 * peak)) >= peak
    assert found[Fault.CLIPPED] == pytest.approx(int(flat.argmax()), abs=0.05 * RATE)


@pytest.mark.parametrize("hz", [50, 100, 400])
def test_a_pure_tone_is_not_clipped(hz):
    rounded = np.rint(sine(hz, 1.0, level=0.6) * 32768) / np.float32(32768)
    assert not faults(rounded.astype(np.float32))


def test_edges_are_measured_against_the_loudest_frame():
    loud = sine(1000, 0.5)
    assert measured_traits(loud[6:], RATE).onset_db == pytest.approx(0, abs=1)
    assert measured_traits(loud, RATE).ending_db == pytest.approx(0, abs=1)
    padded = np.concatenate((silence(0.01), loud, silence(0.01)))
    traits = measured_traits(padded, RATE)
    assert max(traits.onset_db, traits.ending_db) < -60
