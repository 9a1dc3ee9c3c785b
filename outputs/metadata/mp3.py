"""An MP3's ID3v2.3 frames: tags, cover, chapters (ID3v2 Chapter Frame Addendum 1.0).

Version 2.3, not 2.4: everything reads it, and FFmpeg's reader takes the sizes inside a chapter for
2.3's plain numbers whatever the version, so that it drops 2.4's chapters with long titles.
"""

from __future__ import annotations

import codecs
import re
import struct
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from mutagen import id3
from mutagen.id3 import CTOCFlags, Encoding, PictureType

from audiomill.inputs.book import Cover
from audiomill.inputs.languages import three_letters
from audiomill.outputs.metadata.chapters import Mark, milliseconds
from audiomill.outputs.metadata.tags import Tags

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


# How an MP3 says where its sound begins and ends.

_MPEG1_HZ = (32000, 44100, 48000)
_MPEG2_HZ = (8000, 11025, 12000, 16000, 22050, 24000)
# From the start of the header, in bytes.
_N_FRAMES = slice(8, 12)
_SILENCE = slice(141, 144)  # samples before and after the sound, 12 bits each
_CHECKSUM = slice(154, 156)  # over all of the frame before it


def write_info_frame(path: Path, sample_rate: int, n_samples: int) -> None:
    """Write into a mono MP3 without ID3 tag that its sound is `n_samples` long. Raises OSError.

    The encoder may fill up with more than a frame; ffmpeg then writes down only what it added to
    the last one, and the sound would end late by the rest, up to 46 samples. Left as it is where
    there is no such header or no room in it, and at a rate that MP3 does not have.
    """
    if sample_rate not in _MPEG1_HZ + _MPEG2_HZ:
        return
    # The header stands behind the frame's own and the side information of one channel.
    start, frame_samples = (21, 1152) if sample_rate in _MPEG1_HZ else (13, 576)
    with path.open("r+b") as file:
        frame = bytearray(file.read(start + _CHECKSUM.stop))
        info = memoryview(frame)[start:]
        if bytes(info[:4]) != b"Info" or len(info) < _CHECKSUM.stop:
            return
        before = int.from_bytes(info[_SILENCE]) >> 12
        after = int.from_bytes(info[_N_FRAMES]) * frame_samples - before - n_samples
        if not 0 <= after < 1 << 12:
            return
        info[_SILENCE] = (before << 12 | after).to_bytes(3)
        info[_CHECKSUM] = _crc16(frame[: start + _CHECKSUM.start]).to_bytes(2)
        file.seek(0)
        file.write(frame)


def _crc16(data: bytes | bytearray) -> int:
    """CRC-16/ARC: polynomial 0x8005, lowest bit first, from 0."""
    remainder = 0
    for byte in data:
        remainder ^= byte
        for _ in range(8):
            remainder = remainder >> 1 ^ (0xA001 if remainder & 1 else 0)
    return remainder
