"""WAV files keep chapters, tags and cover in well-formed chunks, of any length."""

import io
import os
import struct
from pathlib import Path

import av
import pytest
import soundfile
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from mutagen import MutagenError
from mutagen.id3 import ID3

from audiomill.inputs.model.book import Book, Cover
from audiomill.outputs.formats.wav import tag_wav
from audiomill.outputs.metadata.chapters import Mark
from audiomill.outputs.metadata.tags import EmbeddedMetadata, Tags, book_tags
from support.encoded_files import SPECIAL, chapters_read, encoded_file, markers, marks_over
from support.examples import few_examples
from support.signals_data import RATE, png_cover, voice
from support.tags_data import BOOK_TAGS

ANYTHING = st.text(st.characters(), max_size=300)
GIB = 1 << 30
ORDER = ["JUNK", "fmt ", "data", "cue ", "LIST", "LIST", "id3 "]


def encoded(folder: Path, n_samples: int, marks: list[Mark], tags: Tags = BOOK_TAGS) -> Path:
    samples = voice(2)[:n_samples]
    return encoded_file(folder, "wav", samples, marks, tags, cover=png_cover()).path


def chunks_of(data: bytes) -> list[tuple[str, bytes]]:
    """The names and bodies of chunks that follow one another."""
    found, position = [], 0
    while position < len(data):
        assert position % 2 == 0
        name, size = struct.unpack_from("<4sI", data, position)
        body = data[position + 8 : position + 8 + size]
        assert len(body) == size
        found.append((name.decode(), body))
        position += 8 + size + size % 2
    assert position == len(data)
    return found


def sparse_rf64(path: Path, n_samples: int, n_channels: int = 1) -> None:
    """A file as the encoder writes it, with silence that takes no space on the disk."""
    n_bytes = 2 * n_channels
    sizes = struct.pack("<QQQI", 72 + n_bytes * n_samples, n_bytes * n_samples, n_samples, 0)
    layout = struct.pack("<HHIIHH", 1, n_channels, RATE, n_bytes * RATE, n_bytes, 16)
    head = b"RF64\xff\xff\xff\xffWAVEds64" + struct.pack("<I", 28) + sizes
    path.write_bytes(head + b"fmt " + struct.pack("<I", 16) + layout + b"data\xff\xff\xff\xff")
    os.truncate(path, 80 + n_bytes * n_samples)


@pytest.mark.parametrize("n_samples", [1, 24_000, 24_001])
@pytest.mark.parametrize("titles", [[], ["a"], ["ab", "abc"], SPECIAL])
def test_chunks_are_aligned_and_fill_the_file(tmp_path, n_samples, titles):
    n_samples += len(titles)
    data = encoded(tmp_path, n_samples, marks_over(n_samples, titles)).read_bytes()
    assert data[:4] == b"RIFF"
    assert int.from_bytes(data[4:8], "little") == len(data) - 8
    found = chunks_of(data[12:])
    assert [name for name, _ in found] == (ORDER if titles else [*ORDER[:3], *ORDER[5:]])
    assert len(dict(found)["data"]) == 2 * n_samples
    for name, body in found:
        if name == "LIST":
            assert chunks_of(body[4:])


def test_markers_and_regions_are_exact_to_the_sample(tmp_path):
    marks = marks_over(40_001, SPECIAL)
    path = encoded(tmp_path, 40_001, marks)
    assert markers(path) == [(mark.title, mark.start) for mark in marks]
    adtl = next(body for _, body in chunks_of(path.read_bytes()[12:]) if body[:4] == b"adtl")
    regions = [
        struct.unpack_from("<I", body, 4)[0] for name, body in chunks_of(adtl[4:]) if name == "ltxt"
    ]
    assert regions == [mark.end - mark.start for mark in marks]


