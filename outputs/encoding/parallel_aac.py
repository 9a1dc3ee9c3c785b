"""Encodes AAC in regions in parallel and joins the regions without a seam.

    samples    ▅▇▃ ─────── ▆▇▂▅ ─────── ▃▇▆ ─       ─ digital silence
    region 1   ▅▇▃ ──────┤                          frames up to the cut
    region 2           ├── ▆▇▂▅ ──────┤             starts MARGIN frames before its first sound
    region 3                        ├── ▃▇▆ ─

An AAC frame overlaps only its neighbours. So if a cut lies in the middle of silence, the frames on
both sides are empty whichever process encodes them, and the decoded regions meet sample by sample.
The cuts depend on the audio only: the same samples give the same bytes with any number of cores.

Regions are encoded into FLV, the simplest container that keeps an AAC encoder's configuration.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise
from pathlib import Path

import numpy as np

from audiomill.outputs.audio.mastering import LevelMeter, metered
from audiomill.outputs.encoding.commands import encode_command
from audiomill.outputs.encoding.ffmpeg import Encoder
from audiomill.outputs.encoding.thread_group import ThreadGroup
from audiomill.outputs.formats import AAC_FRAME, Options
from audiomill.outputs.types import Levels
from audiomill.renderers.base import Samples
from audiomill.renderers.host.child_process import CancellableIter
from audiomill.renderers.host.threads import map_in_order

# Frames of silence on each side of a cut. The overlap needs one; the encoder looks ahead further.
MARGIN = 4
# Long enough that starting an encoder for each costs nothing, short enough to keep all cores busy.
REGION_S = 300.0

# FLV: a file header with the first back pointer; then tags, each a head, a body of the length in
# bytes 1 to 3 of the head, and a back pointer. An audio body starts with a byte for the codec and
# one for the packet type.
_FILE_HEADER = 13
_TAG_HEAD = 11
_BACK_POINTER = 4
_AUDIO = 8
_RAW_AAC = 1  # packet type; 0 is the configuration


@dataclass(frozen=True, slots=True)
class AudioRegion:
    """Consecutive audio of an output, which can be read repeatedly.

    Every region but the first follows silence, as `is_cut` requires. Picklable: children encode.
    """

    n_samples: int
    blocks: Callable[[], Iterable[Samples]]


@dataclass(frozen=True, slots=True)
class AacSettings:
    """How to encode regions: an ffmpeg command that writes FLV, and the file named in errors."""

    command: list[str]
    path: Path
    sample_rate: int
    is_measured: bool


@dataclass(frozen=True, slots=True)
class AacRegion:
    """A region to encode, with `n_before` silent samples before it.

    `n_packets` is the number of packets to keep of both; None for all.
    """

    audio: AudioRegion
    n_before: int
    n_packets: int | None
    is_first: bool
    settings: AacSettings

    def with_ffmpeg(self, executable: str) -> AacRegion:
        """The same on a machine that has ffmpeg elsewhere."""
        command = [executable, *self.settings.command[1:]]
        return replace(self, settings=replace(self.settings, command=command))


@dataclass(frozen=True, slots=True)
class EncodedRegion:
    """A region's packets, and its levels if it was measured."""

    packets: bytes
    levels: tuple[Levels, ...]


def is_cut(n_samples: int, n_silent: int, sample_rate: int) -> bool:
    """Whether a region of `n_samples`, the last `n_silent` of them silent, should end here."""
    return n_samples >= REGION_S * sample_rate and n_silent >= (2 * MARGIN + 1) * AAC_FRAME


def aac_settings(
    executable: str, sample_rate: int, options: Options, path: Path, *, is_measured: bool
) -> AacSettings:
    """The settings to encode regions with the encoding options of a format."""
    # Not flushed per packet: each packet would wake the reading thread, which then waits for the
    # GIL.
    as_flv = {**dict(options), "format": "flv", "flush_packets": 0}
    command = encode_command(executable, sample_rate, "pipe:1", as_flv)
    return AacSettings(command, path, sample_rate, is_measured)


