"""EPUBs with common faults: inexact names, wrong media types, missing files, bad encodings."""

from __future__ import annotations

from pathlib import Path

import pytest

from audiomill.inputs.epub.reader import read
from audiomill.inputs.model.book import Book, Limits, SkipReason
from support.epub_data import Epub, chapter, line, nav, page, three_chapters


def titles(book: Book) -> list[str]:
    return [c.title for c in book.chapters]


def text(book: Book) -> str:
    return "\n".join(b.text for c in book.chapters for b in c.blocks)


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