@pytest.mark.parametrize("n_samples", [5 * GIB // 2, 2 * GIB - 100, 2 * GIB - 4000])
def test_sizes_of_64_bits_where_32_are_too_few(tmp_path, n_samples):
    """The last two need them, or not, because of the chunks after the sound."""
    path = tmp_path / "long.wav"
    sparse_rf64(path, n_samples)
    marks = [Mark("First", 0, n_samples // 2), Mark("Last", n_samples // 2, n_samples)]
    tag_wav(path, EmbeddedMetadata(BOOK_TAGS, marks, RATE, n_samples, png_cover()))
    n_bytes, is_long = path.stat().st_size, path.stat().st_size - 8 >= 1 << 32
    with path.open("rb") as file:
        head = file.read(80)
        file.seek(80 + 2 * n_samples)
        assert [name for name, _ in chunks_of(file.read())] == ORDER[3:]
    sizes = struct.unpack("<QQQ", head[20:44])
    if is_long:
        assert (head[:4], head[12:16]) == (b"RF64", b"ds64")
        assert head[4:8] == head[76:80] == b"\xff\xff\xff\xff"
        assert sizes == (n_bytes - 8, 2 * n_samples, n_samples)
    else:
        assert (head[:4], head[12:16], sizes) == (b"RIFF", b"JUNK", (0, 0, 0))
        assert struct.unpack("<I", head[4:8]) == (n_bytes - 8,)
        assert struct.unpack("<I", head[76:80]) == (2 * n_samples,)
    assert is_long == (n_samples != 2 * GIB - 4000)
    assert soundfile.info(path).frames == n_samples
    with av.open(str(path)) as container:
        assert container.duration == pytest.approx(n_samples / RATE * 1e6, abs=1)
        assert container.metadata["title"] == BOOK_TAGS.title
    # libsndfile reads no cue points in RF64.
    assert chapters_read(path) == [("First", 0), ("Last", n_samples // 2 / RATE)]


def test_samples_of_two_channels_count_once(tmp_path):
    path = tmp_path / "stereo.wav"
    sparse_rf64(path, 2 * GIB, n_channels=2)
    tag_wav(path, EmbeddedMetadata(BOOK_TAGS, [Mark("One", 0, 2 * GIB)], RATE, 2 * GIB))
    with path.open("rb") as file:
        _, n_sound, n_samples = struct.unpack("<QQQ", file.read(44)[20:])
    assert (n_sound, n_samples) == (8 * GIB, 2 * GIB)
    info = soundfile.info(path)
    assert (info.frames, info.channels) == (2 * GIB, 2)


def test_a_file_that_is_tagged_again_has_only_the_new_tags(tmp_path):
    """It may become longer than 4 GiB then, and shorter again."""
    n_samples = 2 * GIB - 4000
    path = tmp_path / "long.wav"
    sparse_rf64(path, n_samples)
    tag_wav(path, EmbeddedMetadata(BOOK_TAGS, [], RATE, n_samples))
    plain = path.stat().st_size
    cover = Cover("image/png", png_cover().data + bytes(20_000))
    for tags, its_cover, form in ((Tags("New", "A"), cover, b"RF64"), (BOOK_TAGS, None, b"RIFF")):
        tag_wav(path, EmbeddedMetadata(tags, [], RATE, n_samples, its_cover))
        with path.open("rb") as file:
            assert file.read(4) == form
        with av.open(str(path)) as container:
            assert container.metadata["title"] == tags.title
            assert container.duration == pytest.approx(n_samples / RATE * 1e6, abs=1)
    assert path.stat().st_size == plain


def test_a_file_without_sound_is_refused(tmp_path):
    (tmp_path / "a.wav").write_bytes(b"RIFF\0\0\0\0WAVE")
    with pytest.raises(MutagenError, match="data"):
        tag_wav(tmp_path / "a.wav", EmbeddedMetadata(BOOK_TAGS, [], RATE, 1))


@settings(few_examples(10), suppress_health_check=list(HealthCheck))
@given(texts=st.lists(ANYTHING, min_size=3, max_size=3))
def test_any_tag_reads_back_from_the_info_chunk(tmp_path, texts):
    title, author, description = texts
    book = Book(title, (author,), "de", (), "0", description=description)
    tags = book_tags(book)
    path = encoded(tmp_path, 100, [], tags)
    info = next(body for _, body in chunks_of(path.read_bytes()[12:]) if body[:4] == b"INFO")
    read = {name: body.decode().removesuffix("\0") for name, body in chunks_of(info[4:])}
    kept = {"INAM": tags.title, "IART": tags.artist, "ICMT": tags.description}
    assert kept == {name: read.get(name, "") for name in kept}


def test_the_id3_chunk_has_the_cover_and_no_chapters(tmp_path):
    path = encoded(tmp_path, 9600, marks_over(9600, SPECIAL))
    chunk = dict(chunks_of(path.read_bytes()[12:]))["id3 "]
    frames = ID3(io.BytesIO(chunk))
    assert frames.getall("APIC")[0].data == png_cover().data
    assert not frames.getall("CHAP")
    assert frames.version == (2, 3, 0)
