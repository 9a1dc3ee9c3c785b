"""The pictures of a page: of the book's documents, as files of their own.

A drawing (SVG) is a file, too: as a picture it runs no script and loads nothing, so the pictures
in it are put into it. One that only shows a picture, as of covers, is that picture.
"""

from __future__ import annotations

import posixpath
from base64 import b64encode
from dataclasses import dataclass, field
from math import inf

from lxml import etree

from audiomill.inputs.languages.declaration import words
from audiomill.inputs.markup.parser import XHTML, Element, local_name
from audiomill.inputs.markup.text import normalise_spaces
from audiomill.inputs.metadata.images import Picture, UnusableImage, identify
from audiomill.inputs.model.book import SourceError
from audiomill.outputs.readalong.documents.addresses import linked_path
from audiomill.outputs.readalong.source_books import EpubEntries
from audiomill.outputs.readalong.web.assets import PICTURES, Asset, asset

_SVG = ".svg"
_SVG_ROOT = "{http://www.w3.org/2000/svg}svg"
# What shows something: a drawing with one `image` alone is that picture.
_SHOWING = words("circle ellipse foreignobject image line path polygon polyline rect text")
_HREFS = ("href", "{http://www.w3.org/1999/xlink}href")
MAX_DRAWING_BYTES = 1 << 24  # with the pictures in it


@dataclass(slots=True)
class PagePictures:
    """The pictures that sections have asked for: `assets` by name.

    Those that would make them more than `max_bytes` in all are left to their words.
    """

    entries: EpubEntries
    max_bytes: float = inf
    assets: dict[str, Asset] = field(default_factory=dict[str, Asset])
    _n_bytes: int = 0
    _found: dict[str, str] = field(default_factory=dict[str, str])  # names by paths
    _sizes: dict[str, Picture] = field(default_factory=dict[str, Picture])  # by names

    def files(self) -> dict[str, bytes]:
        """The contents of the assets by their names."""
        found = ((name, one.content) for name, one in self.assets.items())
        return {name: content for name, content in found if isinstance(content, bytes)}

    def cover(self, data: bytes) -> str:
        """The name of the cover's asset."""
        return self._add(identify(data).suffix, data)

    def address(self, image: Element, document: str) -> str:
        """The name of the picture that an `img` of a document shows; "" if browsers show it not."""
        source = image.get("src") or ""
        return source if source in self.assets else self._named(linked_path(document, source))

    def set_size(self, image: Element) -> None:
        """Say how large a picture is, so that the text below does not move when it appears."""
        image.set("loading", "lazy")
        if picture := self._sizes.get(image.get("src") or ""):
            for name, pixels in zip(("width", "height"), picture.size, strict=True):
                image.set(name, str(pixels))

    def take_drawings(self, root: Element, document: str) -> None:
        """Replace the drawings of a document, which is changed, by pictures that show them."""
        for drawing in [one for one in root.iter() if local_name(one) == "svg"]:
            parent = drawing.getparent()
            if parent is None or any(local_name(one) == "svg" for one in drawing.iterancestors()):
                continue
            image = etree.Element(f"{{{XHTML}}}img", {"src": self._drawn(drawing, document)})
            image.set("alt", _name_of(drawing))
            if identifier := drawing.get("id"):
                image.set("id", identifier)
            image.tail = drawing.tail
            parent.replace(drawing, image)

    def _drawn(self, drawing: Element, document: str) -> str:
        shown = [one for one in drawing.iter() if local_name(one) in _SHOWING]
        if len(shown) == 1 and local_name(shown[0]) == "image":
            return self._named(linked_path(document, _href(shown[0])))
        data = self._drawing(drawing, document)
        return self._add(_SVG, data) if len(data) <= MAX_DRAWING_BYTES else ""

    def _named(self, path: str) -> str:
        if path not in self._found:
            self._found[path] = self._load(path)
        return self._found[path]

    def _load(self, path: str) -> str:
        """The name of the asset of an entry, "" if it is no picture that browsers show."""
        data = self._read(path)
        if posixpath.splitext(path)[1].lower() == _SVG and _is_drawing(data):
            return self._add(_SVG, data)
        try:
            picture = identify(data)
        except UnusableImage:
            return ""
        if name := self._add(picture.suffix, data):
            self._sizes[name] = picture
        return name

    def _drawing(self, source: Element, document: str) -> bytes:
        """An `svg` as a file, with the pictures that it shows in it."""
        root = etree.fromstring(etree.tostring(source, with_tail=False))
        for one in root.iter():
            if local_name(one) in {"image", "feimage"}:
                data = self._read(linked_path(document, _href(one)))
                for name in _HREFS:
                    if name in one.attrib:
                        del one.attrib[name]
                one.set("href", _data_address(data))
        return etree.tostring(root)

    def _read(self, path: str) -> bytes:
        try:
            return self.entries.read(name) if (name := self.entries.find(path)) else b""
        except SourceError:
            return b""  # a damaged picture is none

    def _add(self, suffix: str, data: bytes) -> str:
        made = asset(PICTURES, suffix, data)
        if made.name not in self.assets:
            if self._n_bytes + len(data) > self.max_bytes:
                return ""
            self._n_bytes += len(data)
            self.assets[made.name] = made
        return made.name


def _href(image: Element) -> str:
    return next((value for name in _HREFS if (value := image.get(name))), "")


def _name_of(drawing: Element) -> str:
    """The name of a drawing: its label, or its title."""
    title = next((one for one in drawing if local_name(one) == "title"), None)
    return drawing.get("aria-label") or (
        normalise_spaces("".join(map(str, title.itertext()))) if title is not None else ""
    )


def _is_drawing(data: bytes) -> bool:
    try:
        return etree.fromstring(data, etree.XMLParser(resolve_entities=False)).tag == _SVG_ROOT
    except etree.XMLSyntaxError:
        return False


def _data_address(data: bytes) -> str:
    try:
        media_type = identify(data).media_type
    except UnusableImage:
        return "data:,"
    return f"data:{media_type};base64,{b64encode(data).decode()}"
