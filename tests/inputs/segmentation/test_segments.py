"""Segments: no text is lost or reordered, and an edit does not move other cuts."""

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audiomill.inputs.model.book import BlockKind, Book, Skipped, SkipReason
from audiomill.inputs.segmentation.segments import SegmentRules, segment_book
from audiomill.inputs.spoken.edits import clean
from support.case_files import each_row
from support.segments_data import BLOCKS, HOSTILE, PAUSES, SENTENCES, book, check, paragraph

SPOKEN_KINDS = [
    kind
    for kind in BlockKind
    if kind not in {BlockKind.CODE, BlockKind.NOTE, BlockKind.SCENE_BREAK}
]


def manuscript(*blocks, max_chars=200, language="en"):
    rules = SegmentRules(lambda tag: f"voice of {tag}", max_chars, PAUSES)
    return segment_book(book(blocks, language=language), rules)


def spoken(*blocks, **options):
    return [segment.spoken for segment in manuscript(*blocks, **options).segments]


def pauses(*blocks, **options):
    return [segment.pause_after_s for segment in manuscript(*blocks, **options).segments]


def test_a_sentence_is_a_segment():
    result = manuscript(
        paragraph("Title", BlockKind.HEADING), paragraph("One is here. Two is not.")
    )
    assert [segment.text for segment in result.segments] == ["Title", "One is here.", "Two is not."]
    assert [segment.id for segment in result.segments] == ["0000-00000", "0000-00001", "0000-00002"]
    last = result.segments[-1]
    assert (last.span.chapter, last.span.block, last.span.start, last.span.end) == (0, 1, 13, 24)


def test_ids_begin_again_in_each_chapter():
    result = segment_book(
        book([paragraph("One. Two.")], [paragraph("Three.")]), SegmentRules(str, 200, PAUSES)
    )
    assert [segment.id for segment in result.segments] == ["0000-00000", "0000-00001", "0001-00000"]
    assert [segment.pause_after_s for segment in result.segments] == [0.5, 4.0, 4.0]


def test_pauses_depend_on_the_next_segment():
    blocks = [
        paragraph("Part One", BlockKind.HEADING),
        paragraph("The Mill", BlockKind.HEADING),
        paragraph("It rained. It poured."),
        paragraph("It stopped."),
        paragraph("* * *", BlockKind.SCENE_BREAK),
        paragraph("Sun", BlockKind.LIST_ITEM),
        paragraph("Moon", BlockKind.LIST_ITEM),
        paragraph("One line\nanother line", BlockKind.VERSE),
        paragraph("", BlockKind.SCENE_BREAK),
        paragraph("The end."),
    ]
    assert pauses(*blocks) == [1.0, 2.0, 0.5, 1.0, 3.0, 0.5, 1.0, 0.25, 3.0, 4.0]


def test_unspoken_text_is_listed():
    result = manuscript(
        paragraph("Before."),
        paragraph("* * *", BlockKind.SCENE_BREAK),
        paragraph("", BlockKind.SCENE_BREAK),
        paragraph("— …"),
        paragraph("After."),
    )
    assert [segment.text for segment in result.segments] == ["Before.", "After."]
    assert result.skipped == (
        Skipped(SkipReason.NOT_SPEAKABLE, "* * *", "book.md"),
        Skipped(SkipReason.NOT_SPEAKABLE, "— …", "book.md"),
    )


def test_text_skipped_by_the_reader_comes_first():
    skipped = Skipped(SkipReason.PAGE_NUMBER, "7", "ch1.xhtml")
    source = Book("T", (), "en", (), "0", skipped=(skipped,))
    assert segment_book(source, SegmentRules(str, 200, PAUSES)).skipped == (skipped,)


def test_the_voice_follows_the_language():
    result = manuscript(paragraph("Hello."), paragraph("Bonjour.", language="fr"), language="en-GB")
    assert [(s.language, s.voice) for s in result.segments] == [
        ("en-GB", "voice of en-GB"),
        ("fr", "voice of fr"),
    ]


def test_silent_characters_are_not_spoken():
    text = "A\u00ad soft\u200b\ufeff word,\u202e a\x07bell\u00a0 and \ud800 half ❤\ufe0f."
    assert clean(text) == "A soft word, a bell and half ❤."
    assert clean("می\u200cخواهم x\u200cy") == "می\u200cخواهم xy"


def test_rows_and_lines_are_separate_segments():
    table = paragraph("Ship; Port\nMary; Hull. Or York.", BlockKind.TABLE)
    assert spoken(table) == ["Ship; Port", "Mary; Hull.", "Or York."]
    assert pauses(table) == [0.25, 0.5, 4.0]


LONG = (
    "When the tide had gone out, and the gulls had settled on the sand, the miller opened the door;"
    " he looked at the sky for a long while, counted the clouds, and went back to his bread."
)


def test_a_long_sentence_is_cut_at_its_clauses():
    assert spoken(paragraph(LONG), max_chars=100) == [
        LONG.split("; ")[0] + ";",
        LONG.split("; ")[1],
    ]
    assert pauses(paragraph(LONG), max_chars=100) == [PAUSES.semicolon_s, 4.0]


@each_row
def test_a_cut_inside_a_sentence_has_the_pause_of_its_mark(mark, pause_s):
    half = "the miller opened the door of the mill" + mark
    assert pauses(paragraph(f"{half} and looked for the owl there."), max_chars=50) == [
        pause_s,
        4.0,
    ]


