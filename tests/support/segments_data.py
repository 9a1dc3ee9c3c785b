"""Books and texts for tests of segmentation, and properties of every manuscript."""

from hypothesis import strategies as st

from audiomill.inputs.model.book import Block, BlockKind, Book, Chapter
from audiomill.inputs.segmentation.pauses import CHAPTER_LEAD_S, Pauses
from audiomill.inputs.segmentation.printed_words import printed_words
from audiomill.inputs.spoken.edits import clean

# Each kind has another length.
PAUSES = Pauses(
    sentence_s=0.5,
    word_s=0.05,
    comma_s=0.1,
    semicolon_s=0.2,
    colon_s=0.3,
    dash_s=0.4,
    line_s=0.25,
    paragraph_s=1.0,
    heading_s=2.0,
    scene_break_s=3.0,
    chapter_s=4.0 + CHAPTER_LEAD_S,
    variation=0.0,
)


def book(*chapters, language="en"):
    return Book(
        title="A book",
        authors=("Nobody",),
        language=language,
        chapters=tuple(Chapter(f"Chapter {n}", tuple(blocks)) for n, blocks in enumerate(chapters)),
        source_id="0" * 64,
    )


def paragraph(text, kind=BlockKind.PARAGRAPH, language=None):
    return Block(kind, text, language, where="book.md")


def check(manuscript, max_length, length=len):
    """Check the properties of every manuscript, for any chunking."""
    segments, skipped = list(manuscript.segments), list(manuscript.skipped)
    for number, chapter in enumerate(manuscript.book.chapters):
        for index, block in enumerate(chapter.blocks):
            at = 0
            while segments and (segments[0].span.chapter, segments[0].span.block) == (
                number,
                index,
            ):
                segment = segments.pop(0)
                span = segment.span
                take_skipped(skipped, block.text[at : span.start])
                assert at <= span.start < span.end
                assert block.text[span.start : span.end] == segment.text
                check_spoken(segment)
                check_words(segment)
                assert len(segment.text) == 1 or length(segment.spoken) <= max_length
                assert any(map(str.isalnum, segment.spoken))
                at = span.end
            take_skipped(skipped, block.text[at:])
    assert segments == []
    assert skipped == []
    ids = [segment.id for segment in manuscript.segments]
    assert len(set(ids)) == len(ids)
    assert ids == sorted(ids)


def check_spoken(segment):
    """Check that the spans of the sentences hold all of the spoken text."""
    assert segment.spoken == clean(segment.spoken)
    assert len(segment.sentences) == len(segment.printed) > 0
    at = 0
    for start, end in segment.sentences:
        assert segment.spoken[at:start] == " " * bool(at) or at == start
        assert start < end
        at = end
    assert at == len(segment.spoken)


def check_words(segment):
    """Check that the printed words are in order, and that each spoken word is in one of them."""
    sentences = zip(segment.printed, segment.sentences, printed_words(segment), strict=True)
    for (at, last), (place, end), words in sentences:
        letters, spoken = [*filter(str.isalnum, segment.spoken[place:end])], ""
        for word in words:
            assert at <= word.first < word.last <= last
            assert place <= word.start < word.end <= end
            spoken += segment.spoken[word.start : word.end]
            at, place = word.last, word.end
        assert [*filter(str.isalnum, spoken)] == letters


def without_spaces(text):
    return "".join(text.split())


def take_skipped(skipped, gap):
    """Check that the next skipped texts are exactly the gap, except for white space."""
    rest = "".join(gap.split())
    while rest:
        text = "".join(skipped.pop(0).text.split())
        assert text
        assert rest.startswith(text)
        rest = rest[len(text) :]


HOSTILE = {
    "no space": "a" * 400_000,
    "words": "word " * 40_000,
    "accents": "a" + "\u0301" * 100_000,
    "flags": "a" + "\U0001f1e6" * 100_000,
    "dots": "." * 20_000 + "a",
    "spaces": "a" + " " * 300_000 + "b",
}

ANY_TEXT = st.text(st.characters(), max_size=300) | st.text(
    st.sampled_from('ab Z1.!?;,—"“”()\n \u00a0\u200b\u0301🎉👩🏽。、字'), max_size=120
)
BLOCKS = st.builds(paragraph, ANY_TEXT, st.sampled_from(list(BlockKind)), st.none() | st.just("zh"))

WORDS = st.lists(
    st.sampled_from(["mill", "sea", "wind", "lamp", "stone", "bread", "keeper", "gull", "rope"]),
    min_size=2,
    max_size=12,
)
SENTENCES = st.builds(
    lambda words, comma, end: (
        words[0].capitalize() + "".join(f"{comma} {word}" for word in words[1:]) + end
    ),
    WORDS,
    st.sampled_from(["", ",", ";"]),
    st.sampled_from(".!?"),
)
