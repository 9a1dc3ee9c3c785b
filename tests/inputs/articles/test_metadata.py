"""Titles without the site's name, real authors, and the language that a text shows."""

from audiomill.inputs.articles.extraction import article_title, author_names
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
