"""Metadata of an EPUB: title, authors, series, cover, language."""

import hashlib
from pathlib import Path

import pytest

from audiomill.inputs.epub.reader import read
from audiomill.inputs.model.book import Book, Cover, Limits
from support.epub_data import JPEG, PNG, TITLE, page, three_chapters
from support.picture_data import halves, pixels_of, saved


def book_with(directory: Path, metadata: str = TITLE, **changes: object) -> Book:
    return read(three_chapters(metadata=metadata, **changes).write(directory), Limits())


def test_a_book_without_metadata(tmp_path):
    book = book_with(tmp_path, "")
    assert (book.title, book.authors, book.language) == ("book", (), "en")
    path = three_chapters(metadata="").write(tmp_path)
    assert book.source_id == hashlib.sha256(path.read_bytes()).hexdigest()


IMAGE = '<item id="{}" href="{}" media-type="image/png" properties="{}"/>'


@pytest.mark.parametrize(
    ("metadata", "manifest", "guide"),
    [
        ("", IMAGE.format("i", "pic.png", "cover-image"), ""),
        ("<meta name='cover' content='i'/>", IMAGE.format("i", "pic.png", ""), ""),
        ("<meta name='cover' content='pic.png'/>", IMAGE.format("i", "pic.png", ""), ""),
        ("", IMAGE.format("i", "pic.png", ""), "<reference type='cover' href='cover.xhtml'/>"),
        ("", IMAGE.format("i", "PIC.png", ""), "<reference type='cover' href='pic.png'/>"),
        ("", IMAGE.format("my-cover", "pic.png", ""), ""),
    ],
)
def test_the_cover_is_found_in_every_usual_place(tmp_path, metadata, manifest, guide):
    page_of_it = page("<svg xmlns:x='http://www.w3.org/1999/xlink'><image x:href='pic.png'/></svg>")
    files = {"OEBPS/pic.png": PNG, "OEBPS/cover.xhtml": page_of_it}
    book = book_with(tmp_path, TITLE + metadata, manifest=manifest, guide=guide, files=files)
    assert book.cover == Cover("image/png", PNG)


def test_the_covers_type_is_that_of_its_bytes(tmp_path):
    item = IMAGE.format("i", "c.png", "cover-image")
    book = book_with(tmp_path, manifest=item, files={"OEBPS/c.png": JPEG})
    assert book.cover == Cover("image/jpeg", JPEG)


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"GIF89a....", "a GIF picture"),
        (b"RIFF....WEBP", "a damaged WebP picture"),
        (b"\xef\xbb\xbf<svg/>", "SVG"),
        (b"", "not a JPEG, PNG, WebP or GIF picture"),
        (PNG[:-12], "a damaged PNG"),
        (PNG[:30], "a damaged PNG"),
        (PNG[:20] + b"\7" + PNG[21:], "a damaged PNG"),
        (PNG[:8], "a damaged PNG"),
        (JPEG[:-2], "a damaged JPEG"),
        (JPEG[:25], "a damaged JPEG"),
        (JPEG[:3], "a damaged JPEG"),
        (JPEG.replace(b"\xff\xc0", b"\xff\xe1"), "a damaged JPEG"),
    ],
)
@pytest.mark.parametrize("name", ["c.png", "c.svg", "c.webp"])
def test_other_pictures_are_a_warning(tmp_path, data, kind, name):
    item = IMAGE.format("i", name, "cover-image")
    book = book_with(tmp_path, manifest=item, files={f"OEBPS/{name}": data})
    assert book.cover is None
    assert [w for w in book.warnings if f"OEBPS/{name}" in w and kind in w]


@pytest.mark.parametrize("kind", ["WebP", "GIF"])
@pytest.mark.parametrize("name", ["cover.webp", "p01.webp"])
def test_a_declared_cover_of_another_format_is_converted(tmp_path, name, kind):
    """Also one whose name says nothing."""
    item = f'<item id="i" href="{name}" media-type="image/{kind}" properties="cover-image"/>'
    files: dict[str, str | bytes] = {f"OEBPS/{name}": saved(halves(), kind.upper())}
    book = book_with(tmp_path, manifest=item, files=files)
    assert book.cover is not None
    assert book.cover.media_type == "image/jpeg"
    assert pixels_of(book.cover.data).shape == (48, 64, 3)
    (warning,) = book.warnings
    assert f"'OEBPS/{name}' is a {kind} picture of 64 × 48" in warning


def test_a_cover_that_is_too_large_is_scaled_and_the_next_one_not_taken(tmp_path):
    manifest = IMAGE.format("i", "a.png", "cover-image") + IMAGE.format("cover", "b.png", "")
    files: dict[str, str | bytes] = {
        "OEBPS/a.png": saved(halves(6000, 100), "PNG"),
        "OEBPS/b.png": PNG,
    }
    book = book_with(tmp_path, manifest=manifest, files=files)
    assert book.cover is not None
    assert pixels_of(book.cover.data).shape == (50, 3000, 3)
    assert len(book.warnings) == 1


@pytest.mark.parametrize("picture", [PNG, JPEG])
def test_bytes_after_a_complete_picture_are_ignored(tmp_path, picture):
    item = IMAGE.format("i", "c.png", "cover-image")
    book = book_with(tmp_path, manifest=item, files={"OEBPS/c.png": picture + b"more"})
    assert (book.cover and book.cover.data, book.warnings) == (picture + b"more", ())
