"""AAC encoded in pieces side by side, and put together without a seam.

    samples   ▅▇▃ ─────── ▆▇▂▅ ─────── ▃▇▆ ─       ─ digital silence
    piece 1   ▅▇▃ ──────┤                          frames up to the cut
    piece 2           ├── ▆▇▂▅ ──────┤             begins MARGIN frames before its first sound
    piece 3                        ├── ▃▇▆ ─

An AAC frame overlaps its neighbours only. So where a piece is cut in the midst of silence, the
frames on both sides hold nothing, whoever encoded them, and the decoded pieces meet sample by
sample. Where the cuts are depends on the audio only: the same samples give the same bytes on a
machine with any number of cores.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from pathlib import Path

import numpy as np

from audiomill.outputs.audio.mastering import LevelMeter, metered
from audiomill.outputs.encoding.commands import encode_command
from audiomill.outputs.encoding.ffmpeg import Encoder
from audiomill.outputs.formats import AAC_FRAME, Options
from audiomill.outputs.types import Levels
from audiomill.renderers.base import Samples
from audiomill.renderers.host.child_process import CancellableIter
from audiomill.renderers.host.threads import ThreadGroup, map_in_order

# Packets out of FLV, the simplest container that keeps an AAC encoder's configuration.

_FIRST_TAG = 13
_TAG_HEAD = 11
_LENGTH = 4
_AUDIO = 8
_RAW_AAC = 1  # 0 is the configuration


def packets(flv: bytes, n_packets: int | None, *, with_head: bool) -> bytes:
    """The first `n_packets` audio packets as they stand (None: all), and what is before them.

    Times are those of `flv`. Raises ValueError if it holds fewer packets.
    """
    first, end, left = None, _FIRST_TAG, n_packets
    while end < len(flv) and left != 0:
        start, end = end, end + _TAG_HEAD + int.from_bytes(flv[end + 1 : end + 4]) + _LENGTH
        if flv[start] == _AUDIO and flv[start + _TAG_HEAD + 1] == _RAW_AAC:
            first = start if first is None else first
            left = None if left is None else left - 1
    if first is None or left or end > len(flv):
        raise ValueError(f"{len(flv)} bytes of FLV end too early, {left or 'all'} packets short")
    return flv[0 if with_head else first : end]


MARGIN = 4  # frames of silence on each side of a cut; the overlap needs one, the encoder looks on
# Long enough that starting an encoder for it costs nothing, short enough to keep all cores busy.
CHUNK_S = 300.0


@dataclass(frozen=True, slots=True)
class AudioChunk:
    """Some of a recording's audio in a row, to be had as often as it is asked for.

    All but the first have silence before them, as `is_cut` wants it. Pickled for the annex.
    """

    n_samples: int
    blocks: Callable[[], Iterable[Samples]]


def is_cut(n_samples: int, n_silent: int, sample_rate: int) -> bool:
    """Whether a stretch of `n_samples`, the last `n_silent` of them silence, should end here."""
    return n_samples >= CHUNK_S * sample_rate and n_silent >= (2 * MARGIN + 1) * AAC_FRAME


@dataclass(frozen=True, slots=True)
class AacSettings:
    """How stretches are encoded: a command whose output is FLV, and the file that is to blame."""

    command: list[str]
    path: Path
    sample_rate: int
    is_measured: bool


@dataclass(frozen=True, slots=True)
class AacChunk:
    """A stretch, the silent samples before it, and how many packets come of both; None is all."""

    stretch: AudioChunk
    n_before: int
    n_packets: int | None
    is_first: bool
    pressing: AacSettings


@dataclass(frozen=True, slots=True)
class EncodedChunk:
    """A piece's packets, and how its stretch measured if it was."""

    packets: bytes
    levels: tuple[Levels, ...]


def aac_settings(
    executable: str, sample_rate: int, options: Options, path: Path, *, is_measured: bool
) -> AacSettings:
    """How stretches are encoded with a format's options."""
    # Written in blocks: for a packet each we would be woken, and wait for the other threads' lock.
    as_flv = {**dict(options), "format": "flv", "flush_packets": 0}
    command = encode_command(executable, sample_rate, "pipe:1", as_flv)
    return AacSettings(command, path, sample_rate, is_measured)


def encode_chunks(
    hands: ThreadGroup, stretches: Sequence[AudioChunk], pressing: AacSettings
) -> Iterator[EncodedChunk]:
    """The stretches as one stream of FLV in AAC, which `mux_command` takes.

    The first packet is the encoder's priming. Raises EncoderFailed, and whatever stretches raise.
    """

    def encoded(piece: AacChunk) -> EncodedChunk:
        done = hands.do(encode_chunk, piece)
        hands.advance(piece.stretch.n_samples)
        return done

    pieces = _pieces(stretches, pressing)
    return map_in_order(lambda piece: hands.start(encoded, piece), pieces, 2 * hands.n)


def encode_chunk(piece: AacChunk, through: CancellableIter) -> EncodedChunk:
    """One of them. Raises as above."""
    flv, pressing = bytearray(), piece.pressing
    meters = (LevelMeter(pressing.sample_rate),) if pressing.is_measured else ()
    with Encoder(pressing.command, pressing.path, flv) as encoder:
        encoder.write(bytes(2 * piece.n_before))
        for block in through(metered(checked(piece.stretch), meters)):
            encoder.write(to_pcm16(block))
    found = packets(bytes(flv), piece.n_packets, with_head=piece.is_first)
    return EncodedChunk(found, tuple(meter.measured() for meter in meters))


def _pieces(stretches: Sequence[AudioChunk], pressing: AacSettings) -> Iterator[AacChunk]:
    ends = accumulate(stretch.n_samples for stretch in stretches)
    cuts = [0, *(end - end % AAC_FRAME - MARGIN * AAC_FRAME for end in ends)]
    start = 0
    for index, (stretch, (cut, following)) in enumerate(
        zip(stretches, pairwise(cuts), strict=True)
    ):
        is_last = index == len(stretches) - 1
        n_packets = None if is_last else (following - cut) // AAC_FRAME
        yield AacChunk(stretch, start - cut, n_packets, index == 0, pressing)
        start += stretch.n_samples


def checked(stretch: AudioChunk) -> Iterator[Samples]:
    """Its blocks. Raises ValueError if they are not as many samples as it says."""
    n_samples = 0
    for block in stretch.blocks():
        n_samples += block.size
        yield block
    if n_samples != stretch.n_samples:
        raise ValueError(f"a stretch of {stretch.n_samples} samples has {n_samples}")


def to_pcm16(samples: Samples) -> bytes:
    """Little-endian 16-bit samples, rounded to the nearest.

    Without dither: its noise would fill the pauses, where an encoder spends nothing on digital
    silence, and what rounding adds is far below what a lossy encoder does.
    """
    scaled = samples * np.float32(32768)
    return np.rint(scaled, out=scaled).clip(-32768, 32767, out=scaled).astype("<i2").tobytes()
