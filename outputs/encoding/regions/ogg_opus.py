"""Streams of Opus in Ogg: their packets, and pages of packets.

    page 0       OpusHead
    page 1, …    OpusTags
    others       a second of packets each, with the number of samples up to their end (granule)

The samples count at 48 kHz, with those that a decoder drops at the start (pre-skip). The last page
may name fewer samples than its packets have, so that the sound ends where it should.

Sources: RFC 3533 (Ogg), RFC 7845 (Opus in Ogg). mutagen reads and writes single pages.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import Any, BinaryIO

from mutagen.ogg import OggPage

OPUS_HZ = 48_000  # Opus is decoded at this rate whatever it has encoded
PACKET_S = 0.02
PACKET_SAMPLES = round(PACKET_S * OPUS_HZ)
MAX_PAGE_PACKETS = 50  # a second, as ffmpeg does
MAX_PAGE_SEGMENTS = 255
_TAGS_NAME = b"OpusTags"
_PRE_SKIP = slice(10, 12)  # of OpusHead


@dataclass(frozen=True, slots=True)
class OpusHeaders:
    """The two packets before the sound."""

    head: bytes
    tags: bytes

    @property
    def pre_skip(self) -> int:
        """The samples at 48 kHz that a decoder drops at the start."""
        return int.from_bytes(self.head[_PRE_SKIP], "little")


def read_packets(file: BinaryIO) -> Iterator[bytes]:
    """All packets of a stream, the headers first. Raises mutagen's ogg.error, OSError."""
    page_type: Any = OggPage
    part = b""
    while True:
        try:
            page = page_type(file)
        except EOFError:
            return
        *whole, last = page.packets
        for packet in whole:
            yield part + packet
            part = b""
        part += last
        if page.complete:
            yield part
            part = b""


def opus_pages(headers: OpusHeaders, packets: Iterable[bytes], n_samples: int) -> Iterator[bytes]:
    """The pages of a whole stream, which decodes to `n_samples` at 48 kHz."""
    end = headers.pre_skip + n_samples
    yield _page(0, [headers.head], 0, first=True)
    tag_pages = _pages_of_one(headers.tags)
    yield from tag_pages
    number, granule = len(tag_pages), 0
    for page_packets, following in pairwise(chain(_grouped(packets), [None])):
        number += 1
        granule += PACKET_SAMPLES * len(page_packets or [])
        is_last = following is None
        yield _page(number, page_packets or [], end if is_last else granule, last=is_last)


def _pages_of_one(packet: bytes) -> list[bytes]:
    """The pages of a packet of text, from page 1 on."""
    page_type: Any = OggPage
    pages = page_type.from_packets([packet], sequence=1)
    for page in pages:
        page.position = 0 if page.complete else -1
    return [page.write() for page in pages]


def _page(
    number: int, packets: list[bytes], granule: int, *, first: bool = False, last: bool = False
) -> bytes:
    page: Any = OggPage()
    page.sequence, page.packets, page.position = number, packets, granule
    page.first, page.last = first, last
    return page.write()


def _grouped(packets: Iterable[bytes]) -> Iterator[list[bytes]]:
    """Packets in groups of a page each. A packet of n bytes has n // 255 + 1 segments."""
    group: list[bytes] = []
    n_segments = 0
    for packet in packets:
        n_own = len(packet) // 255 + 1
        if group and (len(group) == MAX_PAGE_PACKETS or n_segments + n_own > MAX_PAGE_SEGMENTS):
            yield group
            group, n_segments = [], 0
        group.append(packet)
        n_segments += n_own
    if group:
        yield group


def copied_opus(file: BinaryIO, n_samples: int) -> Iterator[bytes]:
    """The pages of a stream with the packets of another one, and with no tags but the encoder's.

    Raises mutagen's ogg.error, OSError.
    """
    packets = read_packets(file)
    head, tags = next(packets), next(packets)
    return opus_pages(OpusHeaders(head, _encoder_only(tags)), packets, n_samples)


def _encoder_only(tags: bytes) -> bytes:
    """OpusTags with its vendor, and of its comments only that of the encoder."""
    start = len(_TAGS_NAME)
    n_vendor = int.from_bytes(tags[start : start + 4], "little")
    vendor = tags[start : start + 4 + n_vendor]
    at = start + 4 + n_vendor + 4
    kept: list[bytes] = []
    for _ in range(int.from_bytes(tags[at - 4 : at], "little")):
        n_comment = int.from_bytes(tags[at : at + 4], "little")
        comment = tags[at : at + 4 + n_comment]
        if comment[4:].lower().startswith(b"encoder="):
            kept.append(comment)
        at += len(comment)
    return b"".join((_TAGS_NAME, vendor, len(kept).to_bytes(4, "little"), *kept))
