"""`metadata.opf`: a book's description as calibre and library servers read it (OPF 2.0.1).

A subtitle has no element of its own there; Audiobookshelf reads `dc:subtitle`. calibre takes the
first author's `file-as` for how all of them are sorted ("Ode, Ann & Li, Bo"), and writes it so.
Source: kovidgoyal/calibre, `ebooks/metadata/opf2.py` (`OPF.author_sort`, `OPFCreator.render`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.sax.saxutils import escape, quoteattr

from audiomill.outputs.metadata.tags import Tags
from audiomill.outputs.sidecars.sidecar_book import SidecarBook

_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_ISO_DATE = re.compile(r"\d{4}(-\d\d){1,2}")  # servers take what is before the dash for the year
_HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<package xmlns="http://www.idpf.org/2007/opf" version="2.0" unique-identifier="id">
  <metadata xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:opf="http://www.idpf.org/2007/opf">
"""
_TAIL = """  </metadata>
</package>
"""


def metadata_opf(book: SidecarBook) -> bytes:
    """The file's content."""
    lines = "".join(f"    {element}\n" for element in _elements(book.tags))
    return (_HEAD + lines + _TAIL).encode()


def _elements(tags: Tags) -> Iterator[str]:
    yield _element("title", tags.album, {"opf:file-as": tags.title_sort})
    yield from _some("subtitle", tags.subtitle)
    for number, name in enumerate(tags.authors):
        sort = "" if number else tags.author_sort
        yield _element("creator", name, {"opf:role": "aut", "opf:file-as": sort})
    for name in tags.narrators:
        yield _element("creator", name, {"opf:role": "nrt"})
    yield from _some("date", tags.date if _ISO_DATE.fullmatch(tags.date) else tags.year)
    yield from _some("publisher", tags.publisher)
    yield from _some("description", tags.description)
    yield from _some("rights", tags.rights)
    yield from _some("language", tags.language)
    for genre in tags.genres:
        yield _element("subject", genre)
    yield from _identifiers(tags)
    for series in tags.series:
        yield _meta("calibre:series", series.name)
        if series.index:
            yield _meta("calibre:series_index", series.index)


def _identifiers(tags: Tags) -> Iterator[str]:
    """The identifiers, each once; the first one is the unique one."""
    known = dict[str, str]()
    for text, scheme in ((tags.isbn, "ISBN"), (tags.asin, "ASIN"), (tags.identifier, "")):
        if text:
            known.setdefault(text, scheme)
    for number, (text, scheme) in enumerate((known or {tags.album: ""}).items()):
        yield _element("identifier", text, {"id": "" if number else "id", "opf:scheme": scheme})


def _some(name: str, text: str) -> Iterator[str]:
    if text:
        yield _element(name, text)


def _element(name: str, text: str, attributes: dict[str, str] | None = None) -> str:
    given = (attributes or {}).items()
    written = "".join(f" {key}={_quoted(value)}" for key, value in given if value)
    return f"<dc:{name}{written}>{escape(_NO_XML.sub('�', text))}</dc:{name}>"


def _meta(name: str, content: str) -> str:
    return f"<meta name={_quoted(name)} content={_quoted(content)}/>"


def _quoted(text: str) -> str:
    return quoteattr(_NO_XML.sub("�", text))
