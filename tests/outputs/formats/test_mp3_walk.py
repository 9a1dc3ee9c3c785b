"""Every frame of an MP3 is walked: its rate, what is foreign between frames, what is missing."""

import io
import random

import numpy as np
import pytest
import soundfile
from mutagen.id3 import ID3, TIT2

from audiomill.outputs.formats.mp3_frames import parse_header
from audiomill.outputs.formats.mp3_walk import walk_frames
from support.case_files import each_row
from support.finished_files import encode
from support.signals_data import voice


@pytest.fixture(scope="module")
def wav(tmp_path_factory):
    path = tmp_path_factory.mktemp("frames") / "a.wav"
    soundfile.write(path, np.r_[voice(2.0, 44_100), np.zeros(44_100)], 44_100)
    return path


def made(wav, *options):
    path = wav.with_name("a.mp3")
    encode(wav, path, "-c:a", "libmp3lame", *options)
    return path


@pytest.mark.parametrize("kbps", [64, 128, 192, 320])
def test_a_constant_rate_is_the_rate_of_all_frames(wav, kbps):
    found = walk_frames(made(wav, "-b:a", f"{kbps}k"))
    assert found.is_constant
    assert (found.least_kbps, found.most_kbps, found.average_kbps) == (kbps,) * 3
    assert found.n_frames == found.n_promised
    assert (found.junk_bytes, found.cut_bytes, found.missing_s) == (0, 0, 0)


def test_a_variable_rate_is_none_whatever_its_average(wav):
    found = walk_frames(made(wav, "-abr", "1", "-b:a", "192k"))
    assert not found.is_constant
    assert found.least_kbps < 192 <= found.most_kbps


@each_row
def test_all_versions_and_rates_are_known(wav, rate, channels):
    found = walk_frames(made(wav, "-ar", str(rate), "-ac", str(channels), "-b:a", "64k"))
    assert found.sample_rates == {rate}
    assert found.modes <= ({"mono"} if channels == 1 else {"stereo", "joint stereo"})
    assert found.n_frames == found.n_promised
    samples = found.n_frames * found.samples_per_frame
    assert samples / rate == pytest.approx(3.0, abs=4 * found.samples_per_frame / rate)


def test_tags_are_no_junk_but_all_else_is(wav):
    path = made(wav, "-b:a", "128k", "-write_id3v1", "1", "-metadata", "title=A")
    tags = ID3(path)
    tags.add(TIT2(encoding=3, text=["B" * 3000]))
    tags.save(path)
    assert walk_frames(path).junk_bytes == 0
    n_frames = walk_frames(path).n_frames
    whole = path.read_bytes()
    junk = random.Random(1).randbytes(5000)
    path.write_bytes(junk + whole[whole.index(b"Info") - 21 :])
    found = walk_frames(path)
    assert found.junk_bytes == 5000
    assert found.n_frames == n_frames


def test_a_file_that_is_cut_off_lacks_what_it_promises(wav):
    path = made(wav, "-b:a", "128k")
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    found = walk_frames(path)
    assert found.cut_bytes > 0
    assert found.missing_s == pytest.approx(1.5, abs=0.1)
    path.write_bytes(whole[:-1])
    assert walk_frames(path).missing_s == pytest.approx(1152 / 44_100)


@pytest.mark.parametrize("seed", range(5))
def test_noise_has_no_frames(tmp_path, seed):
    path = tmp_path / "a.mp3"
    path.write_bytes(random.Random(seed).randbytes(100_000))
    found = walk_frames(path)
    assert found is None or found.n_frames < 5


def test_headers_that_are_none_are_refused():
    assert parse_header(b"") is None
    assert parse_header(io.BytesIO(b"RIFF").read()) is None
    for data in (
        b"\xff\xfb\xf0\x00",
        b"\xff\xfb\x0c\x00",
        b"\xff\xfd\x90\x00",
        b"\xff\xeb\x90\x00",
    ):
        assert parse_header(data) is None
    assert parse_header(b"\xff\xfb\x90\x00").kbps == 128
