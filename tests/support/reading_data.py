"""What tests ask of a book that has been read."""

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


def walked(page):
    """The blocks and the rest of a page of HTML, given as text or bytes."""
    data = page if isinstance(page, bytes) else page.encode("utf-8", "replace")
    return to_blocks(body_of(parse_xhtml(data)), where="x")