def encode_regions(
    threads: ThreadGroup, regions: Sequence[AudioRegion], settings: AacSettings
) -> Iterator[EncodedRegion]:
    """The regions, in order, as one stream of AAC in FLV for `mux_command`.

    The first packet is the encoder's priming. Raises EncoderFailed, OutputUnwritable, and whatever
    reading the regions raises.
    """

    def encoded(region: AacRegion) -> EncodedRegion:
        result = threads.do(encode_region, region)
        threads.advance(region.audio.n_samples)
        return result

    aac_regions = _aac_regions(regions, settings)
    return map_in_order(lambda region: threads.start(encoded, region), aac_regions, 2 * threads.n)


def encode_region(region: AacRegion, cancellable: CancellableIter) -> EncodedRegion:
    """Encode one region, in any process. Raises the same errors as `encode_regions`."""
    flv, settings = bytearray(), region.settings
    meters = (LevelMeter(settings.sample_rate),) if settings.is_measured else ()
    with Encoder(settings.command, settings.path, flv) as encoder:
        encoder.write(bytes(2 * region.n_before))
        for block in cancellable(metered(checked(region.audio), meters)):
            encoder.write(to_pcm16(block))
    kept = packets(bytes(flv), region.n_packets, with_head=region.is_first)
    return EncodedRegion(kept, tuple(meter.measured() for meter in meters))


def checked(region: AudioRegion) -> Iterator[Samples]:
    """The region's blocks. Raises ValueError if they do not add up to `n_samples`."""
    n_samples = 0
    for block in region.blocks():
        n_samples += block.size
        yield block
    if n_samples != region.n_samples:
        raise ValueError(f"a region of {region.n_samples} samples has {n_samples}")


def to_pcm16(samples: Samples) -> bytes:
    """Little-endian 16-bit samples, rounded to the nearest level.

    Without dither: it would fill the pauses with noise, where an encoder spends nothing on digital
    silence, and rounding adds far less noise than a lossy encoder.
    """
    scaled = samples * np.float32(32768)
    return np.rint(scaled, out=scaled).clip(-32768, 32767, out=scaled).astype("<i2").tobytes()


def packets(flv: bytes, n_packets: int | None, *, with_head: bool) -> bytes:
    """The FLV tags of the first `n_packets` audio packets (None: all).

    `with_head` includes everything before the first packet. Timestamps stay as they are. Raises
    ValueError if there are fewer packets.
    """
    first, end, n_left = None, _FILE_HEADER, n_packets
    while end < len(flv) and n_left != 0:
        start, end = end, end + _TAG_HEAD + int.from_bytes(flv[end + 1 : end + 4]) + _BACK_POINTER
        if flv[start] == _AUDIO and flv[start + _TAG_HEAD + 1] == _RAW_AAC:
            first = start if first is None else first
            n_left = None if n_left is None else n_left - 1
    if first is None or n_left or end > len(flv):
        raise ValueError(f"{len(flv)} bytes of FLV end too early, {n_left or 'all'} packets short")
    return flv[0 if with_head else first : end]


def _aac_regions(regions: Sequence[AudioRegion], settings: AacSettings) -> Iterator[AacRegion]:
    """The regions, each extended to begin at the cut before it.

    A cut is the last frame boundary at least MARGIN frames before the end of a region.
    """
    ends = accumulate(region.n_samples for region in regions)
    cuts = [0, *(end - end % AAC_FRAME - MARGIN * AAC_FRAME for end in ends)]
    start = 0
    for index, (region, (cut, next_cut)) in enumerate(zip(regions, pairwise(cuts), strict=True)):
        is_last = index == len(regions) - 1
        n_packets = None if is_last else (next_cut - cut) // AAC_FRAME
        yield AacRegion(region, start - cut, n_packets, index == 0, settings)
        start += region.n_samples
