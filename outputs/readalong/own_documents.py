"""Makes the pages of a book of our own: the title page, and one for each chapter.

    <section epub:type="chapter">
      <header><h2>title</h2></header>    only where the text does not begin with it; never spoken
      <p>text</p>                        the source's own elements, or else the blocks

The credits that are spoken have a page of their own, which needs no title.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from audiomill.inputs.markup.parser import Element, local_name
from audiomill.inputs.markup.semantics import HEADINGS
from audiomill.inputs.markup.text import comparison_key
from audiomill.inputs.model.book import BlockKind, Book, Chapter
from audiomill.outputs.readalong.own_blocks import block_elements
from audiomill.outputs.readalong.own_xml import xhtml, xhtml_bytes
from audiomill.outputs.text import ELLIPSIS, UNTITLED, line


def chapter_document(
    chapter: Chapter, language: str, name: str, elements: Sequence[Element] | None = None
) -> bytes:
    """The page of a chapter. `name` is the title that the table of contents shows.

    `elements` are those of the source with the text of the chapter; None: they are made of its
    blocks.
    """
    attributes = {"aria-label": name}
    if chapter.is_credits:
        attributes |= {"class": "credits"}
    else:
        attributes |= {"epub:type": "chapter", "role": "doc-chapter"}
    section = xhtml("section", attributes, "\n")
    own = block_elements(chapter.blocks, language) if elements is None else elements
    header = _header(chapter, elements or ())
    for one in (*header, *own):
        one.tail = "\n"
        section.append(one)
    body = xhtml("body", {"epub:type": "bodymatter"}, section)
    return xhtml_bytes(name, language, body)


def _header(chapter: Chapter, elements: Sequence[Element]) -> Iterator[Element]:
    """The title, if nothing says it."""
    title = line(chapter.title)
    is_said = _begins_with_title(chapter) or _begins_with_heading(elements)
    if title and not chapter.is_credits and not is_said:
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


def _begins_with_heading(elements: Iterable[Element]) -> bool:
    """Whether the first element with words is a heading."""
    nodes = (node for element in elements for node in element.iter())
    first = next((node for node in nodes if comparison_key(node.text or "")), None)
    above = () if first is None else (first, *first.iterancestors())
    return any(local_name(node) in HEADINGS for node in above)


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
