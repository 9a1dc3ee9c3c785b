"""The benchmark's corpus has the length and variety that its figures assume, and is read whole."""

from collections import Counter
from pathlib import Path

import pytest

from audiomill.inputs import samples
from audiomill.inputs.model.book import BlockKind, Limits, SkipReason
from audiomill.inputs.readers.sources import read_book
from audiomill.inputs.segmentation.segments import SegmentRules, segment_book
from support.case_files import each_of, rows_of

CORPUS = Path(samples.__file__).parent / "bench-corpus.md"
REGISTERS = rows_of(Path(__file__).with_name("cases") / "corpus_text.txt", "registers")
TITLES = [title for _, title, _ in REGISTERS]
LINES_TOO_SHORT_TO_DIFFER = 5  # words: "Ruth: No?" may come twice


@pytest.fixture(scope="module")
def book():
    return read_book(CORPUS, Limits())


@pytest.fixture(scope="module")
def sentences(book):
    """Whole sentences and lines, without the limit of an engine."""
    return segment_book(book, SegmentRules(str, 1_000_000))


def words_by_chapter(manuscript):
    counts = Counter()
    for segment in manuscript.segments:
        counts[manuscript.book.chapters[segment.chapter].title] += len(segment.text.split())
    return counts


def test_it_has_title_author_and_language(book):
    assert (book.title, book.authors, book.language) == (
        "Ten Ways over the River",
        ("Maud Tern",),
        "en-GB",
    )
    assert book.warnings == ()


def test_each_register_is_one_chapter(book):
    assert [chapter.title for chapter in book.chapters] == TITLES
    assert {chapter.level for chapter in book.chapters} == {1}


def test_it_is_ten_thousand_words(sentences):
    assert 9_500 <= words_by_chapter(sentences).total() <= 10_500


def test_the_registers_have_about_equal_shares(sentences):
    counts = words_by_chapter(sentences)
    for title in TITLES:
        assert 0.08 <= counts[title] / counts.total() <= 0.12


def test_only_the_listing_is_skipped(sentences):
    skipped = [(piece.reason, piece.text.split()[0]) for piece in sentences.skipped]
    assert skipped == [(SkipReason.CODE, "tar")]


def test_no_paragraph_comes_twice(book):
    blocks = [block.text for chapter in book.chapters for block in chapter.blocks]
    long = [text for text in blocks if len(text.split()) > LINES_TOO_SHORT_TO_DIFFER]
    assert len(long) > 250
    assert [text for text, times in Counter(long).items() if times > 1] == []


def test_few_sentences_come_twice(sentences):
    """A repeated sentence is rendered once, which would improve the figures."""
    spoken = [segment.spoken for segment in sentences.segments]
    repeated = len(spoken) - len(set(spoken))
    assert repeated / len(spoken) < 0.08


def test_sentences_are_of_every_length(sentences):
    lengths = [len(segment.text.split()) for segment in sentences.segments]
    assert min(lengths) == 1
    assert 80 <= max(lengths) <= 100
    for shortest, longest in ((1, 1), (2, 5), (6, 10), (11, 20), (21, 30), (31, 50), (51, 100)):
        assert sum(shortest <= length <= longest for length in lengths) >= 15


@each_of(REGISTERS)
def test_a_register_contains_its_marks(book, _register, title, marks):
    chapter = next(one for one in book.chapters if one.title == title)
    assert set(marks) <= set("".join(block.text for block in chapter.blocks))


def test_it_has_every_kind_of_block_that_is_read_except_captions(book):
    kinds = {block.kind for chapter in book.chapters for block in chapter.blocks}
    assert kinds == set(BlockKind) - {
        BlockKind.NOTE,
        BlockKind.CAPTION,
        BlockKind.CODE,
        BlockKind.IMAGE,
    }
