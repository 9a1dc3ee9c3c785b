"""FLAC files have a seek table, a picture with its size, and a checksum of the audio."""

import hashlib
from io import BytesIO
from pathlib import Path

import av
import numpy as np
import pytest
import soundfile
from hypothesis import given
from hypothesis import strategies as st
from mutagen.flac import FLAC
from PIL import Image

from audiomill.inputs.model.book import Cover
from audiomill.outputs.formats import flac
from audiomill.outputs.formats.aac_regions import to_pcm16
from audiomill.outputs.formats.flac import SEEK_STEP_S, tag_flac
from audiomill.outputs.metadata.tags import EmbeddedMetadata
from audiomill.renderers.engine.protocol import Samples
from support.case_files import each_row
from support.encoded_files import encoded_file
from support.picture_data import halves, saved
from support.signals_data import RATE, noise, png_cover, voice
from support.tags_data import BOOK_TAGS


def encoded(folder: Path, samples: Samples, sample_rate: int = RATE) -> Path:
    cover = png_cover()
    return encoded_file(folder, "flac", samples, rate=sample_rate, cover=cover).path


def frames_read(path: Path) -> dict[int, int]:
    """The position of each frame by its first sample, from FFmpeg's reader."""
    with av.open(str(path)) as container:
        packets = [one for one in container.demux(audio=0) if one.size]
        rate = container.streams.audio[0].rate
        return {round(one.pts * one.time_base * rate): one.pos for one in packets}


@pytest.mark.parametrize("sample_rate", [8000, 11025, 16000, 22050, 24000, 44100, 48000])
def test_seek_points_are_where_frames_start(tmp_path, sample_rate):
    samples = np.tile(voice(3, sample_rate), 8)[: 21 * sample_rate + 7]
    path = encoded(tmp_path, samples, sample_rate)
    file = FLAC(path)
    points = file.seektable.seekpoints
    frames = frames_read(path)
    first = frames[0]
    assert {one.first_sample: first + one.byte_offset for one in points}.items() <= frames.items()
    starts = [one.first_sample for one in points]
    assert starts[0] == 0
    assert max(np.diff([*starts, samples.size])) <= SEEK_STEP_S * sample_rate
    assert all(one.num_samples == file.info.max_blocksize for one in points[:-1])


@pytest.mark.parametrize("n_samples", [16, 2048, 2049, 10 * RATE, 10 * RATE + 1])
def test_a_point_in_the_last_frame_has_its_length(tmp_path, n_samples):
    path = encoded(tmp_path, np.tile(voice(3), 4)[:n_samples])
    points = FLAC(path).seektable.seekpoints
    for one in points:
        assert one.num_samples == min(FLAC(path).info.max_blocksize, n_samples - one.first_sample)


def test_sound_that_looks_like_frames_does_not_disturb(tmp_path):
    """Noise is stored as it is; this one is full of the bytes that begin a frame."""
    pcm = np.frombuffer(b"\xff\xf8\xb7\x08" * (15 * RATE), "<i2").copy()
    pcm[::7] = np.random.default_rng(0).integers(-32768, 32767, pcm[::7].size)
    path = encoded(tmp_path, (pcm / 32768).astype(np.float32))
    frames = frames_read(path)
    points = FLAC(path).seektable.seekpoints
    found = {one.first_sample: frames[0] + one.byte_offset for one in points}
    assert len(found) == 3
    assert found.items() <= frames.items()


def test_a_jump_lands_on_the_sample(tmp_path):
    """Read by libFLAC, which uses the table."""
    samples = np.concatenate([noise(10 * RATE, seed) for seed in range(3)])
    path = encoded(tmp_path, samples)
    expected = np.frombuffer(to_pcm16(samples), "<i2")
    for start in (0, 1, 239_999, 600_001, samples.size - 10):
        read, _ = soundfile.read(path, frames=10, start=start, dtype="int16")
        assert read.tolist() == expected[start : start + 10].tolist()


def test_the_checksum_and_the_length_are_those_of_the_audio(tmp_path):
    samples = voice(3)
    info = FLAC(encoded(tmp_path, samples)).info
    assert info.total_samples == samples.size
    assert (
        info.md5_signature.to_bytes(16)
        == hashlib.md5(to_pcm16(samples), usedforsecurity=False).digest()
    )


@pytest.fixture
def short(tmp_path):
    return encoded(tmp_path, voice(0.1))


@each_row
def test_a_picture_has_its_size_and_depth(short, mode, kind, depth, is_indexed):
    picture = halves(64, 48).convert(mode)
    cover = Cover(f"image/{kind.lower()}", saved(picture, kind))
    tag_flac(short, EmbeddedMetadata(BOOK_TAGS, [], RATE, RATE, cover))
    (block,) = FLAC(short).pictures
    assert (block.width, block.height, block.depth, block.type) == (64, 48, depth, 3)
    assert block.data == cover.data
    assert bool(block.colors) == is_indexed
    if is_indexed:
        assert block.colors == len(Image.open(BytesIO(cover.data)).getpalette() or "") // 3


def test_damage_ends_the_table(tmp_path):
    path = encoded(tmp_path, np.tile(voice(5), 8))
    points = FLAC(path).seektable.seekpoints
    first = frames_read(path)[0]
    data = bytearray(path.read_bytes())
    data[first + points[3].byte_offset + 5] ^= 1
    path.write_bytes(data)
    assert list(flac.seek_points(path, FLAC(path).info)) == points[:3]


@given(st.integers(0, 0x10FFFF).filter(lambda number: not 0xD800 <= number < 0xE000))
def test_a_number_is_coded_as_in_utf_8(number):
    assert flac._coded(number) == chr(number).encode()


def test_larger_numbers_than_utf_8_has():
    assert flac._coded(0x7FFFFFFF) == b"\xfd\xbf\xbf\xbf\xbf\xbf"
    assert flac._coded(0xFFFFFFFFF) == b"\xfe\xbf\xbf\xbf\xbf\xbf\xbf"
