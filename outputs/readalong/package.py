"""Enters media overlays in the package document of an EPUB 3 (EPUB 3.3, 9.3.5). Pure.

Overlays that the book has already give way to ours, with the sound that only they use.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from lxml import etree

from audiomill.inputs.epub.opf_repair import OPF
from audiomill.inputs.markup.parser import Element, local_name, parse_xml
from audiomill.outputs.readalong import smil
from audiomill.outputs.readalong.addresses import linked_path, relative_url
from audiomill.outputs.readalong.audio_pieces import MEDIA_TYPE as AUDIO_TYPE
from audiomill.outputs.readalong.smil import clock_value

ACTIVE_CLASS = "-epub-media-overlay-active"
PLAYING_CLASS = "-epub-media-overlay-playing"
# Half transparent: the same on a light and on a dark page.
STYLE = f".{ACTIVE_CLASS} {{ background-color: rgba(255, 190, 0, 0.35); }}\n"
_CLASSES = {
    "media:active-class": ACTIVE_CLASS,
    "media:playback-active-class": PLAYING_CLASS,
}
_FEATURE = "schema:accessibilityFeature"
_ACCESSIBILITY = (("schema:accessMode", "auditory"), (_FEATURE, "synchronizedAudioText"))

Find = Callable[[str], str]  # the entry that a path means, however it is spelled


@dataclass(frozen=True, slots=True)
class Overlay:
    """A media overlay at `path`, of a document, and how long it sounds."""

    path: str
    document: str
    duration_ms: int


def own_overlays(package: bytes, path: str, find: Find) -> frozenset[str]:
    """The entries of the overlays that a package has. Raises SourceCorrupt."""
    return frozenset(
        _entry(path, item, find)
        for item in _named(parse_xml(package), "item")
        if item.get("media-type") == smil.MEDIA_TYPE
    ) - {""}


def with_overlays(
    package: bytes,
    path: str,
    overlays: Sequence[Overlay],
    audio: Sequence[str],
    narrators: Iterable[str],
    find: Find,
    removed: Collection[str] = (),
    *,
    is_styled: bool,
) -> bytes:
    """The package document at `path` with overlays, and the audio files that they play.

    The items of the entries `removed` go. The classes of what sounds are named if the documents
    are styled by them. Raises SourceCorrupt.
    """
    root = parse_xml(package)
    _remove_own(root, path, find, removed)
    manifest, metadata = (next(_named(root, name)) for name in ("manifest", "metadata"))
    taken = {element.get("id") for element in root.iter()}
    new_id = _free_ids(taken)
    by_document = {overlay.document: overlay for overlay in overlays}
    total_ms = 0
    for item in list(_named(root, "item")):
        overlay = by_document.pop(_entry(path, item, find), None)
        if overlay is None:
            continue
        own_id = next(new_id)
        item.set("media-overlay", own_id)
        _add_item(manifest, own_id, path, overlay.path, smil.MEDIA_TYPE)
        _add_meta(metadata, "media:duration", clock_value(overlay.duration_ms), own_id)
        total_ms += overlay.duration_ms
    for name in audio:
        _add_item(manifest, next(new_id), path, name, AUDIO_TYPE)
    _add_meta(metadata, "media:duration", clock_value(total_ms))
    for narrator in narrators:
        _add_meta(metadata, "media:narrator", narrator)
    for name, value in _CLASSES.items() if is_styled else ():
        _add_meta(metadata, name, value)
    if overlays:
        _add_accessibility(metadata)
    return etree.tostring(root.getroottree(), xml_declaration=True, encoding="utf-8") + b"\n"


def _add_accessibility(metadata: Element) -> None:
    """Tell of the sound, if the package tells of its accessibility (EPUB Accessibility 1.1, 2)."""
    metas = (
        (meta, (meta.get("property"), (meta.text or "").strip()))
        for meta in _named(metadata, "meta")
    )
    known = {about: meta for meta, about in metas if about[0] in dict(_ACCESSIBILITY)}
    if not known:
        return
    if (nothing := known.get((_FEATURE, "none"))) is not None:
        _remove(nothing)
    for name, value in _ACCESSIBILITY:
        if (name, value) not in known:
            _add_meta(metadata, name, value)


def _remove_own(root: Element, path: str, find: Find, removed: Collection[str]) -> None:
    for item in list(_named(root, "item")):
        if "media-overlay" in item.attrib:
            del item.attrib["media-overlay"]
        if item.get("media-type") == smil.MEDIA_TYPE or _entry(path, item, find) in removed:
            _remove(item)
    for meta in list(_named(root, "meta")):
        if (meta.get("property") or "").startswith("media:"):
            _remove(meta)


def _entry(path: str, item: Element, find: Find) -> str:
    """The entry that an item of the package at `path` is; "" for none."""
    return find(linked_path(path, item.get("href") or ""))


def _remove(element: Element) -> None:
    parent = element.getparent()
    if parent is not None:
        parent.remove(element)


def _named(root: Element, name: str) -> Iterator[Element]:
    return (element for element in root.iter() if local_name(element) == name)


def _free_ids(taken: Collection[str | None]) -> Iterator[str]:
    number = 0
    while True:
        name = f"readalong-{number}"
        number += 1
        if name not in taken:
            yield name


def _add_item(manifest: Element, own_id: str, package: str, path: str, media_type: str) -> None:
    href = relative_url(posixpath.dirname(package), path)
    _added(manifest, "item", {"id": own_id, "href": href, "media-type": media_type})


def _add_meta(metadata: Element, name: str, value: str, refined: str = "") -> None:
    refines = {"refines": f"#{refined}"} if refined else {}
    _added(metadata, "meta", {"property": name, **refines}).text = value


def _added(parent: Element, name: str, attributes: dict[str, str]) -> Element:
    """A new last child, on a line of its own."""
    last = parent[-1] if len(parent) else None
    child = etree.SubElement(parent, f"{{{OPF}}}{name}", attributes)
    child.tail = "\n"
    if last is not None:
        last.tail = last.tail or "\n"
    return child
