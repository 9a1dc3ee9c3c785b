"""Sentences and what is said for them agree."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audiomill.inputs.languages.declaration import LIST_ENDS
from audiomill.inputs.languages.registry import abbreviations
from audiomill.inputs.model.book import BlockKind
from audiomill.inputs.segmentation.spoken_sentences import spoken_sentences
from audiomill.inputs.spoken.edits import Edit, SpokenLine
from support.case_files import each_row, each_row_apart


def sentences_of(monkeypatch, text, *edits, max_length=400):
    """The sentences as they are said, with these edits: (printed, spoken)."""
    made = [
        Edit(text.index(printed), text.index(printed) + len(printed), spoken, "any")
        for printed, spoken in edits
    ]
    monkeypatch.setattr(
        "audiomill.inputs.segmentation.spoken_sentences.spoken_line",
        lambda *_: SpokenLine(text, tuple(made)),
    )
    _, line, sentences = spoken_sentences(text, "en", BlockKind.PARAGRAPH, max_length)
    return [line.between(start, end) for start, end in sentences]


def test_no_sentence_ends_inside_an_edit(monkeypatch):
    money = ("£12 3s. 4d.", "twelve pounds three and four")
    text = "He had £12 3s. 4d. Then he had none. She laughed."
    assert sentences_of(monkeypatch, text, money) == [
        "He had twelve pounds three and four.",
        "Then he had none.",
        "She laughed.",
    ]


@each_row_apart
def test_a_full_stop_that_ends_the_sentence_is_said(monkeypatch, text, expected):
    said = sentences_of(monkeypatch, text, ("etc.", "et cetera"))
    assert " ".join(said) == " ".join(expected)


@pytest.mark.parametrize("note", ["9", "[9]", "²", "”9"])
def test_a_sentence_ends_before_the_number_of_a_note(note):
    text = f"The middle is best.{note} Then he left."
    _, line, sentences = spoken_sentences(text, "en", BlockKind.PARAGRAPH, 400)
    said = [line.between(start, end) for start, end in sentences]
    assert said == [f"The middle is best.{note.strip('[]9²')}", "Then he left."]


def test_a_full_stop_stands_at_its_word(monkeypatch):
    said = sentences_of(monkeypatch, "He got an A. She had a B.", ("A.", "A "))
    assert " ".join(said) == "He got an A. She had a B."


def test_an_edit_that_fits_no_segment_is_spoken_as_it_is_printed(monkeypatch):
    text = "It was 9999 then."
    said = sentences_of(monkeypatch, text, ("9999", "a very long number"), max_length=20)
    assert said == [text]


@given(st.text(max_size=80))
def test_sentences_hold_every_character_that_is_no_space(text):
    _, _, sentences = spoken_sentences(text, "en-GB", BlockKind.PARAGRAPH, 400)
    inside = "".join(text[start:end] for start, end in sentences)
    assert "".join(inside.split()) == "".join(text.split())


def split_by(text, language):
    """The text, with a bar where a sentence ends."""
    _, _, sentences = spoken_sentences(text, language, BlockKind.PARAGRAPH, 400)
    return " |".join(text[start:end] for start, end in sentences)


# "|" marks the end of a sentence and is not part of the text.


@each_row
def test_what_is_said_in_full_ends_no_sentence(language, expected):
    rows = expected.strip().split("\n")
    assert [split_by(row.replace("|", ""), language) for row in rows] == rows


def _stopped(short):
    """With a full stop, but for one that ends with a sign: “n °”."""
    return short if short[-1] in "ªº°" else f"{short.rstrip('.')}."


def _ends_list(abbreviation: str, language: str) -> bool:
    return language != "en" and re.sub(r"\s|\.\Z", "", abbreviation) in LIST_ENDS


@pytest.mark.parametrize("language", ["de", "en", "es", "fr", "it", "pt"])
def test_an_abbreviation_of_the_table_joins_what_it_belongs_to(language):
    """Each entry of the table, before a name or before a number."""
    table = abbreviations(language)
    shorts = (*table.always, *table.before_name)
    before_names = (f"{_stopped(one)} Lormier" for one in shorts if not _ends_list(one, language))
    before_numbers = (f"{_stopped(one)} 7" for one in table.before_number)
    texts = [f"Xaver {one} xaver." for one in (*before_names, *before_numbers)]
    assert [text for text in texts if split_by(text, language) != text] == []
