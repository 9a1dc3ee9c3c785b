"""Chapters as a listener wants them: title pages joined, marks that tell where they are."""

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from audiomill.inputs.chapters.arrangement import arrange_chapters
from audiomill.inputs.model.book import Block, BlockKind, Book, Chapter
from audiomill.inputs.segmentation.segments import SegmentRules, segment_book
from support.case_files import assert_cases

WORDS = "The words of a chapter stand here, and there are enough of them to be read for a while."
TITLES = st.sampled_from(
    ["Book One", "PART II", "Chapter 1", "Chapter 2", "I", "12", "The Sea", "A Book", "* * *", ""]
)
KINDS = st.sampled_from([BlockKind.HEADING, BlockKind.PARAGRAPH, BlockKind.SCENE_BREAK])


def heading(text: str) -> Block:
    return Block(BlockKind.HEADING, text, level=1)


def text_chapter(title: str, level: int = 1, parts: tuple[str, ...] = ()) -> Chapter:
    return Chapter(title, (heading(title), Block(BlockKind.PARAGRAPH, WORDS)), level, parts)


def title_page(title: str, level: int = 1, parts: tuple[str, ...] = ()) -> Chapter:
    return Chapter(title, (heading(title),), level, parts)


def book_of(*chapters: Chapter, title: str = "A Book") -> Book:
    return Book(title, (), "en", chapters, "")


def arranged(*chapters: Chapter) -> list[str]:
    return [one.title for one in arrange_chapters(book_of(*chapters)).chapters]


def all_blocks(book: Book) -> list[Block]:
    return [block for one in book.chapters for block in one.blocks]


BLOCKS = st.builds(Block, KINDS, st.one_of(TITLES, st.just(WORDS), st.just("went on.")))
CHAPTERS = st.builds(
    Chapter,
    TITLES,
    st.lists(BLOCKS, max_size=3).map(tuple),
    st.integers(1, 4),
    st.lists(TITLES.filter(bool), max_size=2).map(tuple),
)


@given(st.lists(CHAPTERS, max_size=8))
def test_no_text_is_lost_and_the_order_is_kept(chapters):
    book = book_of(*chapters)
    after = arrange_chapters(book)
    assert all_blocks(after) == all_blocks(book)
    assert len(after.chapters) <= len(chapters)


@given(st.lists(CHAPTERS, max_size=8))
def test_the_same_words_are_given_to_the_engine(chapters):
    """So the keys of shards stay as they are."""
    book = book_of(*chapters)
    rules = SegmentRules(str, 200)
    before, after = segment_book(book, rules), segment_book(arrange_chapters(book), rules)
    assert [(s.spoken, s.language, s.voice) for s in after.segments] == [
        (s.spoken, s.language, s.voice) for s in before.segments
    ]
    assert after.skipped == before.skipped


def test_titles_tell_where_they_are():
    """A line is a chapter: its level, its title, and the part that it stands in."""

    def titles(text: str) -> list[str]:
        chapters = []
        for line in text.splitlines():
            level, _, title = line.partition(" ")
            title, _, part = title.partition(" in ")
            make = title_page if title == "Plates" else text_chapter
            chapters.append(make(title, int(level), (part,) if part else ()))
        return arranged(*chapters)

    assert_cases(Path(__file__).with_name("cases") / "titles.txt", titles)


def test_a_part_title_page_joins_the_chapter_after_it():
    book = book_of(
        title_page("Volume One"),
        title_page("BOOK ONE", 2),
        text_chapter("Chapter 1", 3),
        text_chapter("Arrival", 3),
    )
    first, second = arrange_chapters(book).chapters
    assert (first.title, first.level) == ("Volume One: BOOK ONE: Chapter 1", 3)
    assert [block.text for block in first.blocks] == ["Volume One", "BOOK ONE", "Chapter 1", WORDS]
    assert second.title == "Arrival"
    assert first.parts == second.parts == ("Volume One", "BOOK ONE")


def test_parts_listed_beside_their_chapters():
    """As in many tables of contents without levels. The epilogue belongs to no part."""
    book = arrange_chapters(
        book_of(
            *(title_page("Book One"), text_chapter("Chapter 1"), text_chapter("Chapter 2")),
            *(title_page("Book Two"), text_chapter("Chapter 1"), text_chapter("Chapter 2")),
            text_chapter("Epilogue"),
        )
    )
    assert [(one.title, one.parts) for one in book.chapters] == [
        ("Book One: Chapter 1", ("Book One",)),
        ("Book One: Chapter 2", ("Book One",)),
        ("Book Two: Chapter 1", ("Book Two",)),
        ("Book Two: Chapter 2", ("Book Two",)),
        ("Epilogue", ()),
    ]


def test_the_page_with_the_title_of_the_book_belongs_to_the_first_chapter():
    book = arrange_chapters(book_of(title_page("A BOOK"), text_chapter("Chapter 1")))
    assert [one.title for one in book.chapters] == ["Chapter 1"]
    assert book.chapters[0].blocks[0].text == "A BOOK"


def test_a_file_that_begins_inside_a_sentence_continues_the_one_before():
    paragraphs = [f"{WORDS} He went out, and", "he never came back.", "Another file."]
    chapters = [Chapter(text[:20], (Block(BlockKind.PARAGRAPH, text),)) for text in paragraphs]
    assert arranged(*chapters) == [WORDS[:20], "Another file."]


def test_a_title_page_before_a_file_without_a_title_names_it():
    text = Chapter("The words of a chapter stand…", (Block(BlockKind.PARAGRAPH, WORDS),))
    assert arranged(title_page("The Sea"), text) == ["The Sea"]


def test_a_short_chapter_with_a_sentence_is_no_title_page():
    short = Chapter("A Book", (heading("A Book"), Block(BlockKind.PARAGRAPH, "It is short.")))
    assert arranged(short, text_chapter("Second", 2)) == ["A Book", "Second"]
