"""Entries of a book that stay as they are: copied as they are packed, if that is sound."""

import io
import zipfile
from pathlib import Path
from typing import IO

import pytest

from audiomill.inputs.epub.archive import Archive
from audiomill.inputs.model.book import Limits, SourceCorrupt, SourceTooLarge
from audiomill.outputs.readalong.archive_entries import add_entry

NAME = "drawing.svg"
DRAWING = b"".join(b'<path d="M%d %d"/>' % (at, at * at % 9973) for at in range(9000))
CHUNK = 1 << 18  # unpacked at a time
OTHERS = {"STORED": zipfile.ZIP_STORED, "BZIP2": zipfile.ZIP_BZIP2, "LZMA": zipfile.ZIP_LZMA}


class Pipe(io.RawIOBase):
    """A file that cannot seek: sizes and CRCs of entries come after their data."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file

    def writable(self) -> bool:
        return True

    def write(self, data: bytes) -> int:
        return self._file.write(data)


def source(path: Path, content: bytes = DRAWING, method: int = zipfile.ZIP_DEFLATED) -> Path:
    """An archive with a drawing, packed harder than we pack."""
    with zipfile.ZipFile(path, "w", method, compresslevel=9) as archive:
        archive.writestr(NAME, content)
    return path


def unseekable(path: Path) -> Path:
    with (
        path.open("wb") as file,
        zipfile.ZipFile(Pipe(file), "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive,
    ):
        archive.writestr(NAME, DRAWING)
    return path


def large(path: Path) -> Path:
    """An archive with 64-bit sizes in the header of its entry."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        entry = zipfile.ZipInfo(NAME)
        entry.compress_type = zipfile.ZIP_DEFLATED
        with archive.open(entry, "w", force_zip64=True) as target:
            target.write(DRAWING)
    return path


def packed(path: Path) -> bytes:
    """The bytes of the drawing, as an archive has them."""
    with zipfile.ZipFile(path) as archive:
        entry = archive.getinfo(NAME)
    data = path.read_bytes()
    lengths = (data[entry.header_offset + at :][:2] for at in (26, 28))
    start = entry.header_offset + 30 + sum(int.from_bytes(one, "little") for one in lengths)
    return data[start : start + entry.compress_size]


def copied(path: Path) -> Path:
    """An archive with what `path` has, between other entries."""
    target = path.with_suffix(".copy")
    with Archive(path, Limits()) as book, zipfile.ZipFile(target, "w") as archive:
        add_entry(archive, "mimetype", b"first")
        add_entry(archive, NAME, book.read_packed(NAME) or book.read(NAME))
        add_entry(archive, "last.txt", b"last")
    with zipfile.ZipFile(target) as archive:
        assert archive.testzip() is None
        assert archive.namelist() == ["mimetype", NAME, "last.txt"]
        assert archive.read(NAME) == read(path)
        assert archive.getinfo(NAME).compress_type == zipfile.ZIP_DEFLATED
    return target


def read(path: Path) -> bytes:
    with zipfile.ZipFile(path) as archive:
        return archive.read(NAME)


@pytest.mark.parametrize("made", [source, unseekable, large])
def test_an_entry_is_copied_as_it_is_packed(tmp_path, made):
    path = made(tmp_path / "book.epub")
    again = made(tmp_path / "again.epub")
    assert packed(copied(path)) == packed(path)
    assert copied(path).read_bytes() == copied(again).read_bytes()


@pytest.mark.parametrize("n_bytes", [CHUNK - 1, CHUNK, 2 * CHUNK, 2 * CHUNK + 1])
def test_entries_of_any_length_are_copied_whole(tmp_path, n_bytes):
    path = source(tmp_path / "book.epub", bytes(n_bytes))
    assert packed(copied(path)) == packed(path)


@pytest.mark.parametrize("method", OTHERS.values(), ids=OTHERS)
def test_entries_that_are_packed_otherwise_are_packed_again(tmp_path, method):
    path = source(tmp_path / "book.epub", method=method)
    assert len(packed(copied(path))) < len(DRAWING) // 2


def test_an_entry_that_packing_makes_larger_is_packed_again(tmp_path):
    copied(source(tmp_path / "book.epub", b"<svg/>"))


def changed(path: Path, at: int, data: bytes) -> Path:
    """An archive with other bytes at a place of its directory's only record."""
    content = bytearray(path.read_bytes())
    start = content.index(b"PK\x01\x02") + at
    content[start : start + len(data)] = data
    path.write_bytes(content)
    return path


@pytest.mark.parametrize("at", [16, 20, 24], ids=["CRC", "packed size", "size"])
def test_a_damaged_entry_is_not_copied_but_named(tmp_path, at):
    path = source(tmp_path / "book.epub")
    start = path.read_bytes().index(b"PK\x01\x02") + at
    less = int.from_bytes(path.read_bytes()[start : start + 4], "little") - 9
    changed(path, at, less.to_bytes(4, "little"))
    with Archive(path, Limits()) as book:
        assert book.read_packed(NAME) is None
        with pytest.raises(SourceCorrupt, match="damaged"):
            book.read(NAME)


def test_what_follows_the_packed_bytes_is_not_copied(tmp_path):
    path = source(tmp_path / "book.epub")
    changed(path, 20, (len(packed(path)) + 3).to_bytes(4, "little"))
    with Archive(path, Limits()) as book:
        assert book.read_packed(NAME) is None
        assert book.read(NAME) == DRAWING
        assert book.read_packed(NAME) is None


def test_an_entry_that_was_read_is_copied_alike(tmp_path):
    path = source(tmp_path / "book.epub")
    with Archive(path, Limits()) as book:
        unread = book.read_packed(NAME)
        assert book.read(NAME) == DRAWING
        assert book.read_packed(NAME) == unread


def test_an_entry_over_the_limit_is_not_copied(tmp_path):
    limits = Limits(max_entry_bytes=len(DRAWING) - 1)
    with Archive(source(tmp_path / "book.epub"), limits) as book:
        assert book.read_packed(NAME) is None
        with pytest.raises(SourceTooLarge):
            book.read(NAME)
