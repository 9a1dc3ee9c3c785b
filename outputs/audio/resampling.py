"""Brings regions of a recording to the sample rate of a file, so that they meet without a seam.

    joined   |──── region 1, ends in silence ────|─ region 2 ──
    output   |── 1 ────────────────────────|── 2 ──────────────    a region ends LEAD before its end

Sample k of a file lies at k * M / L samples of the recording, for rates of M : L. So n samples
become ceil(n * L / M). libsoxr's filter reaches some 130 samples to each side: what sounds before a
region has died away in the silence at its end, and what precedes a region's first sound is a part
of that region, which therefore begins a little earlier. Whole and in regions, samples differ only
by how the filter rounds them (below 1e-6).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import soxr

from audiomill.renderers.base import Samples

QUALITY = "VHQ"
LEAD = 256  # samples at the lower of both rates, in which the filter dies away: it reaches 130


@dataclass(frozen=True, slots=True)
class FileRates:
    """From the sample rate of joined audio to that of a file, in Hz."""

    joined: int
    file: int

    @property
    def lead(self) -> int:
        """How many joined samples before its start a region but the first begins in the file."""
        if self.joined == self.file:
            return 0
        return LEAD * math.ceil(self.joined / min(self.joined, self.file))

    def at_file(self, n_joined: int) -> int:
        """The first sample of the file that is not before this one of the joined audio."""
        return -(-n_joined * self.file // self.joined)


@dataclass(frozen=True, slots=True)
class RegionPlace:
    """Where a region lies in its recording: joined samples [start, start + n_samples)."""

    start: int
    n_samples: int
    is_first: bool = True
    is_last: bool = True

    def in_file(self, rates: FileRates) -> tuple[int, int]:
        """The region's samples [start, end) of the file."""
        start = 0 if self.is_first else self.start - rates.lead
        end = self.start + self.n_samples - (0 if self.is_last else rates.lead)
        return rates.at_file(start), rates.at_file(end)


def resampled(blocks: Iterable[Samples], place: RegionPlace, rates: FileRates) -> Iterator[Samples]:
    """The region's audio at the rate of the file: exactly the samples `place.in_file(rates)`.

    All regions but the first follow silence, and all but the last end in it.
    """
    if rates.joined == rates.file:
        yield from blocks
        return
    start, end = place.in_file(rates)
    # From a joined sample that falls on a sample of the file, and lies in the silence before.
    period = rates.joined // math.gcd(rates.joined, rates.file)
    lead = 0 if place.is_first else rates.lead
    n_before = (place.start - lead) % period + lead
    n_skipped = start - rates.at_file(place.start - n_before)
    wanted = end - start
    for block in _streamed(blocks, n_before, rates):
        kept = block[n_skipped : n_skipped + wanted]
        n_skipped, wanted = max(0, n_skipped - block.size), wanted - kept.size
        if kept.size:
            yield kept
    if wanted:  # the filter may end a sample early
        yield np.zeros(wanted, np.float32)


def _streamed(blocks: Iterable[Samples], n_before: int, rates: FileRates) -> Iterator[Samples]:
    """The blocks after `n_before` silent samples, at the rate of the file."""
    resampler: Any = soxr.ResampleStream(rates.joined, rates.file, 1, "float32", QUALITY)
    yield resampler.resample_chunk(np.zeros(n_before, np.float32))
    for block in blocks:
        yield resampler.resample_chunk(np.ascontiguousarray(block))
    yield resampler.resample_chunk(np.zeros(0, np.float32), last=True)
