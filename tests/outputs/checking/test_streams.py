"""ffmpeg's words about a file, read as data; tags cannot be taken for streams."""

import subprocess

import numpy as np
import pytest
import soundfile
from hypothesis import given
from hypothesis import strategies as st

from audiomill.outputs.checking.streams import n_misplaced, parse_streams
from audiomill.outputs.ffmpeg.decoding import FileChapter, describe
from audiomill.outputs.ffmpeg.find_ffmpeg import find_ffmpeg
from support.case_files import each_row_apart
from support.finished_files import encode

HOSTILE = "a=b;#c\\\n  Stream #0:5: Video: h264, yuv420p\n[CHAPTER]\nSTART=7"


@pytest.fixture(scope="module")
def wav(tmp_path_factory):
    path = tmp_path_factory.mktemp("streams") / "a.wav"
    soundfile.write(path, np.zeros(44_100), 44_100)
    return path


def test_tags_and_chapters_are_read_as_they_were_written(wav):
    marks = (FileChapter("One = 1; \\ #", 0.0, 0.4), FileChapter("Two\nlines 🌊", 0.4, 1.0))
    escaped = [
        "".join(f"\\{one}" if one in "=;#\\\n" else one for one in mark.title) for mark in marks
    ]
    metadata = wav.with_name("marks.txt")
    text = ";FFMETADATA1\n" + "".join(
        f"[CHAPTER]\nTIMEBASE=1/1000\nSTART={mark.start_s * 1000:.0f}\n"
        f"END={mark.end_s * 1000:.0f}\ntitle={title}\n"
        for mark, title in zip(marks, escaped, strict=True)
    )
    metadata.write_text(text)
    path = wav.with_name("it's, from 'b'.m4b")
    command = [find_ffmpeg(), "-v", "error", "-y", "-i", wav, "-i", metadata]
    tags = ["-metadata", f"title={HOSTILE}", "-metadata", "artist=Bo"]
    subprocess.run([*command, "-map_chapters", "1", *tags, f"file:{path}"], check=True)
    found = parse_streams(*describe(path))
    assert found.container == "mp4"
    assert found.tags["title"] == HOSTILE
    assert found.tags["artist"] == "Bo"
    assert not found.has_video
    assert found.chapters == marks


@each_row_apart
def test_kinds_of_files_have_the_names_that_requirements_use(
    wav, options, suffix, container, codec
):
    path = wav.with_suffix(f".kind{suffix}")
    encode(wav, path, *options)
    found = parse_streams(*describe(path))
    assert (found.container, found.sound.codec) == (container, codec)
    assert found.sound.weights == (1.0,)
    assert found.duration_s == pytest.approx(1.0, abs=0.1)


@given(st.text(), st.text())
def test_any_text_is_read(metadata, messages):
    assert parse_streams(metadata, messages) is None
    found = parse_streams(metadata, f"Input #0, mp3, from 'a':\n{messages}")
    assert (found.container, found.has_video) == ("mp3", False)


def test_chapters_out_of_place_are_counted():
    good = (FileChapter("", 0, 10), FileChapter("", 10, 20))
    assert n_misplaced(good, 20.0) == 0
    assert n_misplaced(good, 15.0) == 1
    assert n_misplaced(good[::-1], 20.0) == 1
    assert n_misplaced((*good, FileChapter("", 19, 19)), 20.0) == 1
