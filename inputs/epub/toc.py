"""Reads tables of contents: the navigation document of EPUB 3 and the NCX of EPUB 2.

Resolves their links to entries of the archive; knows nothing of chapters.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from dataclasses import dataclass

from lxml import etree

from audiomill.inputs.epub.archive import Archive
from audiomill.inputs.epub.package import ManifestItem, Package, resolve
from audiomill.inputs.markup.parser import Element, local_name, parse_xhtml, parse_xml
from audiomill.inputs.markup.semantics import semantics, words_within
from audiomill.inputs.markup.text import normalise_spaces
from audiomill.inputs.model.book import SourceCorrupt

LISTS = frozenset(("ol", "ul"))
MAX_LEVELS = 32  # that are told apart; books have four


@dataclass(frozen=True, slots=True)
class TocEntry:
    """A line of the table of contents. `path` is spelled as in the archive; `level` is from 1."""

    title: str
    path: str
    fragment: str
    level: int
    parts: tuple[str, ...] = ()  # the titles of the lines around it, outermost first


@dataclass(frozen=True, slots=True)
class TableOfContents:
    """The entries of a table of contents, and the landmarks: links to named parts of the book."""

    entries: tuple[TocEntry, ...] = ()
    landmarks: tuple[tuple[str, str, str], ...] = ()  # (type, such as "cover"; path; fragment)


def read_toc(archive: Archive, package: Package) -> TableOfContents:
    """Return the table of contents of the navigation document, or else of the NCX.

    The landmarks are those of the navigation document and of the package's guide. What cannot be
    read or resolved becomes a warning of the archive.
    """
    landmarks = list(_guide_landmarks(archive, package))
    nav = _parse_item(archive, package.nav)
    entries: list[TocEntry] = []
    if nav is not None and package.nav is not None and package.nav.path:
        base = posixpath.dirname(package.nav.path)
        entries = _resolve_entries(archive, base, _nav_lines(nav))
        landmarks += _nav_landmarks(archive, base, nav)
    ncx = _parse_item(archive, package.ncx) if not entries else None
    if ncx is not None and package.ncx is not None and package.ncx.path:
        entries = _resolve_entries(archive, posixpath.dirname(package.ncx.path), _ncx_lines(ncx))
    return TableOfContents(tuple(entries), tuple(landmarks))


def _parse_item(archive: Archive, item: ManifestItem | None) -> Element | None:
    if item is None:
        return None
    if item.path is None:
        archive.warnings.append(f"the table of contents {item.href!r} is missing")
        return None
    try:
        data = archive.read(item.path)
        return parse_xml(data) if item.media_type.endswith("ncx+xml") else parse_xhtml(data)
    except SourceCorrupt as error:
        archive.warnings.append(f"the table of contents {item.path!r}: {error}")
        return None


def _resolve_entries(
    archive: Archive, base: str, lines: Iterator[tuple[str, str, int]]
) -> list[TocEntry]:
    """The lines (title, href, level) that lead to a file of the archive; others are warnings."""
    entries: list[TocEntry] = []
    above: list[str] = []  # the title of each level, also of lines without a link
    for title, href, level in lines:
        above[level - 1 :] = [*[""] * (level - 1 - len(above)), title]
        path, fragment = resolve(base, href)
        entry_path = archive.find(path) if path else None
        if entry_path:
            parts = tuple(filter(None, above[: level - 1]))
            entries.append(TocEntry(title, entry_path, fragment, level, parts))
        elif href:
            archive.warnings.append(f"the table of contents has {title!r} at {href!r}: not there")
    return entries


def _ncx_lines(root: Element) -> Iterator[tuple[str, str, int]]:
    """(title, href, level) of each navPoint, in document order (OPF 2.0.1, 2.4.1)."""
    for point, level in _with_levels(root, "navpoint"):
        title = href = ""
        for child in point:
            if local_name(child) == "navlabel":
                title = title or normalise_spaces(words_within(child))
            elif local_name(child) == "content":
                href = href or child.get("src") or ""
        yield title, href, level


def _nav_lines(root: Element) -> Iterator[tuple[str, str, int]]:
    """(title, href, level) of each item of the toc nav, or else of the first nav without a type."""
    navs = [node for node in root.iter() if local_name(node) == "nav"]
    typed = [nav for nav in navs if "toc" in semantics(nav)]
    untyped = [nav for nav in navs if not semantics(nav)]
    for nav in [*typed, *untyped][:1]:
        for item, level in _with_levels(nav, "li"):
            yield (*_item_link(item), level)


def _with_levels(root: Element, name: str) -> Iterator[tuple[Element, int]]:
    """The elements of this name in `root`, and how many each is inside of, from 1."""
    level = 0
    for event, element in etree.iterwalk(root, ("start", "end")):
        if local_name(element) != name:
            continue
        if event == "start":
            level += 1
            yield element, min(level, MAX_LEVELS)
        else:
            level -= 1


def _item_link(item: Element) -> tuple[str, str]:
    """(text, href) of a list item, without the list nested in it."""
    parts: list[str] = [item.text or ""]
    href = ""
    for child in item:
        if local_name(child) in LISTS:
            break
        if local_name(child):
            parts.append(words_within(child))
            links = (node for node in child.iter() if local_name(node) == "a")
            href = href or next((link.get("href") or "" for link in links), "")
        parts.append(child.tail or "")
    return normalise_spaces("".join(parts)), href


def _nav_landmarks(archive: Archive, base: str, root: Element) -> Iterator[tuple[str, str, str]]:
    for nav in root.iter():
        if local_name(nav) != "nav" or "landmarks" not in semantics(nav):
            continue
        for link in nav.iter():
            path, fragment = resolve(base, link.get("href") or "") if local_name(link) else ("", "")
            entry_path = archive.find(path) if path else None
            for landmark in semantics(link) if entry_path else ():
                yield landmark, entry_path or "", fragment


def _guide_landmarks(archive: Archive, package: Package) -> Iterator[tuple[str, str, str]]:
    for kind, href in package.guide:
        path, fragment = resolve("", href)
        entry_path = archive.find(path) if path else None
        if entry_path:
            yield kind, entry_path, fragment
