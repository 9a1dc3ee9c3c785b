"""Joined audio has exact pauses, no clicks, and unchanged samples between the joins."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from audiomill.outputs.audio.joining import CROSSFADE_S, QUIET_BEFORE_S, Clip, crossfade, join
from audiomill.outputs.audio.trimming import Break, voiced_pieces, without_dc
from audiomill.outputs.types import Cue
from audiomill.renderers.engine.protocol import Samples
from support.examples import many_examples
from support.signals_data import RATE, noise, silence, sine, voice

OVERLAP = round(CROSSFADE_S * RATE)


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


def test_a_pause_is_digital_silence_of_the_exact_length():
    a, b = voice(1.0, seed=1), voice(1.2, seed=2)
    out, cues = joined([Clip("a", a, 0.35), Clip("b", b, 1.0)], lead_s=0.5)
    assert not out[: round(0.5 * RATE)].any()
    first, second = (cue.origin for cue in cues)
    gap = out[first + a.size : second]
    assert gap.size == round(0.35 * RATE)
    assert not gap.any()
    assert out[first + a.size - 2] != 0
    assert out[second + 1] != 0
    assert out.size - cues[1].end == RATE - round(QUIET_BEFORE_S * RATE)
    assert not out[cues[1].end :].any()


def test_silence_around_a_shard_does_not_lengthen_the_pause():
    core = noise(RATE // 2)
    bare, _ = joined([Clip("a", core, 0.3), Clip("b", core, 0.3)])
    padded = np.concatenate((silence(0.4), core, silence(0.7)))
    out, cues = joined([Clip("a", padded, 0.3), Clip("b", padded, 0.3)])
    assert out.size == bare.size
    assert not out[cues[0].end : cues[1].start].any()
    for cue in cues:  # where the sound ends in its piece is known, too
        sound_end = cue.origin + round(0.4 * RATE) + core.size
        assert abs(cue.end - cue.n_quiet_after - sound_end) < 0.01 * RATE


def loud_after(samples: Samples, start_s: float) -> np.ndarray:
    """The indices after `start_s` of the samples that are not silent."""
    first = round(start_s * RATE)
    return first + np.flatnonzero(np.abs(samples[first:]) > 1e-6)


@pytest.mark.parametrize("quiet_s", [0.05, 0.2, 1.5])
@pytest.mark.parametrize("pause_s", [0.08, 0.4])
def test_a_break_inside_a_shard_sounds_like_one_between_two(quiet_s, pause_s):
    a, b = noise(RATE, 1), noise(RATE, 2)
    pause = Break(1.0, 1.0 + quiet_s + 0.01, pause_s)
    shard = np.concatenate((a, silence(quiet_s), b))
    inside, cues = joined([Clip("ab", shard, 0.5, (pause,))])
    between, _ = joined([Clip("a", a, pause_s), Clip("b", b, 0.5)])
    assert [cue.segment_id for cue in cues] == ["ab", "ab"]
    assert abs(inside.size - between.size) <= 0.01 * RATE
    gap = np.diff(loud_after(inside, 0.5)).max() / RATE
    assert abs(gap - pause_s) <= 0.012  # frames of 5 ms, and the fades beside them
    for cue, sound in zip(cues, (a, b), strict=True):
        at = cue.start + 2000
        piece = inside[at : at + 5000]
        np.testing.assert_array_equal(piece, shard[at - cue.origin :][:5000])
        assert np.isin(piece[100], sound)


def faint(duration_s: float, db: float) -> Samples:
    """Noise so many dB above that of `noise(...)`."""
    return noise(round(duration_s * RATE), 3) * np.float32(10 ** (db / 20))


@pytest.mark.parametrize("quiet_s", [0.0, 0.03])
def test_where_the_voice_runs_on_it_stays_as_it_is(quiet_s):
    shard = np.concatenate((noise(RATE, 1), silence(quiet_s), noise(RATE, 2)))
    out, cues = joined([Clip("a", shard, 0.0, (Break(0.8, 1.2, 0.4),))])
    assert len(cues) == 1
    sound = out[cues[0].origin :]
    np.testing.assert_array_equal(sound[200:-200], shard[200:-200])


def test_a_soft_sound_that_fills_the_quiet_between_two_words_is_not_cut():
    edge, between = silence(0.3), faint(0.1, -52)
    shard = np.concatenate((edge, noise(RATE, 1), between, noise(RATE, 2), edge))
    hissing = shard + noise(shard.size, 5, level=1e-4)  # 60 dB below the words
    _, cues = joined([Clip("a", hissing, 0.0, (Break(1.2, 1.45, 0.4),))])
    assert len(cues) == 1


@pytest.mark.parametrize(("late_s", "early_s"), [(0.0, 0.0), (0.3, 0.0), (0.05, 0.3)])
def test_words_that_are_timed_late_or_cover_the_pause_move_no_break(late_s, early_s):
    """Engines count a pause to the word before it or after it, and know a word's start roughly."""
    shard = np.concatenate((noise(RATE, 1), silence(0.4), noise(RATE, 2)))
    out, cues = joined([Clip("a", shard, 0.0, (Break(0.9 + late_s, 1.4 - early_s, 0.7),))])
    assert len(cues) == 2
    assert abs(np.diff(loud_after(out, 0.5)).max() / RATE - 0.7) <= 0.012


