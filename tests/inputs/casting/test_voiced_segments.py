"""A segment has one voice and one language; a cast moves no text and loses none."""

from dataclasses import replace
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from audiomill.inputs.casting.cast import Cast
from audiomill.inputs.model.book import BlockKind, ForeignPassage
from audiomill.inputs.segmentation.segments import SegmentRules, segment_book
from support.case_files import assert_cases, each_row, rows_of
from support.segments_data import ANY_TEXT, PAUSES, book, check, paragraph, without_spaces

EMMA = Cast(dialogue="said", characters={"Emma": "emma"})


CASES = Path(__file__).with_name("cases") / "voiced_segments.txt"
SENTENCES = [sentence for (sentence,) in rows_of(CASES, "SENTENCES")]


def rules(cast, **options):
    return SegmentRules(
        lambda language: "narrator" if language == "en" else f"narrator in {language}",
        200,
        PAUSES,
        cast=cast,
        cast_voice_in=lambda voice, lang: voice if lang == "en" else f"{voice} in {lang}",
        **options,
    )


def segments(*blocks, cast=EMMA, **options):
    return segment_book(book(blocks), rules(cast, **options)).segments


def voices(*blocks, **options):
    return [(one.voice, one.text) for one in segments(*blocks, **options)]


def told(text, cast=None, kind="paragraph", runs_on="", **options):
    """The segments of a block: their voices, the pauses after them, and their texts."""
    if runs_on:
        options["joins_sentences"] = lambda voice: voice == runs_on
    given_cast = EMMA if cast is None else Cast(**cast)
    found = segments(paragraph(text, BlockKind(kind)), cast=given_cast, **options)
    return [f"{one.voice} {one.pause_after_s:g} s: {one.text}" for one in found]


def test_who_speaks_what_and_with_which_pauses():
    assert_cases(Path(__file__).with_name("cases") / "voices.txt", told)


def test_a_voice_that_is_the_narrators_cuts_nothing():
    text = paragraph("“Go,” said Emma, “now.”")
    same = Cast(dialogue="narrator")
    assert segments(text, cast=same) == segments(text, cast=Cast())


@each_row
def test_a_chapter_has_its_narrator(key, expected):
    """By number as `inspect` counts, without chapters that have nothing to speak, or by title."""
    chapters = [paragraph("One.")], [paragraph("* * *")], [paragraph("Two.")], [paragraph("Three.")]
    result = segment_book(book(*chapters), rules(Cast(chapters={key: "anna"})))
    assert [one.voice for one in result.segments] == expected.split()


def foreign(text, passage, language="fr"):
    start = text.index(passage)
    return replace(
        paragraph(text), passages=(ForeignPassage(start, start + len(passage), language),)
    )


def test_a_foreign_passage_is_read_by_the_rules_of_its_language():
    text = foreign("He sang “allons enfants de 1914” to 3 men.", "allons enfants de 1914")
    result = segments(text, cast=Cast())
    assert [(one.voice, one.language, one.spoken) for one in result] == [
        ("narrator", "en", "He sang"),
        ("narrator in fr", "fr", "“allons enfants de mille neuf cent quatorze”"),
        ("narrator", "en", "to three men."),
    ]
    assert {one.pause_after_s for one in result[:-1]} == {PAUSES.word_s}


def test_a_character_says_a_foreign_passage_in_his_voice():
    passage = "Allez-vous-en, les enfants de la rue!"
    text = foreign(f"“Hush. {passage}” said Emma.", passage)
    assert [one.voice for one in segments(text)] == ["emma", "emma in fr", "narrator"]


@each_row
def test_a_few_foreign_words_stay_in_their_sentence(text, passage, is_cut):
    result = segments(foreign(text, passage), cast=Cast())
    assert ("narrator in fr" in [one.voice for one in result]) == is_cut


def test_lines_of_verse_keep_their_places():
    poem = replace(
        paragraph("A first line\nallons enfants de la patrie\na last line", BlockKind.VERSE),
        passages=(ForeignPassage(13, 40, "fr"),),
    )
    assert voices(poem, cast=Cast()) == [
        ("narrator", "A first line"),
        ("narrator in fr", "allons enfants de la patrie"),
        ("narrator", "a last line"),
    ]


def test_marks_between_two_speeches_are_no_text_of_their_own():
    result = segment_book(book([paragraph("“One.” … “Two.”")]), rules(EMMA))
    assert [one.text for one in result.segments] == ["“One.” …", "“Two.”"]
    assert result.skipped == ()


QUOTED = st.lists(
    st.sampled_from(
        [
            *("“", "”", '"', "‘", "’", "'", "«", "»", "„", "—", " — "),
            *(" ", ". ", ", ", "! ", "?", "said Emma", "Emma said", "he cried", "dit-il", "dijo"),
            *("Go", "the boys", "it’s", "1914", "Mr. Pym", "£2.50", "allons", "now", "\n"),
        ]
    ),
    max_size=40,
).map("".join)
TEXTS = st.lists(
    st.builds(
        paragraph,
        QUOTED | ANY_TEXT,
        st.sampled_from([BlockKind.PARAGRAPH, BlockKind.QUOTE, BlockKind.VERSE]),
        st.sampled_from([None, "en-GB", "de", "fr", "es", "it", "pt", "fi"]),
    ),
    max_size=4,
)


@st.composite
def blocks_with_passages(draw):
    blocks = draw(TEXTS)
    result = []
    for block in blocks:
        cuts = sorted(draw(st.sets(st.integers(0, len(block.text)), max_size=4)))
        pairs = zip(cuts[::2], cuts[1::2], strict=False)
        passages = tuple(
            ForeignPassage(*pair, draw(st.sampled_from(["fr", "en"]))) for pair in pairs
        )
        result.append(replace(block, passages=passages))
    return result


@given(blocks_with_passages(), st.sampled_from([40, 400]), st.sampled_from([None, (10, 30)]))
def test_no_text_is_lost_or_moved(blocks, max_length, best_length):
    source = book(blocks)
    cast = Cast("herald", "reader", "said", {"Emma": "emma"})
    options = replace(rules(cast), max_length=max_length, best_length=best_length)
    result = segment_book(source, options)
    check(result, max_length)
    narrated = segment_book(source, replace(options, cast=Cast()))
    assert printed(result) == printed(narrated)


def printed(manuscript):
    """All text of the book, in order; what is left out where it is left out."""
    texts = [one.text for one in (*manuscript.segments, *manuscript.skipped)]
    return sorted(without_spaces("".join(texts)))


@given(st.lists(st.sampled_from(SENTENCES), max_size=8))
def test_the_same_words_are_spoken(sentences):
    text = paragraph(" ".join(sentences))
    said = " ".join(one.spoken for one in segments(text))
    assert said == " ".join(one.spoken for one in segments(text, cast=Cast()))
