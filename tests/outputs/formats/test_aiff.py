"""AIFF files keep chapters, tags and cover in well-formed chunks; too long ones are refused."""

import struct
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from mutagen.aiff import AIFF

from audiomill.outputs.audio.file_sound import AudioRegion
from audiomill.outputs.formats.aiff import MAX_AIFF_MARKS, aiff_bytes, tag_aiff
from audiomill.outputs.formats.encoder import encode
from audiomill.outputs.formats.format import Encoding
from audiomill.outputs.formats.pending_file import Target
from audiomill.outputs.metadata.chapters import Mark
from audiomill.outputs.metadata.tags import EmbeddedMetadata, Tags
from audiomill.outputs.types import OutputTooLarge
from audiomill.renderers.engine.protocol import Samples
from support.encoded_files import SPECIAL, chapters_read, encoded_file, markers, marks_over
from support.signals_data import RATE, png_cover, voice
from support.tags_data import BOOK_TAGS

ORDER = ["COMM", "SSND", "MARK", "ID3 "]


def encoded(folder: Path, n_samples: int, marks: list[Mark], tags: Tags = BOOK_TAGS) -> Path:
    samples = voice(2)[:n_samples]
    return encoded_file(folder, "aiff", samples, marks, tags, cover=png_cover()).path


def chunks_of(path: Path) -> dict[str, bytes]:
    """The chunks of a file by name. Each must begin at an even position, and fill the file."""
    data = path.read_bytes()
    assert data[:4] + data[8:12] == b"FORMAIFF"
    assert int.from_bytes(data[4:8]) == len(data) - 8
    found, position = {}, 12
    while position < len(data):
        assert position % 2 == 0
        name, size = struct.unpack_from(">4sI", data, position)
        found[name.decode()] = data[position + 8 : position + 8 + size]
        position += 8 + size + size % 2
    assert position == len(data)
    return found


@pytest.mark.parametrize("n_samples", [1, 24_000, 24_001])
@pytest.mark.parametrize("titles", [[], ["a"], ["ab", "abc"], SPECIAL])
def test_chunks_are_aligned_and_fill_the_file(tmp_path, n_samples, titles):
    n_samples += len(titles)
    marks = marks_over(n_samples, titles)
    path = encoded(tmp_path, n_samples, marks)
    found = chunks_of(path)
    assert list(found) == [name for name in ORDER if titles or name != "MARK"]
    assert len(found["SSND"]) == 8 + 2 * n_samples
    metadata = EmbeddedMetadata(BOOK_TAGS, marks, RATE, n_samples, png_cover())
    assert path.stat().st_size == aiff_bytes(metadata)


def test_a_marker_holds_a_title_of_255_bytes(tmp_path):
    """No byte of a character is left of what is cut."""
    long = "x" * 250 + "本" * 5
    marks = [Mark(long, 0, 9600)]
    path = encoded(tmp_path, 9600, marks)
    assert markers(path) == [("x" * 250 + "本", 0)]
    assert [title for title, _ in chapters_read(path)] == [long]  # in the ID3 chunk


def test_a_file_that_is_tagged_again_has_only_the_new_tags(tmp_path):
    path = encoded(tmp_path, 9600, marks_over(9600, SPECIAL))
    before = chunks_of(path)
    new = Tags("New", "Album")
    tag_aiff(path, EmbeddedMetadata(new, [], RATE, 9600))
    after = chunks_of(path)
    assert list(after) == ["COMM", "SSND", "ID3 "]
    assert after["SSND"] == before["SSND"]
    assert AIFF(path).tags["TIT2"].text == ["New"]
    assert not AIFF(path).tags.getall("APIC")
    assert not chapters_read(path)


def unread() -> Iterator[Samples]:
    raise AssertionError("audio was read")
    yield


@pytest.mark.parametrize(
    ("n_samples", "channels", "is_held"),
    [(2 * (1 << 30), 1, False), (1 << 30, 2, False), (1 << 30, 1, True)],
)
def test_more_than_4_gib_is_refused_before_anything_is_encoded(
    tmp_path, n_samples, channels, *, is_held
):
    target = Target("aiff", tmp_path / "book.aiff", Encoding(channels=channels))
    error = AssertionError if is_held else OutputTooLarge
    with pytest.raises(error, match="audio was read" if is_held else "Choose flac or wav"):
        encode([AudioRegion(n_samples, unread)], RATE, [target], [], BOOK_TAGS)
    assert not list(tmp_path.iterdir())


def test_more_markers_than_numbers_for_them(tmp_path):
    n_samples = 33_000 * 24
    marks = marks_over(n_samples, ["T"] * 33_000)
    file = encoded_file(tmp_path, "aiff", np.zeros(n_samples, np.float32), marks)
    assert file.chapters == MAX_AIFF_MARKS == 32_767
    (count,) = struct.unpack_from(">H", chunks_of(file.path)["MARK"])
    assert count == MAX_AIFF_MARKS
