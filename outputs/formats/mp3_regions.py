"""Encodes MP3 in regions that are joined to what one encoder would make of the whole file.

LAME remembers little: the last two granules, the gain of the last frames, how full the bit
reservoir is. From other states it reaches the same state within 25 frames (docs/design/levels.md).
So an encoder that starts with a pre-roll makes the same frames as one that has heard all of the
file. Where two regions meet, both have encoded the same frames: these are compared, and a region
whose encoder is not in the state of the one before it is encoded from the start of the file, in
which it must be.

Only ancillary data, which decoders do not use, may differ from those of one encoder.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from audiomill.outputs.audio.file_sound import FileRegion
from audiomill.outputs.formats.mp3_frames import contents, mp3_frames
from audiomill.outputs.formats.region_codecs import (
    Overlap,
    OverlappingTask,
    overlapping_tasks,
)
from audiomill.outputs.formats.region_tasks import (
    RegionSettings,
    encode_region,
    encode_tasks,
)
from audiomill.outputs.formats.thread_group import ThreadGroup
from audiomill.outputs.types import EncodedRegion, Levels
from audiomill.renderers.host.child_process import CancellableIter

PRE_ROLL_S = 10.0
# Frames that are compared: before a join, and after it, where main data may still be in frames
# before it. At the lowest bit rates these reach 17 frames back.
N_COMPARED = 24
N_RESERVOIR = 20  # frames whose bytes a frame's main data may use
N_LOOK_AHEAD = 8  # more than LAME hears ahead, so that the end of its input changes no frame
# In so many frames LAME pads as many with a byte as it does in each so many (at 44.1 kHz and its
# half and quarter; at other rates in none).
PADDING_PERIOD = 49
DECODER_DELAY = 1105  # samples by which LAME and a decoder delay the sound


@dataclass(frozen=True, slots=True)
class Mp3Region(OverlappingTask):
    """A region of MP3. What is encoded has more frames than the region, at both ends."""

    @property
    def n_head(self) -> int:
        """The frames before the region's first in what is encoded."""
        return min(self.n_pre_roll, N_COMPARED + N_RESERVOIR)

    def encoded(self, cancellable: CancellableIter) -> EncodedRegion:
        """Its frames, after those before and before those after that are compared."""
        mp3, n_skipped = self.stream(cancellable), self.n_pre_roll
        levels = self.levels(mp3, "mp3", self.audio.sound.rates.file, DECODER_DELAY)
        frames = mp3_frames(mp3)
        end = None if self.end is None else n_skipped + self.end - self.first + N_COMPARED
        return EncodedRegion(b"".join(frames[n_skipped - self.n_head : end]), levels)


def mp3_tasks(regions: Iterable[FileRegion], settings: RegionSettings) -> Iterator[Mp3Region]:
    """A task for each region."""
    return overlapping_tasks(Mp3Region, regions, _overlap, settings)


def _overlap(file_rate: int) -> Overlap:
    frame = samples_of_frame(file_rate)
    n_pre_roll = N_COMPARED + N_RESERVOIR + round(PRE_ROLL_S * file_rate / frame)
    return Overlap(frame, N_COMPARED + N_LOOK_AHEAD, n_pre_roll, PADDING_PERIOD)


def joined_mp3(
    threads: ThreadGroup,
    regions: Sequence[FileRegion],
    settings: RegionSettings,
    parts: list[Levels],
) -> Iterator[bytes]:
    """The frames of the file, region by region. Appends the regions' levels to `parts`."""
    tasks = list(mp3_tasks(regions, settings))
    n_before, tail = 0, list[bytes]()
    encoded = encode_tasks(threads, tasks)
    for index, (task, region) in enumerate(zip(tasks, encoded, strict=True)):
        head, own, following = _split(task, region)
        if tail and not _meet(tail, [*head, *own, *following], n_before, len(head)):
            task = replace(task, before=tuple(regions[:index]), start=0)
            region = threads.do(encode_region, task)
            head, own, following = _split(task, region)
        parts.append(region.levels)
        yield b"".join(own)
        n_kept = N_COMPARED + N_RESERVOIR
        last = [*head, *own][-n_kept:]
        n_before, tail = len(last), [*last, *following]


def samples_of_frame(sample_rate: int) -> int:
    """The length of a frame at that rate."""
    return 1152 if sample_rate >= 32_000 else 576


def _split(task: Mp3Region, region: EncodedRegion) -> tuple[list[bytes], list[bytes], list[bytes]]:
    """The frames before the task's own, its own, and those after."""
    frames = mp3_frames(region.packets)
    first = task.n_head
    end = None if task.end is None else first + task.end - task.first
    return frames[:first], frames[first:end], [] if end is None else frames[end:]


def _meet(before: list[bytes], after: list[bytes], n_before: int, n_head: int) -> bool:
    """Whether frames around a join are the same in both streams, which have so many before it."""
    n = min(n_before, n_head, N_COMPARED)
    own = contents(before, n_before - n, n_before + N_COMPARED)
    others = contents(after[: n_head + N_COMPARED], n_head - n, n_head + N_COMPARED)
    n_both = min(len(own), len(others))
    return own[:n_both] == others[:n_both]
