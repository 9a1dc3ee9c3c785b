"""The text of a digest: each article with its own markup and pictures, under its title.

    blocks of its chapter        elements of its page
    The mill, by Ida Brook.      <header><h1>The mill</h1></header> <p>The mill, by Ida Brook.</p>
    It turned all night.         <p>It <em>turned</em> all night.</p>

The heading is what is read of it: the article's own, or an intro that says the title alone; else it
is one that nobody reads.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from audiomill.inputs.articles.digest import load
from audiomill.inputs.markup.parser import XHTML, Element
from audiomill.inputs.markup.semantics import HEADINGS, text_within
from audiomill.inputs.metadata.credits import WHERE
from audiomill.inputs.model.book import Block, Book, Chapter, Limits, SourceError
from audiomill.inputs.model.comparison import comparison_key
from audiomill.outputs.readalong.documents.xml import language_attributes, xhtml
from audiomill.outputs.readalong.own.blocks import block_elements
from audiomill.outputs.readalong.own.source_page import PICTURES
from audiomill.outputs.readalong.own.text import OwnText, own_text
from audiomill.outputs.readalong.upgrade.elements import html_name, take_out
from audiomill.outputs.text import line


def digest_text(book: Book, path: Path, limits: Limits) -> OwnText | None:
    """The text of the digest at `path` that a book was made of; None if it is another one now."""
    numbers = [at for at, one in enumerate(book.chapters) if not one.is_credits]
    try:
        articles = load(path).articles
    except (SourceError, OSError):
        return None
    if len(articles) != len(numbers):
        return None
    texts = {
        number: _article_text(book, book.chapters[number], article.path, limits, f"a{number}-")
        for number, article in zip(numbers, articles, strict=True)
    }
    return OwnText(
        {number: text.elements for number, text in texts.items()},
        OwnText.without_markup(book).pages,
        {name: data for text in texts.values() for name, data in text.pictures.items()},
    )


@dataclass(frozen=True, slots=True)
class _ArticleText:
    """The elements of an article's page, and the pictures that they show."""

    elements: Sequence[Element]
    pictures: Mapping[str, bytes]


def _article_text(
    book: Book, chapter: Chapter, path: Path, limits: Limits, prefix: str
) -> _ArticleText:
    """The text of an article; the ids and the names of pictures get a prefix of its own."""
    intro = [one for one in chapter.blocks if one.where == WHERE]
    own = tuple(one for one in chapter.blocks if one.where != WHERE)
    alone = replace(book, chapters=(replace(chapter, blocks=own),))
    found = own_text(alone, path, limits) or OwnText.without_markup(alone)
    language = next((one.language for one in own if one.language), book.language)
    text = xhtml("div", language_attributes(language, book.language))
    text.extend(found.chapters.get(0) or block_elements(own, language))
    _set_apart(text, prefix)
    text[:0] = list(_beginning(chapter, own, intro, text, language))
    return _ArticleText(
        [text] if text.attrib else [*text],
        {_own_name(name, prefix): data for name, data in found.pictures.items()},
    )


def _set_apart(text: Element, prefix: str) -> None:
    for one in text.iter(f"{{{XHTML}}}*"):
        if identifier := one.get("id"):
            one.set("id", f"{prefix}{identifier}")
        if (href := one.get("href") or "").startswith("#"):
            one.set("href", f"#{prefix}{href[1:]}")
        if (source := one.get("src") or "").startswith(f"{PICTURES}/"):
            one.set("src", _own_name(source, prefix))


def _own_name(picture: str, prefix: str) -> str:
    return picture.replace("/", f"/{prefix}", 1)


def _beginning(
    chapter: Chapter, own: Sequence[Block], intro: Sequence[Block], text: Element, language: str
) -> Iterator[Element]:
    """The heading, which is taken out of the text if it has one, and the intro."""
    title = comparison_key(chapter.title)
    named = [one for one in text.iter() if _is_heading(one) and _key(one) == title]
    is_read = bool(own) and comparison_key(own[0].text) == title
    for one in named[:1] if is_read else named:
        take_out(one)
    if is_read:
        yield from named[:1]
    elif [comparison_key(one.text) for one in intro] == [title]:
        yield xhtml("h1", {}, intro[0].text)
        return
    else:
        yield xhtml("header", {}, xhtml("h1", {}, line(chapter.title)))
    yield from block_elements(intro, language)


def _is_heading(element: Element) -> bool:
    return html_name(element) in HEADINGS


def _key(element: Element) -> str:
    return comparison_key(text_within(element))
