"""Plain text to a book: what is refused, indented lines, and that no letter is lost."""

import textwrap
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audiomill.inputs.model.book import BlockKind, Limits
from audiomill.inputs.text import reader as plaintext
from audiomill.inputs.text.paragraphs import verse_lines
from support.case_files import assert_cases

CASES = Path(__file__).with_name("cases") / "verse.txt"
LIMITS = Limits()


@pytest.fixture
def read(tmp_path):
    def read_text(text, *, name="a-book.txt", limits=LIMITS):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else textwrap.dedent(text).encode())
        return plaintext.read(path, limits)

    return read_text


def blocks(book):
    return [(block.kind, block.text) for chapter in book.chapters for block in chapter.blocks]


def texts(book):
    return [text for _, text in blocks(book)]


def test_windows_1252_is_a_warning(read):
    book = read("Café.\r\n\r\nNaïve.".encode("cp1252"))
    assert texts(book) == ["Café.", "Naïve."]
    assert "windows-1252" in book.warnings[0]


@pytest.mark.parametrize(
    "text", ["_" * 50_000, "*a" * 20_000, "_a" * 20_000, "* " * 5_000, "-\n" * 5_000]
)
def test_hostile_text_is_read(read, text):
    assert "".join(texts(read(text))) != ""


LINES = st.text(st.characters(categories=["L", "N", "P"]) | st.just(" "), max_size=40)


@given(lines=st.lists(LINES, max_size=12))
def test_every_letter_is_in_a_block_or_skipped(tmp_path_factory, lines):
    path = tmp_path_factory.getbasetemp() / "any.txt"
    path.write_text("\n".join(lines), encoding="utf-8")
    book = plaintext.read(path, LIMITS)
    letters = "".join([*texts(book), *(item.text for item in book.skipped)])
    assert sorted(filter(str.isalnum, letters)) == sorted(filter(str.isalnum, "".join(lines)))


def test_lines_of_verse_are_whole_and_indented_prose_is_none():
    assert_cases(CASES, lambda text: [*verse_lines(text.split("\n"))] or ["no verse"])


def test_a_short_poem_has_its_title_between_long_ones(tmp_path):
    long = "\n\n".join(["  The wheel went round,\n  The rain came down.\n" * 2] * 8)
    poems = {"A Wheel": long, "To Rain": "  The rain,\n  O mill!", "At Sea": long, "End": long}
    path = tmp_path / "poems.txt"
    path.write_text(
        "Ann Ode" + "".join(f"\n\n\n\n\n{title}\n\n{poem}" for title, poem in poems.items())
    )
    book = plaintext.read(path, Limits())
    chapters = book.chapters[1:]
    assert [chapter.title for chapter in chapters] == [*poems]
    assert all(chapter.blocks[1].kind is BlockKind.VERSE for chapter in chapters)
