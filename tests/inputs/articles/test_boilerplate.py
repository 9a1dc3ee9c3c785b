"""Which lines of an article are around it, and what of it an extraction loses."""

import pytest

from audiomill.inputs.articles.boilerplate import are_around, is_date
from audiomill.inputs.articles.main_text import lost_between, lost_parts
from audiomill.inputs.markup.joining import AnchoredBlock, ElementPlace
from audiomill.inputs.model.book import Block, BlockKind
from support.article_data import PARAGRAPHS
from support.case_files import each_row

TITLE, AUTHOR = "The Mill", "Jan Mertens"


def block(text: str, kind: BlockKind = BlockKind.PARAGRAPH) -> Block:
    return Block(kind, text, where="page")


def left_out(*texts: str | Block) -> list[str]:
    blocks = [one if isinstance(one, Block) else block(one) for one in texts]
    marked = are_around(blocks, TITLE, (AUTHOR,))
    return [one.text for one, is_around in zip(blocks, marked, strict=True) if is_around]


@pytest.mark.parametrize(
    "line",
    ["By Jan Mertens", "Jan Mertens, harbour reporter", "Von Hanna Brink", "March 2, 2026",
     "Publié le 2 mars 2026 à 6h00", "2. März 2026", "5 min read", "Feb 18",
     "Tempo de leitura: 1 minuto"],
)  # fmt: skip
def test_who_wrote_it_and_when_is_not_said_before_the_text(line):
    assert left_out(line, *PARAGRAPHS) == [line]
    assert left_out(*PARAGRAPHS, f"{line} was all that the bill said.", PARAGRAPHS[0]) == []


@each_row
def test_lines_between_paragraphs(line):
    assert left_out(PARAGRAPHS[0], line, *PARAGRAPHS[1:]) == [line]


@each_row
def test_sentences_with_such_words_stay(sentence):
    assert left_out(PARAGRAPHS[0], sentence, *PARAGRAPHS[1:]) == []


def test_the_title_is_said_once():
    title = block(TITLE, BlockKind.HEADING)
    assert left_out(title, block("Subtitle", BlockKind.HEADING), title, *PARAGRAPHS) == [TITLE]


def test_a_list_of_other_articles_at_the_end():
    heading = block("Related articles", BlockKind.HEADING)
    others = ("Fish prices fall again", "A lighthouse is for sale")
    assert left_out(*PARAGRAPHS, heading, *others) == [heading.text, *others]
    assert left_out(*PARAGRAPHS, heading, *PARAGRAPHS) == []  # that is too much for a list


def test_a_line_is_a_date_only_if_it_is_nothing_else():
    assert is_date("Monday, 2 March 2026, 6:00 a.m.")
    assert not is_date("March to the mill")


def place(text: str, element: int, parent: int = 1, shape: int = 7) -> AnchoredBlock:
    return AnchoredBlock(block(text), place=ElementPlace(element, parent, shape))


def test_what_an_extraction_lost_between_two_paragraphs():
    one, two, three = (place(text, at) for at, text in enumerate(PARAGRAPHS[:3], 2))
    elsewhere = place(PARAGRAPHS[1], 9, parent=8)
    assert lost_between([one, two, three], [True, False, True], ()) == [1]
    assert lost_between([one, elsewhere, three], [True, False, True], ()) == []
    assert lost_between([one, two, three], [True, False, True], {PARAGRAPHS[1]}) == []
    assert lost_between([one, two, two, three], [True, False, False, True], ()) == []


def test_the_second_part_of_an_article_has_the_shape_of_the_first():
    first = [place(text * 2, at) for at, text in enumerate(PARAGRAPHS)]
    second = [place(text, at, parent=20) for at, text in enumerate(PARAGRAPHS, 30)]
    teasers = [place(text, at, parent=20, shape=8) for at, text in enumerate(PARAGRAPHS, 30)]
    chosen = [True] * len(first) + [False] * len(second)
    assert lost_parts(first + second, chosen) == [5, 6, 7, 8, 9]
    assert lost_parts(first + teasers, chosen) == []
    answers = [place(text * 4, at, parent=20) for at, text in enumerate(PARAGRAPHS, 30)]
    assert lost_parts(first + answers, chosen) == []  # most of the page, left out for a reason
