"""Opening and closing credits, and how they say a date."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from audiomill.inputs.metadata.credits import Credits, with_credits, written_date
from audiomill.inputs.model.book import Block, BlockKind, Book, Chapter, Limits, SkipReason
from audiomill.inputs.readers.sources import read_book
from support.case_files import assert_cases, each_row
from support.epub_data import Epub, chapter
from support.spoken_cases import said

PARAGRAPH = BlockKind.PARAGRAPH
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


def told_credits(text: str, book: Mapping[str, Any] | None = None, **settings: str) -> list[str]:
    """The book of a chapter with these blocks, with its credits: chapters, and what is skipped."""
    blocks = []
    for line in text.splitlines():
        kind, _, printed = line.partition(": ")
        blocks.append(Block(BlockKind(kind), printed, where="a.xhtml"))
    after = with_credits(replace(book_of(*blocks), **(book or {})), Credits(**settings))
    lines = []
    for one in after.chapters:
        lines.append(f"{'credits' if one.is_credits else 'chapter'}: {one.title}")
        lines += [f"{block.kind}: {block.text}" for block in one.blocks]
    return [*lines, *(f"not spoken at {one.where}: {one.text}" for one in after.skipped)]


def test_the_credits_of_a_book_are_as_its_case_tells():
    assert_cases(Path(__file__).with_name("cases") / "whole_credits.txt", told_credits)


@each_row
def test_what_the_opening_credits_say(changes, expected):
    assert credits_of(book_of(**changes))[0] == expected


def test_only_an_epub_has_credits_unless_the_settings_say_so(tmp_path):
    article = book_of(is_publication=False)
    assert with_credits(article, Credits()) is article
    assert len(credits_of(article, Credits(enabled=True))) == 2
    assert with_credits(book_of(), Credits(enabled=False)) == book_of()
    source = Epub({"a.xhtml": chapter(1, "One")}).write(tmp_path)
    assert len(credits_of(read_book(source, Limits()))) == 2


def test_a_chapter_that_is_only_a_title_page_stays_instead():
    """So chapters have the same numbers with credits and without."""
    title = Block(BlockKind.HEADING, "The Mill")
    page = Chapter("Title", (title, Block(PARAGRAPH, "Maud Tern")))
    book = replace(book_of(), chapters=(page, *book_of().chapters))
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


@each_row
def test_a_date_is_written_as_its_language_does(date, language, written):
    assert written_date(date, language) == written


def test_what_is_written_can_be_said():
    assert said(written_date("2026-03-02", "en-US"), "en-US") == "March second, twenty twenty-six"


@given(st.text(), st.text())
def test_any_text_is_a_date_or_none(date, language):
    assert isinstance(written_date(date, language), str)
