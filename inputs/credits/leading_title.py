"""Finds what a book says of itself at its beginning: its title, its subtitle and its authors."""

from __future__ import annotations

from collections.abc import Sequence

from audiomill.inputs.chapters.title_lines import MOST_LINES, count_title_lines
from audiomill.inputs.languages.abbreviations import words
from audiomill.inputs.markup.text import comparison_key
from audiomill.inputs.model.book import Block, Book

# Words before the name of an author, without spaces.
_BY = frozenset(("", *words("by writtenby von par de di da por escritopor")))


def leading_title(blocks: Sequence[Block], book: Book, fields: frozenset[str]) -> int:
    """The number of blocks at the beginning that say nothing but these fields of the credits.

    0 if the title is not among them: a name alone may be the beginning of a story.
    """
    known = _keys(book, fields)
    lines = [block.text for block in blocks[:MOST_LINES]]
    n_said = count_title_lines(lines, book.title) if "title" in fields else 0
    has_title = n_said > 0
    for number, block in enumerate(blocks[n_said:], n_said + 1):
        key = comparison_key(block.text)
        if not key:
            continue
        field = known.get(key) or _author_field(key, known)
        if not field:
            break
        n_said, has_title = number, has_title or field == "title"
    return n_said if has_title else 0


def _keys(book: Book, fields: frozenset[str]) -> dict[str, str]:
    """The field that a text stands for, by the key of the text."""
    title, subtitle = comparison_key(book.title), comparison_key(book.subtitle)
    authors = [comparison_key(name) for name in book.authors]
    by_key = {"".join(authors): "author", **dict.fromkeys(authors, "author")}
    by_key |= {subtitle: "subtitle", title + subtitle: "title", title: "title"}
    return {key: field for key, field in by_key.items() if key and field in fields}


def _author_field(key: str, known: dict[str, str]) -> str:
    """The field of the author if the key is that of "by" and a name; else ""."""
    names = (name for name, field in known.items() if field == "author" and key.endswith(name))
    return next(("author" for name in names if key.removesuffix(name) in _BY), "")
