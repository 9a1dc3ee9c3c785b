"""Encodes a file in regions: side by side, in any process, and cached for a run that goes on.

    regions ─▶ tasks ─┬─▶ cached before ────────────────┬─▶ encoded regions, in order ─▶ joined
                      └─▶ encoded in a child ─▶ cached ─┘

What is cached was encoded by an interrupted run, or by this one before all levels were known.

A format declares in `region_codecs.py` how its regions are made and joined.

A key covers all that decides the bytes, with the build of ffmpeg. What is cached is only a saving:
a file that is damaged, or that cannot be written, counts as none. Whoever makes the cache's folder
removes it once the files are finished.
"""

from __future__ import annotations

import hashlib
import io
import shutil
import zipfile
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar, Self

import numpy as np

from audiomill.outputs.audio.file_sound import FileRegion
from audiomill.outputs.audio.mastering import LevelMeter
from audiomill.outputs.audio.true_peak import true_peak_dbtp
from audiomill.outputs.ffmpeg.find_ffmpeg import ffmpeg_build
from audiomill.outputs.files import read_file, temporary_file
from audiomill.outputs.formats.thread_group import ThreadGroup
from audiomill.outputs.types import EncodedRegion, Levels, Loudness, OutputUnwritable
from audiomill.renderers.engine.protocol import Samples
from audiomill.renderers.host.child_process import CancellableIter
from audiomill.renderers.host.threads import map_in_order

VERSION = 3  # part of each region's key; raise it when mastering or encoding makes other packets
# Regions need as much space as the file itself: they are cached only where that is no matter.
LEAST_FREE_BYTES = 4 << 30
MAX_BYTES = 1 << 28  # of a region; five minutes of PCM have 14 to 58 MB
SHA256_BYTES, LENGTH_BYTES = 32, 8


@dataclass(frozen=True, slots=True)
class RegionCache:
    """Encoded regions in a folder, which need not be there, by their keys."""

    folder: Path

    def get(self, key: str) -> EncodedRegion | None:
        """The region of that key, if it is whole."""
        try:
            content = read_file(self._path(key), MAX_BYTES)
        except OSError:
            return None
        digest, packed = content[:SHA256_BYTES], content[SHA256_BYTES:]
        if hashlib.sha256(packed).digest() != digest:
            return None
        with suppress(ValueError, KeyError, OSError, zipfile.BadZipFile):
            return _unpacked(packed)
        return None

    def has(self, key: str) -> bool:
        """Whether there is a region of that key, which may be damaged."""
        return self._path(key).is_file()

    @property
    def is_there(self) -> bool:
        """Whether any region may be cached."""
        return self.folder.is_dir()

    def prepare(self) -> bool:
        """Make the folder; tell whether there is room for regions in it. Raises OSError."""
        self.folder.mkdir(parents=True, exist_ok=True)
        return shutil.disk_usage(self.folder).free >= LEAST_FREE_BYTES

    def put(self, key: str, region: EncodedRegion) -> None:
        """Cache a region, if there is much room for it."""
        with suppress(OSError, OutputUnwritable):
            if not self.prepare():
                return
            packed, path = _packed(region), self._path(key)
            with temporary_file(path) as temporary:
                temporary.write_bytes(hashlib.sha256(packed).digest() + packed)
                temporary.replace(path)

    def _path(self, key: str) -> Path:
        return self.folder / f"{key}.region"


def _packed(region: EncodedRegion) -> bytes:
    loudness = region.levels.loudness
    numbers = [loudness.sum_squares, loudness.sample_peak, region.levels.true_peak]
    buffer = io.BytesIO()
    np.savez(
        buffer,
        block_powers=loudness.block_powers,
        n_samples=np.int64(loudness.n_samples),
        numbers=np.array(numbers, np.float64),
    )
    levels = buffer.getvalue()
    return b"".join((len(levels).to_bytes(LENGTH_BYTES), levels, region.packets))


def _unpacked(packed: bytes) -> EncodedRegion:
    """Raises ValueError, KeyError, OSError, BadZipFile if it is not what `_packed` makes."""
    end = LENGTH_BYTES + int.from_bytes(packed[:LENGTH_BYTES])
    with np.load(io.BytesIO(packed[LENGTH_BYTES:end]), allow_pickle=False) as arrays:
        sum_squares, sample_peak, true_peak = arrays["numbers"].tolist()
        loudness = Loudness(
            arrays["block_powers"], int(arrays["n_samples"]), sum_squares, sample_peak
        )
    return EncodedRegion(packed[end:], Levels(loudness, true_peak))


