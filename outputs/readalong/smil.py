"""Media overlay documents: which text sounds when (EPUB 3.3, 9; SMIL 3.0). Pure.

    <seq epub:textref="../p1.xhtml">
      <par> <text src="../p1.xhtml#am0"/> <audio src="00000.m4a" clipBegin="0:00:00.000" …/> </par>
      <seq epub:type="footnote" epub:textref="../p1.xhtml#am7"> ... </seq>

Readers can skip notes, and leave tables, by the types of the sequences around them.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any
from urllib.parse import quote, unquote

from lxml import etree

from audiomill.inputs.markup.parser import OPS, Element, local_name, parse_xml
from audiomill.inputs.model.book import BlockKind

SMIL = "http://www.w3.org/ns/SMIL"
MEDIA_TYPE = "application/smil+xml"
# The structures that readers let people skip or leave (EPUB 3.3, 9.3.3), by EPUB's vocabulary.
TYPES = {BlockKind.NOTE: "footnote", BlockKind.TABLE: "table"}
_NAMESPACES: Any = {None: SMIL, "epub": OPS}  # lxml's stubs know no default namespace
_TYPE, _TEXTREF = f"{{{OPS}}}type", f"{{{OPS}}}textref"


@dataclass(frozen=True, slots=True)
class OverlayClip:
    """The element `id` of a document sounds at [start_ms, end_ms) of an audio file of the book."""

    id: str
    kind: BlockKind
    block: int
    audio: str  # a path from the archive's root, as that of the document
    start_ms: int
    end_ms: int


def smil_bytes(path: str, document: str, clips: Sequence[OverlayClip]) -> bytes:
    """The overlay at `path` of a document, in the order of the clips."""
    root = etree.Element(f"{{{SMIL}}}smil", {"version": "3.0"}, nsmap=_NAMESPACES)
    body = etree.SubElement(root, f"{{{SMIL}}}body")
    main = etree.SubElement(body, f"{{{SMIL}}}seq", {_TEXTREF: _reference(path, document)})
    for (kind, _), alike in groupby(clips, key=lambda clip: (clip.kind, _group(clip))):
        group = list(alike)
        around = main
        if kind in TYPES:
            reference = _reference(path, document, group[0].id)
            attributes = {_TYPE: TYPES[kind], _TEXTREF: reference}
            around = etree.SubElement(main, f"{{{SMIL}}}seq", attributes)
        _add_pars(around, path, document, group)
    etree.indent(root)
    return etree.tostring(root, xml_declaration=True, encoding="utf-8") + b"\n"


def audio_of(overlay: bytes, path: str) -> frozenset[str]:
    """The audio files that the overlay at `path` plays. Raises SourceCorrupt."""
    sources = (
        unquote(element.get("src") or "").partition("#")[0]
        for element in parse_xml(overlay).iter()
        if local_name(element) == "audio"
    )
    folder = posixpath.dirname(path)
    return frozenset(posixpath.normpath(posixpath.join(folder, one)) for one in sources if one)


def clock_value(ms: int) -> str:
    """A time as SMIL writes it: 1:02:03.456."""
    seconds, ms = divmod(ms, 1000)
    return f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}.{ms:03}"


def _group(clip: OverlayClip) -> int:
    """The block of a clip in a sequence of its own; all others are alike."""
    return clip.block if clip.kind in TYPES else -1


def _add_pars(around: Element, path: str, document: str, clips: Iterable[OverlayClip]) -> None:
    for clip in clips:
        par = etree.SubElement(around, f"{{{SMIL}}}par", {"id": f"par-{clip.id}"})
        etree.SubElement(par, f"{{{SMIL}}}text", {"src": _reference(path, document, clip.id)})
        audio = {
            "src": _reference(path, clip.audio),
            "clipBegin": clock_value(clip.start_ms),
            "clipEnd": clock_value(clip.end_ms),
        }
        etree.SubElement(par, f"{{{SMIL}}}audio", audio)


def _reference(path: str, target: str, fragment: str = "") -> str:
    """A relative URL from the file at `path`."""
    relative = posixpath.relpath(target, posixpath.dirname(path) or ".")
    return quote(relative) + (f"#{quote(fragment)}" if fragment else "")
