"""Writes the navigation document of EPUB 3 (EPUB 3.3, 7) and the NCX of a table of contents.

Addresses are relative to the folder of the package, where both files are.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lxml import etree

from audiomill.inputs.epub.toc import TocEntry
from audiomill.inputs.markup.parser import Element
from audiomill.outputs.readalong.documents.xml import xhtml
from audiomill.outputs.readalong.upgrade.documents import serialized

NCX = "http://www.daisy.org/z3986/2005/ncx/"
_NCX_PREFIXES: Any = {None: NCX}
# The types of the guide (OPF 2.0.1, 2.6) as those of the vocabulary of EPUB 3.
LANDMARKS = {
    "acknowledgements": "acknowledgments",
    "bibliography": "bibliography",
    "colophon": "colophon",
    "copyright-page": "copyright-page",
    "cover": "cover",
    "dedication": "dedication",
    "epigraph": "epigraph",
    "foreword": "foreword",
    "glossary": "glossary",
    "index": "index",
    "loi": "loi",
    "lot": "lot",
    "preface": "preface",
    "start": "bodymatter",
    "text": "bodymatter",
    "title-page": "titlepage",
    "toc": "toc",
}


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a table of contents; "" as address for one that leads nowhere itself."""

    title: str
    url: str
    lines: list[Line]


def toc_lines(entries: Sequence[TocEntry], url: Callable[[str, str], str]) -> list[Line]:
    """Return the lines of a table of contents, each with those below it.

    `url` gives the address of (path, fragment). A line without a link that is around others has
    a title, but no entry of its own.
    """
    top: list[Line] = []
    open_lines: list[Line] = []
    for entry in entries:
        n_same = 0
        for line, title in zip(open_lines, entry.parts, strict=False):
            if line.title != title:
                break
            n_same += 1
        del open_lines[n_same:]
        titles = [(title, "") for title in entry.parts[n_same:]]
        for title, address in [*titles, (entry.title, url(entry.path, entry.fragment))]:
            line = Line(title, address, [])
            (open_lines[-1].lines if open_lines else top).append(line)
            open_lines.append(line)
    return top


def nav_document(
    title: str, language: str, lines: Sequence[Line], landmarks: Sequence[tuple[str, str, str]]
) -> bytes:
    """Return the navigation document. `landmarks` are (type, title, address)."""
    toc = _nav("toc", {}, xhtml("h1", {}, title), _list(lines))
    marks = [xhtml("li", {}, _label(name, url, kind)) for kind, name, url in landmarks]
    hidden = {"hidden": "hidden"}
    more = [_nav("landmarks", hidden, xhtml("ol", {}, *marks))] if marks else []
    head = xhtml("head", {}, xhtml("meta", {"charset": "utf-8"}), xhtml("title", {}, title))
    attributes = {"lang": language, "xml:lang": language} if language else {}
    return serialized(xhtml("html", attributes, head, xhtml("body", {}, toc, *more)))


def _nav(kind: str, attributes: Mapping[str, str], *content: Element) -> Element:
    return xhtml("nav", {"epub:type": kind, "id": kind, **attributes}, *content)


def _list(lines: Sequence[Line]) -> Element:
    """The lines as a list. They are as deep as a table of contents is (`toc.MAX_LEVELS`)."""
    result = xhtml("ol")
    for line in lines:
        below = [_list(line.lines)] if line.lines else []
        result.append(xhtml("li", {}, _label(line.title, line.url), *below))
    return result


def _label(title: str, url: str, kind: str = "") -> Element:
    attributes = {"href": url, "epub:type": kind}
    return xhtml(
        "a" if url else "span",
        {key: value for key, value in attributes.items() if value},
        title or url or "…",
    )


def ncx_document(title: str, identifier: str, lines: Sequence[Line]) -> bytes:
    """Return the NCX (OPF 2.0.1, 2.4.1), for readers that know only EPUB 2."""
    root = etree.Element(f"{{{NCX}}}ncx", {"version": "2005-1"}, nsmap=_NCX_PREFIXES)
    head = etree.SubElement(root, f"{{{NCX}}}head")
    etree.SubElement(head, f"{{{NCX}}}meta", {"name": "dtb:uid", "content": identifier})
    _add_text(etree.SubElement(root, f"{{{NCX}}}docTitle"), title)
    _add_points(etree.SubElement(root, f"{{{NCX}}}navMap"), lines, 0)
    return etree.tostring(root, encoding="utf-8", xml_declaration=True)


def _add_text(parent: Element, text: str) -> None:
    etree.SubElement(parent, f"{{{NCX}}}text").text = text


def _add_points(parent: Element, lines: Sequence[Line], number: int) -> int:
    """Add the lines as points, and return the number of the last; a point must lead somewhere."""
    for line in lines:
        number += 1
        point = etree.SubElement(parent, f"{{{NCX}}}navPoint", {"id": f"point-{number}"})
        _add_text(etree.SubElement(point, f"{{{NCX}}}navLabel"), line.title or "…")
        etree.SubElement(point, f"{{{NCX}}}content", {"src": _first_address(line)})
        number = _add_points(point, line.lines, number)
    return number


def _first_address(line: Line) -> str:
    return line.url or next((_first_address(below) for below in line.lines), "")
