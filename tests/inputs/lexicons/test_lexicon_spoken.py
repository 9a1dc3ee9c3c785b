"""Lexicons and pronunciations of the source in what is said, and in segments."""

from hypothesis import given
from hypothesis import strategies as st

from audiomill.inputs.languages.grammars import spoken_line
from audiomill.inputs.lexicons.lexicon import Lexicon, override_edits
from audiomill.inputs.model.book import Block, BlockKind, Limits, Pronunciation
from audiomill.inputs.model.lexicon_entry import LexiconEntry
from audiomill.inputs.readers.sources import read_book
from audiomill.inputs.segmentation.segments import SegmentRules, segment_book
from support.case_files import each_row
from support.epub_data import Epub, chapter
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


def test_markdown_gives_pronunciations(tmp_path):
    path = tmp_path / "book.md"
    path.write_text(
        "# The [Nguyen](/wˈɪn/) house\n\n*[New York](/nˌu jˈɔɹk/)* and [docs](/about/),"
        " `[x](/ə/)`.\n\n<div>\n\n[Bosch](/bˈɒʃ/)\n\n</div>\n"
    )
    (chapter,) = read_book(path, Limits()).chapters
    assert chapter.title == "The Nguyen house"
    found = [
        (
            block.text,
            [(block.text[one.start : one.end], one.phonemes) for one in block.pronunciations],
        )
        for block in chapter.blocks
    ]
    assert found == [
        ("The Nguyen house", [("Nguyen", "wˈɪn")]),
        ("New York and docs, [x](/ə/).", [("New York", "nˌu jˈɔɹk")]),
        ("Bosch", [("Bosch", "bˈɒʃ")]),
    ]


PAGE = (
    '<html xmlns="http://www.w3.org/1999/xhtml" xmlns:ssml="http://www.w3.org/2001/10/synthesis">'
    '<head><title>T</title></head><body><h1>T</h1><p>A <b ssml:ph="bˈɒʃ"> Bosch </b>, '
    '<span ssml:ph="outer">of <i ssml:ph="ˈɪnə">inner</i></span> <i ssml:ph="nˈʌn"></i> '
    '<span ssml:alphabet="x-sampa" ssml:ph="w">word</span>.</p></body></html>'
)
LEXICON = """<lexicon version="1.0" alphabet="ipa" xml:lang="en"
 xmlns="http://www.w3.org/2005/01/pronunciation-lexicon">
<lexeme><grapheme>mill</grapheme><phoneme>mˈɪl</phoneme></lexeme>
<lexeme><grapheme>empty</grapheme></lexeme></lexicon>"""


def test_an_epub_brings_pronunciations_and_lexicons(tmp_path):
    manifest = '<item id="l" href="en.pls" media-type="application/pls+xml"/>'
    epub = Epub(
        {"a.xhtml": PAGE, "b.xhtml": chapter(2, "Two")},
        manifest=manifest,
        files={"OEBPS/en.pls": LEXICON},
    )
    read = read_book(epub.write(tmp_path), Limits())
    block = read.chapters[0].blocks[1]
    assert block.text == "A Bosch , of inner word."
    given = [(block.text[one.start : one.end], one.phonemes) for one in block.pronunciations]
    assert given == [("Bosch", "bˈɒʃ"), ("inner", "ˈɪnə")]
    assert [(one.written, one.phonemes, one.where) for one in read.lexicon] == [
        ("mill", "mˈɪl", "OEBPS/en.pls:3")
    ]
    (warning,) = read.warnings
    assert "1 entries of the book's lexicon are not used; the first: OEBPS/en.pls:4" in warning
