"""Files beside the audio that tell of the book: their content, and how they are kept up to date.

`metadata.json` is as Audiobookshelf writes and reads it; it wins there over tags and other files.
Source: advplyr/audiobookshelf, commit 1b46d68, `generators/abmetadataGenerator.js` and
`BookScanner.js`: lists of text, a series as "Name #1", null for what is not known.

`metadata.opf` is a book's description as calibre and library servers read it (OPF 2.0.1).
A subtitle has no element of its own there; Audiobookshelf reads `dc:subtitle`. calibre takes the
first author's `file-as` for how all of them are sorted ("Ode, Ann & Li, Bo"), and writes it so.
Source: kovidgoyal/calibre, `ebooks/metadata/opf2.py` (`OPF.author_sort`, `OPFCreator.render`).

They are written so that what others have put there, or have changed, stays:

no file of that name          written
ours, and made from the same  left as it is
ours, made from other data    written again; removed if there is nothing to say any more
not ours, or changed          left as it is, and named
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from audiomill.inputs.metadata.covers import jpeg_of
from audiomill.inputs.metadata.source_metadata import series_text
from audiomill.inputs.model.book import Cover, Series
from audiomill.outputs.files import read_file, unwritable_errors, write_atomically
from audiomill.outputs.metadata.chapters import Mark
from audiomill.outputs.metadata.tags import Tags
from audiomill.outputs.targets import SIDECARS, Sidecar
from audiomill.outputs.text import NO_XML
from audiomill.outputs.types import OutputOccupied

# Raise it when the content of a file changes for the same book.
VERSION = 3
MAX_BYTES = 1 << 24  # of a file of ours; covers have at most 1 MiB
OTHER = "other"
_ISO_DATE = re.compile(r"\d{4}(-\d\d){1,2}")  # servers take what is before the dash for the year
_OPF_HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<package xmlns="http://www.idpf.org/2007/opf" version="2.0" unique-identifier="id">
  <metadata xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:opf="http://www.idpf.org/2007/opf">
"""
_OPF_TAIL = """  </metadata>
</package>
"""


@dataclass(frozen=True, slots=True)
class SidecarBook:
    """A finished book: its tags, its cover, and the chapters of a file of all of it.

    Marks are in samples at `sample_rate`. Without them, readers take those in the audio.
    """

    tags: Tags
    cover: Cover | None = None
    marks: Sequence[Mark] = ()
    sample_rate: int = 1


def sidecar_content(name: Sidecar, book: SidecarBook) -> bytes:
    """The content of the file with this name; b"" if the book has nothing for it."""
    return _CONTENTS[name](book)


def _cover_jpg(book: SidecarBook) -> bytes:
    return jpeg_of(book.cover) if book.cover else b""


def _desc_txt(book: SidecarBook) -> bytes:
    return _text_line(book.tags.description)


def _reader_txt(book: SidecarBook) -> bytes:
    """The narrators, in one line: servers read the first one only."""
    return _text_line(book.tags.narrator)


def _text_line(text: str) -> bytes:
    return f"{text}\n".encode() if text else b""


def metadata_json(book: SidecarBook) -> bytes:
    """The file's content: what is known of the book, and its chapters in seconds."""
    tags = book.tags
    content: dict[str, Any] = {
        "tags": [],
        "title": tags.album,
        "subtitle": tags.subtitle or None,
        "authors": [*tags.authors],
        "narrators": [*tags.narrators],
        "series": [series_text(_without_spaces(one)) for one in tags.series],
        "genres": [*tags.genres],
        "publishedYear": tags.year or None,
        "publishedDate": tags.date or None,
        "publisher": tags.publisher or None,
        "description": tags.description or None,
        "isbn": tags.isbn or None,
        "asin": tags.asin or None,
        "language": tags.language or None,
        "explicit": False,
        "abridged": False,
    }
    if book.marks:
        content["chapters"] = _json_chapters(book)
    return (json.dumps(content, ensure_ascii=False, indent=2) + "\n").encode()


def _json_chapters(book: SidecarBook) -> list[dict[str, Any]]:
    return [
        {
            "id": number,
            "start": round(mark.start / book.sample_rate, 3),
            "end": round(mark.end / book.sample_rate, 3),
            "title": mark.title,
        }
        for number, mark in enumerate(book.marks)
    ]


def _without_spaces(series: Series) -> Series:
    """The series with a place that is read as one: up to the first space."""
    return Series(series.name, series.index.replace(" ", "").replace("#", ""))


def metadata_opf(book: SidecarBook) -> bytes:
    """The file's content."""
    lines = "".join(f"    {element}\n" for element in _elements(book.tags))
    return (_OPF_HEAD + lines + _OPF_TAIL).encode()


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
    return f"<dc:{name}{written}>{escape(NO_XML.sub('�', text))}</dc:{name}>"


