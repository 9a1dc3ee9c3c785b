"""Joined audio has exact pauses, no clicks, and unchanged samples between the joins."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audiomill.outputs.audio.joining import (
    CROSSFADE_S,
    Clip,
    crossfade,
    join,
    voiced_bounds,
    without_dc,
)
from audiomill.outputs.types import Cue
from audiomill.renderers.base import Samples
from support.signals_data import RATE, noise, sine, voice

OVERLAP = round(CROSSFADE_S * RATE)


def silence(seconds: float) -> Samples:
    return np.zeros(round(seconds * RATE), np.float32)


def joined(clips: list[Clip], lead_s: float = 0.0) -> tuple[Samples, list[Cue]]:
    parts = list(join(clips, RATE, lead_s=lead_s))
    return (
        np.concatenate([part.samples for part in parts]) if parts else silence(0),
        [part.cue for part in parts if part.cue is not None],
    )


def largest_step(samples: Samples) -> float:
    return float(np.abs(np.diff(samples)).max())


def level_db(samples: Samples, window: int) -> np.ndarray:
    power = np.convolve(samples.astype(float) ** 2, np.ones(window) / window, "valid")
    return 10 * np.log10(power)


def test_a_pause_is_digital_silence_of_the_exact_length() -> None:
    a, b = voice(1.0, seed=1), voice(1.2, seed=2)
    out, cues = joined([Clip("a", a, 0.35), Clip("b", b, 1.0)], lead_s=0.5)
    assert not out[: round(0.5 * RATE)].any()
    gap = out[cues[0].end : cues[1].start]
    assert gap.size == round(0.35 * RATE)
    assert not gap.any()
    assert out[cues[0].end - 1] != 0
    assert out[cues[1].start] != 0
    assert out.size - cues[1].end == RATE
    assert not out[cues[1].end :].any()


def test_silence_around_a_shard_does_not_lengthen_the_pause() -> None:
    core = noise(RATE // 2)
    bare, _ = joined([Clip("a", core, 0.3), Clip("b", core, 0.3)])
    padded = np.concatenate((silence(0.4), core, silence(0.7)))
    out, cues = joined([Clip("a", padded, 0.3), Clip("b", padded, 0.3)])
    guards = out.size - bare.size
    assert 0 < guards <= 2 * round(0.055 * RATE)  # the guards before and after, twice
    assert cues[1].start - cues[0].end == round(0.3 * RATE)


def test_hiss_around_a_shard_is_trimmed_too() -> None:
    speech = voice(1.0, peak=0.5)
    padded = np.concatenate((silence(0.5), speech, silence(0.5))) + noise(2 * RATE, level=0.0004)
    start, end = voiced_bounds(padded.astype(np.float32), RATE)
    assert abs(start - 0.5 * RATE) < 0.06 * RATE
    assert abs(end - 1.5 * RATE) < 0.2 * RATE


@pytest.mark.parametrize("below_db", [30, 40])
def test_a_quiet_consonant_is_never_trimmed(below_db: float) -> None:
    vowel = sine(150, 0.4, level=0.5)
    consonant = noise(round(0.08 * RATE), level=0.5 / np.sqrt(2) * 10 ** (-below_db / 20))
    shard = np.concatenate((silence(0.3), consonant, vowel, consonant, silence(0.3)))
    start, end = voiced_bounds(shard, RATE)
    assert start <= round(0.3 * RATE)
    assert end >= shard.size - round(0.3 * RATE)
    assert start > round(0.25 * RATE)
    assert end < shard.size - round(0.25 * RATE)


def test_the_middle_of_a_shard_passes_through_bit_for_bit() -> None:
    a, b = voice(1.0, seed=1), voice(1.0, seed=2)
    out, cues = joined([Clip("a", a, 0.0), Clip("b", b, 0.2)])
    for shard, cue in zip((a, b), cues, strict=True):
        inside = slice(cue.start + OVERLAP, cue.end - OVERLAP)
        at = slice(inside.start - cue.origin, inside.stop - cue.origin)
        np.testing.assert_array_equal(out[inside], shard[at])


@pytest.mark.parametrize("seed", range(8))
def test_power_stays_level_through_a_crossfade_of_unrelated_sounds(seed: int) -> None:
    a, b = noise(RATE, seed), noise(RATE, seed + 100)
    out, cues = joined([Clip("a", a, 0.0), Clip("b", b, 0.0)])
    middle = cues[0].end
    through = out[middle - OVERLAP // 2 : middle + OVERLAP // 2].astype(float)
    angle = (np.arange(OVERLAP) + 0.5) * np.pi / 2 / OVERLAP
    expected = (
        np.cos(angle) ** 2 * a[-OVERLAP:] ** 2 + np.sin(angle) ** 2 * b[:OVERLAP] ** 2
    ).sum()
    assert abs(10 * np.log10((through**2).sum() / expected)) < 0.5


def test_power_stays_level_on_average_at_every_point_of_the_crossfade() -> None:
    results = [crossfade(noise(OVERLAP, seed), noise(OVERLAP, seed + 5000)) for seed in range(2000)]
    power = np.mean(np.square(results, dtype=float), axis=0) / 0.1**2
    smooth = np.convolve(power, np.ones(16) / 16, "valid")
    assert np.abs(10 * np.log10(smooth)).max() < 0.5


def test_two_equal_tones_in_phase_pass_a_crossfade_unchanged() -> None:
    tone = sine(200, 0.5)
    ending = tone[:OVERLAP]
    np.testing.assert_allclose(crossfade(ending, ending), ending, atol=1e-6)


@pytest.mark.parametrize("phase", [0.0, 0.25, 0.5, 0.7])
def test_power_stays_level_through_a_crossfade_of_related_tones(phase: float) -> None:
    t = np.arange(OVERLAP * 3) / RATE
    a = np.sin(2 * np.pi * 300 * t).astype(np.float32)
    b = np.sin(2 * np.pi * (300 * t + phase / 2)).astype(np.float32)
    n = OVERLAP
    out = np.concatenate((a[:n], crossfade(a[n : 2 * n], b[n : 2 * n]), b[2 * n :]))
    period = RATE // 300
    assert np.abs(level_db(out, period) - level_db(a, period).mean()).max() < 0.5


def test_antiphase_is_not_amplified() -> None:
    tone = sine(300, 0.02)
    assert np.abs(crossfade(tone, -tone)).max() <= 0.51


@pytest.mark.parametrize("pause_s", [0.0, 0.2])
@pytest.mark.parametrize("kind", ["voice", "noise", "offset voice"])
def test_no_join_clicks(kind: str, pause_s: float) -> None:
    shards = {
        "voice": [voice(0.63, seed=1), voice(0.57, seed=2)],
        "noise": [noise(9999, 1), noise(8888, 2)],
        "offset voice": [voice(0.63, seed=1) + 0.2, voice(0.57, seed=2) - 0.2],
    }[kind]
    out, _ = joined([Clip(str(i), x, pause_s) for i, x in enumerate(shards * 2)])
    assert largest_step(out) <= max(map(largest_step, shards)) * 1.0001


@pytest.mark.parametrize("hz", [90, 200])
@pytest.mark.parametrize("pause_s", [0.0, 0.2])
def test_pure_tones_cut_in_mid_period_do_not_click(hz: float, pause_s: float) -> None:
    """Half a turn of phase within 20 ms raises the frequency by 25 Hz for that time, not more."""
    shards = [sine(hz, 0.507), sine(hz, 0.503)]
    out, _ = joined([Clip(str(i), x, pause_s) for i, x in enumerate(shards * 2)])
    allowed = 1 + 25 / hz if not pause_s else 1.0001
    assert largest_step(out) <= max(map(largest_step, shards)) * allowed


def test_an_offset_is_removed_and_nothing_else_changes() -> None:
    clean = voice(0.5)
    out, cues = joined([Clip("a", clean + np.float32(0.1), 0.0)])
    start = cues[0].start - cues[0].origin
    middle = slice(200, out.size - 200)
    expected = clean[start : start + out.size] - clean.mean()
    np.testing.assert_allclose(out[middle], expected[middle], atol=1e-6)


def test_silent_and_empty_shards_keep_their_cue_and_their_pause() -> None:
    clips = [Clip("a", voice(0.5), 0.0), Clip("b", silence(1), 0.25), Clip("c", silence(0), 0)]
    out, cues = joined(clips)
    assert [cue.segment_id for cue in cues] == ["a", "b", "c"]
    assert cues[1].start == cues[1].end
    assert out.size == cues[0].end + round(0.25 * RATE)


def test_no_clips_give_no_samples() -> None:
    assert list(join([], RATE)) == []


def test_clips_are_read_at_most_one_ahead() -> None:
    taken = []

    def clips():
        for i in range(10):
            taken.append(i)
            yield Clip(str(i), voice(0.1, seed=i), 0.1)

    stream = join(clips(), RATE)
    for i in range(10):
        assert next(stream).cue.segment_id == str(i)
        assert len(taken) <= i + 2


shards = st.builds(
    lambda n, before, after, seed: np.concatenate(
        (np.zeros(before, np.float32), noise(n, seed), np.zeros(after, np.float32))
    ),
    *(st.integers(0, 3000), st.integers(0, 1500), st.integers(0, 1500), st.integers(0, 99)),
)
pauses = st.one_of(st.just(0.0), st.floats(0, 0.3))


@settings(max_examples=80, deadline=None)
@given(st.lists(st.tuples(shards, pauses), max_size=8), st.floats(0, 0.2))
def test_every_sample_is_accounted_for(clips: list[tuple[Samples, float]], lead_s: float) -> None:
    out, cues = joined([Clip(str(i), x, p) for i, (x, p) in enumerate(clips)], lead_s)
    bounds = [voiced_bounds(without_dc(x), RATE) for x, _ in clips]
    lengths = [end - start for start, end in bounds]
    gaps = [round(p * RATE) for _, p in clips]
    overlaps = [
        min(OVERLAP, a // 2, b // 2) if not gap else 0
        for a, b, gap in zip(lengths, lengths[1:], gaps, strict=False)
    ]
    assert out.size == round(lead_s * RATE) + sum(lengths) + sum(gaps) - sum(overlaps)
    assert out.dtype == np.float32
    assert [cue.segment_id for cue in cues] == [str(i) for i in range(len(clips))]
    position = round(lead_s * RATE)
    for cue in cues:
        assert position <= cue.start <= cue.end <= out.size
        position = cue.end
    again, _ = joined([Clip(str(i), x, p) for i, (x, p) in enumerate(clips)], lead_s)
    np.testing.assert_array_equal(out, again)
