"""Lexicons and pronunciations of the source in what is said, and in segments."""

from hypothesis import given
from hypothesis import strategies as st

from audiomill.inputs.languages.grammars import spoken_line
from audiomill.inputs.lexicons.lexicon import Lexicon, override_edits
from audiomill.inputs.model.book import Block, BlockKind, Pronunciation
from audiomill.inputs.model.lexicon_entry import LexiconEntry
from audiomill.inputs.segmentation.segments import SegmentRules, segment_book
from support.case_files import each_row
from support.segments_data import BLOCKS, book, check, paragraph

NAMES = Lexicon(
    [
        LexiconEntry("Worcester", phonemes="wˈʊstə"),
        LexiconEntry("Bosch", phonemes="bˈɒʃ"),
        LexiconEntry("Pratt", phonemes="pɹˈæt"),
        LexiconEntry("1914", "the year"),
        LexiconEntry("Foo", "Fu 12"),
        LexiconEntry("W.", "west"),
    ]
)


def line(text, language="en-US", lexicon=NAMES):
    edits = override_edits(text, language, lexicon, Block(BlockKind.PARAGRAPH, text))
    return spoken_line(text, language, overrides=edits)


def said(text, language="en-US"):
    return line(text, language).between(0, len(text))


def sounds(text, language="en-US"):
    spoken = said(text, language)
    given = line(text, language).pronunciations(0, len(text))
    return {spoken[one.start : one.end]: one.phonemes for one in given}


def test_another_spelling_comes_before_the_rules_which_do_not_read_it():
    assert said("In 1914 Foo paid $5.") == "In the year Fu 12 paid five dollars."


def test_a_rule_takes_nothing_of_an_entry():
    assert (
        said("From 1914–18, 5 Foo, Dr. Foo") == "From the year–eighteen, five Fu 12, Doctor Fu 12"
    )


def test_phonemes_leave_the_words_as_they_are():
    assert said("At Worcester, 1915") == "At Worcester, nineteen fifteen"
    assert sounds("At Worcester, 1915") == {"Worcester": "wˈʊstə"}


@each_row
def test_an_english_genitive_is_said_with_its_word(text, expected):
    assert sounds(text) == expected
    (word,) = sounds(text, "de")
    assert word in text.partition("’")[0].partition("'")[0]


def test_the_notation_of_a_pronunciation_is_not_said():
    text = "See [Nguyen](/wˈɪn/), [more](/about/) and [1914](/nˈaʊ/)."
    assert said(text).startswith("See Nguyen, [more]")
    assert sounds(text) == {"Nguyen": "wˈɪn", "nineteen fourteen": "nˈaʊ"}


def segments(*blocks, language="en", lexicon=NAMES, max_chars=200):
    rules = SegmentRules(str, max_chars, lexicon=lexicon)
    return segment_book(book(blocks, language=language), rules).segments


def test_segments_have_the_pronunciations_of_their_words():
    text = "He left. In 1915 Worcester was old, and Bosch was not. They met at Worcester."
    found = [
        [(one.spoken[at.start : at.end], at.phonemes) for at in one.pronunciations]
        for one in segments(paragraph(text))
    ]
    assert found == [[], [("Worcester", "wˈʊstə"), ("Bosch", "bˈɒʃ")], [("Worcester", "wˈʊstə")]]


def test_a_full_stop_that_ends_the_sentence_is_said_after_the_phonemes():
    given = Block(
        BlockKind.PARAGRAPH, "It lies W. Then", pronunciations=(Pronunciation(8, 10, "wɛst"),)
    )
    first, _ = segments(given)
    assert first.spoken.endswith(".")
    (one,) = first.pronunciations
    assert not first.spoken[one.start : one.end].endswith(".")


def test_lines_of_verse_have_their_own_pronunciations():
    verse = Block(
        BlockKind.VERSE, "One mill\nTwo mills", pronunciations=(Pronunciation(9, 12, "tˈu"),)
    )
    first, second = segments(verse)
    assert first.pronunciations == ()
    assert second.pronunciations == (Pronunciation(0, 3, "tˈu"),)


ENTRIES = st.builds(
    LexiconEntry,
    st.sampled_from(["the", "The mill", "a", "1", "x.", "said he", "§", "é"]),
    st.sampled_from(["", "a long way to say it", "b", "12."]),
    language=st.sampled_from(["", "en", "de"]),
).map(
    lambda one: (
        one if one.say else LexiconEntry(one.written, phonemes="ˈə b", language=one.language)
    )
)


@given(st.lists(ENTRIES, max_size=5), st.lists(BLOCKS, max_size=4), st.integers(20, 200))
def test_no_lexicon_loses_text(entries, blocks, max_chars):
    rules = SegmentRules(str, max_chars, lexicon=Lexicon(entries))
    manuscript = segment_book(book(blocks), rules)
    check(manuscript, max_chars)
    for segment in manuscript.segments:
        at = 0
        for one in segment.pronunciations:
            assert at <= one.start < one.end <= len(segment.spoken)
            at = one.end
