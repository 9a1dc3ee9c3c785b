"""What is said in print of several languages, and by whom."""

import re
from pathlib import Path

import pytest

from audiomill.inputs.casting.dialogue import english_conventions, find_dialogue
from audiomill.inputs.model.book import Block, BlockKind
from support.case_files import each_row, rows_of


@each_row
def test_american_print(case):
    assert marked_dialogue("en-US", plain(case)) == [case]


@each_row
def test_british_print(case):
    assert marked_dialogue("en-GB", plain(case)) == [case]


def test_the_whole_book_decides_which_marks_are_outer_ones():
    american = ["“One,” he said.", "“Two,” he said.", "‘Three’ was a word."]
    assert marked_dialogue("en-GB", *american)[2] == american[2]
    british = ["‘One,’ he said.", "‘Two,’ he said.", "“Three,” he read on the wall."]
    assert marked_dialogue("en-US", *british)[2] == british[2]


@each_row
def test_a_speech_over_several_paragraphs(case):
    assert marked_dialogue("en", *map(plain, case)) == case


@each_row
def test_dialogue(language, case):
    assert marked_dialogue(language, plain(case)) == [case]


def test_a_speech_over_several_paragraphs_in_other_languages():
    german = [
        "{Karl|„Der Winter war mild“}, sagte Karl. {Karl|„Der zweite nicht.}",
        "{Karl|„Nie.“}",
    ]
    assert marked_dialogue("de", *map(plain, german)) == german
    french = ["{|« L’hiver fut doux.}", "{|» Le second fut rude. »}", "Il se tut."]
    assert marked_dialogue("fr", *map(plain, french)) == french


def test_a_language_without_conventions_has_no_dialogue():
    assert marked_dialogue("fi", "”Lähde”, hän sanoi.") == ["”Lähde”, hän sanoi."]


HOSTILE = dict(rows_of(Path(__file__).with_name("cases") / "dialogue.txt", "HOSTILE"))


# Quotation marks of three kinds; the others are like one of them.
OFTEN = ("en-GB", "de", "fr")
IN_PROOFS = [pytest.param(one, marks=pytest.mark.prove) for one in ("en", "es", "it", "pt-BR")]


@pytest.mark.parametrize("language", [*OFTEN, *IN_PROOFS])
@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_marks_are_searched_in_no_time(name, language):
    """Ranges of speech are in order, and within the text; none takes the square of its length."""
    block = Block(BlockKind.PARAGRAPH, HOSTILE[name])
    (found,) = find_dialogue([block], language, english_conventions([block.text], language))
    ends = [end for speech in found for end in (speech.start, speech.end)]
    assert ends == sorted(ends)
    assert ends == [] or 0 <= ends[0] < ends[-1] <= len(block.text)
    assert all(speech.start < speech.end for speech in found)


MARKED = re.compile(r"\{([^|{}]*)\|([^{}]*)\}")


def plain(marked):
    """The sentence without the marks of what is said, and by whom."""
    return MARKED.sub(r"\2", marked)


def marked_dialogue(language, *paragraphs):
    """The paragraphs, with marks around what is found to be said."""
    blocks = [Block(BlockKind.PARAGRAPH, text) for text in paragraphs]
    found = find_dialogue(blocks, language, english_conventions(paragraphs, language))
    return [_marked(text, speeches) for text, speeches in zip(paragraphs, found, strict=True)]


def _marked(text, speeches):
    for speech in reversed(speeches):
        said = text[speech.start : speech.end]
        inside = said.rstrip()
        marks = f"{{{speech.speaker}|{inside}}}{said[len(inside) :]}"
        text = text[: speech.start] + marks + text[speech.end :]
    return text
