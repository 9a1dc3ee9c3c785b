"""Takes the pictures of a source into a book of our own: those that every reading system shows.

They are told by their bytes. A drawing (SVG) is copied without what could run or be fetched.
Source: EPUB 3.3, 3.2 (core media types).
"""

from __future__ import annotations

from lxml import etree

from audiomill.inputs.markup.parser import Element, local_name, parse_xml
from audiomill.inputs.metadata.images import MEDIA_TYPES as KINDS
from audiomill.inputs.metadata.images import SUFFIXES, UnusableImage, identify
from audiomill.inputs.model.book import MIB, SourceCorrupt, SourceTooLarge
from audiomill.inputs.readers.source_markup import Picture
from audiomill.outputs.readalong.safe_foreign import safe_svg
from audiomill.outputs.readalong.upgrade_elements import SVG

FOLDER = "pictures"
MAX_BYTES = 512 * MIB  # of all pictures; those after it are left to their words
_SVG = ".svg"
# By suffix.
MEDIA_TYPES = {SUFFIXES[kind]: KINDS[kind] for kind in SUFFIXES} | {_SVG: "image/svg+xml"}
_LARGEST_SVG = MIB


class Pictures:
    """The pictures of a source, each once, by the names that they have in the book."""

    def __init__(self, picture: Picture) -> None:
        self.files: dict[str, bytes] = {}
        self._picture = picture
        self._names: dict[bytes, str] = {}
        self._n_bytes = 0

    def add(self, element: Element) -> str:
        """The name of the picture that an element shows; "" if the book cannot have it."""
        data = self._picture(element)
        if not data or self._n_bytes + len(data) > MAX_BYTES:
            return ""
        if data not in self._names:
            self._names[data] = self._added(data)
        return self._names[data]

    def _added(self, data: bytes) -> str:
        try:
            suffix, content = identify(data).suffix, data
        except UnusableImage:
            suffix, content = _SVG, _drawing(data)
        if not content:
            return ""
        name = f"{FOLDER}/{len(self.files) + 1:04}{suffix}"
        self.files[name] = content
        self._n_bytes += len(content)
        return name


def _drawing(data: bytes) -> bytes:
    """A safe copy of a drawing; b"" if it is none."""
    if len(data) > _LARGEST_SVG or b"<svg" not in data:
        return b""
    try:
        root = parse_xml(data)
    except (SourceCorrupt, SourceTooLarge):
        return b""
    copied = safe_svg(root, lambda name: name) if local_name(root) == "svg" else None
    if copied is None or copied.tag != f"{{{SVG}}}svg":
        return b""
    return etree.tostring(copied, xml_declaration=True, encoding="utf-8") + b"\n"
