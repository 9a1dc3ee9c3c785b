"""The sample book: the files in the repository are those that its builder makes."""

import io
import re
import zipfile
import zlib

import numpy as np
import pytest

from audiomill.inputs.book import BlockKind, Limits, SkipReason
from audiomill.inputs.reading import read_book
from audiomill.inputs.segmentation.segments import SegmentRules, segment_book
from support.home import SAMPLES
from support.sample_book import build
from support.sample_book.as_markdown import as_markdown
from support.sample_book.story import CHAPTERS, NOTES

FOLDER = SAMPLES
NAMES = [f"{build.NAME}{suffix}" for suffix in (".png", ".md", ".epub")]


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    folder = tmp_path_factory.mktemp("samples")
    assert [path.name for path in build.build(folder)] == NAMES
    return folder


@pytest.fixture(scope="module")
def books():
    return [read_book(FOLDER / name, Limits()) for name in NAMES[1:]]


def pixels(png):
    """The decompressed rows of a PNG, which do not depend on the version of zlib."""
    data, at = b"", 8
    while at < len(png):
        length = int.from_bytes(png[at : at + 4])
        data += png[at + 8 : at + 8 + length] if png[at + 4 : at + 8] == b"IDAT" else b""
        at += length + 12
    return np.frombuffer(zlib.decompress(data), np.uint8).astype(int)


def assert_same_picture(one, other):
    """Pixels may differ by 2: the last bit of a sine differs between machines."""
    assert one[:33] == other[:33]
    assert np.abs(pixels(one) - pixels(other)).max() <= 2


def test_the_markdown_is_what_the_builder_makes():
    assert (FOLDER / NAMES[1]).read_text(encoding="utf-8") == as_markdown()


@pytest.mark.prove
def test_the_cover_is_what_the_builder_draws(built):
    assert_same_picture((FOLDER / NAMES[0]).read_bytes(), (built / NAMES[0]).read_bytes())


@pytest.mark.prove
def test_the_epub_is_what_the_builder_makes(built):
    with zipfile.ZipFile(FOLDER / NAMES[2]) as stored, zipfile.ZipFile(built / NAMES[2]) as rebuilt:
        assert stored.namelist() == rebuilt.namelist()
        assert stored.namelist()[0] == "mimetype"
        for name in stored.namelist():
            assert stored.getinfo(name).date_time == rebuilt.getinfo(name).date_time
            if name.endswith(".png"):
                assert_same_picture(stored.read(name), rebuilt.read(name))
            else:
                assert stored.read(name) == rebuilt.read(name)


@pytest.mark.prove
def test_building_twice_gives_the_same_bytes(built):
    cover = (built / NAMES[0]).read_bytes()
    assert build.as_epub(cover) == (built / NAMES[2]).read_bytes()


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
    assert chapters[0] == [
        (f"{chapter.part}: {chapter.title}" if chapter.part else chapter.title, 2)
        for chapter in CHAPTERS
    ]
    assert books[0].warnings == books[1].warnings == ()


def test_both_have_the_cover(books):
    cover = (FOLDER / NAMES[0]).read_bytes()
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
        assert all(note in notes for note in NOTES.values())
        marks = [s.text for s in book.skipped if s.reason is SkipReason.NOTE_REFERENCE]
        assert [re.sub(r"\D", "", mark) for mark in marks] == ["1", "2"]


def test_it_is_a_short_book(books):
    words = sum(
        len(s.text.split()) for s in segment_book(books[0], SegmentRules(str, 400)).segments
    )
    assert 2500 <= words <= 3500


def test_the_epub_has_the_features_of_real_books():
    with zipfile.ZipFile(io.BytesIO((FOLDER / NAMES[2]).read_bytes())) as archive:
        pages = {name: archive.read(name).decode() for name in archive.namelist()[1:-1]}
    text = "".join(pages.values())
    assert 'epub:type="pagebreak"' in text
    assert 'epub:type="noteref"' in text
    assert 'xml:lang="fr"' in text
    assert sum(page.count("<h2 id=") == 2 for page in pages.values()) == 1
    continued = next(page for name, page in pages.items() if name.endswith("-continued.xhtml"))
    assert "<h2" not in continued
