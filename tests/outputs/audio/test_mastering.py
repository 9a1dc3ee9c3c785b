"""Mastered audio is at the target loudness and under the ceiling, otherwise unchanged."""

import math

import numpy as np
import pytest
import scipy.signal
from hypothesis import given
from hypothesis import strategies as st

from audiomill.outputs.audio.joining import Clip, join, measure_joined
from audiomill.outputs.audio.limiter import FRAME, highest_within, limit
from audiomill.outputs.audio.loudness import integrated_lufs
from audiomill.outputs.audio.mastering import (
    MAX_CORRECTION_DB,
    MAX_GAIN_DB,
    MAX_MAKEUP_DB,
    Mastering,
    MasterPlan,
    apply,
    limiter_loss_db,
    plan_gain,
    with_limiter_loss,
)
from audiomill.renderers.engine.protocol import Samples
from support.examples import few_examples
from support.signals_data import RATE, cut, measured, noise, sine, voice


def mastered(samples: Samples, plan: MasterPlan) -> Samples:
    return np.concatenate([*apply([samples], plan, RATE), np.zeros(0, np.float32)])


def limited(samples: Samples, ceiling: float) -> Samples:
    return np.concatenate(list(limit([samples], ceiling, RATE)))


def dense_peak(samples: Samples) -> float:
    return float(np.abs(scipy.signal.resample_poly(samples.astype(np.float64), 16, 1)).max())


def spiky(seconds: float, seed: int = 0) -> Samples:
    """Speech with plosives far above its level; pairs of samples peak between them."""
    samples = voice(seconds, seed=seed, peak=0.4)
    positions = np.random.default_rng(seed).integers(0, samples.size - 3, 12)
    samples[positions] += 1.2
    samples[positions + 1] += 1.1
    return samples


@pytest.mark.parametrize("level", [0.03, 0.1, 0.9])
def test_one_gain_brings_the_book_to_its_target(level):
    chapters = [voice(5, seed=1, peak=level), voice(5, seed=2, peak=level / 3)]
    plan = plan_gain(map(measured, chapters))
    after = [measured(mastered(chapter, plan)) for chapter in chapters]
    assert integrated_lufs(after) == pytest.approx(-19, abs=0.1)
    before = integrated_lufs([measured(chapters[0])]) - integrated_lufs([measured(chapters[1])])
    assert integrated_lufs(after[:1]) - integrated_lufs(after[1:]) == pytest.approx(before, abs=0.1)


def uneven(seconds: float, seed: int = 3) -> Samples:
    """Speech whose syllables differ as those of people do: some are far louder than most."""
    samples = voice(seconds, seed=seed)
    steps = 0.15 + np.random.default_rng(seed).uniform(size=round(seconds * 4)) ** 3
    at = np.linspace(0, steps.size - 1, samples.size)
    return (samples * np.interp(at, np.arange(steps.size), steps)).astype(np.float32)


def raised(samples: Samples, mastering: Mastering) -> tuple[MasterPlan, MasterPlan, float]:
    """(the plan without the limiter's loss, the plan with it, the loudness that this leads to)."""

    def loss_db(plan: MasterPlan) -> float:
        return limiter_loss_db([samples], plan, RATE, in_rms=False)

    plan = plan_gain([measured(samples)], mastering)
    with_more = with_limiter_loss(plan, loss_db)
    return plan, with_more, integrated_lufs([measured(mastered(samples, with_more))])


@pytest.mark.parametrize("ceiling_dbtp", [-2.0, -4.0])
def test_the_gain_gives_back_what_the_limiter_takes(ceiling_dbtp):
    samples, target = uneven(8), Mastering(-16.0, ceiling_dbtp)
    plan, with_more, lufs = raised(samples, target)
    assert lufs == pytest.approx(-16, abs=0.11)
    assert with_more.gain_db > plan.gain_db
    assert integrated_lufs([measured(mastered(samples, plan))]) < -16.11
    assert 20 * math.log10(dense_peak(mastered(samples, with_more))) < ceiling_dbtp + 0.05


def test_what_is_given_back_has_a_limit_that_a_correction_keeps_too():
    plan, with_more, lufs = raised(uneven(12), Mastering(-16.0, -12.0))
    assert with_more.gain_db - plan.gain_db == pytest.approx(MAX_MAKEUP_DB)
    assert lufs < -16.5
    highest_db = with_more.gain_db + MAX_CORRECTION_DB
    assert with_more.raised(9.0).raised(9.0).gain_db == pytest.approx(highest_db)
    assert with_more.raised(-1.0).gain_db < with_more.gain_db
    assert with_more.for_codec(0.5, -0.2).raised(9.0).gain_db == pytest.approx(highest_db + 0.2)


@pytest.mark.parametrize("samples", [voice(4, peak=0.2), np.zeros(4 * RATE, np.float32)])
def test_what_needs_no_limiting_gets_no_more_gain(samples):
    plan, with_more, _ = raised(samples, Mastering(-30.0, -1.0))
    assert with_more == plan


