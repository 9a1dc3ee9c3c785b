"""An MP3's ID3v2.4 frames: tags, cover, chapters (ID3v2 Chapter Frame Addendum 1.0)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from mutagen import id3
from mutagen.id3 import CTOCFlags, Encoding, PictureType

from inputs.book import Cover
from outputs.marks import Mark, milliseconds
from outputs.tags import Tags, three_letters

MAX_CHILDREN = 255  # a table of contents counts its entries in one byte
_NO_OFFSET = 0xFFFFFFFF  # players go by the times, not by byte positions
_UTF8 = Encoding.UTF8


def id3_frames(
    tags: Tags, marks: Sequence[Mark], sample_rate: int, cover: Cover | None
) -> Iterator[id3.Frame]:
    """All frames of the tag; marks are in samples of `sample_rate`."""
    yield from _texts(tags)
    if tags.description:
        language = three_letters(tags.language)
        yield id3.COMM(_UTF8, lang=language, desc="", text=[tags.description])
    if cover is not None:
        yield id3.APIC(_UTF8, cover.media_type, PictureType.COVER_FRONT, "", cover.data)
    if marks:
        yield from _chapters(marks, sample_rate)
        yield from _contents([f"ch{number}" for number in range(len(marks))])


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
        (id3.TPOS, _of(tags.disc, tags.n_discs)),
    )
    yield from (frame(_UTF8, text=[text]) for frame, text in fields if text)
    extras = {
        "NARRATOR": tags.narrator,
        "SERIES": tags.series,
        "SERIES-PART": tags.series_part,
        "IDENTIFIER": tags.identifier,
    }
    yield from (id3.TXXX(_UTF8, desc=name, text=[text]) for name, text in extras.items() if text)


def _of(number: int, total: int) -> str:
    if not number:
        return ""
    return f"{number}/{total}" if total else str(number)


def _chapters(marks: Sequence[Mark], sample_rate: int) -> Iterator[id3.Frame]:
    for number, mark in enumerate(marks):
        yield id3.CHAP(
            element_id=f"ch{number}",
            start_time=milliseconds(mark.start, sample_rate),
            end_time=milliseconds(mark.end, sample_rate),
            start_offset=_NO_OFFSET,
            end_offset=_NO_OFFSET,
            sub_frames=[id3.TIT2(_UTF8, text=[mark.title])],
        )


def _contents(children: list[str]) -> Iterator[id3.Frame]:
    """One table of contents; where it cannot hold so many, one of several of them."""
    parts: list[str] = []
    while len(children) > MAX_CHILDREN:
        groups = [children[i : i + MAX_CHILDREN] for i in range(0, len(children), MAX_CHILDREN)]
        names = [f"toc{len(parts) + number + 1}" for number in range(len(groups))]
        yield from map(_table, names, groups)
        parts += names
        children = names
    yield _table("toc", children, CTOCFlags.TOP_LEVEL)


def _table(name: str, children: list[str], flags: int = 0) -> id3.Frame:
    return id3.CTOC(
        element_id=name,
        flags=CTOCFlags.ORDERED | flags,
        child_element_ids=children,
        sub_frames=[],
    )
