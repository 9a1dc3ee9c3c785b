"""Encodes Opus in regions in parallel. Their packets are joined to one stream.

A packet is decoded with what the decoder remembers of the packets before: RFC 7845, 4.2, gives it
80 ms to forget another past. So a region's encoder starts with a pre-roll of the audio before,
whose packets are dropped, and both encoders hear the same around a join, which lies in a pause.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from audiomill.outputs.audio.file_sound import FileRegion
from audiomill.outputs.encoding.regions.ogg_opus import (
    OPUS_HZ,
    PACKET_S,
    OpusHeaders,
    opus_pages,
    read_packets,
)
from audiomill.outputs.encoding.regions.overlapping import (
    Overlap,
    OverlappingTask,
    overlapping_tasks,
)
from audiomill.outputs.encoding.regions.tasks import RegionSettings, encode_tasks
from audiomill.outputs.encoding.thread_group import ThreadGroup
from audiomill.outputs.types import EncodedRegion, Levels
from audiomill.renderers.host.child_process import CancellableIter

PRE_ROLL_PACKETS = 250  # 5 s, in which libopus finds out that it hears speech, and at which rate
PACKETS_AFTER = 4  # of a region follow its join, so that both encoders hear the same around it
N_HEADERS = 2


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


def opus_tasks(regions: Sequence[FileRegion], settings: RegionSettings) -> Iterator[OpusRegion]:
    """A task for each region."""
    packet = round(PACKET_S * regions[0].sound.rates.file)
    return overlapping_tasks(
        OpusRegion, regions, Overlap(packet, PACKETS_AFTER, PRE_ROLL_PACKETS), settings
    )


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