def _meta(name: str, content: str) -> str:
    return f"<meta name={_quoted(name)} content={_quoted(content)}/>"


def _quoted(text: str) -> str:
    return quoteattr(NO_XML.sub("�", text))


_CONTENTS: Mapping[Sidecar, Callable[[SidecarBook], bytes]] = {
    "cover.jpg": _cover_jpg,
    "metadata.json": metadata_json,
    "metadata.opf": metadata_opf,
    "desc.txt": _desc_txt,
    "reader.txt": _reader_txt,
}


@dataclass(frozen=True, slots=True)
class SidecarRecord:
    """A file that was written: its SHA-256, and the digest of what it was made from."""

    sha256: str
    made_from: str
    before: str = ""  # the SHA-256 of what it replaces, which a killed run may have left there


@dataclass(frozen=True, slots=True)
class WrittenSidecars:
    """The records of all files that are ours now, and the names of those that are not."""

    records: dict[str, SidecarRecord]
    kept: tuple[str, ...] = ()


def write_sidecars(
    folder: Path,
    names: Iterable[Sidecar],
    book: SidecarBook,
    audio_digest: str,
    known: Mapping[str, SidecarRecord],
    announce: Callable[[dict[str, SidecarRecord]], None],
) -> WrittenSidecars:
    """Bring the files with these names up to date; `known` are the records of earlier ones.

    Those are kept up to date, too, if they are not asked for any more: servers go on reading them.
    `audio_digest` is that of the audio, on which the chapters depend. `announce` gets the records
    before anything is written. Raises OutputUnwritable.
    """
    records, kept = dict(known), list[str]()
    contents = dict[str, tuple[bytes, str]]()  # and the SHA-256 of what they replace
    for one in _outdated(folder, names, book, audio_digest, known):
        path, digest = folder / one.name, hashlib.sha256(one.content).hexdigest()
        if not _is_own(one.found, digest, known.get(one.name)):
            kept.append(one.name)
            records.pop(one.name, None)
        elif not one.content:
            records.pop(one.name, None)
            with unwritable_errors(path):
                path.unlink(missing_ok=True)
        elif one.found == digest:
            records[one.name] = SidecarRecord(digest, one.made_from)
        else:
            records[one.name] = SidecarRecord(digest, one.made_from, one.found)
            contents[one.name] = one.content, one.found
    if contents:
        announce(records)
    for name in _occupied(folder, contents):
        kept.append(name)
        records.pop(name)
    return WrittenSidecars(records, tuple(kept))


@dataclass(frozen=True, slots=True)
class _Outdated:
    """A file that is not as it would be made now."""

    name: Sidecar
    found: str  # the `_sha256` of what is there
    made_from: str  # the digest of what it would be made from
    content: bytes  # b"": the book has nothing for it any more


def _outdated(
    folder: Path,
    names: Iterable[Sidecar],
    book: SidecarBook,
    audio_digest: str,
    known: Mapping[str, SidecarRecord],
) -> Iterator[_Outdated]:
    """Those of the files with these names, and of earlier ones, that are not up to date."""
    ours: list[Sidecar] = [one for one in SIDECARS if one in known and (folder / one).exists()]
    for name in dict.fromkeys((*names, *ours)):
        found, made_from = _sha256(folder / name), _digest_of(name, book, audio_digest)
        record = known.get(name)
        if record and (record.sha256, record.made_from) == (found, made_from):
            continue
        content = sidecar_content(name, book)
        if content or record:
            yield _Outdated(name, found, made_from, content)


def _is_own(sha256: str, digest: str, record: SidecarRecord | None) -> bool:
    """Whether what is there may be replaced: nothing, what would be written, or what we wrote."""
    return sha256 in ("", digest, *((record.sha256, record.before) if record else ()))


def _occupied(folder: Path, contents: Mapping[str, tuple[bytes, str]]) -> Iterator[str]:
    """Write files; the names of those where somebody has been faster. Raises OutputUnwritable."""
    for name, (content, before) in contents.items():
        try:
            write_atomically(folder / name, content, [before] if before else [])
        except OutputOccupied:
            yield name


def _digest_of(name: Sidecar, book: SidecarBook, audio_digest: str) -> str:
    """A digest of what decides the file's content."""
    cover = hashlib.sha256(book.cover.data).hexdigest() if book.cover else ""
    made_from = (cover,) if name == "cover.jpg" else (asdict(book.tags), audio_digest)
    return hashlib.sha256(repr((VERSION, name, made_from)).encode()).hexdigest()


def _sha256(path: Path) -> str:
    """The SHA-256 of a file; "" if there is none, and OTHER of what is no file of ours."""
    try:
        content = read_file(path, MAX_BYTES)
    except FileNotFoundError:
        return ""
    except OSError:  # a folder, a link, a larger file, one that cannot be read
        return OTHER
    return hashlib.sha256(content).hexdigest()
