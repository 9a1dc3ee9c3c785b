"""Headings: which lines are a title, and numerals that count; whole books are in files of cases."""

from hypothesis import given
from hypothesis import strategies as st

from audiomill.inputs.chapters.arrangement import mark_numerals
from audiomill.inputs.chapters.headings import count_title_lines
from audiomill.inputs.model.book import Block, BlockKind
from support.case_files import each_row
from support.spoken_cases import to_roman


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
