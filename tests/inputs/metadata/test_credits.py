"""Opening and closing credits, and how they say a date."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audiomill.inputs.metadata.credits import Credits, with_credits, written_date
from audiomill.inputs.model.book import Block, BlockKind, Book, Chapter, Limits, SkipReason
from audiomill.inputs.readers.sources import read_book
from support.case_files import each_row
from support.epub_data import Epub, chapter
from support.spoken_cases import said

HEADING, PARAGRAPH = BlockKind.HEADING, BlockKind.PARAGRAPH
STORY = Block(PARAGRAPH, "It was a long way to the mill.")


def book_of(*blocks: Block, **changes: object) -> Book:
    chapters = (Chapter("One", (*blocks, STORY)),)
    book = Book("The Mill", ("Maud Tern",), "en", chapters, "", is_publication=True)
    return replace(book, **changes)


def credits_of(book: Book, settings: Credits | None = None) -> list[str]:
    """The texts of the credits."""
    after = with_credits(book, settings or Credits())
    return [one.blocks[0].text for one in after.chapters if one.is_credits]


def source_texts(book: Book) -> list[str]:
    """The texts of the source that are spoken."""
    return [block.text for one in book.chapters if not one.is_credits for block in one.blocks]


def skipped_texts(book: Book) -> list[str]:
    return [one.text for one in book.skipped if one.reason is SkipReason.SAID_IN_CREDITS]


def test_title_and_author_are_said_before_and_after():
    book = with_credits(book_of(), Credits())
    assert [(one.title, one.is_credits) for one in book.chapters] == [
        ("Opening credits", True),
        ("One", False),
        ("Closing credits", True),
    ]
    assert credits_of(book_of()) == [
        "The Mill, by Maud Tern.",
        "The end of The Mill, by Maud Tern.",
    ]


def test_the_narrator_is_said_only_if_there_is_one():
    opening, closing = credits_of(book_of(), Credits(narrator="Anna Weber"))
    assert opening.endswith(" Read by Anna Weber.")
    assert closing.endswith(" Read by Anna Weber.")


@each_row
def test_what_the_opening_credits_say(changes, expected):
    assert credits_of(book_of(**changes))[0] == expected


def test_another_language_has_no_words_for_the_end():
    assert len(credits_of(book_of(language="he"))) == 1


def test_templates_of_the_settings():
    settings = Credits(opening="Now: {title}!", closing="")
    assert credits_of(book_of(), settings) == ["Now: The Mill!"]


def test_only_an_epub_has_credits_unless_the_settings_say_so(tmp_path):
    article = book_of(is_publication=False)
    assert with_credits(article, Credits()) is article
    assert len(credits_of(article, Credits(enabled=True))) == 2
    assert with_credits(book_of(), Credits(enabled=False)) == book_of()
    source = Epub({"a.xhtml": chapter(1, "One")}).write(tmp_path)
    assert len(credits_of(read_book(source, Limits()))) == 2


@each_row
def test_a_title_at_the_beginning_is_not_said_twice(page):
    blocks = [Block(HEADING, text, where="a.xhtml") for text in page]
    book = with_credits(book_of(*blocks), Credits())
    assert source_texts(book) == [STORY.text]
    assert skipped_texts(book) == page
    assert {one.where for one in book.skipped} == {"a.xhtml"}


@pytest.mark.parametrize(
    "page",
    [["Maud Tern"], ["The Mill Burns"], ["At The Mill"], ["One", "The Mill"], ["Maud Tern", "Two"]],
)
def test_other_text_at_the_beginning_is_spoken(page):
    blocks = [Block(PARAGRAPH, text) for text in page]
    book = with_credits(book_of(*blocks), Credits())
    assert source_texts(book) == [*page, STORY.text]


def test_a_line_that_says_more_than_a_name_is_spoken():
    blocks = (Block(HEADING, "The Mill"), Block(PARAGRAPH, "The Life of Maud Tern"))
    book = with_credits(book_of(*blocks), Credits())
    assert source_texts(book) == ["The Life of Maud Tern", STORY.text]


def test_what_the_template_does_not_say_is_spoken():
    blocks = (Block(HEADING, "The Mill"), Block(PARAGRAPH, "Maud Tern"))
    with_title = with_credits(book_of(*blocks), Credits(opening="{title}."))
    assert skipped_texts(with_title) == ["The Mill"]
    without = with_credits(book_of(*blocks), Credits(opening="Hello.", closing=""))
    assert skipped_texts(without) == []
    assert skipped_texts(with_credits(book_of(*blocks), Credits(opening=""))) == []


def test_a_chapter_that_is_only_a_title_page_stays_instead():
    """So chapters have the same numbers with credits and without."""
    page = Chapter("Title", (Block(HEADING, "The Mill"), Block(PARAGRAPH, "Maud Tern")))
    book = book_of()
    book = replace(book, chapters=(page, *book.chapters))
    after = with_credits(book, Credits())
    assert after.chapters[:2] == book.chapters
    assert [one.title for one in after.chapters[2:]] == ["Closing credits"]


def test_a_book_without_words_gets_none():
    empty = book_of(chapters=(Chapter("One", (Block(PARAGRAPH, "* * *"),)),))
    assert with_credits(empty, Credits()) is empty


TEXTS = st.sampled_from(["The Mill", "Maud Tern", "by Maud Tern", "* * *", "A story.", ""])
CHAPTERS = st.lists(
    st.builds(
        Chapter, st.just("T"), st.lists(st.builds(Block, st.just(PARAGRAPH), TEXTS)).map(tuple)
    ),
    max_size=3,
)


@given(CHAPTERS, st.sampled_from([None, "", "{title}.", "{author}", "x"]))
def test_no_text_of_the_source_is_lost(chapters, opening):
    book = book_of(chapters=tuple(chapters))
    after = with_credits(book, Credits(opening=opening))
    kept = [*skipped_texts(after), *source_texts(after)]
    assert [text for text in kept if text] == [text for text in source_texts(book) if text]
    spoken = [one for one in after.chapters if not one.is_credits]
    assert len(spoken) == len(chapters)


def test_an_epub_names_its_subtitle_and_translator(tmp_path):
    metadata = (
        '<dc:title id="t">The Mill</dc:title><dc:title id="s">A Year</dc:title>'
        '<meta refines="#t" property="title-type">main</meta>'
        '<meta refines="#s" property="title-type">subtitle</meta>'
        '<dc:creator id="a">Maud Tern</dc:creator><meta refines="#a" property="role">aut</meta>'
        '<dc:contributor id="i">Ida Low</dc:contributor>'
        '<meta refines="#i" property="role">trl</meta><dc:language>en</dc:language>'
    )
    source = Epub({"a.xhtml": chapter(1, "One")}, metadata=metadata).write(tmp_path)
    opening, _ = credits_of(read_book(source, Limits()))
    assert opening == "The Mill: A Year, by Maud Tern, translated by Ida Low."


@each_row
def test_a_date_is_written_as_its_language_does(date, language, written):
    assert written_date(date, language) == written


def test_what_is_written_can_be_said():
    assert said(written_date("2026-03-02", "en-US"), "en-US") == "March second, twenty twenty-six"


@given(st.text(), st.text())
def test_any_text_is_a_date_or_none(date, language):
    assert isinstance(written_date(date, language), str)
