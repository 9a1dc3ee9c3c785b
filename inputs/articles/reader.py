"""Reads a saved article or letter (`page.py`) into a `Book`.

The text around the article, such as menus and teasers, is listed as navigation.
"""

from __future__ import annotations

import hashlib
from dataclasses import replace
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

from audiomill.inputs.articles.alignment import same_letters
from audiomill.inputs.articles.extraction import extract
from audiomill.inputs.articles.letter_reading import SCHEME, book_of_letter
from audiomill.inputs.articles.main_text import split_article
from audiomill.inputs.articles.page import Fetched, load
from audiomill.inputs.articles.picture import cover_in, picture_path, picture_url
from audiomill.inputs.articles.rejection import check_is_article
from audiomill.inputs.choices.rules import ReadingRules
from audiomill.inputs.html import PageBytes, book_of_page
from audiomill.inputs.languages.detection import language_of_text
from audiomill.inputs.markup.parser import check_markup, decode
from audiomill.inputs.metadata.source_metadata import plain_description
from audiomill.inputs.model.book import Book, Chapter, Limits, SourceCorrupt, SourceTooLarge

MAX_PAGE_TAGS = 100_000  # of one page; long ones have a tenth


def read(path: Path, limits: Limits, rules: ReadingRules | None = None) -> Book:
    """Return the article in a file.

    Raises SourceError, which is NotAnArticle for a page that has no article to read, and OSError.
    """
    page = load(path)
    if page.url.startswith(SCHEME):
        book = book_of_letter(page, limits, rules or ReadingRules())
        return replace(book, source_id=_source_id(page.url))
    text = _text_of(page)
    found = extract(text, page.url)
    check_is_article(text, found, page.url)
    host = urlsplit(page.url).hostname or page.url
    shown = language_of_text(found.text)
    data = PageBytes(page.content or b"", host, found.title or host, page.charset, shown)
    cover, problem = cover_in(picture_path(path, picture_url(page, found.image)))
    split = partial(split_article, found=found)
    book = book_of_page(data, limits, rules or ReadingRules(), split)
    return replace(
        book,
        chapters=_named(book.chapters, found.title),
        title=found.title or book.title,
        authors=found.authors or book.authors,
        date=found.date or book.date,
        publisher=found.site or book.publisher,
        description=plain_description(found.description) or book.description,
        cover=cover,
        warnings=(*book.warnings, *filter(None, [problem])),
        source_id=_source_id(page.url),
    )


def _text_of(page: Fetched) -> str:
    """The page's markup. Raises SourceCorrupt, SourceTooLarge, which name its address."""
    try:
        text = decode(page.content or b"", page.charset)
        check_markup(text, MAX_PAGE_TAGS)
    except (SourceCorrupt, SourceTooLarge) as error:
        raise type(error)(f"{page.url} cannot be read: {error}.") from error
    return text


def _named(chapters: tuple[Chapter, ...], title: str) -> tuple[Chapter, ...]:
    """The chapters of an article; one that begins with its title is named so, not by a subtitle."""
    first = next((block for one in chapters[:1] for block in one.blocks[:1]), None)
    if first is None or not title or not same_letters(first.text, title):
        return chapters
    return (replace(chapters[0], title=title), *chapters[1:])


def _source_id(url: str) -> str:
    """An article that is changed stays the same article."""
    return hashlib.sha256(url.encode()).hexdigest()
