"""Music in its places: levels before, under and after the voice, chapters moved to the sample."""

from functools import cache
from itertools import pairwise

import numpy as np
import pytest
import scipy.signal
from hypothesis import given
from hypothesis import strategies as st

from audiomill.outputs.audio.joining import Clip, join, measure_joined
from audiomill.outputs.audio.loudness import integrated_lufs
from audiomill.outputs.audio.music import Music
from audiomill.outputs.audio.music_pieces import PlacedMusic, lufs, mix, pieces_between
from audiomill.outputs.audio.music_places import place_music
from audiomill.outputs.types import Cue, Loudness, MeasuredChapter
from support.music_data import chord
from support.signals_data import RATE, cut, noise, voice

LEAD_S = 0.5
MUSIC = Music(
    intro_alone_s=4, intro_under_voice_s=5, outro_under_voice_s=5, outro_alone_s=4, fade_s=2
)


def chapter_of(seconds: float, seed: int = 1, pause_s: float = 2.0) -> MeasuredChapter:
    clips = [Clip(f"{seed}", voice(seconds, seed=seed), pause_s)]
    return measure_joined(f"Chapter {seed}", 1, clips, RATE, lead_s=LEAD_S)


@cache
def three_chapters() -> list[MeasuredChapter]:
    """Made when a test first asks for them: every process that runs tests imports this file."""
    return [chapter_of(14, seed) for seed in (1, 2, 3)]


@cache
def voice_lufs() -> float:
    return integrated_lufs(one.loudness for one in three_chapters())


def placed(pieces, music=MUSIC, chapters=None, stings=(1, 2)):
    chapters = three_chapters() if chapters is None else chapters
    return place_music(music, pieces, chapters, stings, voice_lufs())


def heard(chapters) -> list[tuple[int, int]]:
    """Samples of the recording, [start, end), of each cue."""
    starts = np.cumsum([0, *(one.n_samples for one in chapters)])
    return [
        (int(start) + cue.start, int(start) + cue.end)
        for start, one in zip(starts[:-1], chapters, strict=True)
        for cue in one.cues
    ]


def test_levels_before_under_and_after_the_voice():
    pieces = {use: chord(20, level=0.05) for use in ("intro", "outro")}
    done = placed(pieces, stings=())
    intro, outro = done.pieces
    (first, _), (_, last) = heard(done.chapters)[0], heard(done.chapters)[-1]
    alone, ducked = voice_lufs() - 3, voice_lufs() - 20
    assert first == 4 * RATE  # to the sample
    assert lufs(intro.samples[: 3 * RATE], RATE) == pytest.approx(alone, abs=0.3)
    assert lufs(intro.samples[first : 7 * RATE], RATE) == pytest.approx(ducked, abs=0.3)
    assert outro.start == last - 5 * RATE
    n_under = last - outro.start
    assert lufs(outro.samples[2 * RATE : n_under], RATE) == pytest.approx(ducked, abs=0.3)
    after = outro.samples[n_under + RATE : -2 * RATE]
    assert lufs(after, RATE) == pytest.approx(alone, abs=0.3)
    assert outro.end == last + 4 * RATE == sum(one.n_samples for one in done.chapters)


@pytest.mark.parametrize("level", [1.0, 0.1, 0.001])
def test_the_level_of_the_file_makes_no_difference(level):
    steady, other = (placed({"intro": chord(20, level=one)}) for one in (0.5, level))
    np.testing.assert_allclose(other.pieces[0].samples, steady.pieces[0].samples, atol=1e-5)


def test_music_that_grows_louder_is_not_so_under_the_voice():
    growing = chord(20) * np.where(np.arange(20 * RATE) < 4 * RATE, 0.5, 1).astype(np.float32)
    (intro,) = placed({"intro": growing}, stings=()).pieces
    under = lufs(intro.samples[4 * RATE : 7 * RATE], RATE)
    assert under == pytest.approx(voice_lufs() - 20, abs=0.5)


def test_a_sting_is_between_chapters_whole_and_at_its_level():
    sting = chord(1.5)
    done = placed({"sting": sting})
    starts = np.cumsum([one.n_samples for one in three_chapters()])
    assert [piece.start for piece in done.pieces] == [starts[0], starts[1] + sting.size]
    assert [one.n_samples for one in done.chapters] == [
        three_chapters()[0].n_samples,
        three_chapters()[1].n_samples + sting.size,
        three_chapters()[2].n_samples + sting.size,
    ]
    for piece in done.pieces:
        assert piece.samples.size == sting.size
        assert lufs(piece.samples, RATE) == pytest.approx(voice_lufs() - 3, abs=0.3)


