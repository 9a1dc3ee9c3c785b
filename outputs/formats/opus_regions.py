"""Opus in Ogg: encoded in regions in parallel, whose packets are joined to one stream of pages.

A packet is decoded with what the decoder remembers of the packets before: RFC 7845, 4.2, gives it
80 ms to forget another past. So a region's encoder starts with a pre-roll of the audio before,
whose packets are dropped, and both encoders hear the same around a join, which lies in a pause.

    page 0       OpusHead
    page 1, …    OpusTags
    others       a second of packets each, with the number of samples up to their end (granule)

The samples count at 48 kHz, with those that a decoder drops at the start (pre-skip). The last page
may name fewer samples than its packets have, so that the sound ends where it should.

Sources: RFC 3533 (Ogg), RFC 7845 (Opus in Ogg). mutagen reads and writes single pages.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice, pairwise
from typing import Any, BinaryIO

from mutagen.ogg import OggPage

from audiomill.outputs.audio.file_sound import FileRegion
from audiomill.outputs.formats.region_codecs import (
    Overlap,
    OverlappingTask,
    overlapping_tasks,
)
from audiomill.outputs.formats.region_tasks import RegionSettings, encode_tasks
from audiomill.outputs.formats.thread_group import ThreadGroup
from audiomill.outputs.types import EncodedRegion, Levels
from audiomill.renderers.host.child_process import CancellableIter

PRE_ROLL_PACKETS = 250  # 5 s, in which libopus finds out that it hears speech, and at which rate
PACKETS_AFTER = 4  # of a region follow its join, so that both encoders hear the same around it
N_HEADERS = 2
OPUS_HZ = 48_000  # Opus is decoded at this rate whatever it has encoded
PACKET_S = 0.02
PACKET_SAMPLES = round(PACKET_S * OPUS_HZ)
MAX_PAGE_PACKETS = 50  # a second, as ffmpeg does
MAX_PAGE_SEGMENTS = 255
_TAGS_NAME = b"OpusTags"
_PRE_SKIP = slice(10, 12)  # of OpusHead


@dataclass(frozen=True, slots=True)
class OpusRegion(OverlappingTask):
    """A region of Opus. What is encoded are pages of a stream with the region's packets only."""

    def encoded(self, cancellable: CancellableIter) -> EncodedRegion:
        """The headers, and the region's packets."""
        ogg = self.stream(cancellable)
        levels = self.levels(ogg, "ogg", OPUS_HZ)
        head, tags, *packets = read_packets(io.BytesIO(ogg))
        end = None if self.end is None else self.n_pre_roll + self.end - self.first
        own = packets[self.n_pre_roll : end]
        return EncodedRegion(b"".join(opus_pages(OpusHeaders(head, tags), own, 0)), levels)


def opus_tasks(regions: Iterable[FileRegion], settings: RegionSettings) -> Iterator[OpusRegion]:
    """A task for each region."""
    return overlapping_tasks(OpusRegion, regions, _overlap, settings)


def _overlap(file_rate: int) -> Overlap:
    return Overlap(round(PACKET_S * file_rate), PACKETS_AFTER, PRE_ROLL_PACKETS)


def joined_opus(
    threads: ThreadGroup,
    regions: Sequence[FileRegion],
    settings: RegionSettings,
    parts: list[Levels],
) -> Iterator[bytes]:
    """The pages of the file. Appends the regions' levels to `parts`."""
    encoded = encode_tasks(threads, list(opus_tasks(regions, settings)))
    packets = _packets(encoded, parts)
    headers = OpusHeaders(next(packets), next(packets))
    last = regions[-1]
    n_samples = (last.start + last.n_samples) * OPUS_HZ // last.sound.rates.file
    return opus_pages(headers, packets, n_samples)


def _packets(encoded: Iterable[EncodedRegion], parts: list[Levels]) -> Iterator[bytes]:
    """The headers of the first region, and the packets of all."""
    for index, region in enumerate(encoded):
        parts.append(region.levels)
        packets = read_packets(io.BytesIO(region.packets))
        yield from packets if index == 0 else islice(packets, N_HEADERS, None)


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
