"""Pieces of music from files of any kind: mono, at the wanted rate, trimmed, within limits."""

from pathlib import Path

import numpy as np
import pytest
import soundfile

from audiomill.outputs.audio.music import Music, music_digest, wrong_settings
from audiomill.outputs.audio.music_pieces import MAX_BYTES, MusicInvalid, load_music, lufs
from support.case_files import rows_of
from support.music_data import chord, write_piece

CASES = Path(__file__).with_name("cases") / "music_pieces.txt"
RATE = 22050


def loaded(path: Path, rate: int = RATE):
    return load_music(Music(sting=path), rate)["sting"]


@pytest.mark.parametrize("rate", [8000, 22050, 44100, 48000])
@pytest.mark.parametrize("subtype", ["PCM_U8", "PCM_16", "PCM_24", "FLOAT"])
def test_any_rate_and_depth_gives_the_same_piece(tmp_path, rate, subtype):
    piece = loaded(write_piece(tmp_path / "a.wav", 2, rate, subtype=subtype))
    assert piece.dtype == np.float32
    assert piece.size == pytest.approx(2 * RATE, abs=0.02 * RATE)
    assert lufs(piece, RATE) == pytest.approx(lufs(chord(2, RATE), RATE), abs=0.2)


def test_stereo_becomes_mono_and_nothing_folds_back(tmp_path):
    """A tone above half of the wanted rate must not become another tone below it."""
    rate = 48000
    hiss = 0.5 * np.sin(2 * np.pi * 15_000 * np.arange(2 * rate) / rate)
    left = chord(2, rate)
    soundfile.write(tmp_path / "a.flac", np.stack([left + hiss, left], 1), rate)
    spectrum = np.abs(np.fft.rfft(loaded(tmp_path / "a.flac")[: 2 * RATE - RATE // 10]))
    at_hz = np.fft.rfftfreq(2 * RATE - RATE // 10, 1 / RATE)
    folded = spectrum[np.abs(at_hz - (RATE - 15_000)) < 50].max()
    assert 20 * np.log10(folded / spectrum.max()) < -60


def test_silence_at_the_ends_is_cut_off_whatever_the_level(tmp_path):
    for level in (0.9, 0.003):
        gap = np.zeros(RATE, np.float32)
        whole = np.concatenate([gap, chord(1.5, RATE, level=level), gap])
        soundfile.write(tmp_path / "a.wav", whole, RATE, subtype="FLOAT")
        assert loaded(tmp_path / "a.wav").size == pytest.approx(1.5 * RATE, abs=0.03 * RATE)


def test_what_cannot_be_played_is_told(tmp_path):
    (tmp_path / "text.mp3").write_text("no sound")
    soundfile.write(tmp_path / "silent.wav", np.zeros(RATE), RATE)
    soundfile.write(tmp_path / "empty.wav", np.zeros(0), RATE)
    write_piece(tmp_path / "long.wav", 20.5, 8000)
    with (tmp_path / "large.wav").open("wb") as file:
        file.truncate(MAX_BYTES + 1)
    for name, reason in rows_of(CASES, "FAULTS"):
        with pytest.raises(MusicInvalid, match=reason) as error:
            loaded(tmp_path / name)
        assert str(tmp_path / name) in str(error.value)


def test_a_long_theme_is_fine_and_only_its_beginning_is_kept(tmp_path):
    path = write_piece(tmp_path / "theme.flac", 60, 8000)
    music = Music(intro=path, intro_alone_s=2, intro_under_voice_s=3)
    assert load_music(music, 8000)["intro"].size == pytest.approx(6 * 8000, abs=100)


def test_the_digest_is_of_content_and_settings_not_of_places(tmp_path):
    a, b = (write_piece(tmp_path / f"{name}.wav", 1) for name in "ab")
    one = music_digest(Music(intro=a))
    assert one == music_digest(Music(intro=b))
    assert one != music_digest(Music(outro=a))
    assert one != music_digest(Music(intro=a, fade_s=1))
    write_piece(a, 1, level=0.2)
    assert one != music_digest(Music(intro=a))
    assert music_digest(Music()) == music_digest(Music(fade_s=1)) == ""


def test_settings_have_limits():
    wrong = Music(fade_s=-1, intro_alone_s=61, ducked_below_voice_db=float("nan"))
    assert [name for name, _ in wrong_settings(wrong)] == [
        "intro_alone_s",
        "fade_s",
        "ducked_below_voice_db",
    ]
    assert list(wrong_settings(Music())) == []
