"""Media overlays of an EPUB 3: which text sounds when (EPUB 3.3, 9; SMIL 3.0). Pure.

    <seq epub:textref="../p1.xhtml">
      <par> <text src="../p1.xhtml#am0"/> <audio src="00000.m4a" clipBegin="0:00:00.000" …/> </par>
      <seq epub:type="footnote" epub:textref="../p1.xhtml#am7"> ... </seq>

Readers can skip notes, and leave tables, by the types of the sequences around them. The package
document names each overlay (9.3.5). Those that the book has already give way to ours, with the
sound that only they use.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count, groupby
from typing import Any

from lxml import etree

from audiomill.inputs.epub.opf_repair import OPF
from audiomill.inputs.markup.parser import OPS, Element, local_name, parse_xml
from audiomill.inputs.model.book import BlockKind
from audiomill.outputs.readalong.document_audio import AUDIO_TYPE, PieceClip
from audiomill.outputs.readalong.documents.addresses import linked_path, relative_url
from audiomill.outputs.readalong.documents.xml import EPUB_TYPE, xml_bytes

SMIL = "http://www.w3.org/ns/SMIL"
MEDIA_TYPE = "application/smil+xml"
# The structures that readers let people skip or leave (EPUB 3.3, 9.3.3), by EPUB's vocabulary.
TYPES = {BlockKind.NOTE: "footnote", BlockKind.TABLE: "table"}
_NAMESPACES: Any = {None: SMIL, "epub": OPS}  # lxml's stubs know no default namespace
_TEXTREF = f"{{{OPS}}}textref"

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


def smil_bytes(path: str, document: str, clips: Sequence[PieceClip], audio: Sequence[str]) -> bytes:
    """The overlay at `path` of a document, in the order of the clips.

    `audio` are the paths of the pieces, as all paths from the archive's root.
    """
    folder = posixpath.dirname(path)
    root = etree.Element(f"{{{SMIL}}}smil", {"version": "3.0"}, nsmap=_NAMESPACES)
    body = etree.SubElement(root, f"{{{SMIL}}}body")
    textref = {_TEXTREF: relative_url(folder, document)}
    main = etree.SubElement(body, f"{{{SMIL}}}seq", textref)
    numbers = count()
    for kind, alike in groupby(clips, key=_group):
        group = list(alike)
        around = main
        if kind is not None:
            reference = relative_url(folder, document, group[0].clip.span)
            attributes = {EPUB_TYPE: kind[0], _TEXTREF: reference}
            around = etree.SubElement(main, f"{{{SMIL}}}seq", attributes)
        for one in group:
            text = relative_url(folder, document, one.clip.span)
            par = etree.SubElement(around, f"{{{SMIL}}}par", {"id": f"par-{next(numbers)}"})
            _fill_par(par, one, text, relative_url(folder, audio[one.piece]))
    etree.indent(root)
    return xml_bytes(root)


def audio_of(overlay: bytes, path: str) -> frozenset[str]:
    """The audio files that the overlay at `path` plays. Raises SourceCorrupt."""
    audio = (one for one in parse_xml(overlay).iter() if local_name(one) == "audio")
    return frozenset(linked_path(path, one.get("src") or "") for one in audio) - {""}


def clock_value(ms: int) -> str:
    """A time as SMIL writes it: 1:02:03.456."""
    seconds, ms = divmod(ms, 1000)
    return f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}.{ms:03}"


def _group(one: PieceClip) -> tuple[str, int] | None:
    """The type and the block of a clip in a sequence of its own; None for all others."""
    kind = TYPES.get(one.clip.kind)
    return (kind, one.clip.block) if kind else None


def _fill_par(par: Element, one: PieceClip, text: str, audio: str) -> None:
    etree.SubElement(par, f"{{{SMIL}}}text", {"src": text})
    clip = {"clipBegin": clock_value(one.start_ms), "clipEnd": clock_value(one.end_ms)}
    etree.SubElement(par, f"{{{SMIL}}}audio", {"src": audio, **clip})


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
        if item.get("media-type") == MEDIA_TYPE
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
    played = list[Overlay]()
    for item in list(_named(root, "item")):
        if overlay := by_document.pop(_entry(path, item, find), None):
            _add_overlay(manifest, metadata, path, item, overlay, next(new_id))
            played.append(overlay)
    for name in audio:
        _add_item(manifest, next(new_id), path, name, AUDIO_TYPE)
    _add_meta(metadata, "media:duration", clock_value(sum(one.duration_ms for one in played)))
    for narrator in narrators:
        _add_meta(metadata, "media:narrator", narrator)
    for name, value in _CLASSES.items() if is_styled else ():
        _add_meta(metadata, name, value)
    if overlays:
        _add_accessibility(metadata)
    return etree.tostring(root.getroottree(), xml_declaration=True, encoding="utf-8") + b"\n"


def _add_overlay(
    manifest: Element, metadata: Element, path: str, item: Element, overlay: Overlay, own_id: str
) -> None:
    """Have the document of an `item` of the package at `path` sound; `own_id` is the overlay's."""
    item.set("media-overlay", own_id)
    _add_item(manifest, own_id, path, overlay.path, MEDIA_TYPE)
    _add_meta(metadata, "media:duration", clock_value(overlay.duration_ms), own_id)


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
    for item in (*_named(root, "item"), *_named(root, "link")):  # links are those of collections
        if "media-overlay" in item.attrib:
            del item.attrib["media-overlay"]
        if item.get("media-type") == MEDIA_TYPE or _entry(path, item, find) in removed:
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
    last = next(parent.iterchildren(reversed=True), None)  # a length would be counted
    child = etree.SubElement(parent, f"{{{OPF}}}{name}", attributes)
    child.tail = "\n"
    if last is not None:
        last.tail = last.tail or "\n"
    return child
