"""Tables of contents: EPUB 3's navigation document, EPUB 2's NCX; knows links, not chapters."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from dataclasses import dataclass

from audiomill.inputs.book import SourceCorrupt
from audiomill.inputs.epub.archive import Archive
from audiomill.inputs.epub.package import Item, Package, resolve
from audiomill.inputs.markup.parser import Element, local_name, parse_xhtml, parse_xml
from audiomill.inputs.markup.semantics import semantics, words_within
from audiomill.inputs.markup.text import squeeze

LISTS = frozenset(("ol", "ul"))


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of the table of contents. `path` is as the archive spells it."""

    title: str
    path: str
    fragment: str
    level: int


@dataclass(frozen=True, slots=True)
class Contents:
    """The lines of a table of contents, and the parts of the book that landmarks name."""

    entries: tuple[Entry, ...] = ()
    landmarks: tuple[tuple[str, str, str], ...] = ()  # (meaning, path, fragment)


def read_contents(archive: Archive, package: Package) -> Contents:
    """The navigation document's contents, else the NCX's; landmarks from the guide too."""
    landmarks = list(_guide(archive, package))
    nav = _tree(archive, package.nav)
    entries: list[Entry] = []
    if nav is not None and package.nav is not None and package.nav.path:
        base = posixpath.dirname(package.nav.path)
        entries = _resolved(archive, base, _nav_lines(nav))
        landmarks += _nav_landmarks(archive, base, nav)
    ncx = _tree(archive, package.ncx) if not entries else None
    if ncx is not None and package.ncx is not None and package.ncx.path:
        entries = _resolved(archive, posixpath.dirname(package.ncx.path), _ncx_lines(ncx))
    return Contents(tuple(entries), tuple(landmarks))


def _tree(archive: Archive, item: Item | None) -> Element | None:
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


def _resolved(archive: Archive, base: str, lines: Iterator[tuple[str, str, int]]) -> list[Entry]:
    """Lines (title, href, level) whose file is in the archive; others become warnings."""
    entries: list[Entry] = []
    for title, href, level in lines:
        path, fragment = resolve(base, href)
        found = archive.find(path) if path else None
        if found:
            entries.append(Entry(title, found, fragment, level))
        elif href:
            archive.warnings.append(f"the table of contents has {title!r} at {href!r}: not there")
    return entries


def _ncx_lines(root: Element) -> Iterator[tuple[str, str, int]]:
    """(title, href, level) of each navPoint, in document order (OPF 2.0.1, 2.4.1)."""
    for point in root.iter():
        if local_name(point) != "navpoint":
            continue
        title = href = ""
        for child in point:
            if local_name(child) == "navlabel":
                title = title or squeeze(words_within(child))
            elif local_name(child) == "content":
                href = href or child.get("src") or ""
        above = sum(1 for node in point.iterancestors() if local_name(node) == "navpoint")
        yield title, href, above + 1


def _nav_lines(root: Element) -> Iterator[tuple[str, str, int]]:
    """(title, href, level) of each line of the nav that is the table of contents."""
    navs = [node for node in root.iter() if local_name(node) == "nav"]
    untold = [nav for nav in navs if not semantics(nav)]
    nav = next((nav for nav in navs if "toc" in semantics(nav)), None)
    for item in (nav if nav is not None else untold[0] if untold else root).iter():
        if local_name(item) == "li" and (nav is not None or untold):
            title, href = _label(item)
            above = sum(1 for node in item.iterancestors() if local_name(node) == "li")
            yield title, href, above + 1


def _label(item: Element) -> tuple[str, str]:
    """(text, href) of a list item without the list nested in it."""
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
    return squeeze("".join(parts)), href


def _nav_landmarks(archive: Archive, base: str, root: Element) -> Iterator[tuple[str, str, str]]:
    for nav in root.iter():
        if local_name(nav) != "nav" or "landmarks" not in semantics(nav):
            continue
        for link in nav.iter():
            path, fragment = resolve(base, link.get("href") or "") if local_name(link) else ("", "")
            found = archive.find(path) if path else None
            for word in semantics(link) if found else ():
                yield word, found or "", fragment


def _guide(archive: Archive, package: Package) -> Iterator[tuple[str, str, str]]:
    for kind, href in package.guide:
        path, fragment = resolve("", href)
        found = archive.find(path) if path else None
        if found:
            yield kind, found, fragment
