"""EPUBs with common faults: inexact names, wrong media types, missing files, bad encodings."""

from __future__ import annotations

from pathlib import Path

import pytest

from audiomill.inputs.epub.reader import read
from audiomill.inputs.model.book import Book, Limits, SkipReason
from support.epub_data import CONTAINER, NAMESPACES, Epub, chapter, line, nav, page, three_chapters

TITLES = ["The Sea", "The Hill", "The Mill"]


def titles(book: Book) -> list[str]:
    return [c.title for c in book.chapters]


def text(book: Book) -> str:
    return "\n".join(b.text for c in book.chapters for b in c.blocks)


@pytest.mark.parametrize(
    ("href", "entry"),
    [
        ("Ch1.XHTML", "OEBPS/ch1.xhtml"),
        ("ch%201.xhtml", "OEBPS/ch 1.xhtml"),
        ("ch 1.xhtml", "OEBPS/ch%201.xhtml"),
        ("/OEBPS/ch1.xhtml", "OEBPS/ch1.xhtml"),
        ("text\\ch1.xhtml", "OEBPS/text/ch1.xhtml"),
        ("text/ch1.xhtml", "OEBPS\\text\\ch1.xhtml"),
        ("../ch1.xhtml", "ch1.xhtml"),
        ("caf\u00e9.xhtml", "OEBPS/cafe\u0301.xhtml"),
        ("ch1.xhtml#top", "OEBPS/ch1.xhtml"),
        ("a%2520b.xhtml", "OEBPS/a%20b.xhtml"),
    ],
)
def test_inexact_names_are_resolved(tmp_path: Path, href: str, entry: str) -> None:
    item = f'<item id="x" href="{href}" media-type="application/xhtml+xml"/>'
    book = Epub(manifest=item, spine='<itemref idref="x"/>', files={entry: chapter(1, "Found")})
    assert titles(read(book.write(tmp_path), Limits())) == ["Found"]


@pytest.mark.parametrize(
    "media_type", ["text/html", "", "application/xml", "application/octet-stream"]
)
def test_pages_with_a_wrong_media_type_are_read(tmp_path: Path, media_type: str) -> None:
    item = f'<item id="x" href="a.html" media-type="{media_type}"/>'
    book = Epub(
        manifest=item, spine='<itemref idref="x"/>', files={"OEBPS/a.html": chapter(1, "Found")}
    )
    assert titles(read(book.write(tmp_path), Limits())) == ["Found"]


def test_missing_media_do_no_harm(tmp_path: Path) -> None:
    manifest = "".join(
        f'<item id="m{n}" href="{href}" media-type="{kind}"/>'
        for n, (href, kind) in enumerate(
            [
                ("gone.jpg", "image/jpeg"),
                ("gone.ttf", "font/ttf"),
                ("https://example.org/film.mp4", "video/mp4"),
                ("gone.css", "text/css"),
                ("gone.smil", "application/smil+xml"),
                ("", "image/png"),
            ]
        )
    )
    book = read(three_chapters(manifest=manifest).write(tmp_path), Limits())
    assert titles(book) == TITLES
    assert book.warnings == ()


@pytest.mark.parametrize("content", [None, b"\x00\x01\x02" * 100, b"\x89PNG\r\n\x1a\n\x00\x00"])
def test_a_missing_page_is_a_warning_and_listed(tmp_path: Path, content: bytes | None) -> None:
    book = three_chapters()
    if content is None:
        book.missing = frozenset({"OEBPS/ch2.xhtml"})
    else:
        book.pages["ch2.xhtml"] = content
    result = read(book.write(tmp_path), Limits())
    assert titles(result) == ["The Sea", "The Mill"]
    assert [s.reason for s in result.skipped] == [SkipReason.UNREADABLE]
    assert [w for w in result.warnings if "ch2.xhtml" in w]


def test_a_damaged_page_is_a_warning_and_listed(tmp_path: Path) -> None:
    data = bytearray(three_chapters().build())
    at = data.index(b"OEBPS/ch2.xhtml") + len(b"OEBPS/ch2.xhtml") + 20
    data[at] ^= 0xFF
    path = tmp_path / "book.epub"
    path.write_bytes(data)
    result = read(path, Limits())
    assert titles(result) == ["The Sea", "The Mill"]
    assert [s.reason for s in result.skipped] == [SkipReason.UNREADABLE]


@pytest.mark.parametrize(
    "data",
    [
        "<p>naïve café</p>".encode("cp1252"),
        "<?xml version='1.0' encoding='utf-8'?><p>naïve café</p>".encode("cp1252"),
        "<html><head><meta charset='iso-8859-1'></head><p>naïve café</p>".encode(),
        "\ufeff<p>naïve café</p>".encode("utf-16"),
        b"<p>na&iuml;ve caf&eacute;</p>",
        "<p>naïve <b>café</p>".encode(),
    ],
)
def test_bad_encodings_and_markup_are_read(tmp_path: Path, data: bytes) -> None:
    book = read(Epub({"a.xhtml": data}).write(tmp_path), Limits())
    assert text(book) == "naïve café"


@pytest.mark.parametrize(
    "container",
    [
        None,
        "",
        "not xml",
        CONTAINER.format("wrong/place.opf"),
        CONTAINER.format("oebps/BOOK.opf"),
        CONTAINER.format("OEBPS/book.opf").replace("oebps-package+xml", "xml"),
        CONTAINER.format("OEBPS/book.opf").replace("urn:oasis", "urn:other"),
    ],
)
def test_the_package_is_located_without_a_valid_container(
    tmp_path: Path, container: str | None
) -> None:
    book = three_chapters()
    if container is None:
        book.missing = frozenset({"META-INF/container.xml"})
    else:
        book.files["META-INF/container.xml"] = container
    assert titles(read(book.write(tmp_path), Limits())) == TITLES


