"""Text is found in documents, and spans are put around it; nothing else in them changes."""

import re
from xml.sax.saxutils import escape

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from lxml import etree

from audiomill.outputs.readalong.documents.alignment import NOWHERE, aligned
from audiomill.outputs.readalong.documents.formulas import with_formula_words
from audiomill.outputs.readalong.documents.source_reader import NotWellFormed, read_source_text
from audiomill.outputs.readalong.documents.source_text import folded
from audiomill.outputs.readalong.documents.spans import MarkedRange, with_spans
from support.case_files import each_row

WORDS = st.lists(
    st.sampled_from(["a", "The", "tide", "1", "Zoë", "“now”", "ﬁn", "&", "水"]), max_size=4
)
# A piece of a paragraph: its text, the element around it, and whether it is left out when read.
PIECES = st.lists(st.tuples(WORDS, st.sampled_from(["", "em", "a"]), st.booleans()), max_size=5)
PAGES = st.lists(PIECES, min_size=1, max_size=6)


def page_of(body: str) -> bytes:
    return f'<html xmlns="http://www.w3.org/1999/xhtml"><body>{body}</body></html>'.encode()


def markup(pieces) -> str:
    parts = []
    for words, name, is_left_out in pieces:
        text = escape(" ".join(words)) + " "
        name = name or ("sup" if is_left_out else "")
        parts.append(f"<{name}>{text}</{name}>" if name else text)
    return f"<p>{''.join(parts)}</p>"


def read(pieces) -> str:
    return " ".join(word for words, _, is_left_out in pieces if not is_left_out for word in words)


def without_spans(document: bytes) -> bytes:
    return re.sub(rb"</?span[^>]*>", b"", document)


@example([[(["The"], "", True), (["a", "The"], "", False)]])  # with “a” left out it is nearer
@given(PAGES)
def test_each_letter_that_is_read_is_found_in_order(page):
    source = read_source_text(page_of("\n".join(map(markup, page))))
    blocks = list(map(read, page))
    before = -1
    for block, characters in zip(blocks, aligned(source, blocks), strict=True):
        for character, at in zip(block, characters, strict=True):
            if folded(character):
                assert at > before
                assert source.chars[at] == character
                before = at


@each_row
def test_what_is_read_otherwise_is_found_as_far_as_it_stands_there(body, block, found):
    source = read_source_text(page_of(body))
    (characters,) = aligned(source, [block])
    places = [at for at in characters if at != NOWHERE]
    assert "".join(source.chars[at] for at in places) == found.replace(" ", "")


MATH = '<math xmlns="http://www.w3.org/1998/Math/MathML">'
ROOT = f"{MATH}<msqrt> <mi>x</mi></msqrt></math>"
SPACED = ROOT.replace("</msqrt>", "</msqrt> ").replace(MATH, MATH + " ")
NAMED = ROOT.replace(">", ' alttext="a root">', 1)


def with_formulas(body: str) -> bytes:
    """A page whose body names these formulas."""
    return page_of(body.replace("ROOT", ROOT).replace("SPACED", SPACED).replace("NAMED", NAMED))


@each_row
def test_a_formula_is_marked_while_the_words_for_it_sound(body, block, marked):
    document = with_formulas(body)
    source = with_formula_words(read_source_text(document), document, "en")
    (characters,) = aligned(source, [block])
    places = [at for at in characters if at != NOWHERE]
    made, _ = with_spans(document, source, [MarkedRange("s", places[0], places[-1] + 1)])
    assert made == with_formulas(marked)
    assert places == sorted(places)


@given(PAGES, st.data())
def test_only_spans_are_added_and_they_have_the_text_of_their_ranges(page, data):
    document = page_of("".join(map(markup, page)))
    source = read_source_text(document)
    edges = sorted(data.draw(st.sets(st.integers(0, len(source.chars)), max_size=6)))
    ranges = [
        MarkedRange(f"s{at}", first, last)
        for at, (first, last) in enumerate(zip(edges[::2], edges[1::2], strict=False))
    ]
    marked, spans = with_spans(document, source, ranges)
    assert without_spans(marked) == document
    root = etree.fromstring(marked)
    for one in ranges:
        texts = []
        for span in spans[one.id]:
            (element,) = root.xpath("//*[@id=$id]", id=span.id)
            texts.append("".join(element.itertext()))
            assert texts[-1].strip() == source.chars[span.first : span.last]
        assert "".join("".join(texts).split()) == "".join(
            source.chars[one.first : one.last].split()
        )


@each_row
def test_a_span_stands_where_it_may(body, marked):
    document = page_of(body)
    source = read_source_text(document)
    made, spans = with_spans(document, source, [MarkedRange("s", 0, len(source.chars))])
    assert made == page_of(body if marked is None else marked)
    assert bool(spans["s"]) is (marked is not None)


@pytest.mark.parametrize("body", ["<p>a", "<p>&nbsp;</p>", "<p><![CDATA[a]]></p>", "<p>a</p"])
def test_what_is_no_xml_of_ours_is_refused(body):
    with pytest.raises(NotWellFormed):
        read_source_text(page_of(body))


def test_one_text_of_a_ruby_has_a_span_in_it():
    document = page_of("<p><ruby>A<rt>b</rt>c<rt>d</rt></ruby></p>")
    marked, _ = with_spans(document, read_source_text(document), [MarkedRange("s", 1, 2)])
    assert marked == page_of('<p><ruby>A<rt>b</rt><span id="s">c</span><rt>d</rt></ruby></p>')
