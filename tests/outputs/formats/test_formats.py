"""Bit rates and their modes become options of ffmpeg, and files of that size."""

from pathlib import Path

import pytest
from mutagen.mp3 import MP3, BitrateMode
from mutagen.oggopus import OggOpus

from audiomill.outputs.formats.encoder import encode
from audiomill.outputs.formats.format import BitRateMode, Encoding, encoding_options
from audiomill.outputs.formats.mp3_walk import walk_frames
from audiomill.outputs.formats.opus import MAX_OPUS_KBPS
from audiomill.outputs.formats.pending_file import Target
from audiomill.outputs.formats.registry import FORMATS, READALONGS
from support.encoded_files import LOSSLESS, whole
from support.paths import ROOT
from support.signals_data import RATE, voice
from support.tags_data import BOOK_TAGS

DURATION_S = 10
MODES: tuple[BitRateMode, ...] = ("cbr", "vbr")


@pytest.mark.parametrize("name", list(FORMATS))
def test_what_is_not_chosen_stays_as_it_was(name):
    assert encoding_options(FORMATS[name], Encoding()) == FORMATS[name].encoding


@pytest.mark.parametrize("name", LOSSLESS)
def test_lossless_formats_have_no_bit_rate(name):
    assert encoding_options(FORMATS[name], Encoding(None, 2, 192, "vbr")) == FORMATS[name].encoding


def encoded(folder: Path, name: str, encoding: Encoding, duration_s: float = DURATION_S) -> Path:
    target = Target(name, folder / f"a.{name}", encoding)
    (file,) = encode(whole(voice(duration_s)), RATE, [target], [], BOOK_TAGS).files
    return file.path


@pytest.mark.parametrize(("asked", "nearest"), [(64, 64), (100, 96), (192, 160), (512, 160)])
def test_a_constant_rate_is_the_nearest_that_mp3_has(tmp_path, asked, nearest):
    info = MP3(encoded(tmp_path, "mp3", Encoding(bit_rate_kbps=asked, bit_rate_mode="cbr"))).info
    assert (info.bitrate, info.bitrate_mode) == (nearest * 1000, BitrateMode.CBR)


@pytest.mark.parametrize("asked", [48, 64, 80])
def test_a_variable_rate_keeps_to_its_average(tmp_path, asked):
    path = encoded(tmp_path, "mp3", Encoding(bit_rate_kbps=asked, bit_rate_mode="vbr"))
    assert MP3(path).info.bitrate_mode == BitrateMode.VBR
    assert MP3(path).info.bitrate == pytest.approx(asked * 1000, rel=0.15)


@pytest.mark.parametrize("mode", [*MODES, None])
def test_opus_keeps_to_its_rate(tmp_path, mode):
    path = encoded(tmp_path, "opus", Encoding(bit_rate_kbps=48, bit_rate_mode=mode))
    kbps = path.stat().st_size * 8 / OggOpus(path).info.length / 1000
    assert kbps == pytest.approx(48, rel=0.05 if mode == "cbr" else 0.25)


def test_a_rate_that_libopus_refuses_is_its_highest(tmp_path):
    most, more = (
        encoded(tmp_path, "opus", Encoding(bit_rate_kbps=kbps), 2).read_bytes()
        for kbps in (MAX_OPUS_KBPS, 512)
    )
    assert most == more


def test_opus_of_two_channels_has_twice_the_highest_rate(tmp_path):
    sizes = [
        encoded(
            tmp_path, "opus", Encoding(channels=2, bit_rate_kbps=kbps, bit_rate_mode="cbr")
        ).stat()
        for kbps in (MAX_OPUS_KBPS, 2 * MAX_OPUS_KBPS)
    ]
    assert sizes[1].st_size == pytest.approx(2 * sizes[0].st_size, rel=0.05)


@pytest.mark.prove
@pytest.mark.parametrize("kbps", [96, 192, 320])
def test_an_mp3_of_two_channels_is_joint_stereo_only_if_it_may_be(tmp_path, kbps):
    for is_joint in (True, False):
        path = encoded(tmp_path, "mp3", Encoding(44_100, 2, kbps, "cbr", is_joint), 2)
        assert walk_frames(path).modes == {"joint stereo" if is_joint else "stereo"}


def test_m4b_takes_its_rate_and_has_one_mode(tmp_path):
    constant, varying = (
        encoded(tmp_path, "m4b", Encoding(bit_rate_kbps=96, bit_rate_mode=mode)).read_bytes()
        for mode in MODES
    )
    assert constant == varying
    assert len(constant) * 8 / DURATION_S == pytest.approx(96_000, rel=0.15)


def test_the_settings_page_has_all_formats():
    names = ", ".join(f"`{name}`" for name in (*FORMATS, *READALONGS))
    assert f"| {names} (`--format`) |" in (ROOT / "docs" / "settings.md").read_text("utf-8")