def test_a_wrong_or_missing_mimetype_is_a_warning(tmp_path: Path) -> None:
    for book in (
        three_chapters(missing=frozenset({"mimetype"})),
        three_chapters(files={"mimetype": "application/zip"}),
    ):
        result = read(book.write(tmp_path), Limits())
        assert titles(result) == TITLES
        assert len(result.warnings) == 1


@pytest.mark.parametrize(
    "change",
    [
        lambda opf: opf.replace(NAMESPACES, ""),
        lambda opf: opf.replace("http://www.idpf.org/2007/opf", "http://openebook.org/oeb/1.0/"),
        lambda opf: opf.replace("<guide></guide>", ""),
        lambda opf: opf.replace('<spine toc="ncx">', '<spine toc="gone">'),
        lambda opf: opf.replace('<spine toc="ncx">', '<spine toc="p0">'),
        lambda opf: opf.replace("</manifest>", "<item/><item id='q'/><other/></manifest>"),
        lambda opf: opf.replace("</spine>", "<itemref/><itemref idref='zz'/><!-- x --></spine>"),
        lambda opf: opf.replace("<metadata>", "<metadata><x:y>z</x:y><dc:title/>"),
        lambda opf: opf.replace("<metadata>", "<!-- c --><metadata>").replace("</package>", ""),
        lambda opf: opf.replace('version="3.0"', ""),
    ],
)
def test_broken_packages_are_repaired(tmp_path: Path, change: object) -> None:
    assert callable(change)
    opf = change(three_chapters().package())
    assert titles(read(three_chapters(opf=opf).write(tmp_path), Limits())) == TITLES


def test_an_empty_spine_falls_back_to_the_files(tmp_path: Path) -> None:
    book = read(three_chapters(spine="").write(tmp_path), Limits())
    assert titles(book) == TITLES
    assert [w for w in book.warnings if "reading order" in w]


def test_a_spine_of_only_non_linear_documents_is_read(tmp_path: Path) -> None:
    spine = "".join(f'<itemref idref="p{n}" linear="no"/>' for n in range(3))
    book = read(three_chapters(spine=spine).write(tmp_path), Limits())
    assert titles(book) == TITLES
    assert book.skipped == ()


def test_fallbacks_are_followed_and_cycles_end(tmp_path: Path) -> None:
    manifest = (
        '<item id="a" href="a.pdf" media-type="application/pdf" fallback="b"/>'
        '<item id="b" href="b.xml" media-type="application/x-odd" fallback="c"/>'
        '<item id="c" href="c.xhtml" media-type="application/xhtml+xml"/>'
        '<item id="r" href="r.pdf" media-type="application/pdf" fallback="r"/>'
    )
    book = Epub(
        manifest=manifest,
        spine='<itemref idref="a"/><itemref idref="r"/>',
        files={"OEBPS/c.xhtml": chapter(1, "Found")},
    )
    result = read(book.write(tmp_path), Limits())
    assert titles(result) == ["Found"]
    assert [s.reason for s in result.skipped] == [SkipReason.UNREADABLE]


@pytest.mark.parametrize("toc", ["", "not xml at all", "<html/>", nav("")])
def test_a_useless_table_of_contents_is_ignored(tmp_path: Path, toc: str) -> None:
    book = three_chapters(ncx="", files={"OEBPS/nav.xhtml": toc})
    assert titles(read(book.write(tmp_path), Limits())) == TITLES


def test_the_ncx_is_used_if_the_nav_is_missing(tmp_path: Path) -> None:
    book = read(three_chapters(missing=frozenset({"OEBPS/nav.xhtml"})).write(tmp_path), Limits())
    assert titles(book) == TITLES
    assert [w for w in book.warnings if "nav.xhtml" in w]


def test_the_text_of_an_svg_page_is_read(tmp_path: Path) -> None:
    svg = "<svg xmlns='http://www.w3.org/2000/svg'><title>t</title><text>Drawn words</text></svg>"
    item = '<item id="x" href="a.svg" media-type="image/svg+xml"/>'
    book = Epub(manifest=item, spine='<itemref idref="x"/>', files={"OEBPS/a.svg": svg})
    assert "Drawn words" in text(read(book.write(tmp_path), Limits()))


def test_utf_8_names_without_the_flag_are_resolved(tmp_path: Path) -> None:
    data = Epub({"cafe-.xhtml": chapter(1, "Found")}, nav=nav(line("Found", "caf%C3%A9.xhtml")))
    raw = data.build().replace(b"cafe-.xhtml", "café.xhtml".encode())
    path = tmp_path / "book.epub"
    path.write_bytes(raw)
    opf = data.package().replace("cafe-.xhtml", "café.xhtml")
    assert "café" in opf
    fixed = Epub({"cafe-.xhtml": chapter(1, "Found")}, opf=opf).build()
    path.write_bytes(fixed.replace(b"OEBPS/cafe-.xhtml", "OEBPS/café.xhtml".encode()))
    assert titles(read(path, Limits())) == ["Found"]


def test_a_large_plain_page_is_read_whole(tmp_path: Path) -> None:
    body = "".join(f"<p>Paragraph {n}.</p>" for n in range(20_000))
    book = read(Epub({"a.xhtml": page(body)}).write(tmp_path), Limits())
    assert len(book.chapters[0].blocks) == 20_000