def test_only_inside_a_word_there_is_no_pause():
    word, text = "mill" * 20, "the miller sat there and looked at the owl of the tall tower"
    assert pauses(paragraph(word), max_chars=50) == [0.0, 4.0]
    assert 0.0 not in pauses(paragraph(text), max_chars=10)
    navy = paragraph("the men of the U.S. navy went on to the U.S. fleet there")
    assert "on to the U S" in spoken(navy, max_chars=16)
    assert set(pauses(navy, max_chars=16)) == {0.05, 4.0}


def test_a_faster_voice_makes_shorter_pauses():
    faster = PAUSES.at_speed(2.0)
    assert (faster.sentence_s, faster.dash_s, faster.chapter_s) == (0.25, 0.2, 2.25)


@pytest.mark.parametrize(
    "words", ["Mr. Thorne", "Dr. J. R. Oakley", "St. Ives", "Capt. Bell", "etc. and so on"]
)
def test_no_cut_follows_an_abbreviation(words):
    text = f"It was on that long grey morning in the old town by the sea that {words} " * 4
    for segment in manuscript(paragraph(text.strip() + "."), max_chars=90).segments:
        assert not re.search(r"\b(?:Mr|Dr|J|R|St|Capt|etc)\.$", segment.text)
    assert all(len(piece) <= 40 for piece in spoken(paragraph(LONG), max_chars=40))
    assert all(piece[-1] in ",;." for piece in spoken(paragraph(LONG), max_chars=60))


def test_text_without_a_space_is_cut_between_clusters():
    text = "e\u0301" * 50 + "👩🏽" * 3
    pieces = spoken(paragraph(text), max_chars=11)
    assert "".join(pieces) == text
    assert not any(piece[0] in "\u0301🏽" for piece in pieces)


def test_chinese_is_cut_at_its_own_commas():
    text = "春天的时候，风从海上来，磨坊的帆转得很快，孩子们都跑出来看。"
    assert spoken(paragraph(text, language="zh"), max_chars=20) == [
        "春天的时候，风从海上来，",
        "磨坊的帆转得很快，孩子们都跑出来看。",
    ]


def test_a_maximal_length_of_zero_is_an_error():
    with pytest.raises(ValueError, match="max_length is 0"):
        spoken(paragraph("Hello."), max_chars=0)


@pytest.mark.prove
@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_is_kept(name):
    check(manuscript(paragraph(HOSTILE[name])), 200)


@given(st.lists(st.lists(BLOCKS, max_size=3), max_size=3))
def test_the_segments_have_the_words_of_the_chapter(chapters):
    """No sentence is over the limit here, so no word is cut."""
    result = segment_book(book(*chapters), SegmentRules(str, 10_000, PAUSES))
    for number, chapter in enumerate(result.book.chapters):
        for index, block in enumerate(chapter.blocks):
            if block.kind in SPOKEN_KINDS:
                spans = [s for s in result.segments if (s.chapter, s.span.block) == (number, index)]
                words = "".join(word for s in spans for word in s.text.split())
                silent = {s.text for s in result.skipped}
                if not any(text and text in block.text for text in silent):
                    assert words == "".join(block.text.split())


@given(st.lists(SENTENCES, min_size=1, max_size=8), SENTENCES, st.data())
def test_an_edit_changes_one_segment(sentences, other, data):
    index = data.draw(st.integers(0, len(sentences) - 1))
    edited = [*sentences[:index], other, *sentences[index + 1 :]]
    before, after = spoken(paragraph(" ".join(sentences))), spoken(paragraph(" ".join(edited)))
    assert before == sentences
    assert after == edited


@given(st.lists(SENTENCES, min_size=3, max_size=8), st.data())
def test_an_edit_of_a_cut_sentence_does_not_change_its_neighbours(sentences, data):
    index = data.draw(st.integers(1, len(sentences) - 2))
    edited = [*sentences[:index], "Nobody at all came, and the lamp went out; so they slept."]
    edited += sentences[index + 1 :]
    before = spoken(paragraph(" ".join(sentences)), max_chars=25)
    after = spoken(paragraph(" ".join(edited)), max_chars=25)
    head = len(spoken(*map(paragraph, sentences[:index]), max_chars=25))
    tail = len(spoken(*map(paragraph, sentences[index + 1 :]), max_chars=25))
    assert before[:head] == after[:head]
    assert before[-tail:] == after[-tail:]


def test_pauses_vary_a_little_by_their_text():
    sentences = [f"{word} came home." for word in ("She", "He", "Nobody", "An owl", "It", "Karl")]
    text = paragraph(" ".join(sentences))
    varied = replace(PAUSES, variation=0.2)

    def pauses_s(**rules):
        segments = segment_book(book([text]), SegmentRules(str, pauses=varied, **rules)).segments
        return [one.pause_after_s for one in segments], segments[0].sentence_pauses_s

    apart, _ = pauses_s(max_length=40)
    assert apart[-1] == 4.0
    assert len(set(apart[:-1])) == 5
    assert all(0.4 <= pause_s <= 0.6 for pause_s in apart[:-1])
    # The same sentences have the same pauses inside one segment, and in every run.
    _, joined = pauses_s(max_length=300, best_length=(100, 300))
    assert list(joined) == apart[:-1]


def test_without_variation_each_kind_has_its_length():
    (segment,) = segment_book(
        book([paragraph("One. Two. Three.")]),
        SegmentRules(str, 300, PAUSES, best_length=(100, 300)),
    ).segments
    assert segment.sentence_pauses_s == (0.5, 0.5)
