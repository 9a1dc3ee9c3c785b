"""Segments: no text is lost or reordered, and an edit does not move other cuts."""

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audiomill.inputs.model.book import BlockKind, Book, Segment, Skipped, SkipReason
from audiomill.inputs.segmentation.segments import SegmentRules, segment_book
from audiomill.inputs.spoken.edits import clean
from support.case_files import assert_cases, each_row
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


def told_segments(
    text: str, language: str = "en", longest: int = 200, best: Sequence[int] = (), **options: str
) -> list[str]:
    """What becomes of blocks, each of a line: `paragraph: It rained.`; “⏎” breaks a line in it."""
    blocks = []
    for line in text.split("\n"):
        kind, _, printed = line.partition(": ")
        kind, _, own = kind.partition(" in ")
        blocks.append(paragraph(printed.replace("⏎", "\n"), BlockKind(kind), own or None))
    rules = SegmentRules(str, longest, PAUSES, best_length=tuple(best) or None, **options)
    result = segment_book(book(blocks, language=language), rules)
    return [
        *(line for one in result.segments for line in segment_lines(one)),
        *(f"not spoken: {one.text}" for one in result.skipped),
    ]


def segment_lines(one: Segment) -> list[str]:
    """A segment: its number, block and language, the pause after it, its text, and those inside."""
    where = f"{one.id[-1]} of block {one.span.block}, {one.span.start} to {one.span.end}"
    inside = [f"  {one.spoken[start:end]}" for start, end in one.sentences]
    pauses_s = [f" {pause_s:g} s" for pause_s in one.sentence_pauses_s] + [""]
    sentences = map("".join, zip(inside, pauses_s, strict=True)) if len(inside) > 1 else ()
    return [f"{where}, {one.language}, {one.pause_after_s:g} s: {one.spoken}", *sentences]


def test_blocks_are_cut_as_their_case_tells():
    assert_cases(Path(__file__).with_name("cases") / "cuts.txt", told_segments)


def test_ids_begin_again_in_each_chapter():
    result = segment_book(
        book([paragraph("One. Two.")], [paragraph("Three.")]), SegmentRules(str, 200, PAUSES)
    )
    assert [segment.id for segment in result.segments] == ["0000-00000", "0000-00001", "0001-00000"]
    assert [segment.pause_after_s for segment in result.segments] == [0.5, 4.0, 4.0]


def test_text_skipped_by_the_reader_comes_first():
    skipped = Skipped(SkipReason.PAGE_NUMBER, "7", "ch1.xhtml")
    source = Book("T", (), "en", (), "0", skipped=(skipped,))
    assert segment_book(source, SegmentRules(str, 200, PAUSES)).skipped == (skipped,)


def test_silent_characters_are_not_spoken():
    text = "A\u00ad soft\u200b\ufeff word,\u202e a\x07bell\u00a0 and \ud800 half ❤\ufe0f."
    assert clean(text) == "A soft word, a bell and half ❤."
    assert clean("می\u200cخواهم x\u200cy") == "می\u200cخواهم xy"


LONG = (
    "When the tide had gone out, and the gulls had settled on the sand, the miller opened the door;"
    " he looked at the sky for a long while, counted the clouds, and went back to his bread."
)


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
