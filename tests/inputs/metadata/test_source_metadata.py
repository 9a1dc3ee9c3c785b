"""Metadata of damaged and hostile files is cut, with a warning, before it is spoken."""

import pytest

from audiomill.inputs.metadata.credits import Credits, with_credits
from audiomill.inputs.metadata.source_metadata import MAX_LINE_CHARS, MAX_NAMES
from audiomill.inputs.model.book import Limits
from audiomill.inputs.readers.sources import read_book
from support.epub_data import three_chapters

LANGUAGE = "<dc:language>en</dc:language>"
LONG = "Mill " * 200_000


def book_with(tmp_path, metadata):
    return read_book(three_chapters(metadata=LANGUAGE + metadata).write(tmp_path), Limits())


@pytest.mark.parametrize(
    ("metadata", "warning"),
    [
        (
            f"<dc:title>{LONG}</dc:title>",
            "its title has 999,999 characters; the first 1,000 are used",
        ),
        (
            "<dc:title>T</dc:title>"
            + "".join(f"<dc:creator>A{n}</dc:creator>" for n in range(10_000)),
            "it has 10,000 authors; the first 100 are used",
        ),
        (
            f"<dc:title>T</dc:title><dc:creator>{LONG}</dc:creator>",
            "one of its authors is cut after 1,000 characters",
        ),
    ],
)
def test_credits_say_no_megabyte(tmp_path, metadata, warning):
    book = book_with(tmp_path, metadata)
    assert warning in book.warnings
    opening = with_credits(book, Credits()).chapters[0]
    assert opening.is_credits
    assert len(opening.blocks[0].text) < 1.5 * MAX_LINE_CHARS


def test_what_books_have_stays_whole(tmp_path):
    title = ("The Mill at the Weir, Being an Account of Its Wheels " * 18).strip()
    names = tuple(f"Ann Ode {n}" for n in range(MAX_NAMES))
    creators = "".join(f"<dc:creator>{name}</dc:creator>" for name in names)
    book = book_with(tmp_path, f"<dc:title>{title}</dc:title>{creators}")
    assert (book.title, book.authors, book.warnings) == (title, names, ())
