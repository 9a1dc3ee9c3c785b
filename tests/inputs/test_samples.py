"""The sample book: its files are their own source, and the Markdown and the EPUB agree."""

import re
import zipfile

import pytest

from audiomill.inputs.model.book import BlockKind, Limits, SkipReason
from audiomill.inputs.readers.sources import read_book
from audiomill.inputs.segmentation.segments import SegmentRules, segment_book
from support.paths import SAMPLES

COVER, *NAMES = (f"the-lighthouse-mill{suffix}" for suffix in (".png", ".md", ".epub"))
CHAPTERS = (
    "Part One: Wind: A Tower with Two Trades",
    "The Inspector’s List",
    "What the Stones Were Saying",
    "Part Two: No Wind: The Longest Night",
    "Forty Pairs of Hands",
    "A Loaf for the Board",
)
NOTES = ("An ell of Skerrin is the length of", "By the island’s clocks, which are kept eleven")


@pytest.fixture(scope="module")
def books():
    return [read_book(SAMPLES / name, Limits()) for name in NAMES]


def test_both_have_the_same_segments(books):
    results = [segment_book(book, SegmentRules(str, 400)).segments for book in books]
    segments = [
        [(s.kind, s.text, s.spoken, s.language, s.pause_after_s) for s in result]
        for result in results
    ]
    assert segments[0] == segments[1]
    assert len(segments[0]) > 200


def test_both_have_the_same_chapters_and_metadata(books):
    metadata = [
        (book.title, book.authors, book.language, book.date, book.description) for book in books
    ]
    assert metadata[0] == metadata[1]
    assert metadata[0][:3] == ("The Lighthouse Mill", ("Maud Tern",), "en-GB")
    chapters = [[(c.title, c.level) for c in book.chapters] for book in books]
    assert chapters[0] == chapters[1]
    assert chapters[0] == [(title, 2) for title in CHAPTERS]
    assert books[0].warnings == books[1].warnings == ()


def test_both_have_the_cover(books):
    cover = (SAMPLES / COVER).read_bytes()
    for book in books:
        assert book.cover is not None
        assert (book.cover.media_type, book.cover.data) == ("image/png", cover)


def test_the_story_shows_every_kind_of_block(books):
    kinds = {block.kind for chapter in books[1].chapters for block in chapter.blocks}
    assert kinds == set(BlockKind) - {BlockKind.CODE, BlockKind.IMAGE, BlockKind.NOTE}
    languages = {block.language for chapter in books[1].chapters for block in chapter.blocks}
    assert languages == {None, "fr"}


def test_the_notes_are_skipped(books):
    for book in books:
        notes = " ".join(s.text for s in book.skipped if s.reason is SkipReason.NOTE)
        assert all(note in notes for note in NOTES)
        marks = [s.text for s in book.skipped if s.reason is SkipReason.NOTE_REFERENCE]
        assert [re.sub(r"\D", "", mark) for mark in marks] == ["1", "2"]


def test_it_is_a_short_book(books):
    words = sum(
        len(s.text.split()) for s in segment_book(books[0], SegmentRules(str, 400)).segments
    )
    assert 2500 <= words <= 3500


def test_the_epub_has_the_features_of_real_books():
    with zipfile.ZipFile(SAMPLES / NAMES[1]) as archive:
        assert archive.namelist()[0] == "mimetype"
        assert archive.getinfo("mimetype").compress_type == zipfile.ZIP_STORED
        pages = {name: archive.read(name).decode() for name in archive.namelist()[1:-1]}
    text = "".join(pages.values())
    assert 'epub:type="pagebreak"' in text
    assert 'epub:type="noteref"' in text
    assert 'xml:lang="fr"' in text
    assert sum(page.count("<h2 id=") == 2 for page in pages.values()) == 1
    continued = next(page for name, page in pages.items() if name.endswith("-continued.xhtml"))
    assert "<h2" not in continued
