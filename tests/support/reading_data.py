"""Helpers for tests of books that have been read."""

from audiomill.inputs.markup.blocks import to_blocks
from audiomill.inputs.markup.parser import body_of, parse_xhtml


def titles(book):
    return [(chapter.title, chapter.level) for chapter in book.chapters]


def texts(book, kind=None):
    return [
        block.text
        for chapter in book.chapters
        for block in chapter.blocks
        if kind in {None, block.kind}
    ]


def skipped(book, reason=None):
    return [item.text for item in book.skipped if reason in {None, item.reason}]


def convert(page):
    """Convert a page of HTML, given as text or bytes, to `DocumentBlocks`."""
    data = page if isinstance(page, bytes) else page.encode("utf-8", "replace")
    return to_blocks(body_of(parse_xhtml(data)), where="x")
