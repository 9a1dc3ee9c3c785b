"""Titles without the site's name, real authors, and the language that a text shows."""

import pytest

from audiomill.inputs.articles.extraction import article_title, author_names
from audiomill.inputs.languages.detection import language_of_text
from support.article_data import PARAGRAPHS
from support.case_files import each_row

SITE, HOST = "The Quay Times", "quay.example"
GERMAN = "Die Mühle stand still, und der Müller wusste nicht, warum sie sich wieder drehte. " * 4
FRENCH = "Le moulin ne tournait plus, et la ville avait oublié qui le faisait tourner. " * 4


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


@pytest.mark.parametrize(
    ("text", "language"),
    [
        (" ".join(PARAGRAPHS), "en"), (GERMAN, "de"), (FRENCH, "fr"),
        ("風車は嵐の夜にひとりで回りはじめた。町の人はだれも理由を知らなかった。", "ja"),
        ("风车在暴风雨的夜里自己转动起来，镇上没有人知道是什么原因，面包师也不知道这件事。", "zh"),
        ("Мельница закрутилась сама собой, и никто в городе не знал, отчего это было.", "ru"),
        ("دارت الطاحونة وحدها في ليلة العاصفة ولم يعرف أحد في المدينة السبب", "ar"),
        ("Quay 40 12 33", ""), ("Too short to tell.", ""),
    ],
)  # fmt: skip
def test_the_language_that_a_text_shows(text, language):
    assert language_of_text(text) == language
