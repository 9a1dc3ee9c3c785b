"""Media overlay documents: which text sounds when (EPUB 3.3, 9; SMIL 3.0). Pure.

    <seq epub:textref="../p1.xhtml">
      <par> <text src="../p1.xhtml#am0"/> <audio src="00000.m4a" clipBegin="0:00:00.000" …/> </par>
      <seq epub:type="footnote" epub:textref="../p1.xhtml#am7"> ... </seq>

Readers can skip notes, and leave tables, by the types of the sequences around them.
"""

from __future__ import annotations

import posixpath
from collections.abc import Sequence
from itertools import count, groupby
from typing import Any

from lxml import etree

from audiomill.inputs.markup.parser import OPS, Element, local_name, parse_xml
from audiomill.inputs.model.book import BlockKind
from audiomill.outputs.readalong.addresses import linked_path, relative_url
from audiomill.outputs.readalong.document_audio import PieceClip

SMIL = "http://www.w3.org/ns/SMIL"
MEDIA_TYPE = "application/smil+xml"
# The structures that readers let people skip or leave (EPUB 3.3, 9.3.3), by EPUB's vocabulary.
TYPES = {BlockKind.NOTE: "footnote", BlockKind.TABLE: "table"}
_NAMESPACES: Any = {None: SMIL, "epub": OPS}  # lxml's stubs know no default namespace
_TYPE, _TEXTREF = f"{{{OPS}}}type", f"{{{OPS}}}textref"


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
            attributes = {_TYPE: kind[0], _TEXTREF: reference}
            around = etree.SubElement(main, f"{{{SMIL}}}seq", attributes)
        for one in group:
            text = relative_url(folder, document, one.clip.span)
            par = etree.SubElement(around, f"{{{SMIL}}}par", {"id": f"par-{next(numbers)}"})
            _fill_par(par, one, text, relative_url(folder, audio[one.piece]))
    etree.indent(root)
    return etree.tostring(root, xml_declaration=True, encoding="utf-8") + b"\n"


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
