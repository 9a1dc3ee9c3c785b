"""Which blocks of a page an extracted text is made of."""

from hypothesis import given
from hypothesis import strategies as st

from audiomill.inputs.articles.alignment import matching

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


def test_of_a_repeated_line_the_one_in_the_article_matches():
    line = "A long line that the teaser and the article share, word for word."
    texts = [line, "Sport", "The first paragraph of the article itself.", line, "The last one."]
    extracted = "\n".join(texts[2:])
    assert matching(texts, extracted) == [False, False, True, True, True]


@given(st.lists(WORDS, min_size=1, max_size=5), st.data())
def test_a_part_of_a_line_matches_wherever_it_begins(lines, data):
    whole = " and then ".join(lines) * 3
    start = data.draw(st.integers(0, len(whole) - 1))
    part = whole[start : start + data.draw(st.integers(60, 90))]
    if len(part.replace(" ", "")) >= 25:
        assert matching([part], f"Before.\n{whole}\nAfter.") == [True]


def test_spaces_punctuation_and_case_do_not_matter():
    assert matching(
        ["“Hello,”  she SAID  to him at last."], "'Hello', she said to him, at last"
    ) == [True]


def test_a_text_that_differs_by_a_few_words_matches():
    text = "The harbour master said on Monday that the old mill would turn again in May."
    assert matching([text], text.replace("master ", "")) == [True]


def test_a_short_text_must_be_a_line():
    assert matching(["Share", "The shareholders met."], "The shareholders met.") == [False, True]


def test_nothing_matches_nothing():
    assert matching([], "") == []
    assert matching(["", "A text."], "") == [False, False]
