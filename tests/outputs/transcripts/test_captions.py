"""Long sentences are cut where a reader would pause, and each part knows what is said for it."""

import re
import unicodedata
from itertools import pairwise

from hypothesis import example, given
from hypothesis import strategies as st

from audiomill.outputs.transcripts.captions import (
    MAX_CAPTION_COLUMNS,
    MAX_LINE_COLUMNS,
    MIN_SPOKEN,
    captions,
    columns,
    lines,
    speaker_lead,
)
from support.case_files import each_row, written_out
from support.segments_data import ANY_TEXT, HOSTILE, without_spaces
from support.spoken_cases import said

LONG = (
    "In 1914 Mr. and Mrs. Weber sold the mill for $3.50, and nobody in the village spoke of it"
    " until the bell rang at 5 p.m. on the 3rd of May, because the owl was asleep."
)
SAID = (  # written out: to find it takes each process that collects the tests half a second
    "In nineteen fourteen Mister and Missus Weber sold the mill for three dollars and fifty cents,"
    " and nobody in the village spoke of it until the bell rang at five PM on the third of May,"
    " because the owl was asleep."
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
    assert spoken == SAID
    found = [spoken[caption.at :] for caption in captions(LONG, spoken)]
    assert found[0] == spoken
    assert found[1].startswith("and nobody in the village")
    assert found[2].startswith("until the bell rang at five PM on the third")


def test_a_mark_that_is_not_said_divides_nothing():
    """The full stop of an abbreviation is stronger than any comma, if it were one."""
    printed = f"the people of the old town and the whole valley{' Dr. Weber' * 3} and his dog ran"
    spoken = printed.replace("Dr.", "Doctor")
    assert all(not part.endswith("Dr.") for part in parts(printed, spoken))


def test_each_character_has_the_columns_that_unicode_says():
    def said_columns(character):
        is_wide = unicodedata.east_asian_width(character) in "WF"
        return 0 if unicodedata.category(character) in ("Mn", "Me", "Cf") else 1 + is_wide

    of_planes_0_and_1 = map(chr, range(0x20000))
    assert not [one for one in of_planes_0_and_1 if columns(one) != said_columns(one)]


def test_a_word_is_not_cut_and_chinese_is():
    address = f"https://example.org/{'a' * 100}"
    assert parts(f"See {address} for all of it.") == ["See", address, "for all of it."]
    assert max(map(columns, parts("字" * 100))) <= MAX_CAPTION_COLUMNS


@given(ANY_TEXT, ANY_TEXT)
@example(HOSTILE["words"][:4000], HOSTILE["words"][:4000])
@example(HOSTILE["accents"][:1000], "a")
@example(LONG, SAID)
def test_captions_have_every_character_in_order(printed, spoken):
    found = captions(printed, spoken)
    assert without_spaces("".join(one.text for one in found)) == without_spaces(printed)
    assert all(one.at <= following.at for one, following in pairwise(found))
    assert all(0 <= one.at <= len(spoken) for one in found)


SPEAKERS = st.sampled_from(["", "Emma", "The Keeper of the Old Mill at the Ferry", "梅子" * 9])
WORDS = st.text("abcdefgé", min_size=1, max_size=12) | st.text("字か、。", min_size=1, max_size=60)
SENTENCES = st.lists(WORDS, min_size=1, max_size=60).map(" ".join)


@given(SENTENCES, SPEAKERS)
@example("字" * 200, "")
@example("to go up to the " + "incomprehensibilities " * 9, "")
@example("a " * 100, "Emma")
def test_no_line_is_wider_than_a_screen(printed, speaker):
    """With the speaker before it. Only a word that is too long by itself, or with its marks, is."""
    lead = speaker_lead(speaker)
    for one in captions(printed, printed, lead):
        broken = lines(lead + one.text).split("\n")
        assert len(broken) <= 2
        if max(map(columns, broken)) > MAX_LINE_COLUMNS:
            assert not re.search(r"[a-gé] |字字", one.text)


@given(st.lists(st.text("abcdefg,", min_size=1, max_size=9), min_size=15, max_size=60))
@example([*("word",) * 16, "and,", *("another",) * 10])
def test_no_part_of_a_sentence_is_a_word_or_two(words):
    """Something is shown only if it can be read: of these words no part needs to be short."""
    printed = " ".join(words)
    found = captions(printed, printed)
    if len(found) > 1:
        assert min(len(one.text) for one in found) >= MIN_SPOKEN - 1


@each_row
def test_a_wide_text_has_two_lines(text, expected):
    assert lines(written_out(text)) == written_out(expected)


@given(st.lists(st.text("abcé字", min_size=1, max_size=9), min_size=1, max_size=14))
def test_lines_are_the_text_and_fit_if_they_can(words):
    text = " ".join(words)
    broken = lines(text)
    assert without_spaces(broken) == without_spaces(text)
    assert broken.count("\n") <= 1
    halves = ((" ".join(words[:n]), " ".join(words[n:])) for n in range(len(words)))
    best = min(max(map(columns, both)) for both in halves)
    assert max(map(columns, broken.split("\n"))) <= max(best, MAX_LINE_COLUMNS)
