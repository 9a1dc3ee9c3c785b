"""Sentences: a table of cases in many languages, and properties of any text."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audiomill.inputs.segmentation.sentences import MERGED_QUOTE_CHARS
from support.case_files import each_row, rows_of
from support.process_data import printed_by
from support.sentences import split_sentences

HOSTILE = dict(rows_of(Path(__file__).with_name("cases") / "sentences.txt", "HOSTILE"))


def sentences(text, language):
    return [text[start:end] for start, end in split_sentences(text, language)]


def check_spans(text, spans):
    """Spans are in order, disjoint and trimmed, with only white space between them."""
    at = 0
    for start, end in spans:
        assert at <= start < end <= len(text)
        assert text[at:start].strip() == ""
        assert text[start:end] == text[start:end].strip()
        at = end
    assert text[at:].strip() == ""


@each_row
def test_sentences(language, case):
    expected = [part.strip() for part in case.split("|")]
    assert sentences(case.replace("|", ""), language) == expected


def test_a_long_quotation_is_split_into_sentences():
    inside = "The wind was up and the sails went round. " * 6
    assert len(inside) > MERGED_QUOTE_CHARS
    result = sentences(f"“{inside}Run!” cried the miller. He ran.", "en")
    assert len(result) == 8
    assert result[-2:] == ["Run!” cried the miller.", "He ran."]


@pytest.mark.prove
@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("language", ["en", "de", "zh"])
def test_hostile_text_is_covered(name, language):
    check_spans(HOSTILE[name], split_sentences(HOSTILE[name], language))


@given(st.text(), st.sampled_from(["en", "de", "fr", "zh", "el", "", "x-klingon"]))
def test_any_text_is_covered(text, language):
    check_spans(text, split_sentences(text, language))


MARKS = st.text(st.sampled_from("aB1 .!?…\"'“”‘’«»()[]—。」と\u00a0\n"), max_size=60)


@given(MARKS, st.sampled_from(["en", "de", "fr", "ja"]))
def test_any_marks_are_covered(text, language):
    spans = split_sentences(text, language)
    check_spans(text, spans)
    if any(map(str.isalnum, text)):
        assert all(any(map(str.isalnum, text[start:end])) for start, end in spans)


def test_white_space_has_no_sentences():
    assert split_sentences(" \n\t\u00a0", "en") == ()
    assert split_sentences("", "en") == ()


def test_importing_loads_no_model_and_no_parser_that_is_not_needed():
    code = (
        "import sys, audiomill.inputs.segmentation.segments; print(*sys.modules)\n"
        "import audiomill.inputs.markdown.reader, audiomill.inputs.text.reader; print(*sys.modules)"
    )
    segmenting, reading = ({*line.split()} for line in printed_by(code).splitlines())
    assert not {"nupunkt", "lxml", "numpy"} & segmenting
    assert "ebooklib" not in reading
