"""A Markdown file to a book: encodings, headings that begin chapters, and safe front matter."""

import os
from pathlib import Path

import pytest

from audiomill.inputs.model.book import SkipReason, SourceCorrupt, SourceTooLarge
from support.case_files import rows_of
from support.epub_data import PNG
from support.picture_data import halves, pixels_of, saved
from support.reading_data import skipped, texts

CASES = Path(__file__).with_name("cases") / "reader.txt"


def test_exponential_aliases_are_not_expanded(read):
    bomb = "\n".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 12))
    book = read(f"---\na0: &a0 [x, x]\n{bomb}\ntitle: *a11\n---\nMore.")
    assert book.title == "a book"


@pytest.mark.parametrize("merge", ["<<: [{}]", "more: [{}]"])
def test_too_many_aliases_are_refused_and_listed(read, merge):
    """Eleven levels of nine aliases each: expanded, they would fill any memory."""
    levels = [
        f"a{n}: &a{n} {{{merge.format(', '.join([f'*a{n - 1}'] * 9))}}}" for n in range(1, 12)
    ]
    source = "\n".join(["a0: &a0 {x: 1}", *levels, "title: T", ""])
    book = read(f"---\n{source}---\nMore.")
    assert texts(book) == ["More."]
    assert skipped(book, SkipReason.UNREADABLE) == [source]
    assert "aliases" in book.warnings[0]


def test_the_cover_is_read_from_the_folder_of_the_file(read, tmp_path):
    (tmp_path / "art").mkdir()
    (tmp_path / "art" / "front.png").write_bytes(PNG)
    book = read("---\ncover: art/front.png\n---\nText.")
    assert (book.cover.media_type, book.cover.data) == ("image/png", PNG)
    assert book.warnings == ()


def test_a_cover_that_cannot_be_used_is_a_warning(read, tmp_path):
    (tmp_path.parent / "outside.png").write_bytes(PNG)
    (tmp_path / "link.png").symlink_to(tmp_path.parent / "outside.png")
    (tmp_path / "text.png").write_text("no picture")
    (tmp_path / "large.png").write_bytes(PNG)
    (tmp_path / "round.png").symlink_to(tmp_path / "round.png")
    os.mkfifo(tmp_path / "pipe.png")
    for (name,) in rows_of(CASES, "COVERS"):
        book = read(f'---\ncover: "{name}"\n---\nText.')
        assert book.cover is None, name
        assert len(book.warnings) == 1, name
    (tmp_path / "torn.png").write_bytes(PNG[:-5])
    assert "a damaged PNG picture" in read("---\ncover: torn.png\n---\nT.").warnings[0]
    book = read("---\ncover: large.png\n---\nT.", max_entry_bytes=4)
    assert "max_entry_bytes" in book.warnings[0]


def test_a_cover_that_is_made_smaller_is_told(read, tmp_path):
    (tmp_path / "front.webp").write_bytes(saved(halves(), "WEBP"))
    book = read("---\ncover: front.webp\n---\nText.")
    assert pixels_of(book.cover.data).shape == (48, 64, 3)
    assert "WebP picture of 64 × 48 pixels" in book.warnings[0]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_unicode_encodings_are_detected(read, encoding):
    book = read("# Café — “naïve”\r\n\r\nÉté.\r\n".encode(encoding))
    assert texts(book) == ["Café — “naïve”", "Été."]
    assert book.warnings == ()


def test_windows_1252_is_a_warning(read):
    book = read("Café — “naïve”.".encode("cp1252"))
    assert texts(book) == ["Café — “naïve”."]
    assert "windows-1252" in book.warnings[0]


def test_binary_data_is_refused(read):
    with pytest.raises(SourceCorrupt, match=r"“a-book\.md” holds binary data"):
        read(b"# Title\n\0\1\2")


def test_too_much_text_is_refused_but_pictures_are_not_text(read):
    with pytest.raises(SourceTooLarge, match="max_text_chars"):
        read("word " * 30, max_text_chars=100)
    book = read(f"Text. ![x](data:image/png;base64,{'A' * 500})", max_text_chars=100)
    assert texts(book) == ["Text."]
