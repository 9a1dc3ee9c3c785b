"""Sentences and what is said for them agree."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audiomill.inputs.book import BlockKind
from audiomill.inputs.segmentation.spoken_sentences import spoken_sentences
from audiomill.inputs.spoken.edits import Edit, SpokenLine


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


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Nails, etc. He paid.", ["Nails, et cetera.", "He paid."]),
        ("(Nails, etc.) He paid.", ["(Nails, et cetera.)", "He paid."]),
        ("Nails, etc., were cheap.", ["Nails, et cetera, were cheap."]),
        ("Nails, etc.? He paid.", ["Nails, et cetera? He paid."]),
        ("Nails, etc.", ["Nails, et cetera."]),
    ],
)
def test_a_full_stop_that_ends_the_sentence_is_said(monkeypatch, text, expected):
    said = sentences_of(monkeypatch, text, ("etc.", "et cetera"))
    assert " ".join(said) == " ".join(expected)


def test_an_edit_that_fits_no_segment_is_spoken_as_it_is_printed(monkeypatch):
    text = "It was 9999 then."
    said = sentences_of(monkeypatch, text, ("9999", "a very long number"), max_length=20)
    assert said == [text]


@given(st.text(max_size=80))
def test_sentences_hold_every_character_that_is_no_space(text):
    _, _, sentences = spoken_sentences(text, "en-GB", BlockKind.PARAGRAPH, 400)
    inside = "".join(text[start:end] for start, end in sentences)
    assert "".join(inside.split()) == "".join(text.split())
