"""Front matter of Markdown: title, authors, language, cover; safe against hostile YAML."""

import os
import textwrap
from pathlib import Path

import pytest

from audiomill.inputs.markdown import reader
from audiomill.inputs.model.book import Limits, SkipReason
from support.case_files import rows_of
from support.epub_data import PNG
from support.picture_data import halves, pixels_of, saved
from support.reading_data import skipped, texts

CASES = Path(__file__).with_name("cases") / "front_matter.txt"


@pytest.fixture
def read(tmp_path):
    def read_text(text, *, name="a-book.md", **limits):
        path = tmp_path / name
        path.write_text(textwrap.dedent(text), encoding="utf-8")
        return reader.read(path, Limits(**limits))

    return read_text


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
