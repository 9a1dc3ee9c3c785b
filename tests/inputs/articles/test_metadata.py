"""What a page tells of its article: title, authors, language, address, blocks of its text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audiomill.inputs.articles.alignment import matching
from audiomill.inputs.articles.extraction import article_title, author_names
from audiomill.inputs.articles.links import address_key, canonical_address, without_tracking
from audiomill.inputs.articles.page import Fetched
from audiomill.inputs.languages.detection import language_of_text
from support.article_data import PARAGRAPHS
from support.case_files import each_row

SITE, HOST = "The Quay Times", "quay.example"


@each_row
def test_the_title_of_an_article(told, page, title):
    assert article_title(told, SITE, HOST, page, "The Mill\nIt turned.") == title


@each_row
def test_only_names_are_authors(told, names):
    assert author_names([told]) == names


def test_what_is_far_too_long_is_no_name():
    """Each of its signs was tried as the first of the last ones."""
    assert author_names(["!" * 200_000 + "a", "1" * 200_000 + "a", "Jan Mertens"]) == (
        "Jan Mertens",
    )


@each_row
def test_the_language_that_a_text_shows(text, language):
    assert language_of_text(text) == language


def test_the_language_of_a_whole_article():
    assert language_of_text(" ".join(PARAGRAPHS)) == "en"


URL = "https://quay.example/2026/mill"


@each_row
def test_ways_to_write_one_address(url):
    assert address_key(url) == address_key(URL)


@pytest.mark.parametrize("url", [f"{URL}?id=7", f"{URL}-2", f"{URL}/2", f"{URL}?page=2"])
def test_addresses_of_other_pages(url):
    assert address_key(url) != address_key(URL)


def test_what_chooses_a_page_is_kept():
    assert without_tracking(f"{URL}?b=2&utm_id=x&a=1#c") == f"{URL}?b=2&a=1"
    assert without_tracking(f"{URL}?q=%20x&&gclid=1") == f"{URL}?q=%20x&"


@each_row
def test_the_address_that_a_page_gives_as_its_own(head, address):
    page = f"<html><head><title>x</title>{head}</head><body><p>y</p></body></html>"
    assert canonical_address(Fetched(f"{URL}?x=1", page.encode(), "text/html", "")) == address


def test_no_other_part_of_a_page_gives_it():
    body = f'<html><head></head><body><link rel="canonical" href="{URL}"></body></html>'
    assert canonical_address(Fetched(f"{URL}?x=1", body.encode(), "text/html", "")) == f"{URL}?x=1"


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
