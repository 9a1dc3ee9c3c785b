"""Chunking strategies: none loses text, and each cuts as its name says."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audiomill.inputs.model.book import BlockKind
from audiomill.inputs.segmentation.chunking import CHUNKINGS, OPENING
from audiomill.inputs.segmentation.lengths import n_characters
from audiomill.inputs.segmentation.segments import SegmentRules, segment_book
from support.case_files import each_row
from support.segments_data import BLOCKS, HOSTILE, PAUSES, SENTENCES, book, check, paragraph
from support.sentences import split_sentences

BEST = (100, 200)


def five_per_digit(spoken, voice):
    """The length for an engine that speaks five units per digit."""
    return len(spoken) + 4 * sum(map(str.isdecimal, spoken))


def segments(*blocks, longest=400, best=BEST, chunking="planned", length=n_characters):
    rules = SegmentRules(str, longest, PAUSES, length, best, chunking)
    return segment_book(book(blocks), rules).segments


def texts(*blocks, **options):
    return [segment.text for segment in segments(*blocks, **options)]


@st.composite
def rules(draw):
    longest = draw(st.integers(1, 80))
    least = draw(st.integers(1, longest))
    return SegmentRules(
        str,
        longest,
        length=draw(st.sampled_from([n_characters, five_per_digit])),
        best_length=draw(st.none() | st.just((least, draw(st.integers(least, longest))))),
        chunking=draw(st.sampled_from(list(CHUNKINGS))),
        first_chunking=draw(st.sampled_from(["", OPENING])),
    )


PROSE = st.lists(SENTENCES, max_size=8).map(" ".join)
BOOKS = st.lists(st.lists(BLOCKS | st.builds(paragraph, PROSE), max_size=4), max_size=3)


@given(BOOKS, rules())
def test_no_strategy_loses_a_character(chapters, any_rules):
    result = segment_book(book(*chapters), any_rules)
    check(result, any_rules.max_length, lambda spoken: any_rules.length(spoken, ""))
    assert segment_book(book(*chapters), any_rules) == result


@pytest.mark.prove
@pytest.mark.parametrize("chunking", CHUNKINGS)
@pytest.mark.parametrize("name", HOSTILE)
def test_no_strategy_loses_hostile_text(name, chunking):
    """Long ones are shortened: test_segments.py has them whole."""
    text = HOSTILE[name]
    if len(text) > 100_001:
        text = text[:50_000] + text[-50_000:]
    by = SegmentRules(str, 400, best_length=BEST, chunking=chunking)
    check(segment_book(book([paragraph(text)]), by), 400)


@given(BOOKS, st.integers(1, 80))
def test_an_engine_without_a_preference_gets_sentences(chapters, longest):
    planned = segment_book(book(*chapters), SegmentRules(str, longest))
    assert planned == segment_book(book(*chapters), SegmentRules(str, longest, chunking="sentence"))


@given(PROSE)
def test_spans_separate_the_sentences_of_the_spoken_text(text):
    sentences = [
        segment.spoken[start:end]
        for segment in segments(paragraph(text))
        for start, end in segment.sentences
    ]
    assert sentences == [text[start:end] for start, end in split_sentences(text, "en")]


def test_segments_do_not_cross_blocks_or_lines():
    blocks = [
        paragraph("One.", BlockKind.HEADING),
        paragraph("Two."),
        paragraph("Trois.", language="fr"),
        paragraph("Four."),
        paragraph("* * *", BlockKind.SCENE_BREAK),
        paragraph("Five. And more."),
        paragraph("Six.", BlockKind.LIST_ITEM),
        paragraph("Seven.", BlockKind.LIST_ITEM),
        paragraph("Eight,\nnine. Ten.", BlockKind.VERSE),
        paragraph("A; b\nc; d", BlockKind.TABLE),
    ]
    apart = "One.|Two.|Trois.|Four.|Five. And more.|Six.|Seven.|Eight,|nine. Ten.|A; b|c; d"
    for chunking in set(CHUNKINGS) - {"sentence"}:
        assert "|".join(texts(*blocks, chunking=chunking)) == apart


def test_a_clause_is_cut_only_if_it_is_too_long():
    words = "sand " * 50 + "sand."  # 255
    assert texts(paragraph(words)) == [words]
    pieces = texts(paragraph(words * 2))
    assert all(100 <= len(piece) <= 400 for piece in pieces)


PARAGRAPHS = st.lists(st.lists(SENTENCES, min_size=1, max_size=6), min_size=1, max_size=4)


@given(PARAGRAPHS, SENTENCES, st.data())
def test_an_edit_changes_only_its_paragraph(paragraphs, other, data):
    index = data.draw(st.integers(0, len(paragraphs) - 1))
    edited = [list(sentences) for sentences in paragraphs]
    edited[index][data.draw(st.integers(0, len(edited[index]) - 1))] = other
    before, after = (
        segments(*(paragraph(" ".join(sentences)) for sentences in version))
        for version in (paragraphs, edited)
    )
    for number in set(range(len(paragraphs))) - {index}:
        spoken = [
            [segment.spoken for segment in version if segment.span.block == number]
            for version in (before, after)
        ]
        assert spoken[0] == spoken[1]


@each_row
def test_each_strategy_cuts_as_its_name_says(chunking, cut):
    text = paragraph("Ann sat. Ben, who had run, sat down too. Incomprehensibilities!")
    assert texts(text, longest=20, best=(10, 15), chunking=chunking) == cut


def test_lengths_are_measured_by_the_engine():
    years = "It stood in 1984, and in 2007, and in 2019, and in 2023."
    block = paragraph(years, language="pl")  # whose digits are left to the engine
    assert texts(block, longest=80, best=None) == [years]
    apart = texts(paragraph(years), longest=80, best=None, length=five_per_digit)
    assert apart == ["It stood in 1984, and in 2007,", "and in 2019, and in 2023."]


@pytest.mark.parametrize("best", [(0, 10), (20, 10), (10, 401)])
def test_an_impossible_range_is_an_error(best):
    with pytest.raises(ValueError, match="best_length is"):
        SegmentRules(str, 400, best_length=best)


def test_an_unknown_strategy_is_an_error():
    with pytest.raises(ValueError, match="none of planned, sentence, adaptive, word, fixed"):
        SegmentRules(str, 400, chunking="paragraph")


@each_row
def test_the_beginning_of_what_is_waited_for_is_a_segment(text, first, rest):
    rules = SegmentRules(str, 400, best_length=BEST, first_chunking=OPENING)
    found = segment_book(book([paragraph(text), paragraph(text)]), rules).segments
    assert [one.text for one in found] == [text[:first], *([rest] if rest else []), text]
