"""Makes the navigation document of a book of our own: the contents, and the landmarks.

A chapter stands inside the lines of its parts. A part that is no chapter is a line without a link.
Where the parts are not known, a chapter stands inside the last one of a lower level.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile

from audiomill.inputs.markup.parser import Element
from audiomill.inputs.model.book import Book, Chapter
from audiomill.outputs.readalong.own_xml import language_attributes, xhtml, xhtml_bytes
from audiomill.outputs.text import UNTITLED, line

_ENGLISH = "en"  # of the landmarks, which are not shown


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