@dataclass(frozen=True, slots=True)
class RegionSettings:
    """How to encode regions: an ffmpeg command for one, and the file named in errors.

    If no ffmpeg encodes them, the command has only its path.
    """

    command: list[str]
    path: Path
    corrects: bool = True  # a region over the ceiling is encoded once more


@dataclass(frozen=True, slots=True)
class RegionTask(ABC):
    """A region to encode. Picklable: children and workers of a cluster encode."""

    stays_here: ClassVar[bool] = False  # what it makes is too large for a network, or for a queue

    audio: FileRegion
    settings: RegionSettings

    @property
    def key(self) -> str:
        """A digest of all that decides its packets; "" if that of its audio is not known.

        Raises EncoderMissing.
        """
        executable, *options = self.settings.command
        audio = [(one.audio.key, one.place, one.sound) for one in (*self.preceding(), self.audio)]
        if not all(key for key, *_ in audio):
            return ""
        how = (VERSION, type(self).__name__, ffmpeg_build(executable), options)
        content = (*how, self.settings.corrects, audio, self.cuts())
        return hashlib.sha256(repr(content).encode()).hexdigest()

    def with_ffmpeg(self, executable: str) -> Self:
        """The same on a machine that has ffmpeg elsewhere."""
        command = [executable, *self.settings.command[1:]]
        return replace(self, settings=replace(self.settings, command=command))

    def mastered_as(self, audio: FileRegion) -> Self:
        """The same task with its audio mastered in another way."""
        return replace(self, audio=audio)

    def preceding(self) -> tuple[FileRegion, ...]:
        """The regions before it whose audio it reads, too."""
        return ()

    @abstractmethod
    def cuts(self) -> tuple[int | bool | None, ...]:
        """Where it begins and ends."""

    @abstractmethod
    def encoded(self, cancellable: CancellableIter) -> EncodedRegion:
        """Encode it. Raises EncoderFailed, OutputUnwritable, and what reading the audio raises."""


def encode_region(task: RegionTask, cancellable: CancellableIter) -> EncodedRegion:
    """Encode one region, in any process. Raises the same errors as `RegionTask.encoded`."""
    encoded = task.encoded(cancellable)
    master = task.audio.sound.master
    if master is None or not task.settings.corrects:
        return encoded
    corrected = master.with_lower_ceiling(true_peak_dbtp([encoded.levels.true_peak]))
    if corrected == master:
        return encoded
    return task.mastered_as(task.audio.mastered_as(corrected)).encoded(cancellable)


def encode_tasks(threads: ThreadGroup, tasks: Sequence[RegionTask]) -> Iterator[EncodedRegion]:
    """The encoded regions of the tasks, in order.

    Those that are cached, by this run or by an interrupted one, are not encoded again; if there are
    several, those that are not are cached. Raises the same errors as `RegionTask.encoded`.
    """
    cache = threads.region_cache
    if len(tasks) == 1 and cache and not cache.is_there:
        cache = None

    def encoded(task: RegionTask) -> EncodedRegion:
        n_samples, key = task.audio.audio.n_samples, task.key if cache else ""
        if cache and key and (result := cache.get(key)):
            threads.add_work(-n_samples)
            return result
        result = threads.do(encode_region, task)
        if cache and key and len(tasks) > 1:
            cache.put(key, result)
        threads.advance(n_samples)
        return result

    n_in_flight = threads.n_here + 1 if tasks[0].stays_here else 2 * threads.n
    return map_in_order(lambda task: threads.start(encoded, task), tasks, n_in_flight)


def cache_region(threads: ThreadGroup, task: RegionTask) -> None:
    """Encode a region into the cache, if it is not there. Raises as `RegionTask.encoded` does.

    One whose key is not known is left to `encode_tasks`.
    """
    cache, key = threads.region_cache, task.key
    if cache and key and not cache.has(key):
        cache.put(key, threads.do(encode_region, task))


def measured_part(
    blocks: Iterable[Samples], n_before: int, n_samples: int, sample_rate: int, channels: int
) -> Levels:
    """The levels of `n_samples` of a decoded stream, after `n_before`; of all channels.

    The blocks have interleaved channels. If the stream ends early, those that are there count.
    """
    meter = LevelMeter(sample_rate, channels)
    start = -n_before
    for block in blocks:
        samples = block.reshape(-1, channels)
        first, end = max(0, -start), min(len(samples), n_samples - start)
        if first < end:
            meter.add(samples[first:end])
        start += len(samples)
    return meter.measured()
