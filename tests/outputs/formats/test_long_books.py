"""A book of 30 hours and 714 chapters is right to its end, in every format that can hold it.

Each chapter begins with a beep in silence, so any part of it can be found in what is decoded.
"""

import itertools
import shutil
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import av
import mutagen.id3
import numpy as np
import psutil
import pytest
import soundfile
from mutagen.flac import FLAC

from audiomill.outputs.audio.file_sound import AudioRegion
from audiomill.outputs.ffmpeg.decoding import decode
from audiomill.outputs.formats.encoder import encode
from audiomill.outputs.formats.pending_file import Target
from audiomill.outputs.formats.registry import FORMATS
from audiomill.outputs.metadata.chapters import Mark
from audiomill.renderers.engine.protocol import Samples
from support.encoded_files import chapters_read
from support.signals_data import png_cover, sine
from support.tags_data import BOOK_TAGS

pytestmark = [pytest.mark.prove_long]

HOURS, N_CHAPTERS = 30, 714
RATE = 8000  # few samples, so that the proof takes minutes
BEEP_S = 0.05
OPUS_RATE = 48000  # of what is decoded
NAMES = ("m4b", "mp3", "flac", "opus")


def starts_of(sample_rate: int) -> list[int]:
    """Where the chapters start, and the length of the book as the last one."""
    return [
        number * HOURS * 3600 * sample_rate // N_CHAPTERS + number % 7
        for number in range(N_CHAPTERS)
    ] + [HOURS * 3600 * sample_rate + 77]


def blocks(n_samples: int, sample_rate: int) -> Iterator[Samples]:
    """A beep, and silence in blocks of a minute."""
    beep = sine(440, BEEP_S, sample_rate)
    yield beep
    minute = np.zeros(60 * sample_rate, np.float32)
    for position in range(beep.size, n_samples, minute.size):
        yield minute[: n_samples - position]


def encoded(folder: Path, names: tuple[str, ...], sample_rate: int) -> dict[str, Path]:
    edges = starts_of(sample_rate)
    marks = [
        Mark(f"Chapter {number}", start, end)
        for number, (start, end) in enumerate(itertools.pairwise(edges))
    ]
    regions = [
        AudioRegion(mark.end - mark.start, partial(blocks, mark.end - mark.start, sample_rate))
        for mark in marks
    ]
    targets = [Target(name, folder / f"long{FORMATS[name].suffix}") for name in names]
    files = encode(regions, sample_rate, targets, marks, BOOK_TAGS, png_cover()).files
    assert all(file.chapters == N_CHAPTERS for file in files)
    return {file.format: file.path for file in files}


@pytest.fixture(scope="module", params=NAMES)
def book(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Path]:
    """The book in one format, which takes no more memory than a short one; removed afterwards.

    One by one, so that processes that test side by side do not each encode them all.
    """
    process, folder = psutil.Process(), tmp_path_factory.mktemp("long")
    before = process.memory_info().rss
    path = encoded(folder, (request.param,), RATE)[request.param]
    assert process.memory_info().rss - before < 100 << 20
    yield path
    shutil.rmtree(folder)


def beeps_of(path: Path, sample_rate: int) -> tuple[list[int], int]:
    """Where sound begins after a second of silence, and the length; all in samples."""
    found, position, last = [], 0, -sample_rate
    for block in decode(path):
        for index in (np.flatnonzero(np.abs(block) > 0.1) + position).tolist():
            if index - last > sample_rate:
                found.append(index)
            last = index
        position += block.size
    return found, position


def test_every_chapter_is_marked_where_it_begins(book):
    chapters = chapters_read(book)
    assert [title for title, _ in chapters] == [f"Chapter {n}" for n in range(N_CHAPTERS)]
    starts = [start / RATE for start in starts_of(RATE)[:-1]]
    assert [start for _, start in chapters] == pytest.approx(starts, abs=0.0006)


def test_every_chapter_is_heard_where_it_is_marked(book):
    """And the whole is as long as the samples that were given."""
    rate = OPUS_RATE if book.suffix == ".opus" else RATE
    *starts, n_samples = (start * rate // RATE for start in starts_of(RATE))
    beeps, decoded = beeps_of(book, rate)
    assert decoded == n_samples
    assert len(beeps) == N_CHAPTERS
    assert np.abs(np.subtract(beeps, starts)).max() < 0.01 * rate


def test_a_jump_to_the_last_minute_lands_there(book):
    with av.open(str(book)) as container:
        stream = container.streams.audio[0]
        wanted = (HOURS * 3600 - 60) / stream.time_base
        container.seek(int(wanted), stream=stream)
        frame = next(container.decode(stream))
        assert frame.time == pytest.approx(HOURS * 3600 - 60, abs=11)
        assert container.duration / 1e6 == pytest.approx(HOURS * 3600, abs=0.1)


@pytest.mark.parametrize("book", ["mp3"], indirect=True)
def test_the_contents_of_the_mp3_hold_all_chapters(book):
    tag = mutagen.id3.ID3(book)
    assert len(tag.getall("CHAP")) == N_CHAPTERS
    assert max(frame.end_time for frame in tag.getall("CHAP")) == 30 * 3600 * 1000 + 10


@pytest.mark.parametrize("book", ["flac"], indirect=True)
def test_the_seek_table_of_the_flac_reaches_the_end(book):
    points = FLAC(book).seektable.seekpoints
    assert points[-1].first_sample > (HOURS * 3600 - 20) * RATE
    read, _ = soundfile.read(book, start=starts_of(RATE)[-2], frames=400)
    np.testing.assert_allclose(read, sine(440, BEEP_S, RATE), atol=1e-4)


def test_a_wav_of_more_than_4_gib(tmp_path):
    rate = 24000
    path = encoded(tmp_path, ("wav",), rate)["wav"]
    *starts, n_samples = starts_of(rate)
    assert path.stat().st_size > 5e9
    assert soundfile.info(path).frames == n_samples
    for start in (starts[0], starts[400], starts[-1]):
        read, _ = soundfile.read(path, start=start, frames=1200)
        np.testing.assert_allclose(read, sine(440, BEEP_S, rate), atol=1e-4)
    chapters = chapters_read(path)
    assert [start for _, start in chapters] == pytest.approx([one / rate for one in starts])
    with av.open(str(path)) as container:
        assert container.metadata["title"] == BOOK_TAGS.title
        assert container.duration == pytest.approx(n_samples / rate * 1e6, abs=1)
    path.unlink()  # not kept with the others
