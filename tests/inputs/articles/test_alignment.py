"""Which blocks of a page an extracted text is made of."""

from hypothesis import given
from hypothesis import strategies as st

from audiomill.inputs.articles.alignment import matching
from support.case_files import each_row

WORDS = st.lists(st.text("abcdefg", min_size=3, max_size=9), min_size=1, max_size=12).map(" ".join)


@given(st.lists(st.tuples(WORDS, st.booleans()), max_size=12, unique_by=lambda pair: pair[0]))
def test_exactly_the_extracted_blocks_match(blocks):
    """Even short ones; unless one is part of another, any of them may be meant."""
    texts = [text for text, _ in blocks]
    squeezed = [text.replace(" ", "") for text in texts]
    extracted = "\n".join(text for text, chosen in blocks if chosen)
    found = matching(texts, extracted)
    for at, (text, chosen) in enumerate(blocks):
        alone = not any(squeezed[at] in other for n, other in enumerate(squeezed) if n != at)
        if chosen:
            assert found[at]
        elif alone and squeezed[at] not in extracted.replace(" ", "").replace("\n", ""):
            assert not found[at] or len(text.split()) > 4


@given(st.lists(WORDS, min_size=1, max_size=5), st.data())
def test_a_part_of_a_line_matches_wherever_it_begins(lines, data):
    whole = " and then ".join(lines) * 3
    start = data.draw(st.integers(0, len(whole) - 1))
    part = whole[start : start + data.draw(st.integers(60, 90))]
    if len(part.replace(" ", "")) >= 25:
        assert matching([part], f"Before.\n{whole}\nAfter.") == [True]


@each_row
def test_which_blocks_match(texts, extracted, expected):
    assert matching(texts, extracted) == expected
