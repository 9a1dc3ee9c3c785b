"""MP4 files keep their sound and chapters when they are tagged again, also beyond 4 GiB."""

import struct
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from mutagen.mp4 import MP4

from audiomill.inputs.model.book import Cover
from audiomill.outputs.ffmpeg.decoding import decode
from audiomill.outputs.formats.mp4 import tag_mp4
from audiomill.outputs.metadata.tags import EmbeddedMetadata, Tags
from support.encoded_files import SPECIAL, chapters_read, encoded_file, marks_over
from support.picture_data import noise_picture, saved
from support.signals_data import RATE, png_cover, voice
from support.tags_data import BOOK_TAGS

PARENTS = {b"moov", b"trak", b"mdia", b"minf", b"stbl"}


def atoms(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    """The names and bodies of atoms that follow one another."""
    position = 0
    while position < len(data):
        size, name = struct.unpack_from(">I4s", data, position)
        yield name, data[position + 8 : position + size]
        position += size


def atom(name: bytes, body: bytes) -> bytes:
    return struct.pack(">I4s", 8 + len(body), name) + body


def with_long_offsets(name: bytes, body: bytes, shift: int) -> bytes:
    """The atom with all offsets of chunks in 64 bits, and `shift` added to them."""
    if name in PARENTS:
        inner = b"".join(with_long_offsets(*one, shift) for one in atoms(body))
        return atom(name, inner)
    if name != b"stco":
        return atom(name, body)
    offsets = np.frombuffer(body[8:], ">u4").astype(">u8") + shift
    return atom(b"co64", body[:8] + offsets.astype(">u8").tobytes())


def stretched(source: Path, target: Path, gap: int) -> None:
    """Write the MP4 with `gap` unused bytes, which take no space on the disk, before its sound."""
    parts = list(atoms(source.read_bytes()))
    names = [name for name, _ in parts]
    assert names.index(b"moov") < names.index(b"mdat") == len(names) - 1
    before = parts[: names.index(b"moov")]
    moov, between, sound = parts[len(before)], parts[len(before) + 1 : -1], parts[-1][1]
    growth = len(with_long_offsets(*moov, 0)) - len(atom(*moov))
    head = b"".join(
        (
            *(atom(*one) for one in before),
            with_long_offsets(*moov, growth + 8 + gap),
            *(atom(*one) for one in between),
            struct.pack(">I4sQ", 1, b"mdat", 16 + gap + len(sound)),
        )
    )
    with target.open("wb") as file:
        file.write(head)
        file.seek(gap, 1)
        file.write(sound)


@pytest.mark.parametrize(
    "gap", [0, 1 << 20, pytest.param(1 << 32, marks=[pytest.mark.prove, pytest.mark.longest])]
)
def test_offsets_of_64_bits_follow_the_sound(tmp_path, gap):
    samples = voice(3)
    marks = marks_over(samples.size, SPECIAL)
    file = encoded_file(tmp_path, "m4b", samples, marks, cover=png_cover())
    expected, chapters = np.concatenate(list(decode(file.path))), chapters_read(file.path)
    path = tmp_path / "long.m4b"
    stretched(file.path, path, gap)
    assert path.stat().st_size > gap
    cover = Cover("image/png", saved(noise_picture(300, 300), "PNG"))
    for tags in (Tags("Short", "A"), BOOK_TAGS):  # the cover makes it longer, then not
        tag_mp4(path, EmbeddedMetadata(tags, marks, RATE, samples.size, cover))
        np.testing.assert_array_equal(np.concatenate(list(decode(path))), expected)
        assert chapters_read(path) == chapters
        assert [one.title for one in MP4(path).chapters] == SPECIAL
        assert bytes(MP4(path)["covr"][0]) == cover.data
        assert MP4(path)["\xa9nam"] == [tags.title]
    path.unlink()  # so large that it is not kept
