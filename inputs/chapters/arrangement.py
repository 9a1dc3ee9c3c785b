"""Arranges the chapters of a book for listeners: which there are, and what their marks say.

    chapters ─▶ title in lines joined ─▶ drafts, with their parts ─▶ title pages joined ─▶ named
                title_pages              drafts                      title_pages           naming

The text stays as it is: the same blocks in the same order. Only the numerals of headings that
are numbered in sequence are marked (`numerals`).
"""

from __future__ import annotations

from dataclasses import replace
from itertools import islice

from audiomill.inputs.chapters.drafts import draft_chapters
from audiomill.inputs.chapters.naming import name_chapters
from audiomill.inputs.chapters.numerals import mark_numerals
from audiomill.inputs.chapters.title_pages import join_title_lines, join_title_pages
from audiomill.inputs.model.book import Book, Chapter


def arrange_chapters(book: Book) -> Book:
    """The book with the same blocks, in chapters that have names of their own."""
    chapters = join_title_lines(book.chapters, book.title, book.authors)
    drafts = name_chapters(join_title_pages(draft_chapters(chapters), book.title))
    blocks = iter(mark_numerals([block for draft in drafts for block in draft.blocks]))
    return replace(
        book,
        chapters=tuple(
            Chapter(draft.name, tuple(islice(blocks, len(draft.blocks))), draft.level, draft.parts)
            for draft in drafts
        ),
    )
