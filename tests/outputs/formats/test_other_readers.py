"""Finished files are read back by libraries that share no code with their writers.

MediaInfo, tinytag and libsndfile here; PyAV (FFmpeg) and mutagen in `test_encoding.py`.
"""

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import soundfile
from pymediainfo import MediaInfo
from tinytag import TinyTag

from audiomill.outputs.formats.aac_regions import to_pcm16
from support.encoded_files import ALL, BOOK_S, LOSSLESS, SPECIAL, encoded_file, marks_over
from support.signals_data import RATE, png_cover, voice
from support.tags_data import BOOK_TAGS

FRAMES_S = {"mp3": 0.06, "opus": 0.02}  # what a reader may count that is not played
MENUS = ("m4b", "m4a", "flac", "opus")  # whose chapters MediaInfo knows
_CLOCK = re.compile(r"(\d\d)_(\d\d)_(\d\d)(\d\d\d)")


def tracks(path: Path, kind: str) -> list[dict[str, Any]]:
    return [one.to_data() for one in MediaInfo.parse(path).tracks if one.track_type == kind]


def menu(track: dict[str, Any]) -> list[tuple[str, float]]:
    """Titles and starts in seconds of MediaInfo's list of chapters."""
    found = []
    for name, title in track.items():
        if match := _CLOCK.fullmatch(name):
            hours, minutes, seconds, ms = map(int, match.groups())
            found.append((title, 3600 * hours + 60 * minutes + seconds + ms / 1000))
    return found


@pytest.mark.parametrize("name", ALL)
def test_tags_and_cover_by_mediainfo(name, book):
    (general,) = tracks(book[name], "General")
    assert general["track_name"] == general["album"] == BOOK_TAGS.title
    assert general["performer"] == BOOK_TAGS.artist
    assert general["composer"] == BOOK_TAGS.narrator
    assert {*re.split(" *[;/] *", general["genre"])} == {*BOOK_TAGS.genres}
    assert general["recorded_date"] == BOOK_TAGS.year
    assert general["cover"] == "Yes"


@pytest.mark.parametrize("name", ALL)
def test_duration_by_mediainfo(name, book):
    (audio,) = tracks(book[name], "Audio")
    tolerance = FRAMES_S.get(name, 0.0)
    assert audio["duration"] / 1000 == pytest.approx(BOOK_S, abs=tolerance + 1e-3)
    if not tolerance:
        assert int(audio["samples_count"]) == voice(BOOK_S).size


@pytest.mark.parametrize("name", MENUS)
def test_chapters_by_mediainfo(name, book):
    """Of an MP4, both lists: Nero's and QuickTime's."""
    lists = [menu(track) for track in tracks(book[name], "Menu")]
    assert len(lists) == (2 if name in {"m4b", "m4a"} else 1)
    starts = [mark.start / RATE for mark in marks_over(voice(BOOK_S).size, SPECIAL)]
    for chapters in lists:
        assert [title for title, _ in chapters] == SPECIAL
        assert [start for _, start in chapters] == pytest.approx(starts, abs=0.001)


@pytest.mark.parametrize("n_chapters", [255, 256, 714])
def test_the_nero_list_is_left_out_if_it_cannot_hold_all_chapters(tmp_path, n_chapters):
    """Players that find one read no other, so it must not end in the middle of the book."""
    samples = np.zeros(n_chapters * RATE // 100, np.float32)
    titles = [f"Chapter {number}" for number in range(n_chapters)]
    marks = marks_over(samples.size, titles)
    file = encoded_file(tmp_path, "m4b", samples, marks)
    assert (b"chpl" in file.path.read_bytes()) == (n_chapters <= 255)
    lists = [menu(track) for track in tracks(file.path, "Menu")]
    assert len(lists) == (2 if n_chapters <= 255 else 1)
    for chapters in lists:
        assert [title for title, _ in chapters] == titles
        starts = [mark.start / RATE for mark in marks]
        assert [start for _, start in chapters] == pytest.approx(starts, abs=0.001)


@pytest.mark.parametrize("name", ALL)
def test_tags_and_cover_by_tinytag(name, book):
    tag = TinyTag.get(book[name], image=True)
    assert (tag.title, tag.album) == (BOOK_TAGS.title, BOOK_TAGS.title)
    assert (tag.artist, tag.composer) == (BOOK_TAGS.artist, BOOK_TAGS.narrator)
    # Of several comments of one name it tells the first.
    assert tag.genre is not None
    assert {*tag.genre.split("; ")} in ({*BOOK_TAGS.genres}, {BOOK_TAGS.genres[0]})
    assert tag.year == BOOK_TAGS.year
    assert tag.duration == pytest.approx(BOOK_S, abs=FRAMES_S.get(name, 0.001))
    assert tag.images.front_cover is not None
    assert tag.images.front_cover.data == png_cover().data


@pytest.mark.parametrize("name", [*LOSSLESS, "mp3"])
def test_length_by_libsndfile(name, book):
    samples = voice(BOOK_S)
    read, rate = soundfile.read(book[name], dtype="int16")
    assert rate == RATE
    if name == "mp3":  # mpg123 cuts what the Info header says
        assert read.size == samples.size
    else:
        assert read.astype("<i2").tobytes() == to_pcm16(samples)
