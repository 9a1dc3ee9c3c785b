"""Metadata of an EPUB: title, authors, series, cover, language."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from audiomill.inputs.epub.reader import read
from audiomill.inputs.metadata.identifiers import is_isbn
from audiomill.inputs.model.book import Book, Cover, Limits, Series
from support.epub_data import JPEG, PNG, TITLE, Epub, page, three_chapters
from support.picture_data import halves, pixels_of, saved


def book_with(directory: Path, metadata: str = TITLE, **changes: object) -> Book:
    return read(three_chapters(metadata=metadata, **changes).write(directory), Limits())


def test_all_metadata_of_epub_3(tmp_path: Path) -> None:
    book = book_with(
        tmp_path,
        "<dc:title id='s'>A subtitle</dc:title><dc:title id='m'>The  Mill</dc:title>"
        "<meta refines='#s' property='title-type'>subtitle</meta>"
        "<meta refines='#m' property='title-type'>main</meta>"
        "<dc:creator id='i'>Ian Ink</dc:creator><dc:creator id='a'>Ann Author</dc:creator>"
        "<dc:creator id='b'>Bo Both</dc:creator>"
        "<meta refines='#i' property='role'>ill</meta>"
        "<meta refines='#a' property='role'>aut</meta>"
        "<meta refines='#b' property='role'>aut</meta>"
        "<dc:language>en_gb</dc:language><dc:date>1897</dc:date>"
        "<dc:publisher>Press &amp; Sons</dc:publisher>"
        "<dc:description>&lt;p&gt;A &lt;b&gt;mill&lt;/b&gt;.&lt;/p&gt;&lt;p&gt;Grinds.&lt;/p&gt;"
        "</dc:description>"
        "<dc:identifier id='uid'>urn:uuid:1-2-3</dc:identifier>"
        "<dc:identifier>urn:isbn:978-0-306-40615-7</dc:identifier>"
        "<meta property='belongs-to-collection' id='c'>The Valley</meta>"
        "<meta refines='#c' property='collection-type'>series</meta>"
        "<meta refines='#c' property='group-position'>2</meta>",
    )
    assert book.title == "The Mill"
    assert book.authors == ("Ann Author", "Bo Both")
    assert book.language == "en-GB"
    assert (book.date, book.publisher) == ("1897", "Press & Sons")
    assert book.description == "A mill.\nGrinds."
    assert book.identifier == "9780306406157"
    assert (book.series, book.series_index) == ("The Valley", "2")


def test_all_metadata_of_epub_2(tmp_path: Path) -> None:
    book = book_with(
        tmp_path,
        "<dc:title>The Mill</dc:title><dc:creator opf:role='edt'>Ed</dc:creator>"
        "<dc:creator opf:role='aut' opf:file-as='Author, Ann'>Ann Author</dc:creator>"
        "<dc:date opf:event='modification'>2026</dc:date>"
        "<dc:date opf:event='publication'>1897-05</dc:date>"
        "<dc:identifier id='other'>x</dc:identifier><dc:identifier id='uid'>own</dc:identifier>"
        "<meta name='calibre:series' content='The Valley'/>"
        "<meta name='calibre:series_index' content='3.0'/>",
    )
    assert book.authors == ("Ann Author",)
    assert (book.date, book.identifier) == ("1897-05", "own")
    assert (book.series, book.series_index) == ("The Valley", "3")


def test_what_shelves_read_of_epub_3(tmp_path: Path) -> None:
    book = book_with(
        tmp_path,
        "<dc:title id='m'>The Mill</dc:title><meta refines='#m' property='file-as'>Mill, The</meta>"
        "<dc:creator id='a'>Ann Ode</dc:creator><dc:creator id='b'>Plato</dc:creator>"
        "<meta refines='#a' property='file-as'>Ode, Ann</meta>"
        "<dc:contributor id='n'>Di Voice</dc:contributor><dc:contributor id='n2'>Ed Voice"
        "</dc:contributor><meta refines='#n' property='role'>nrt</meta>"
        "<meta refines='#n2' property='role'>nrt</meta>"
        "<dc:subject>Fiction</dc:subject><dc:subject> Mills </dc:subject>"
        "<dc:subject>Fiction</dc:subject><dc:subject/><dc:rights>© 1897 &amp; now</dc:rights>"
        "<dc:identifier id='uid'>urn:uuid:1-2-3</dc:identifier>"
        "<dc:identifier>isbn:0-306-40615-2</dc:identifier>"
        "<dc:identifier>urn:asin:B00ABC1234</dc:identifier>"
        "<meta property='belongs-to-collection' id='c'>The Valley</meta>"
        "<meta refines='#c' property='collection-type'>series</meta>"
        "<meta refines='#c' property='group-position'>2.5</meta>"
        "<meta property='belongs-to-collection' id='d'>Cheap Sets</meta>"
        "<meta refines='#d' property='collection-type'>set</meta>"
        "<meta property='belongs-to-collection' id='e'>Rivers</meta>"
        "<meta name='calibre:series' content='The Valley'/>",
    )
    assert (book.title_sort, book.author_sort) == ("Mill, The", "Ode, Ann & Plato")
    assert (book.authors, book.narrators) == (("Ann Ode", "Plato"), ("Di Voice", "Ed Voice"))
    assert (book.subjects, book.rights) == (("Fiction", "Mills"), "© 1897 & now")
    assert (book.isbn, book.asin) == ("0306406152", "B00ABC1234")
    assert (book.series, book.series_index) == ("The Valley", "2.5")
    assert book.more_series == (Series("Rivers"),)


@pytest.mark.parametrize("others", ["", "Ode, Ann &amp; Li, Bo"])
def test_calibre_gives_the_sort_name_of_all_authors_to_one(tmp_path: Path, others: str) -> None:
    book = book_with(
        tmp_path,
        "<dc:title>The Mill</dc:title>"
        "<dc:creator opf:role='aut' opf:file-as='Ode, Ann &amp; Li, Bo'>Ann Ode</dc:creator>"
        f"<dc:creator opf:role='aut' opf:file-as='{others}'>Bo Li</dc:creator>",
    )
    assert (book.authors, book.author_sort) == (("Ann Ode", "Bo Li"), "Ode, Ann & Li, Bo")


def test_what_shelves_read_of_epub_2(tmp_path: Path) -> None:
    book = book_with(
        tmp_path,
        "<dc:title opf:file-as='Mill, The'>The Mill</dc:title>"
        "<dc:creator opf:role='nrt'>Di Voice</dc:creator>"
        "<dc:creator opf:role='aut' opf:file-as='Ode, Ann'>Ann Ode</dc:creator>"
        "<dc:date opf:event='original-publication'>1897-05</dc:date>"
        "<dc:identifier opf:scheme='ISBN'>9780306406157</dc:identifier>"
        "<dc:identifier opf:scheme='MOBI-ASIN'>b00abc1234</dc:identifier>"
        "<dc:identifier id='uid'>own</dc:identifier>",
    )
    assert (book.title_sort, book.author_sort) == ("Mill, The", "Ode, Ann")
    assert (book.authors, book.narrators) == (("Ann Ode",), ("Di Voice",))
    assert (book.isbn, book.asin, book.original_year) == ("9780306406157", "B00ABC1234", "1897")


def test_the_title_as_calibre_sorts_it(tmp_path: Path) -> None:
    sort = "<meta name='calibre:title_sort' content='Mill, The'/>"
    assert book_with(tmp_path, TITLE + sort).title_sort == "Mill, The"


@pytest.mark.parametrize(
    "metadata",
    [
        "<dc:creator opf:role='nrt'/><dc:subject/><dc:rights> </dc:rights><dc:identifier/>"
        "<meta property='belongs-to-collection'/><meta name='calibre:series'/>",
        f"<dc:creator opf:file-as='{'x' * 200_000}'>Ann</dc:creator>"
        f"<dc:subject>{'y' * 200_000}</dc:subject>" + "<dc:subject>z</dc:subject>" * 2000,
        f"<dc:description>{'&lt;b&gt;' * 20_000}Deep{'&lt;/b&gt;' * 20_000}</dc:description>",
        "<dc:description>&lt;script&gt;alert(1)&lt;/script&gt;&lt;p&gt;Deep</dc:description>",
    ],
)
def test_hostile_metadata_is_read(tmp_path: Path, metadata: str) -> None:
    book = book_with(tmp_path, TITLE + metadata)
    assert (book.title, book.narrators, book.series) == ("The Mill", (), "")
    assert (book.isbn, book.asin, "alert" in book.description) == ("", "", False)


def test_wrapped_metadata_of_oeb_1_is_read(tmp_path: Path) -> None:
    book = book_with(
        tmp_path,
        "<dc-metadata><dc:Title>The Mill</dc:Title><dc:Creator>Ann</dc:Creator></dc-metadata>",
    )
    assert (book.title, book.authors) == ("The Mill", ("Ann",))


def test_an_entity_does_not_cut_a_title(tmp_path: Path) -> None:
    book = book_with(tmp_path, "<dc:title>A&nbsp;Mill &mdash; &amp; Sons<!-- x -->!</dc:title>")
    assert book.title == "A Mill — & Sons!"


def test_a_book_without_metadata(tmp_path: Path) -> None:
    book = book_with(tmp_path, "")
    assert (book.title, book.authors, book.language) == ("book", (), "en")
    path = three_chapters(metadata="").write(tmp_path)
    assert book.source_id == hashlib.sha256(path.read_bytes()).hexdigest()


def test_the_language_of_the_pages_is_used_if_the_package_has_none(tmp_path: Path) -> None:
    pages: dict[str, str | bytes] = {"a.xhtml": page("<p>hej</p>", attributes="xml:lang='sv'")}
    book = read(Epub(pages, metadata="<dc:title>T</dc:title>").write(tmp_path), Limits())
    assert book.language == "sv"
    assert book.chapters[0].blocks[0].language is None


@pytest.mark.parametrize("isbn", ["9780306406157", "0306406152", "080442957X", "978-0-306-40615-7"])
def test_isbns_are_recognised_by_their_check_digit(isbn: str) -> None:
    assert is_isbn(isbn)
    last = "1" if isbn[-1] != "1" else "2"
    assert not is_isbn(isbn[:-1] + last)


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
def test_the_cover_is_found_in_every_usual_place(
    tmp_path: Path, metadata: str, manifest: str, guide: str
) -> None:
    page_of_it = page("<svg xmlns:x='http://www.w3.org/1999/xlink'><image x:href='pic.png'/></svg>")
    files = {"OEBPS/pic.png": PNG, "OEBPS/cover.xhtml": page_of_it}
    book = book_with(tmp_path, TITLE + metadata, manifest=manifest, guide=guide, files=files)
    assert book.cover == Cover("image/png", PNG)


def test_the_covers_type_is_that_of_its_bytes(tmp_path: Path) -> None:
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
def test_other_pictures_are_a_warning(tmp_path: Path, data: bytes, kind: str, name: str) -> None:
    item = IMAGE.format("i", name, "cover-image")
    book = book_with(tmp_path, manifest=item, files={f"OEBPS/{name}": data})
    assert book.cover is None
    assert [w for w in book.warnings if f"OEBPS/{name}" in w and kind in w]


@pytest.mark.parametrize("kind", ["WebP", "GIF"])
@pytest.mark.parametrize("name", ["cover.webp", "p01.webp"])
def test_a_declared_cover_of_another_format_is_converted(
    tmp_path: Path, name: str, kind: str
) -> None:
    """Also one whose name says nothing."""
    item = f'<item id="i" href="{name}" media-type="image/{kind}" properties="cover-image"/>'
    files: dict[str, str | bytes] = {f"OEBPS/{name}": saved(halves(), kind.upper())}
    book = book_with(tmp_path, manifest=item, files=files)
    assert book.cover is not None
    assert book.cover.media_type == "image/jpeg"
    assert pixels_of(book.cover.data).shape == (48, 64, 3)
    (warning,) = book.warnings
    assert f"'OEBPS/{name}' is a {kind} picture of 64 × 48" in warning


def test_a_cover_that_is_too_large_is_scaled_and_the_next_one_not_taken(tmp_path: Path) -> None:
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
def test_bytes_after_a_complete_picture_are_ignored(tmp_path: Path, picture: bytes) -> None:
    item = IMAGE.format("i", "c.png", "cover-image")
    book = book_with(tmp_path, manifest=item, files={"OEBPS/c.png": picture + b"more"})
    assert (book.cover and book.cover.data, book.warnings) == (picture + b"more", ())


def test_a_missing_cover_is_no_error(tmp_path: Path) -> None:
    book = book_with(tmp_path, manifest=IMAGE.format("i", "gone.png", "cover-image"))
    assert book.cover is None
    assert len(book.chapters) == 3
