"""An MP3's ID3v2.3 frames: tags, cover, chapters (ID3v2 Chapter Frame Addendum 1.0).

Version 2.3, not 2.4: everything reads it, and FFmpeg's reader takes the sizes inside a chapter for
2.3's plain numbers whatever the version, so that it drops 2.4's chapters with long titles.
"""

from __future__ import annotations

import codecs
import re
import struct
from collections.abc import Iterable, Iterator, Sequence

from mutagen import id3
from mutagen.id3 import CTOCFlags, Encoding, PictureType

from inputs.book import Cover
from inputs.languages import three_letters
from outputs.marks import Mark, milliseconds
from outputs.tags import Tags

MAX_CHILDREN = 255  # a table of contents counts its entries in one byte
_NO_OFFSET = 0xFFFFFFFF  # players go by the times, not by byte positions
_DATE = re.compile(r"\d{4}(-\d\d){0,2}")
_UTF16 = Encoding.UTF16


def tag_frames(tags: Tags, cover: Cover | None) -> Iterator[id3.Frame]:
    """The frames that say what the file is."""
    yield from _texts(tags)
    if tags.description:
        language = three_letters(tags.language)
        yield id3.COMM(_UTF16, lang=language, desc="", text=[tags.description])
    if cover is not None:
        yield id3.APIC(_UTF16, cover.media_type, PictureType.COVER_FRONT, "", cover.data)


def _texts(tags: Tags) -> Iterator[id3.Frame]:
    language = three_letters(tags.language)
    fields: Iterable[tuple[type[id3.TextFrame], str]] = (
        (id3.TIT2, tags.title),
        (id3.TALB, tags.album),
        (id3.TPE1, tags.artist),
        (id3.TPE2, tags.artist),
        (id3.TCOM, tags.narrator),
        (id3.TCON, tags.genre),
        (id3.TDRC, tags.date),
        (id3.TPUB, tags.publisher),
        (id3.TLAN, language if language != "und" else ""),
        (id3.TRCK, _of(tags.track, tags.n_tracks)),
    )
    yield from (frame(_UTF16, text=[text]) for frame, text in fields if text)
    extras = {
        "NARRATOR": tags.narrator,
        "SERIES": tags.series,
        "SERIES-PART": tags.series_part,
        "IDENTIFIER": tags.identifier,
        "DATE": "" if _DATE.fullmatch(tags.date) else tags.date,  # "c. 1897" fits no other frame
    }
    yield from (id3.TXXX(_UTF16, desc=name, text=[text]) for name, text in extras.items() if text)


def _of(number: int, total: int) -> str:
    if not number:
        return ""
    return f"{number}/{total}" if total else str(number)


def chapter_frames(marks: Sequence[Mark], sample_rate: int) -> list[bytes]:
    """CTOC and CHAP frames as they lie in the file, in reading order.

    They are built here because mutagen sorts frames by size, and some players (all that use
    FFmpeg's reader among them) list chapters in the order of their frames.
    """
    if not marks:
        return []
    names = [f"ch{number}" for number in range(len(marks))]
    chapters = [_chapter(name, mark, sample_rate) for name, mark in zip(names, marks, strict=True)]
    return [*_contents(names), *chapters]


def _chapter(name: str, mark: Mark, sample_rate: int) -> bytes:
    times = milliseconds(mark.start, sample_rate), milliseconds(mark.end, sample_rate)
    title = _frame("TIT2", bytes([_UTF16]) + codecs.BOM_UTF16_LE + mark.title.encode("utf-16-le"))
    places = struct.pack(">4I", *times, _NO_OFFSET, _NO_OFFSET)
    return _frame("CHAP", name.encode() + b"\0" + places + title)


def _contents(children: list[str]) -> list[bytes]:
    """One table of contents; where it cannot hold so many, a table of several of them."""
    tables: list[bytes] = []
    while len(children) > MAX_CHILDREN:
        groups = [children[i : i + MAX_CHILDREN] for i in range(0, len(children), MAX_CHILDREN)]
        names = [f"toc{len(tables) + number + 1}" for number in range(len(groups))]
        tables += map(_table, names, groups)
        children = names
    return [_table("toc", children, CTOCFlags.TOP_LEVEL), *tables]


def _table(name: str, children: list[str], flags: int = 0) -> bytes:
    head = name.encode() + bytes([0, flags | CTOCFlags.ORDERED, len(children)])
    return _frame("CTOC", head + b"".join(child.encode() + b"\0" for child in children))


def _frame(name: str, body: bytes) -> bytes:
    """Name, size, no flags, body."""
    return struct.pack(">4sIH", name.encode(), len(body), 0) + body
