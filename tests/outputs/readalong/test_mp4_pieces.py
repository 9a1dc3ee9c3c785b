"""Pieces of recordings: the same to the byte as those of ffmpeg's segment muxer."""

import subprocess
from pathlib import Path

import pytest

from audiomill.outputs.encoding.find_ffmpeg import find_ffmpeg
from audiomill.outputs.readalong.document_audio import cut_by_ffmpeg, cut_recording
from audiomill.outputs.readalong.mp4_pieces import NotKnown, cut_as
from support.book_data import book_job, rendered

CUTS_S = [
    *([], [5.0], [0.0, 5.0], [0.0, 0.001, 0.002], [0.5, 0.51, 7.123456], [4.0, 19.99]),
    [19.9999999, 25.0],
]
TEXT = "# Book\n\n## First\n\nThe mill stood. Nobody came.\n\n## Second\n\nThe sea was far.\n"


def recording_in(folder: Path, rate: int, channels: int, seconds: float = 20.0) -> Path:
    """Noise in AAC, louder and louder: its first second has fewer bits than the others."""
    path = folder / "noise.m4a"
    noise = f"anoisesrc=r={rate}:d={seconds},volume='t/20':eval=frame"
    command = [find_ffmpeg(), "-v", "error", "-f", "lavfi", "-i", noise, "-ac", str(channels)]
    encoder = ["-c:a", "aac", "-aac_coder", "fast", "-b:a", "64k" if channels == 1 else "320k"]
    subprocess.run([*command, *encoder, "-movflags", "+faststart", str(path)], check=True)
    return path


@pytest.fixture(scope="module")
def noise(tmp_path_factory) -> Path:
    return recording_in(tmp_path_factory.mktemp("noise"), 24000, 1)


def both(recording: Path, cuts_s: list[float], folder: Path):
    """The pieces that are cut here, and ffmpeg's: name, time, bytes. Raises NotKnown."""
    own, by_ffmpeg = folder / "own", folder / "ffmpeg"
    for one in (own, by_ffmpeg):
        one.mkdir()
    (template,) = cut_by_ffmpeg(find_ffmpeg(), recording, [2.0], own, 1.0)
    for pieces in (
        cut_as(template.path, recording, cuts_s),
        cut_by_ffmpeg(find_ffmpeg(), recording, cuts_s or [1e6], by_ffmpeg),
    ):
        yield [(one.path.name, one.start_s, one.end_s, one.path.read_bytes()) for one in pieces]


@pytest.mark.parametrize("cuts_s", CUTS_S, ids=str)
def test_pieces_are_those_of_ffmpeg(tmp_path, noise, cuts_s):
    own, by_ffmpeg = both(noise, cuts_s, tmp_path)
    assert own == by_ffmpeg


@pytest.mark.parametrize(
    ("rate", "channels", "seconds"),
    [(22050, 1, 20.0), (44100, 2, 35.0), (48000, 1, 20.0), (24000, 1, 0.7)],
)
def test_pieces_of_other_rates_channels_and_lengths(tmp_path, rate, channels, seconds):
    """So much in stereo is in two chunks, as none has a megabyte."""
    recording = recording_in(tmp_path, rate, channels, seconds)
    own, by_ffmpeg = both(recording, [0.3], tmp_path)
    assert own == by_ffmpeg


@pytest.mark.parametrize("book_format", ["m4a", "m4b"])
def test_files_of_books_are_known(tmp_path, book_format):
    report = rendered(book_job(tmp_path, TEXT, formats=[book_format]))
    own, by_ffmpeg = both(report.files[0].path, [0.0, 2.0, 4.5], tmp_path)
    assert own == by_ffmpeg


def test_what_is_not_known_is_cut_by_ffmpeg(tmp_path, noise):
    other = tmp_path / "fragments.m4a"
    fragments = ["-c", "copy", "-movflags", "+frag_keyframe+empty_moov", str(other)]
    subprocess.run([find_ffmpeg(), "-v", "error", "-i", noise, *fragments], check=True)
    with pytest.raises(NotKnown):
        list(both(other, [5.0], tmp_path))
    folder = tmp_path / "cut"
    folder.mkdir()
    pieces = cut_recording(find_ffmpeg(), other, 24000, [5.0], folder)
    expected = cut_by_ffmpeg(find_ffmpeg(), other, [5.0], tmp_path / "ffmpeg")
    assert [one.path.read_bytes() for one in pieces] == [one.path.read_bytes() for one in expected]
