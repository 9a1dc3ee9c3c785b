"""Makes the documents of a book of our own: its contents, the title page, and one for each chapter.

    <section epub:type="chapter">
      <header><h2>title</h2></header>    only where the text does not begin with it; never spoken
      <p>text</p>                        the source's own elements, or else the blocks

The credits that are spoken have a page of their own, which needs no title.

In the contents a chapter stands inside the lines of its parts. A part that is no chapter is a
line without a link. Where the parts are not known, a chapter stands inside the last one of a lower
level.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile

from audiomill.inputs.markup.parser import Element, local_name
from audiomill.inputs.markup.semantics import HEADINGS
from audiomill.inputs.model.book import BlockKind, Book, Chapter
from audiomill.inputs.model.comparison import comparison_key
from audiomill.outputs.readalong.documents.xml import language_attributes, xhtml, xhtml_bytes
from audiomill.outputs.readalong.own.blocks import block_elements
from audiomill.outputs.text import ELLIPSIS, UNTITLED, line

_ENGLISH = "en"  # of the landmarks, which are not shown


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


@dataclass(frozen=True, slots=True, eq=False)
class _Line:
    """A line of the contents that later ones may stand in."""

    title: str
    level: int
    item: Element


def navigation_document(
    book: Book, language: str, names: Sequence[str], hrefs: Sequence[str], title_href: str
) -> bytes:
    """The document. `names` and `hrefs` are the titles and the pages of the chapters."""
    title = line(book.title) or UNTITLED
    contents = xhtml(
        "nav",
        {"epub:type": "toc", "role": "doc-toc"},
        xhtml("h1", {}, title),
        _contents(book.chapters, names, hrefs),
    )
    body = xhtml("body", {}, contents, _landmarks(language, title_href, hrefs[0]))
    return xhtml_bytes(title, language, body)


def _contents(chapters: Sequence[Chapter], names: Sequence[str], hrefs: Sequence[str]) -> Element:
    whole = xhtml("ol")
    lines: list[_Line] = []  # those that are open, the innermost last
    for chapter, name, href in zip(chapters, names, hrefs, strict=True):
        del lines[_n_around(chapter, lines) :]
        for title in chapter.parts[len(lines) :]:
            part = xhtml("span", {}, line(title) or UNTITLED)
            lines.append(_Line(title, len(lines) + 1, _added(whole, lines, part)))
        link = xhtml("a", {"href": href}, _without_parts(name, chapter))
        item = _added(whole, lines, link)
        lines.append(_Line(chapter.title, chapter.level, item))
    return whole


def _without_parts(name: str, chapter: Chapter) -> str:
    """The title without those of its parts, which the first chapter of a part often begins with."""
    for part in chapter.parts:
        name = name.removeprefix(f"{line(part)}: ") or name
    return name


def _n_around(chapter: Chapter, lines: Sequence[_Line]) -> int:
    """How many of the open lines the chapter stands in."""
    if not chapter.parts:
        return len([*takewhile(lambda one: one.level < chapter.level, lines)])
    pairs = zip(lines, chapter.parts, strict=False)
    return len([*takewhile(lambda pair: pair[0].title == pair[1], pairs)])


def _added(whole: Element, lines: Sequence[_Line], content: Element) -> Element:
    """A new item in the innermost open line."""
    item = xhtml("li", {}, content)
    if not lines:
        whole.append(item)
        return item
    around = lines[-1].item
    if len(around) == 1:
        around.append(xhtml("ol"))
    around[-1].append(item)
    return item


def _landmarks(language: str, title_href: str, first_href: str) -> Element:
    marks = (("titlepage", title_href, "Title page"), ("bodymatter", first_href, "Beginning"))
    links = (xhtml("a", {"epub:type": kind, "href": href}, name) for kind, href, name in marks)
    items = [xhtml("li", {}, link) for link in links]
    attributes = {"epub:type": "landmarks", "hidden": "hidden"}
    attributes |= language_attributes(_ENGLISH, language)
    return xhtml("nav", attributes, xhtml("ol", {}, *items))
