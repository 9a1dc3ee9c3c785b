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

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from audiomill.outputs.audio.file_sound import FileRegion, to_pcm16
from audiomill.outputs.audio.mastering import MasterPlan
from audiomill.outputs.ffmpeg.ffmpeg import Encoder
from audiomill.outputs.ffmpeg.flv import AAC_FRAME, FlvPackets
from audiomill.outputs.formats.aac_levels import REACH_DB, AacStream, RegionLog
from audiomill.outputs.formats.region_ends import MARGIN
from audiomill.outputs.formats.region_tasks import RegionSettings, RegionTask
from audiomill.outputs.types import EncodedRegion
from audiomill.renderers.host.child_process import CancellableIter

# Packets of a region with room tone that are dropped: the first one overlaps what was before, which
# an encoder that begins there has not seen, and the second one lets it settle.
N_SETTLING = 2


@dataclass(frozen=True, slots=True)
class AacRegion(RegionTask):
    """A region to encode, with `n_before` samples of the quiet before it.

    `n_packets` is the number of packets to keep of both, after `n_skipped`; None for all.
    """

    n_before: int
    n_packets: int | None
    n_skipped: int
    is_first: bool

    def cuts(self) -> tuple[int | bool | None, ...]:
        """The numbers of samples and packets, and whether it is the first."""
        return self.n_before, self.n_packets, self.n_skipped, self.is_first

    def encoded(self, cancellable: CancellableIter) -> EncodedRegion:
        """Its packets in FLV; of the first region, with what precedes them."""
        flv, settings, audio = bytearray(), self.settings, self.audio
        sound, before = audio.sound, audio.before(self.n_before)
        stream = AacStream(
            sound.rates.file,
            sound.channels,
            self.n_before,
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
        kept = packets.kept(self.n_packets, with_head=self.is_first, n_skipped=self.n_skipped)
        return EncodedRegion(kept, levels)


def _lowest_dbtp(master: MasterPlan | None) -> float:
    """The peak from which a frame, once encoded, may be over the ceiling.

    By what the codec is expected to add, the limiter's ceiling is lower than that of the file.
    """
    return 0.0 if master is None or master.aim is None else master.ceiling_dbtp - REACH_DB


def aac_tasks(regions: Iterable[FileRegion], settings: RegionSettings) -> Iterator[AacRegion]:
    """The regions, each extended to begin at the cut before it.

    A cut is the last frame boundary at least MARGIN frames before the end of a region. Put together
    they are a stream of AAC in FLV for `mux_command`, whose first packet is the encoder's priming.
    """
    start = cut = 0
    for index, region in enumerate(regions):
        end = start + region.n_samples
        next_cut = end - end % AAC_FRAME - MARGIN * AAC_FRAME
        n_packets = None if region.place.is_last else (next_cut - cut) // AAC_FRAME
        n_skipped = N_SETTLING if index and region.sound.tone_db is not None else 0
        n_before = start - cut + n_skipped * AAC_FRAME
        yield AacRegion(region, settings, n_before, n_packets, n_skipped, index == 0)
        start, cut = end, next_cut
