"""Headings: titles in several lines, lines that stay chapters, and numerals that count."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audiomill.inputs.chapters.arrangement import mark_numerals
from audiomill.inputs.chapters.headings import count_title_lines
from audiomill.inputs.metadata.credits import Credits, with_credits
from audiomill.inputs.model.book import Block, BlockKind, Book, Limits, SkipReason
from audiomill.inputs.readers.sources import read_book
from support.case_files import each_row
from support.epub_data import Epub, line, nav, page
from support.reading_data import skipped, texts
from support.spoken_cases import to_roman

TITLE = "Adventures of the Old Mill"
STORY = "The wheel stood still, and the folk of the valley told of it by the fire. " * 9
TITLE_PAGE = ["ADVENTURES", "OF", "THE OLD MILL", "(A Tale)", "By Ann Ode"]
MILLS = ["I. The Wheel", "II. The Road", "III. The Sea"]
LISTED = [f"CHAPTER {number}.\nOf {number} cats." for number in ("I", "II", "III")]
CHAPTERS = ["CHAPTER I.", STORY, "CHAPTER II.", STORY]
HEAD = f"<title>The Project Gutenberg eBook of {TITLE}, by Ann Ode</title>"
LEVELS = dict(zip(TITLE_PAGE, (1, 3, 1, 3, 2), strict=True))


def marked(lines: list[str]) -> str:
    """Headings of the levels that such pages have, with ids that count from 0, and paragraphs."""
    levels = [LEVELS.get(text, 0 if text == STORY else 2) for text in lines]
    return "".join(
        f'<h{level} id="i{n}">{text}</h{level}>' if level else f"<p>{text}</p>"
        for n, (level, text) in enumerate(zip(levels, lines, strict=True))
    )


def book_in(directory: Path, suffix: str, lines: list[str]) -> Book:
    path = directory / f"book{suffix}"
    if suffix == ".epub":
        inner = "".join(line(lines[n], f"0.xhtml#i{n}") for n in range(3, len(lines)))
        toc = line(lines[0], "0.xhtml#i0") + line(lines[2], "0.xhtml#i2", inner)
        metadata = f"<dc:title>{TITLE}</dc:title><dc:language>en</dc:language>"
        path = Epub({"0.xhtml": page(marked(lines))}, nav=nav(toc), metadata=metadata).write(
            directory
        )
    elif suffix == ".html":
        path.write_text(f"<html lang=en><head>{HEAD}</head><body>{marked(lines)}")
    else:
        fields = f"Title: {TITLE}\nAuthor: Ann Ode\nLanguage: English\n\n"
        path.write_text(fields + "\n\n\n".join(lines))
    return read_book(path, Limits())


@pytest.mark.parametrize("suffix", [".html", ".txt", ".epub"])
@pytest.mark.parametrize("with_chapters", [True, False])
def test_the_lines_of_a_title_are_no_chapters(tmp_path, suffix, with_chapters):
    lines = [*TITLE_PAGE, *CHAPTERS] if with_chapters else [*TITLE_PAGE[:3], STORY]
    book = book_in(tmp_path, suffix, lines)
    wanted = ["CHAPTER I.", "CHAPTER II."] if with_chapters else [TITLE]
    assert (book.title, [one.title for one in book.chapters]) == (TITLE, wanted)
    assert [text for text in texts(book) if text] == [text.strip() for text in lines]
    said = with_credits(book, Credits(enabled=True))
    assert skipped(said, SkipReason.SAID_IN_CREDITS)[:3] == TITLE_PAGE[:3]


@pytest.mark.parametrize("suffix", [".html", ".txt"])
def test_chapters_of_one_line_stay_chapters(tmp_path, suffix):
    lines = [TITLE.upper(), "CHAPTER I.", "CHAPTER II.", STORY, "CHAPTER III.", STORY]
    book = book_in(tmp_path, suffix, lines)
    assert [one.title for one in book.chapters] == ["CHAPTER I.", "CHAPTER II.", "CHAPTER III."]
    assert [text for text in texts(book) if text] == [text.strip() for text in lines]


TYPED_PAGE = (Path(__file__).with_name("cases") / "typed_page.txt").read_text().rstrip()


@pytest.mark.parametrize("translator", ["Translator: Bo Li\n", ""])
def test_the_lines_of_a_typed_title_page_are_one_chapter_up_to_a_rule(tmp_path, translator):
    fields = f"Title: The Old Mill\nAuthor: Ann Ode\n{translator}Language: English"
    rule = "-" * 40
    chapters = [f"{rule}\nINTRODUCTION", STORY, "I.  THE WHEEL", STORY, "II.  THE ROAD", STORY]
    parts = [fields, TYPED_PAGE, *chapters, f"EPILOGUE\n{rule}", STORY]
    path = tmp_path / "mill.txt"
    path.write_text("\n\n".join(parts))
    book = read_book(path, Limits())
    front, *others = book.chapters
    assert (front.title, front.blocks[0].text) == ("The Old Mill", "ANN ODE ON THE OLD MILL")
    assert "To my sister" in {block.text for block in front.blocks}
    assert [one.title for one in others] == ["INTRODUCTION", *chapters[2::2], "EPILOGUE"]


@pytest.mark.parametrize(
    ("above", "chapters", "below"),
    [
        ("", ["CHAPTER I", "CHAPTER II"], "Time goes\n\nby\n\nand by."),
        ("", ["THE SEA", "THE ROAD", "THE HILL"], "by\n\nBO LI"),
        ("A TALE\n\nby", ["CHAPTER I: THE SEA", "CHAPTER II: THE ROAD"], "Men sailed."),
    ],
)
def test_by_ends_a_title_page_only_where_a_name_but_no_text_is_below(
    tmp_path, above, chapters, below
):
    fields = "Title: The Old Mill\nAuthor: Ann Ode\nLanguage: English"
    stories = [f"{title}\n\n{below}\n\n{STORY}" for title in chapters]
    path = tmp_path / "mill.txt"
    path.write_text("\n\n".join([fields, "THE OLD MILL", above, *stories]))
    assert [one.title for one in read_book(path, Limits()).chapters] == chapters


def test_an_author_below_a_title_and_lists_without_pages_are_no_chapters(tmp_path):
    contents = "".join(f"<p>{text}</p>".replace("\n", "<br>") for text in LISTED)
    pictures = "".join(f"<p>The {who} by night</p>" for who in ("cat", "dog", "hen", "fox", "owl"))
    text = "".join(f"<h2>{one.splitlines()[0]}</h2>" + f"<p>{STORY}</p>" * 15 for one in LISTED)
    path = tmp_path / "a.html"
    path.write_text(
        f"<html lang=en>{HEAD}<h2>{TITLE.upper()}</h2><h3>or,</h3><h2>THE WHEEL</h2><h3>BY</h3>"
        f"<h2>ANN ODE</h2><h2>Contents</h2>{contents}<h2>Illustrations</h2>{pictures}{text}"
    )
    book = read_book(path, Limits())
    assert [one.title for one in book.chapters] == ["CHAPTER I.", "CHAPTER II.", "CHAPTER III."]
    listed = skipped(book, SkipReason.TABLE_OF_CONTENTS)
    assert listed[1:4] == LISTED
    assert listed[-1] == "The owl by night"


def test_a_title_above_contents_that_are_left_out_belongs_to_the_first_chapter(tmp_path):
    rows = "".join(f"<tr><td>{title}</td><td>{n}</td></tr>" for n, title in enumerate(MILLS, 1))
    text = "".join(f"<h2>{title}</h2><p>{STORY}</p>" for title in MILLS)
    path = tmp_path / "a.html"
    path.write_text(
        f"<html lang=en>{HEAD}<h1>{TITLE}</h1><h2>Contents</h2><table>{rows}</table>{text}"
    )
    assert [one.title for one in read_book(path, Limits()).chapters] == MILLS


@each_row
def test_lines_of_a_title(title, lines, n_lines):
    assert count_title_lines(lines, title) == n_lines


def marked_numerals(*headings: str) -> list[str]:
    blocks = mark_numerals([Block(BlockKind.HEADING, text) for text in headings])
    return [block.text[start:end] for block in blocks for start, end in block.numerals]


@each_row
def test_numerals_that_count_are_marked(headings, expected):
    assert marked_numerals(*headings) == expected


def test_only_headings_count():
    blocks = [Block(BlockKind.PARAGRAPH, "I was there."), Block(BlockKind.HEADING, "II")]
    assert mark_numerals(blocks) == blocks


@given(st.integers(1, 400), st.integers(2, 20))
def test_any_row_of_chapters_counts(first, n_chapters):
    numerals = [to_roman(first + number) for number in range(n_chapters)]
    assert marked_numerals(*numerals) == numerals
