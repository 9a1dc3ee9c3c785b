"""Puts the documents that frames show into the page around them.

    <p>before</p> <iframe src="part.xhtml"/>              <p>after</p>
    <p>before</p> <div><body>… of part.xhtml</body></div> <p>after</p>

Each document is spoken once: one that has a place in the reading order is read there, and one that
several frames show is read in the first. Frames with anything else stay as they are.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from lxml import etree

from audiomill.inputs.epub.archive import Archive
from audiomill.inputs.epub.opf_repair import PAGE_SUFFIXES, READABLE_TYPES, XHTML_TYPE, XML_LANG
from audiomill.inputs.epub.package import ManifestItem, Package, resolve
from audiomill.inputs.markup.parser import Element, body_of, local_name
from audiomill.inputs.markup.semantics import language_of, text_within

MAX_DEPTH = 8  # of frames inside frames


@dataclass(frozen=True, slots=True)
class _Frame:
    node: Element
    path: str  # of the document that it is in
    depth: int  # from 1


class FrameReader:
    """Embeds the documents of one EPUB; `parse` reports those that cannot be read."""

    def __init__(
        self,
        archive: Archive,
        package: Package,
        order: Iterable[ManifestItem],
        parse: Callable[[ManifestItem], Element | None],
    ) -> None:
        self._archive = archive
        base = package.directory
        self._items = {
            item.path or posixpath.normpath(posixpath.join(base, item.href)): item
            for item in package.items
        }
        self._in_order = frozenset(map(_name, order))
        self._parse = parse
        self._embedded: set[str] = set()

    def has_embedded(self, item: ManifestItem) -> bool:
        """True for a document that a frame has shown, or should have."""
        return _name(item) in self._embedded

    def embed(self, body: Element, path: str) -> None:
        """Replace the frames in the page at `path` by what they show."""
        frames = list(_frames_in(body, path, 1))
        for frame in frames:  # it grows while frames inside frames are found
            item = self._shown(frame)
            if item is None:
                continue
            container = _replace(frame.node)
            if _name(item) in self._in_order or self.has_embedded(item):
                continue
            self._embedded.add(_name(item))
            root = self._parse(item)
            if root is not None and item.path is not None:
                inner = body_of(root)
                container.set(XML_LANG, language_of(inner))
                frames += _frames_in(inner, item.path, frame.depth + 1)
                _relocate_links(inner, item.path, path)
                container.append(inner)

    def _shown(self, frame: _Frame) -> ManifestItem | None:
        """The document in a frame; None for anything that is no text of this book."""
        target, _ = resolve(posixpath.dirname(frame.path), frame.node.get("src") or "")
        if not target or frame.node.get("srcdoc") is not None or frame.depth > MAX_DEPTH:
            return None
        path, href = self._archive.find(target), posixpath.normpath(target)
        media_type = XHTML_TYPE if target.lower().endswith(PAGE_SUFFIXES) else ""
        item = self._items.get(path or href) or ManifestItem("", href, path, media_type)
        return item if item.media_type in READABLE_TYPES else None


def _name(item: ManifestItem) -> str:
    return item.path or item.href


def _frames_in(body: Element, path: str, depth: int) -> Iterator[_Frame]:
    """The frames inside `body`; one that is a whole document by itself stays as it is."""
    nodes = (node for node in body.iterdescendants() if local_name(node) == "iframe")
    return (_Frame(node, path, depth) for node in nodes)


def _replace(frame: Element) -> Element:
    """Put a `<div>` with the frame's attributes in its place, and return it.

    The content of the frame itself is for readers without frames, so it is hidden.
    """
    container = etree.Element("div")
    for key, value in frame.attrib.items():
        container.set(str(key), str(value))
    hidden = etree.SubElement(container, "div", hidden="")
    hidden.text = text_within(frame)
    container.tail, frame.tail = frame.tail, None
    parent = frame.getparent()
    if parent is not None:
        parent.replace(frame, container)
    return container


def _relocate_links(body: Element, path: str, outer_path: str) -> None:
    """Make the links of the document at `path` lead to the same places from `outer_path`."""
    for link in body.iter():
        if local_name(link) == "a":
            target, fragment = resolve(posixpath.dirname(path), link.get("href") or "")
            if target:
                is_own = posixpath.normpath(target) == path
                base = posixpath.dirname(outer_path) or "."
                relative = "" if is_own else posixpath.relpath(target, base)
                link.set("href", f"{relative}#{fragment}" if fragment else relative)