@pytest.mark.parametrize("channels", [1, 2])
def test_rms_counts_pauses_and_is_of_one_channel(channels):
    samples = np.concatenate((voice(2), np.zeros(3 * RATE, np.float32)))
    plan = plan_gain([measured(samples)], Mastering(target_rms_db=-30.0), channels)
    after = mastered(samples, plan).astype(np.float64)
    assert 10 * math.log10(np.mean(after**2)) == pytest.approx(-30, abs=0.01)


def test_two_channels_need_three_decibels_less():
    mono, stereo = (plan_gain([measured(voice(4))], channels=n).gain_db for n in (1, 2))
    assert mono - stereo == pytest.approx(3.01, abs=0.002)


def test_without_limiting_the_result_is_exactly_gain_times_input():
    samples = voice(6, peak=0.2)
    plan = plan_gain([measured(samples)])
    assert dense_peak(samples) * 10 ** (plan.gain_db / 20) < 0.9 * 10 ** (plan.ceiling_dbtp / 20)
    expected = samples * np.float32(10 ** (plan.gain_db / 20))
    np.testing.assert_array_equal(mastered(samples, plan), expected)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("gain_db", [0.0, 8.0])
def test_no_true_peak_exceeds_the_ceiling(seed, gain_db):
    samples = spiky(2, seed) * np.float32(10 ** (gain_db / 20))
    ceiling = 10 ** (-1.5 / 20)
    assert dense_peak(samples) > 1.1 * ceiling
    assert 20 * math.log10(dense_peak(limited(samples, ceiling))) < -1.5 + 0.05


def test_the_limiter_changes_samples_only_near_peaks():
    samples = voice(4, peak=0.4)
    samples[40_000] = 1.5
    out = limited(samples, 0.8)
    changed = np.flatnonzero(out != samples)
    assert changed.size
    assert abs(changed - 40_000).max() <= 0.021 * RATE
    assert np.abs(out).max() <= 0.8


def test_the_limiter_changes_gain_without_a_step():
    samples = sine(300, 1, level=0.4)
    samples[12_000:12_200] *= 3
    gain = limited(samples, 0.8)[1:] / np.where(samples[1:] == 0, 1, samples[1:])
    gain = gain[np.abs(samples[1:]) > 0.05]
    assert np.abs(np.diff(gain)).max() < 0.02


@given(st.lists(st.floats(0, 1, width=16), min_size=1, max_size=60), st.integers(0, 40))
def test_highest_within_is_a_sliding_maximum(values, reach):
    padded = [0.0] * reach + values + [0.0] * reach
    expected = [max(padded[at : at + 2 * reach + 1]) for at in range(len(values))]
    assert highest_within(np.array(values), reach).tolist() == expected


def test_the_limiter_buffers_a_bounded_number_of_samples():
    n_taken = 0

    def blocks():
        nonlocal n_taken
        for seed in range(40):
            n_taken += 1
            yield noise(RATE, seed)

    n_out = 0
    for block in limit(blocks(), 0.2, RATE):
        assert block.size <= FRAME
        n_out += block.size
        assert n_taken * RATE - n_out < 3 * FRAME + RATE or n_taken == 40
    assert n_out == 40 * RATE


PEAKY = spiky(4, seed=9)
PLAN = MasterPlan(3.0, -3.0)
WHOLE = mastered(PEAKY, PLAN)


@few_examples(20)
@given(st.lists(st.integers(0, PEAKY.size), max_size=12))
def test_how_the_stream_is_cut_makes_no_difference(points):
    out = np.concatenate(list(apply(cut(PEAKY, points), PLAN, RATE)))
    np.testing.assert_array_equal(out, WHOLE)


@pytest.mark.parametrize("n_samples", [0, 1, 23, FRAME - 1, FRAME, FRAME + 1, 2 * FRAME + 500])
def test_any_length_is_kept(n_samples):
    samples = noise(n_samples, level=0.5)
    out = mastered(samples, PLAN)
    assert out.size == n_samples
    assert n_samples == 0 or np.abs(out).max() <= 10 ** (-3 / 20)


def test_silence_stays_silence():
    silence = np.zeros(3 * RATE, np.float32)
    for parts in ([measured(silence)], []):
        plan = plan_gain(parts)
        assert plan.gain_db == 0
    assert not mastered(silence, plan).any()


def test_near_silence_is_not_amplified_without_limit():
    hiss = noise(5 * RATE, level=3e-4)
    plan = plan_gain([measured(hiss)])
    assert plan.gain_db == MAX_GAIN_DB
    assert integrated_lufs([measured(mastered(hiss, plan))]) < -25


def test_a_measured_chapter_matches_its_joined_samples():
    clips = [Clip("a", voice(1, seed=1), 0.0), Clip("b", voice(1, seed=2), 0.7)]
    chapter = measure_joined("One", 2, clips, RATE, lead_s=0.5)
    joined = list(join(clips, RATE, lead_s=0.5))
    assert chapter.n_samples == sum(part.samples.size for part in joined)
    assert chapter.cues == tuple(part.cue for part in joined if part.cue is not None)
    assert (chapter.title, chapter.level, chapter.sample_rate) == ("One", 2, RATE)
    whole = measured(np.concatenate([part.samples for part in joined]))
    np.testing.assert_array_equal(chapter.loudness.block_powers, whole.block_powers)
