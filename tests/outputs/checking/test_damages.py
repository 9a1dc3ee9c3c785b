"""A flipped bit is found wherever a file has a checksum; files as they were made have no damage."""

import random

import numpy as np
import pytest
import soundfile
from mutagen.apev2 import APEv2
from mutagen.oggvorbis import OggVorbis

from audiomill.outputs.checking.measured_file import cover_of, measure_file
from audiomill.outputs.checking.streams import Uncheckable
from audiomill.outputs.ffmpeg.decoding import open_audio
from audiomill.outputs.formats.flac import flac_digest
from audiomill.outputs.formats.mp3_frames import crc16
from support.case_files import each_row_apart
from support.finished_files import encode
from support.signals_data import voice

RATE = 44_100


@pytest.fixture(scope="module")
def wav(tmp_path_factory):
    path = tmp_path_factory.mktemp("damages") / "a.wav"
    both = np.stack((voice(1.2, RATE), voice(1.2, RATE, seed=1)), axis=1)
    soundfile.write(path, both, RATE, subtype="PCM_24")
    return path


def flipped(path, seed):
    """The file with one bit changed in the middle half of its bytes, beside it."""
    data = bytearray(path.read_bytes())
    chance = random.Random(seed)
    data[chance.randrange(len(data) // 4, len(data) * 3 // 4)] ^= 1 << chance.randrange(8)
    other = path.with_name(f"flipped{path.suffix}")
    other.write_bytes(data)
    return other


@each_row_apart
def test_one_flipped_bit_is_found(wav, suffix, options):
    path = wav.with_name(f"whole{suffix}")
    encode(wav, path, *options)
    assert measure_file(path).damages == ()
    for seed in range(3):
        assert measure_file(flipped(path, seed)).damages, seed


@pytest.mark.parametrize("bits", [16, 24])
def test_samples_of_flac_are_compared_with_those_that_were_encoded(wav, bits):
    path = wav.with_name(f"{bits}.flac")
    soundfile.write(path, soundfile.read(wav)[0], RATE, subtype=f"PCM_{bits}")
    digest, other = flac_digest(path), flac_digest(path)
    for block in open_audio(path).blocks:
        digest.add(block)
        other.add(block[::-1])
    assert digest.is_as_promised
    assert not other.is_as_promised


def test_frames_of_flac_and_its_samples_are_each_a_proof(wav):
    """The MD5 of the samples is the last field of STREAMINFO (RFC 9639); zeros are unknown."""
    path, md5 = wav.with_name("sums.flac"), slice(26, 42)
    encode(wav, path, "-sample_fmt", "s16")
    data = bytearray(path.read_bytes())
    data[md5] = bytes(16)
    path.write_bytes(data)
    assert measure_file(path).damages == ()
    assert measure_file(flipped(path, 0)).damages
    data[md5] = b"x" * 16
    path.write_bytes(data)
    (told,) = measure_file(path).damages
    assert "MD5" in told


def test_an_mp3_that_a_programme_made_louder_is_not_damaged(wav):
    """Its frames are others than were encoded, as its tags tell."""
    path = wav.with_name("gain.mp3")
    encode(wav, path, "-b:a", "128k")
    changed = flipped(path, 1)
    assert measure_file(changed).damages
    tags = APEv2()
    tags["MP3GAIN_UNDO"] = "+003,+003,N"
    tags.save(changed)
    assert measure_file(changed).damages == ()


def test_the_checksum_is_the_same_however_the_bytes_come():
    assert crc16(b"123456789") == 0xBB3D  # of the catalogue of CRCs
    data = random.Random(5).randbytes(70_001)
    byte_by_byte = 0
    for at in range(len(data)):
        byte_by_byte = crc16(data[at : at + 1], byte_by_byte)
    assert crc16(data) == byte_by_byte
    assert crc16(data[3000:], crc16(data[:3000])) == byte_by_byte


def test_a_rate_that_no_loudness_is_defined_for_is_told(tmp_path):
    path = tmp_path / "slow.wav"
    soundfile.write(path, np.full(20, 0.3), 1)
    with pytest.raises(Uncheckable, match="has 1 samples a second"):
        measure_file(path)


def test_a_picture_in_letters_that_base64_has_not_is_none(tmp_path):
    path = tmp_path / "a.ogg"
    soundfile.write(path, np.zeros(8_000), 8_000)
    file = OggVorbis(path)
    file["metadata_block_picture"] = ["Ä"]
    file.save()
    assert isinstance(cover_of(path), str)
