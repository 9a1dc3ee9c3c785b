"""Long sentences are cut where a reader would pause, and each part knows what is said for it."""

from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from audiomill.outputs.transcripts.captions import (
    MAX_CAPTION_COLUMNS,
    MAX_LINE_COLUMNS,
    captions,
    columns,
    lines,
)
from support.segments_data import ANY_TEXT, HOSTILE, without_spaces
from support.spoken_cases import said

LONG = (
    "In 1914 Mr. and Mrs. Weber sold the mill for $3.50, and nobody in the village spoke of it"
    " until the bell rang at 5 p.m. on the 3rd of May, because the owl was asleep."
)


def parts(printed, spoken=None):
    return [caption.text for caption in captions(printed, spoken or printed)]


def test_a_short_sentence_is_one_caption():
    assert parts("It was 1914.", "It was nineteen fourteen.") == ["It was 1914."]


def test_a_long_sentence_is_cut_at_its_clauses():
    assert parts(LONG, said(LONG, "en-US")) == [
        "In 1914 Mr. and Mrs. Weber sold the mill for $3.50,",
        "and nobody in the village spoke of it",
        "until the bell rang at 5 p.m. on the 3rd of May, because the owl was asleep.",
    ]


def test_each_part_begins_at_the_words_that_are_said_for_it():
    spoken = said(LONG, "en-US")
    found = [spoken[caption.at :] for caption in captions(LONG, spoken)]
    assert found[0] == spoken
    assert found[1].startswith("and nobody in the village")
    assert found[2].startswith("until the bell rang at five PM on the third")


def test_a_mark_that_is_not_said_divides_nothing():
    """The full stop of an abbreviation is stronger than any comma, if it were one."""
    printed = f"the people of the old town and the whole valley{' Dr. Weber' * 3} and his dog ran"
    spoken = printed.replace("Dr.", "Doctor")
    assert all(not part.endswith("Dr.") for part in parts(printed, spoken))


def test_a_word_is_not_cut_and_chinese_is():
    address = f"https://example.org/{'a' * 100}"
    assert parts(f"See {address} for all of it.") == ["See", address, "for all of it."]
    assert max(map(columns, parts("字" * 100))) <= MAX_CAPTION_COLUMNS


@given(ANY_TEXT, ANY_TEXT)
@example(HOSTILE["words"][:4000], HOSTILE["words"][:4000])
@example(HOSTILE["accents"][:1000], "a")
@example(LONG, said(LONG, "en-US"))
def test_captions_have_every_character_in_order(printed, spoken):
    found = captions(printed, spoken)
    assert without_spaces("".join(one.text for one in found)) == without_spaces(printed)
    assert all(one.at <= following.at for one, following in pairwise(found))
    assert all(0 <= one.at <= len(spoken) for one in found)
    for one in found:
        if columns(one.text) > MAX_CAPTION_COLUMNS:
            assert len(one.text) == columns(one.text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Short.", "Short."),
        ("x" * 60, "x" * 60),
        (
            "and nobody in the village spoke of it at all",
            "and nobody in the village\nspoke of it at all",
        ),
    ],
)
def test_a_wide_text_has_two_lines(text, expected):
    assert lines(text) == expected


@given(st.lists(st.text("abcé字", min_size=1, max_size=9), min_size=1, max_size=14))
def test_lines_are_the_text_and_fit_if_they_can(words):
    text = " ".join(words)
    broken = lines(text)
    assert broken.replace("\n", " ") == text
    assert broken.count("\n") <= 1
    halves = ((" ".join(words[:n]), " ".join(words[n:])) for n in range(len(words)))
    best = min(max(map(columns, both)) for both in halves)
    assert max(map(columns, broken.split("\n"))) <= max(best, MAX_LINE_COLUMNS)
