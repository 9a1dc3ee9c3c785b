"""Pieces of music: loaded, mono, at the engine's sample rate, and mixed with the voice.

ffmpeg decodes and resamples: pydub needs ffprobe to open an MP3, and its resampling has no filter
against aliasing. pydub has the decoded piece then, which it trims and cuts. Mixing knows positions
and samples, not chapters or levels.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from audiomill.inputs.files import require_regular
from audiomill.outputs.audio.loudness import LoudnessMeter, integrated_lufs
from audiomill.outputs.audio.music import MAX_BYTES, Music, MusicUse
from audiomill.outputs.ffmpeg.decoding import decode
from audiomill.outputs.types import EncoderFailed
from audiomill.renderers.engine.protocol import Samples

MAX_PIECE_S = 300.0
MAX_STING_S = 20.0
SILENT_DB = -60.0  # relative to the loudest sample: what is softer at the ends is no music
_FRAME_MS = 10
# A piece is longer than what is played of it by this, so that it is known to be cut.
_BEYOND_S = 1.0


class MusicInvalid(Exception):
    """A piece cannot be played. The message names the file, the reason, and what to do."""


def load_music(music: Music, sample_rate: int) -> dict[MusicUse, Samples]:
    """The audible part of each piece, float32 [n_samples]. Raises MusicInvalid, EncoderMissing."""
    return {use: load_piece(music, use, sample_rate) for use in music.files}


def load_piece(music: Music, use: MusicUse, sample_rate: int) -> Samples:
    """The audible part of one piece, float32 [n_samples]. Raises MusicInvalid, EncoderMissing."""
    path = music.files[use]
    longest_s = MAX_STING_S if use == "sting" else MAX_PIECE_S
    decoded = _decoded(path, sample_rate, longest_s)
    if not math.isfinite(lufs(decoded, sample_rate)):
        raise MusicInvalid(f"{path} is silent. Choose another piece.")
    return _trimmed(decoded, sample_rate, _played_s(music, use))


def lufs(samples: Samples, sample_rate: int) -> float:
    """The gated loudness of samples; -inf of silence."""
    meter = LoudnessMeter(sample_rate)
    meter.add(samples)
    return integrated_lufs([meter.measured()])


def _played_s(music: Music, use: MusicUse) -> float:
    match use:
        case "intro":
            return music.intro_alone_s + music.intro_under_voice_s + _BEYOND_S
        case "outro":
            return music.outro_under_voice_s + music.outro_alone_s + _BEYOND_S
        case "sting":
            return MAX_STING_S


def _decoded(path: Path, sample_rate: int, longest_s: float) -> Samples:
    """The whole file, with peaks of 1 at most. Raises MusicInvalid, EncoderMissing."""
    try:
        require_regular(path, MAX_BYTES)
        blocks = list(decode(path, sample_rate=sample_rate, max_s=longest_s + 1))
    except EncoderFailed as error:
        raise MusicInvalid(f"{path} is no audio that can be read. {error}") from error
    except OSError as error:
        raise MusicInvalid(f"{path} cannot be read ({error.strerror or error}).") from error
    samples = np.concatenate([np.zeros(0, np.float32), *blocks])
    if samples.size > longest_s * sample_rate:
        raise MusicInvalid(f"{path} is longer than {longest_s:g} s. Take a shorter cut.")
    return samples / max(1.0, float(np.abs(samples).max(initial=0.0)))


def _trimmed(samples: Samples, sample_rate: int, played_s: float) -> Samples:
    """The piece without silence at its ends, `played_s` at most."""
    piece, silence = _segment(samples, sample_rate)
    threshold = piece.max_dBFS + SILENT_DB
    first_ms = silence.detect_leading_silence(piece, threshold, _FRAME_MS)
    piece = piece[first_ms:]
    last_ms = silence.detect_leading_silence(piece.reverse(), threshold, _FRAME_MS)
    piece = piece[: len(piece) - last_ms][: round(1000 * played_s)]
    return (np.frombuffer(piece.raw_data, "<i4") / 2.0**31).astype(np.float32)


def _segment(samples: Samples, sample_rate: int) -> tuple[Any, Any]:
    """(the samples as pydub's segment of 32 bits, pydub's module for silence)."""
    with warnings.catch_warnings():
        # It looks for an ffmpeg that we do not use, in modules that later Pythons lack.
        warnings.simplefilter("ignore")
        from pydub import AudioSegment, silence
    scaled = np.clip(samples.astype(np.float64) * 2.0**31, -(2.0**31), 2.0**31 - 1)
    data = np.rint(scaled).astype("<i4").tobytes()
    segment = AudioSegment(data=data, sample_width=4, frame_rate=sample_rate, channels=1)
    return segment, silence


@dataclass(frozen=True, slots=True, eq=False)
class PlacedMusic:
    """A piece as it sounds, float32 [n_samples] from sample `start` of a recording on."""

    use: MusicUse
    start: int
    samples: Samples

    @property
    def end(self) -> int:
        """The sample after its last one."""
        return self.start + self.samples.size


def mix(blocks: Iterable[Samples], pieces: Sequence[PlacedMusic]) -> Iterator[Samples]:
    """The blocks with the pieces added; where no piece sounds, they pass unchanged."""
    at = 0
    for block in blocks:
        yield _mixed(block, at, pieces)
        at += block.size


def pieces_between(pieces: Iterable[PlacedMusic], start: int, end: int) -> tuple[PlacedMusic, ...]:
    """The parts of the pieces in samples [start, end), placed relative to `start`."""
    return tuple(
        replace(
            piece,
            start=max(piece.start - start, 0),
            samples=piece.samples[max(start - piece.start, 0) : end - piece.start],
        )
        for piece in pieces
        if piece.start < end and start < piece.end
    )


def _mixed(block: Samples, at: int, pieces: Sequence[PlacedMusic]) -> Samples:
    parts = pieces_between(pieces, at, at + block.size)
    if not parts:
        return block
    mixed = block.copy()
    for part in parts:
        mixed[part.start : part.end] += part.samples
    return mixed
