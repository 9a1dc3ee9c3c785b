"""Samples into ffmpegs: in how many passes, and which formats are fed together. Knows no tags.

stretches ─┬─▶ ffmpeg ─┐
           ├─▶ ffmpeg ─┼▶ muxer ─▶ M4B, M4A
           ├─▶ ffmpeg ─┘
           └─▶ ffmpeg, all of them in a row ─▶ MP3, FLAC, Opus
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from outputs.chapter import Levels
from outputs.ffmpeg import Encoder
from outputs.formats import FORMATS, Format, Options
from outputs.hands import Commission, Hands
from outputs.levels import LevelMeter, heard
from outputs.pieces import (
    EncodedPiece,
    Stretch,
    checked,
    encode_pieces,
    pressing_for,
    to_pcm16,
)


@dataclass(frozen=True, slots=True)
class Part:
    """A file while it is made, what it will be, and ffmpeg's command that writes it."""

    path: Path
    final: Path
    kind: Format
    command: list[str]


def n_passes(formats: Iterable[str]) -> int:
    """How often `encode` asks for all of the audio to make files of these formats."""
    return len({_pass_of(FORMATS[name]) for name in formats})


def _pass_of(kind: Format) -> Options:
    """What the formats that are fed together have in common; () for those in a single piece."""
    return kind.encoding if kind.is_piecewise else ()


def fill(
    parts: Sequence[Part],
    executable: str,
    stretches: Sequence[Stretch],
    sample_rate: int,
    commission: Commission | None,
) -> tuple[Levels, ...]:
    """Encode the stretches into all parts at once; one of the passes measures them."""
    passes: dict[Options, list[Part]] = {}
    for part in parts:
        passes.setdefault(_pass_of(part.kind), []).append(part)
    in_one_pass = passes.pop((), [])
    # The first pass by pieces measures; where there is none, the one over the whole.
    measuring = next(iter(passes), None)
    meters = [] if passes else [LevelMeter(sample_rate)]
    levels: list[Levels] = []
    with Hands(commission) as hands:
        whole = hands.start(_in_one_pass, hands, in_one_pass, stretches, meters)
        for encoding, alike in passes.items():
            is_measured, path = encoding == measuring, alike[0].final
            how = pressing_for(executable, sample_rate, encoding, path, is_measured=is_measured)
            _write(_packets(encode_pieces(hands, stretches, how), levels), alike)
        whole.result()
    return (*levels, *(meter.measured() for meter in meters))


def _packets(pieces: Iterable[EncodedPiece], levels: list[Levels]) -> Iterator[bytes]:
    """The pieces' packets; how they measured is added to `levels`."""
    for piece in pieces:
        levels.extend(piece.levels)
        yield piece.packets


def _in_one_pass(
    hands: Hands,
    parts: Sequence[Part],
    stretches: Sequence[Stretch],
    meters: Sequence[LevelMeter],
) -> None:
    """Encode into parts of formats that cannot be put together from pieces."""
    blocks = chain.from_iterable(checked(stretch) for stretch in stretches)

    def pcm() -> Iterator[bytes]:
        for block in hands.wanted(heard(blocks, meters)):
            yield to_pcm16(block)
            hands.passed(block.size)

    if parts:
        _write(pcm(), parts)


def _write(stream: Iterable[bytes], parts: Sequence[Part]) -> None:
    """Give all of `stream` to every part's ffmpeg."""
    with ExitStack() as stack:
        encoders = [stack.enter_context(Encoder(part.command, part.final)) for part in parts]
        for data in stream:
            for encoder in encoders:
                encoder.write(data)
        for encoder in encoders:  # all finish at the same time, not one after the other
            encoder.close()