def test_no_gain_changes_with_a_click():
    """A chord has no energy above 1 kHz; a step in its gain would have."""
    pieces = {"intro": chord(30), "outro": chord(30), "sting": chord(2)}
    high_pass = scipy.signal.butter(8, 2000, "highpass", fs=RATE, output="sos")
    for piece in placed(pieces).pieces:
        gap = np.zeros(RATE // 2, np.float32)
        high = scipy.signal.sosfilt(high_pass, np.concatenate([gap, piece.samples, gap]))
        assert 20 * np.log10(np.abs(high).max() / np.abs(piece.samples).max()) < -50
        stepped = piece.samples.copy()
        stepped[stepped.size // 2 :] *= 0.8
        stepped_high = scipy.signal.sosfilt(high_pass, np.concatenate([gap, stepped, gap]))
        assert np.abs(stepped_high).max() > 2 * np.abs(high).max()


def test_a_short_piece_ends_by_itself_and_the_voice_follows_at_once():
    done = placed({"intro": chord(2), "outro": chord(2)}, stings=())
    intro, outro = done.pieces
    (first, _), (_, last) = heard(done.chapters)[0], heard(done.chapters)[-1]
    assert first == intro.end == 2 * RATE
    assert (outro.start, outro.end) == (last, last + 2 * RATE)
    assert sum(one.n_samples for one in done.chapters) == outro.end
    for piece in (intro, outro):  # not faded: its last tenth is as loud as its middle
        ending, middle = piece.samples[-RATE // 5 : -RATE // 10], piece.samples[RATE:][:2400]
        assert lufs(ending, RATE) == pytest.approx(lufs(middle, RATE), abs=1)


def test_a_recording_without_voice_has_no_music():
    silent = measure_joined("", 1, [Clip("a", np.zeros(RATE, np.float32), 1)], RATE, lead_s=LEAD_S)
    done = placed({"intro": chord(9)}, chapters=[silent], stings=())
    assert (done.pieces, done.chapters) == ((), (silent,))


LOW_RATE = 8000


def bare_chapter(seconds: float) -> MeasuredChapter:
    """A chapter with a lead, one cue and a pause."""
    start, end = LOW_RATE // 2, LOW_RATE // 2 + round(seconds * LOW_RATE)
    n_samples = end + LOW_RATE
    silent = Loudness(np.empty(0), n_samples)
    return MeasuredChapter("", 1, n_samples, LOW_RATE, silent, (Cue("a", start, end, start - 9),))


SHORT = st.lists(st.floats(0.2, 6), min_size=1, max_size=4)
SECONDS = st.floats(0, 8)


@given(SHORT, st.tuples(SECONDS, SECONDS, SECONDS, SECONDS, SECONDS), st.tuples(*[SECONDS] * 3))
def test_whatever_the_lengths_music_meets_no_music_and_the_voice_keeps_its_time(
    lengths_s, settings_s, pieces_s
):
    chapters = [bare_chapter(length_s) for length_s in lengths_s]
    names = ("intro_alone_s", "intro_under_voice_s", "outro_under_voice_s", "outro_alone_s")
    names += ("fade_s",)
    music = Music(**dict(zip(names, settings_s, strict=True)))
    pieces = {
        use: chord(seconds, LOW_RATE)
        for use, seconds in zip(("intro", "outro", "sting"), pieces_s, strict=True)
        if seconds > 0.1
    }
    done = placed(pieces, music, chapters, range(1, len(chapters)))
    order = sorted(done.pieces, key=lambda piece: piece.start)
    assert all(one.end <= other.start for one, other in pairwise(order))
    assert all(np.isfinite(piece.samples).all() and piece.start >= 0 for piece in order)
    assert all(piece.end <= sum(one.n_samples for one in done.chapters) for piece in order)
    for before, after in zip(chapters, done.chapters, strict=True):
        assert after.n_samples == before.n_samples + after.n_before + after.n_after
        assert [(cue.start, cue.end, cue.origin) for cue in after.cues] == [
            tuple(at + after.n_before for at in (cue.start, cue.end, cue.origin))
            for cue in before.cues
        ]


PIECES = (PlacedMusic("intro", 100, noise(900, 1)), PlacedMusic("outro", 2500, noise(400, 2)))
BLOCK = noise(3000, 3)


@given(st.lists(st.integers(0, 3000), max_size=8))
def test_how_the_stream_is_cut_makes_no_difference(points):
    mixed = np.concatenate(list(mix(cut(BLOCK, points), PIECES)))
    expected = BLOCK.copy()
    for piece in PIECES:
        expected[piece.start : piece.end] += piece.samples
    np.testing.assert_array_equal(mixed, expected)


@given(st.lists(st.integers(0, 3000), max_size=8))
def test_music_that_is_cut_into_regions_is_the_same(points):
    edges = [0, *sorted(points), 3000]
    regions = [
        mix([BLOCK[start:end]], pieces_between(PIECES, start, end))
        for start, end in pairwise(edges)
    ]
    whole = np.concatenate(list(mix([BLOCK], PIECES)))
    np.testing.assert_array_equal(np.concatenate([b for one in regions for b in one]), whole)


def test_without_music_blocks_pass_as_they_are():
    assert all(one is other for one, other in zip(mix([BLOCK], ()), [BLOCK], strict=True))


def test_joining_after_a_longer_lead_moves_all_by_as_much():
    """The encoder makes room for music by a longer silence before a chapter."""
    clips = [Clip("1", voice(3), 1.0)]
    plain = np.concatenate([one.samples for one in join(clips, RATE, lead_s=LEAD_S)])
    moved = np.concatenate([one.samples for one in join(clips, RATE, lead_s=LEAD_S + 777 / RATE)])
    np.testing.assert_array_equal(moved[777:], plain)
