"""Makes the pages of a book of our own: the title page, and one for each chapter.

    <section epub:type="chapter">
      <header><h2>title</h2></header>    only where the text does not begin with it; never spoken
      <p>text</p>                        the blocks: all of them, and nothing else

The credits that are spoken have a page of their own, which needs no title.
"""

from __future__ import annotations

from collections.abc import Iterator

from audiomill.inputs.markup.parser import Element
from audiomill.inputs.markup.text import comparison_key
from audiomill.inputs.model.book import BlockKind, Book, Chapter
from audiomill.outputs.readalong.own_blocks import block_elements
from audiomill.outputs.readalong.own_xml import xhtml, xhtml_bytes
from audiomill.outputs.text import ELLIPSIS, UNTITLED, line


def chapter_document(chapter: Chapter, language: str, name: str) -> bytes:
    """The page of a chapter. `name` is the title that the table of contents shows."""
    attributes = {"aria-label": name}
    if chapter.is_credits:
        attributes |= {"class": "credits"}
    else:
        attributes |= {"epub:type": "chapter", "role": "doc-chapter"}
    section = xhtml("section", attributes, "\n")
    for one in (*_header(chapter), *block_elements(chapter.blocks, language)):
        one.tail = "\n"
        section.append(one)
    body = xhtml("body", {"epub:type": "bodymatter"}, section)
    return xhtml_bytes(name, language, body)


def _header(chapter: Chapter) -> Iterator[Element]:
    """The title, if no block says it."""
    title = line(chapter.title)
    if title and not chapter.is_credits and not _begins_with_title(chapter):
        yield xhtml("header", {}, xhtml(f"h{min(max(chapter.level, 1), 6)}", {}, title))


def _begins_with_title(chapter: Chapter) -> bool:
    """Whether a heading is first, or a text that has the title as its first words."""
    blocks = (block for block in chapter.blocks if comparison_key(block.text))
    first = next(blocks, None)
    if first is None:
        return False
    words = comparison_key(chapter.title.removesuffix(ELLIPSIS))
    is_heading = first.kind is BlockKind.HEADING
    return is_heading or comparison_key(first.text).startswith(words)


def title_document(book: Book, language: str, cover_name: str) -> bytes:
    """The page with the cover, the title and the authors. `cover_name` is "" without a cover."""
    title = line(book.title) or UNTITLED
    lines = {
        "subtitle": line(book.subtitle),
        "author": ", ".join(filter(None, map(line, book.authors))),
        "publisher": line(book.publisher),
    }
    picture = {"src": cover_name, "alt": title, "role": "doc-cover"}
    section = xhtml(
        "section",
        {"epub:type": "titlepage", "class": "title-page"},
        *([xhtml("img", picture)] if cover_name else []),
        xhtml("h1", {}, title),
        *(xhtml("p", {"class": kind}, text) for kind, text in lines.items() if text),
    )
    return xhtml_bytes(title, language, xhtml("body", {"epub:type": "frontmatter"}, section))
