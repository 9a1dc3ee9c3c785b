"""ID3v2.3 frames, with those of Chapter Frame Addendum 1.0.

ID3 version 2.3, not 2.4: every player reads it. FFmpeg reads the sizes inside a chapter as 2.3's
plain numbers whatever the version, so it drops 2.4 chapters with long titles.
"""

from __future__ import annotations

import codecs
import io
import re
import struct
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from mutagen import id3
from mutagen.id3 import CTOCFlags, Encoding, PictureType

from audiomill.inputs.languages.codes import three_letter_code
from audiomill.inputs.model.book import Cover
from audiomill.outputs.metadata.chapters import Mark, milliseconds
from audiomill.outputs.metadata.tags import GENRE, EmbeddedMetadata, Tags, texts_of

MAX_CHILDREN = 255  # a table of contents stores the number of its entries in one byte
_NO_OFFSET = 0xFFFFFFFF  # tells players to use the times, not byte offsets
_UTF16 = Encoding.UTF16
# Frames of version 2.3, and those that iTunes writes into it: for movements and sort names.
# iTunes has its grouping in GRP1, others in TIT1.
_FRAMES: Mapping[str, tuple[type[id3.TextFrame], ...]] = {
    "TITLE": (id3.TIT2,),
    "ALBUM": (id3.TALB,),
    "ARTIST": (id3.TPE1,),
    "ALBUMARTIST": (id3.TPE2,),
    "COMPOSER": (id3.TCOM,),
    "GENRE": (id3.TCON,),
    "DATE": (id3.TYER,),
    "SUBTITLE": (id3.TIT3,),
    "PUBLISHER": (id3.TPUB,),
    "COPYRIGHT": (id3.TCOP,),
    "GROUPING": (id3.GRP1, id3.TIT1),
    "MOVEMENTNAME": (id3.MVNM,),
    "MOVEMENT": (id3.MVIN,),
    "ALBUMSORT": (id3.TSOA,),
    "TITLESORT": (id3.TSOT,),
    "ARTISTSORT": (id3.TSOP,),
    "ALBUMARTISTSORT": (id3.TSO2,),
}


def tag_bytes(metadata: EmbeddedMetadata, *, chapters: bool) -> bytes:
    """A whole ID3 tag, for containers that hold one in a chunk."""
    marks = metadata.marks if chapters else ()
    frames = b"".join(chapter_frames(marks, metadata.sample_rate))

    def padding(_info: Any) -> int:
        return len(frames)

    file = io.BytesIO()
    with_tags(metadata).save(file, v1=0, v2_version=3, padding=padding)
    tag = file.getvalue()
    return tag[: len(tag) - len(frames)] + frames


def with_tags(metadata: EmbeddedMetadata) -> Any:
    """All tags and the cover as mutagen's tag, to be saved in version 2.3."""
    tag: Any = id3.ID3()
    for frame in tag_frames(metadata.tags, metadata.cover):
        tag.add(frame)
    return tag


def tag_frames(tags: Tags, cover: Cover | None) -> Iterator[id3.Frame]:
    """The frames of all tags and the cover."""
    yield from _texts(tags)
    if tags.description:
        language = three_letter_code(tags.language)
        yield id3.COMM(_UTF16, lang=language, desc="", text=[tags.description])
    if cover is not None:
        yield id3.APIC(_UTF16, cover.media_type, PictureType.COVER_FRONT, "", cover.data)


def _texts(tags: Tags) -> Iterator[id3.Frame]:
    texts = texts_of(tags)
    number, total = texts.pop("TRACKNUMBER", ""), texts.pop("TRACKTOTAL", "")
    if number:
        yield id3.TRCK(_UTF16, text=[f"{number}/{total}" if total else number])
    number, total = texts.pop("DISCNUMBER", ""), texts.pop("DISCTOTAL", "")
    if number:
        yield id3.TPOS(_UTF16, text=[f"{number}/{total}" if total else number])
    texts.pop("DESCRIPTION", "")  # a comment, see above
    language = three_letter_code(tags.language)
    if language != "und":
        yield id3.TLAN(_UTF16, text=[language])
    if language == tags.language:
        texts.pop("LANGUAGE", "")
    if tags.genres:
        texts["GENRE"] = _safe_genre(tags.genres)
    for name, text in texts.items():
        for frame in _FRAMES.get(name, ()):
            yield frame(_UTF16, text=[text])
        if name not in _FRAMES:
            yield id3.TXXX(_UTF16, desc=name, text=[text])


def _safe_genre(genres: Sequence[str]) -> str:
    """The genres, none with a number first: readers take that for one of ID3v1's genres.

    So "19th century" would be shown as Techno.
    """
    numbered = [one for one in genres if re.match(r"[\s(]*[\d(]", one, re.ASCII)]
    others = [one for one in genres if one not in numbered] or [GENRE]
    return "; ".join((*others, *numbered) if numbered else genres)


def chapter_frames(marks: Sequence[Mark], sample_rate: int) -> list[bytes]:
    """The bytes of all CTOC and CHAP frames, in reading order.

    Not built with mutagen, because it sorts frames by size, and some players (including all that
    use FFmpeg's reader) list chapters in the order of their frames.
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
    """A table of contents; with more than MAX_CHILDREN entries, a table of tables."""
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
    """A frame: name, size, no flags, body."""
    return struct.pack(">4sIH", name.encode(), len(body), 0) + body