@pytest.mark.parametrize("longer_first", [True, False])
def test_the_longest_quiet_near_a_break_is_its_pause_and_no_longer_one_elsewhere(longer_first):
    quiet_s = (0.3, 0.1) if longer_first else (0.1, 0.3)
    near = (noise(RATE, 1), silence(quiet_s[0]), noise(RATE // 10, 2), silence(quiet_s[1]))
    shard = np.concatenate((*near, noise(RATE, 3), silence(0.8), noise(RATE, 4)))
    _, cues = joined([Clip("a", shard, 0.0, (Break(0.95, 1.5, 0.4),))])
    assert len(cues) == 2
    sound_starts_s = (cues[1].start - cues[1].origin) / RATE + QUIET_BEFORE_S
    assert abs(sound_starts_s - (1.3 if longer_first else 1.5)) <= 0.012


def test_a_shard_that_begins_and_ends_in_full_sound_is_faded_at_both():
    loud = sine(200, 1.0)[30:-30]  # from one peak to another
    out, _ = joined([Clip("a", loud, 0.3), Clip("b", loud, 0.3)], lead_s=0.3)
    assert largest_step(out) <= 1.5 * largest_step(loud)


def test_a_breath_is_a_part_of_the_pause():
    breath = np.concatenate((silence(0.15), faint(0.25, -41), silence(0.1)))
    shard = np.concatenate((noise(RATE, 1), breath, noise(RATE, 2)))
    out, cues = joined([Clip("a", shard, 0.0, (Break(0.9, 1.5, 0.3),))])
    assert len(cues) == 2
    assert abs(np.diff(loud_after(out, 0.5)).max() / RATE - 0.3) <= 0.012


def test_a_faint_sound_beside_a_word_is_no_breath():
    """A "t" that ends a word: its closure, and then its burst."""
    burst = faint(0.015, -41)
    shard = np.concatenate((noise(RATE, 1), silence(0.06), burst, silence(0.4), noise(RATE, 2)))
    out, cues = joined([Clip("a", shard, 0.0, (Break(0.9, 1.47, 0.3),))])
    start = cues[0].origin + round(1.06 * RATE)
    np.testing.assert_array_equal(out[start : start + burst.size], burst)


@pytest.mark.parametrize("fade_s", [0.05, 0.2])
def test_a_pause_begins_where_the_voice_has_faded(fade_s):
    """Down to -45 dB; what it fades to after that is heard in the pause, for 100 ms."""
    n = round(fade_s * RATE)
    fading = noise(n, 4) * np.logspace(0, -3, n, dtype=np.float32)  # by 60 dB
    shard = np.concatenate((noise(RATE, 1), fading, silence(0.4), noise(RATE, 2)))
    out, cues = joined([Clip("a", shard, 0.0, (Break(0.9, 1.5, 0.5),))])
    faded = RATE + n * 45 // 60
    assert (
        abs(cues[1].start - cues[0].origin - faded - (0.5 - QUIET_BEFORE_S) * RATE) <= 0.012 * RATE
    )
    n_kept = min(RATE + n - 300, faded + round(0.09 * RATE))
    sound = out[cues[0].origin :]
    np.testing.assert_array_equal(sound[RATE:n_kept], shard[RATE:n_kept])


def test_two_breaks_in_one_silence_are_one_pause():
    shard = np.concatenate((noise(RATE, 1), silence(0.8), noise(RATE, 2)))
    breaks = (Break(1.0, 1.3, 0.4), Break(1.5, 1.8, 0.4))
    out, cues = joined([Clip("a", shard, 0.0, breaks)])
    assert len(cues) == 2
    assert abs(out.size - cues[0].origin - 2.4 * RATE) <= 0.01 * RATE


def test_the_middle_of_a_shard_passes_through_bit_for_bit():
    a, b = voice(1.0, seed=1), voice(1.0, seed=2)
    out, cues = joined([Clip("a", a, 0.0), Clip("b", b, 0.2)])
    assert cues[0].end == cues[1].start == cues[1].origin + OVERLAP // 2
    for shard, cue in zip((a, b), cues, strict=True):
        inside = slice(max(cue.start, cue.origin) + OVERLAP, cue.end - OVERLAP)
        at = slice(inside.start - cue.origin, inside.stop - cue.origin)
        np.testing.assert_array_equal(out[inside], shard[at])


@pytest.mark.parametrize("seed", range(8))
def test_power_stays_level_through_a_crossfade_of_unrelated_sounds(seed):
    a, b = noise(RATE, seed), noise(RATE, seed + 100)
    out, cues = joined([Clip("a", a, 0.0), Clip("b", b, 0.0)])
    middle = cues[0].end
    through = out[middle - OVERLAP // 2 : middle + OVERLAP // 2].astype(float)
    angle = (np.arange(OVERLAP) + 0.5) * np.pi / 2 / OVERLAP
    expected = (
        np.cos(angle) ** 2 * a[-OVERLAP:] ** 2 + np.sin(angle) ** 2 * b[:OVERLAP] ** 2
    ).sum()
    assert abs(10 * np.log10((through**2).sum() / expected)) < 0.5


def test_power_stays_level_on_average_at_every_point_of_the_crossfade():
    results = [crossfade(noise(OVERLAP, seed), noise(OVERLAP, seed + 5000)) for seed in range(2000)]
    power = np.mean(np.square(results, dtype=float), axis=0) / 0.1**2
    smooth = np.convolve(power, np.ones(16) / 16, "valid")
    assert np.abs(10 * np.log10(smooth)).max() < 0.5


def test_two_equal_tones_in_phase_pass_a_crossfade_unchanged():
    tone = sine(200, 0.5)
    ending = tone[:OVERLAP]
    np.testing.assert_allclose(crossfade(ending, ending), ending, atol=1e-6)


@pytest.mark.parametrize("phase", [0.0, 0.25, 0.5, 0.7])
def test_power_stays_level_through_a_crossfade_of_related_tones(phase):
    t = np.arange(OVERLAP * 3) / RATE
    a = np.sin(2 * np.pi * 300 * t).astype(np.float32)
    b = np.sin(2 * np.pi * (300 * t + phase / 2)).astype(np.float32)
    n = OVERLAP
    out = np.concatenate((a[:n], crossfade(a[n : 2 * n], b[n : 2 * n]), b[2 * n :]))
    period = RATE // 300
    assert np.abs(level_db(out, period) - level_db(a, period).mean()).max() < 0.5


def test_antiphase_is_not_amplified():
    tone = sine(300, 0.02)
    assert np.abs(crossfade(tone, -tone)).max() <= 0.51


@pytest.mark.parametrize("pause_s", [0.0, 0.2])
@pytest.mark.parametrize("kind", ["voice", "noise", "offset voice"])
def test_no_join_clicks(kind, pause_s):
    shards = {
        "voice": [voice(0.63, seed=1), voice(0.57, seed=2)],
        "noise": [noise(9999, 1), noise(8888, 2)],
        "offset voice": [voice(0.63, seed=1) + 0.2, voice(0.57, seed=2) - 0.2],
    }[kind]
    out, _ = joined([Clip(str(i), x, pause_s) for i, x in enumerate(shards * 2)])
    assert largest_step(out) <= max(map(largest_step, shards)) * 1.0001


@pytest.mark.parametrize("hz", [90, 200])
@pytest.mark.parametrize("pause_s", [0.0, 0.2])
def test_pure_tones_cut_in_mid_period_do_not_click(hz, pause_s):
    """Half a turn of phase within 20 ms raises the frequency by 25 Hz for that time, not more."""
    shards = [sine(hz, 0.507), sine(hz, 0.503)]
    out, _ = joined([Clip(str(i), x, pause_s) for i, x in enumerate(shards * 2)])
    allowed = 1 + 25 / hz if not pause_s else 1.0001
    assert largest_step(out) <= max(map(largest_step, shards)) * allowed


def test_an_offset_is_removed_and_nothing_else_changes():
    clean = voice(0.5)
    out, cues = joined([Clip("a", clean + np.float32(0.1), 0.0)])
    middle = slice(cues[0].origin + 440, cues[0].end - 200)
    expected = clean[middle.start - cues[0].origin : middle.stop - cues[0].origin] - clean.mean()
    np.testing.assert_allclose(out[middle], expected, atol=1e-6)


def test_silent_and_empty_shards_keep_their_cue_and_their_pause():
    clips = [Clip("a", voice(0.5), 0.0), Clip("b", silence(1), 0.25), Clip("c", silence(0), 0)]
    out, cues = joined(clips)
    assert [cue.segment_id for cue in cues] == ["a", "b", "c"]
    assert cues[1].start == cues[1].end
    assert out.size == cues[0].end + round(0.25 * RATE)


def test_clips_are_read_at_most_one_ahead():
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


@many_examples(80)
@given(st.lists(st.tuples(shards, pauses), max_size=8), st.floats(0, 0.2))
def test_every_sample_is_accounted_for(clips, lead_s):
    out, cues = joined([Clip(str(i), x, p) for i, (x, p) in enumerate(clips)], lead_s)
    pieces = [voiced_pieces(without_dc(x), RATE)[0] for x, _ in clips]
    lengths = [piece.end - piece.start for piece in pieces]
    wanted = [round(p * RATE) for _, p in clips]
    overlaps = [
        min(OVERLAP, a // 2, b // 2) if not n else 0
        for a, b, n in zip(lengths, lengths[1:], wanted, strict=False)
    ]
    guard = round(QUIET_BEFORE_S * RATE)
    silences = [
        max(0, n - (piece.n_quiet_after + guard if length else 0))
        for n, piece, length in zip(wanted, pieces, lengths, strict=True)
    ]
    lacking = [
        max(0, guard - piece.n_quiet_before) if length and not overlap else 0
        for piece, length, overlap in zip(pieces, lengths, [0, *overlaps], strict=False)
    ]
    expected = sum(lengths) + sum(silences) + sum(lacking) - sum(overlaps)
    assert out.size == round(lead_s * RATE) + expected
    assert out.dtype == np.float32
    assert [cue.segment_id for cue in cues] == [str(i) for i in range(len(clips))]
    position = round(lead_s * RATE)
    for cue in cues:
        assert position <= cue.start <= cue.end <= out.size
        position = cue.end
    again, _ = joined([Clip(str(i), x, p) for i, (x, p) in enumerate(clips)], lead_s)
    np.testing.assert_array_equal(out, again)
