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

from outputs.commands import encode_command
from outputs.ffmpeg import Encoder
from outputs.flv import packets
from outputs.formats import AAC_FRAME, Options
from outputs.hands import Hands, in_order
from renderers.shard import Samples

MARGIN = 4  # frames of silence on each side of a cut; the overlap needs one, the encoder looks on
# Long enough that starting an encoder for it costs nothing, short enough to keep all cores busy.
PIECE_S = 300.0


@dataclass(frozen=True, slots=True)
class Stretch:
    """Some of a recording's audio in a row, to be had as often as it is asked for.

    All but the first have silence before them, as `is_cut` wants it.
    """

    n_samples: int
    blocks: Callable[[], Iterable[Samples]]


def is_cut(n_samples: int, n_silent: int, sample_rate: int) -> bool:
    """Whether a stretch of `n_samples`, the last `n_silent` of them silence, should end here."""
    return n_samples >= PIECE_S * sample_rate and n_silent >= (2 * MARGIN + 1) * AAC_FRAME


@dataclass(frozen=True, slots=True)
class _Piece:
    """A stretch, the silent samples before it, and how many packets come of both; None is all."""

    stretch: Stretch
    n_before: int
    n_packets: int | None
    is_first: bool


def encode_pieces(
    hands: Hands,
    executable: str,
    stretches: Sequence[Stretch],
    sample_rate: int,
    options: Options,
    path: Path,
) -> Iterator[bytes]:
    """The stretches as one stream of FLV in AAC, which `mux_command` takes; `path` is to blame.

    The first packet is the encoder's priming. Raises EncoderFailed, and whatever stretches raise.
    """
    # Written in blocks: for a packet each we would be woken, and wait for the other threads' lock.
    as_flv = {**dict(options), "format": "flv", "flush_packets": 0}
    command = encode_command(executable, sample_rate, "pipe:1", as_flv)

    def encoded(piece: _Piece) -> bytes:
        flv = bytearray()
        with Encoder(command, path, flv) as encoder:
            encoder.write(bytes(2 * piece.n_before))
            for block in hands.wanted(checked(piece.stretch)):
                encoder.write(to_pcm16(block))
        return packets(bytes(flv), piece.n_packets, with_head=piece.is_first)

    return in_order(lambda piece: hands.start(encoded, piece), _pieces(stretches), 2 * hands.n)


def _pieces(stretches: Sequence[Stretch]) -> Iterator[_Piece]:
    ends = accumulate(stretch.n_samples for stretch in stretches)
    cuts = [0, *(end - end % AAC_FRAME - MARGIN * AAC_FRAME for end in ends)]
    start = 0
    for index, (stretch, (cut, following)) in enumerate(
        zip(stretches, pairwise(cuts), strict=True)
    ):
        is_last = index == len(stretches) - 1
        n_packets = None if is_last else (following - cut) // AAC_FRAME
        yield _Piece(stretch, start - cut, n_packets, index == 0)
        start += stretch.n_samples


def checked(stretch: Stretch) -> Iterator[Samples]:
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
    scaled = np.rint(samples * np.float32(32768))
    return np.clip(scaled, -32768, 32767).astype("<i2").tobytes()
