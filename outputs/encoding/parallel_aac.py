"""Encodes AAC in regions in parallel and joins the regions without a seam.

    samples    ▅▇▃ ─────── ▆▇▂▅ ─────── ▃▇▆ ─       ─ digital silence
    region 1   ▅▇▃ ──────┤                          frames up to the cut
    region 2           ├── ▆▇▂▅ ──────┤             starts MARGIN frames before its first sound
    region 3                        ├── ▃▇▆ ─

An AAC frame overlaps only its neighbours. So if a cut lies in the middle of silence, the frames on
both sides are empty whichever process encodes them, and the decoded regions meet sample by sample.
The cuts depend on the audio only: the same samples give the same bytes with any number of cores.

With room tone a cut lies in that noise: both encoders get the same of it, so that the error at the
seam is that of the codec. A region whose peaks are over the ceiling once they are encoded is
encoded again, with a lower ceiling for its limiter, unless all regions are corrected together.
Regions are encoded into FLV (`flv.py`).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise
from pathlib import Path

from audiomill.outputs.audio.mastering import MasterPlan
from audiomill.outputs.audio.true_peak import true_peak_dbtp
from audiomill.outputs.encoding.aac_levels import REACH_DB, AacStream, RegionLog
from audiomill.outputs.encoding.commands import encode_command
from audiomill.outputs.encoding.ffmpeg import Encoder
from audiomill.outputs.encoding.find_ffmpeg import ffmpeg_build
from audiomill.outputs.encoding.flv import FlvPackets
from audiomill.outputs.encoding.sound import FileRegion, to_pcm16
from audiomill.outputs.encoding.thread_group import ThreadGroup
from audiomill.outputs.formats import AAC_FRAME, Options
from audiomill.outputs.types import EncodedRegion
from audiomill.renderers.host.child_process import CancellableIter
from audiomill.renderers.host.threads import map_in_order

# Frames of silence on each side of a cut. The overlap needs one; the encoder looks ahead further.
MARGIN = 4
# Packets of a region with room tone that are dropped: the first one overlaps what was before, which
# an encoder that begins there has not seen, and the second one lets it settle.
N_SETTLING = 2
# Long enough that starting an encoder for each costs nothing, short enough to keep all cores busy.
REGION_S = 300.0
VERSION = 1  # part of each region's key; raise it when mastering or encoding makes other packets


@dataclass(frozen=True, slots=True)
class AacSettings:
    """How to encode regions: an ffmpeg command that writes FLV, and the file named in errors."""

    command: list[str]
    path: Path
    corrects: bool = True  # a region over the ceiling is encoded once more


@dataclass(frozen=True, slots=True)
class AacRegion:
    """A region to encode, with `n_before` samples of the quiet before it.

    `n_packets` is the number of packets to keep of both, after `n_skipped`; None for all.
    """

    audio: FileRegion
    n_before: int
    n_packets: int | None
    n_skipped: int
    is_first: bool
    settings: AacSettings

    @property
    def key(self) -> str:
        """A digest of all that decides its packets; "" if that of its audio is not known.

        Raises EncoderMissing.
        """
        executable, *options = self.settings.command
        audio, build = self.audio, ffmpeg_build(executable)
        if not audio.audio.key:
            return ""
        place = (audio.audio.key, audio.place, audio.sound)
        cuts = (self.n_before, self.n_packets, self.n_skipped, self.is_first)
        content = (VERSION, build, options, self.settings.corrects, place, cuts)
        return hashlib.sha256(repr(content).encode()).hexdigest()

    def with_ffmpeg(self, executable: str) -> AacRegion:
        """The same on a machine that has ffmpeg elsewhere."""
        command = [executable, *self.settings.command[1:]]
        return replace(self, settings=replace(self.settings, command=command))


def is_cut(n_samples: int, n_silent: int, sample_rate: int, file_rate: int | None = None) -> bool:
    """Whether a region of `n_samples`, the last `n_silent` of them silent, should end here.

    In a file of a lower rate than the audio has, silence has fewer frames.
    """
    n_at_file = n_silent * min(1.0, (file_rate or sample_rate) / sample_rate)
    is_silent = n_at_file >= (2 * MARGIN + 1) * AAC_FRAME
    return n_samples >= REGION_S * sample_rate and is_silent


def aac_settings(
    executable: str,
    sample_rate: int,
    channels: int,
    options: Options,
    path: Path,
    *,
    corrects: bool = True,
) -> AacSettings:
    """The settings to encode regions with the encoding options of a format."""
    # Not flushed per packet: each packet would wake the reading thread, which then waits for the
    # GIL.
    as_flv = {**dict(options), "format": "flv", "flush_packets": 0}
    command = encode_command(executable, sample_rate, "pipe:1", as_flv, channels=channels)
    return AacSettings(command, path, corrects)


def encode_regions(
    threads: ThreadGroup, regions: Sequence[FileRegion], settings: AacSettings
) -> Iterator[EncodedRegion]:
    """The regions, in order, as one stream of AAC in FLV for `mux_command`.

    The first packet is the encoder's priming. Regions that an interrupted run has kept are not
    encoded again. Raises EncoderFailed, OutputUnwritable, and whatever
    reading the regions raises.
    """
    kept = threads.kept_regions if len(regions) > 1 else None

    def encoded(region: AacRegion) -> EncodedRegion:
        n_samples, key = region.audio.audio.n_samples, region.key if kept else ""
        if kept and key and (result := kept.get(key)):
            threads.add_work(-n_samples)
            return result
        result = threads.do(encode_region, region)
        if kept and key:
            kept.put(key, result)
        threads.advance(n_samples)
        return result

    aac_regions = _aac_regions(regions, settings)
    return map_in_order(lambda region: threads.start(encoded, region), aac_regions, 2 * threads.n)


def encode_region(region: AacRegion, cancellable: CancellableIter) -> EncodedRegion:
    """Encode one region, in any process. Raises the same errors as `encode_regions`."""
    encoded = _encoded(region, cancellable)
    master = region.audio.sound.master
    if master is None or not region.settings.corrects:
        return encoded
    corrected = master.with_lower_ceiling(true_peak_dbtp([encoded.levels.true_peak]))
    if corrected == master:
        return encoded
    return _encoded(replace(region, audio=region.audio.mastered_as(corrected)), cancellable)


def _encoded(region: AacRegion, cancellable: CancellableIter) -> EncodedRegion:
    flv, settings, audio = bytearray(), region.settings, region.audio
    sound, before = audio.sound, audio.before(region.n_before)
    stream = AacStream(
        sound.rates.file,
        sound.channels,
        region.n_before,
        audio.n_samples,
        settings.command[0],
        settings.path.name,
    )
    log = RegionLog(stream)
    with Encoder(settings.command, settings.path, flv) as encoder:
        encoder.write(to_pcm16(before, sound.channels))
        log.add_before(before)
        for block in cancellable(audio.blocks()):
            encoder.write(to_pcm16(block, sound.channels))
            log.add(block)
    packets = FlvPackets(bytes(flv))
    levels = log.measured(packets, 10 ** (_lowest_dbtp(sound.master) / 20))
    kept = packets.kept(region.n_packets, with_head=region.is_first, n_skipped=region.n_skipped)
    return EncodedRegion(kept, levels)


def _lowest_dbtp(master: MasterPlan | None) -> float:
    """The peak from which a frame, once encoded, may be over the ceiling.

    By what the codec is expected to add, the limiter's ceiling is lower than that of the file.
    """
    return 0.0 if master is None or master.aim is None else master.ceiling_dbtp - REACH_DB


def _aac_regions(regions: Sequence[FileRegion], settings: AacSettings) -> Iterator[AacRegion]:
    """The regions, each extended to begin at the cut before it.

    A cut is the last frame boundary at least MARGIN frames before the end of a region.
    """
    ends = accumulate(region.n_samples for region in regions)
    cuts = [0, *(end - end % AAC_FRAME - MARGIN * AAC_FRAME for end in ends)]
    start = 0
    for index, (region, (cut, next_cut)) in enumerate(zip(regions, pairwise(cuts), strict=True)):
        is_last = index == len(regions) - 1
        n_packets = None if is_last else (next_cut - cut) // AAC_FRAME
        n_skipped = N_SETTLING if index and region.sound.tone_db is not None else 0
        n_before = start - cut + n_skipped * AAC_FRAME
        yield AacRegion(region, n_before, n_packets, n_skipped, index == 0, settings)
        start += region.n_samples
