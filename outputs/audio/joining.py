"""Joins shards and pauses into one continuous waveform. Knows nothing about files or loudness.

    shard A, trimmed       pause        shard B, trimmed      shard C, trimmed   pause
    ▁▃▆█▇▅▆▇▅▃▁ ─────────────────── ▁▃▅▇█▆▅▃╲╱▂▄▆█▇▅▃▁ ───────────
      fade in   fade out          fade in   crossfade (no pause between B and C)

A shard of several sentences is joined in pieces, one for each, so that the pause between two
sentences is the same whether an engine has spoken them together or not. Where its voice runs on
from one sentence into the next, they stay one piece (`trimming.py`). A pause is as long from the
last sound before it to the first after it: the quiet that trimming keeps counts as a part.

Joining changes a piece only within 20 ms of its ends; the rest passes through bit for bit.
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from audiomill.outputs.audio.loudness import LoudnessMeter
from audiomill.outputs.audio.trimming import Break, voiced_pieces, without_dc
from audiomill.outputs.types import Cue, MeasuredChapter
from audiomill.renderers.engine.protocol import Samples
from audiomill.renderers.takes.traits import ShardTraits, measured_traits

FADE_S = 0.005  # next to silence: too short to be heard as a fade, too long to click
CROSSFADE_S = 0.020  # between shards without a pause: about two periods of a low voice
# What every piece has before its voice, for the length of a pause: half of what it may have.
QUIET_BEFORE_S = 0.030
# Two shards nearly in antiphase cancel. Full compensation would amplify the remainder too much.
MIN_CORRELATION = -0.75


@dataclass(frozen=True, slots=True)
class Clip:
    """One shard as it came from the store, and the silence that follows it."""

    segment_id: str
    samples: Samples
    pause_after_s: float  # 0 where the voice continues in the next clip
    breaks: tuple[Break, ...] = ()  # between its sentences, in order
    last_word_s: tuple[float, float] | None = None  # when it begins and ends, if that is known
    digest: str = ""  # of the shard as it was read


@dataclass(frozen=True, slots=True)
class Joined:
    """The next samples of the chapter, and the cue of the piece that begins in them."""

    samples: Samples
    cue: Cue | None
    ends_clip: bool = False  # it is the last piece of its clip


@dataclass(frozen=True, slots=True)
class _TrimmedPiece:
    segment_id: str
    samples: Samples
    n_trimmed: int  # samples of the shard before it
    n_wanted: int  # samples of pause after it; 0 where the voice continues
    n_pause: int  # of them, to be added as digital silence
    n_lacking: int  # samples of quiet before the voice that the piece should have and has not
    n_quiet_after: int  # of its samples, after the voice
    ends_clip: bool


def measure_joined(
    title: str, level: int, clips: Iterable[Clip], sample_rate: int, *, lead_s: float = 0.0
) -> MeasuredChapter:
    """Join the clips and return what is measured of the chapter and its clips, without samples."""
    meter = LoudnessMeter(sample_rate)
    cues: list[Cue] = []
    traits: list[ShardTraits | None] = []
    last_words_s: list[tuple[float, float] | None] = []
    digests: list[str] = []

    def observed() -> Iterator[Clip]:
        for clip in clips:
            traits.append(measured_traits(clip.samples, sample_rate))
            last_words_s.append(clip.last_word_s)
            digests.append(clip.digest)
            yield clip

    for joined in join(observed(), sample_rate, lead_s=lead_s):
        meter.add(joined.samples)
        if joined.cue is not None:
            cues.append(joined.cue)
    loudness = meter.measured()
    return MeasuredChapter(
        title,
        level,
        loudness.n_samples,
        sample_rate,
        loudness,
        tuple(cues),
        tuple(traits),
        tuple(last_words_s),
        shards=digest_of_shards(digests),
    )


def digest_of_shards(digests: Sequence[str]) -> str:
    """What tells the shards of a chapter, by the digest of each; "" if one is not known."""
    return hashlib.sha256("\n".join(digests).encode()).hexdigest() if all(digests) else ""


def join(clips: Iterable[Clip], sample_rate: int, *, lead_s: float = 0.0) -> Iterator[Joined]:
    """The clips in order, trimmed, faded and separated by exactly their pauses, after `lead_s`.

    Two pieces without a pause overlap by 20 ms, or by half of the shorter one if that is less.
    Holds two clips at most.
    """
    position = round(lead_s * sample_rate)
    if position:
        yield Joined(_silence(position), None)
    trimmed = (piece for clip in clips for piece in _trimmed(clip, sample_rate))
    previous, overlap = None, 0
    for piece, following in _with_next(trimmed):
        joined, overlap_after = _placed(previous, piece, following, position, overlap, sample_rate)
        yield joined
        position += joined.samples.size
        previous, overlap = piece, overlap_after


def crossfade(ending: Samples, beginning: Samples) -> Samples:
    """Fade from `ending` to `beginning`, of equal length, at constant power.

    cos/sin gains keep the power of uncorrelated signals, but would raise two equal tones by 3 dB.
    So the result is divided by the power that the two have together, computed from their
    correlation. That changes uncorrelated signals hardly at all; two equal signals pass unchanged.
    """
    angle = (np.arange(ending.size) + 0.5) * (np.pi / 2 / ending.size)
    gain_out, gain_in = np.cos(angle), np.sin(angle)
    a, b = ending.astype(np.float64), beginning.astype(np.float64)
    power_a, power_b, cross = float(a @ a), float(b @ b), float(a @ b)
    cross = max(cross, MIN_CORRELATION * float(np.sqrt(power_a * power_b)))
    wanted = gain_out**2 * power_a + gain_in**2 * power_b
    actual = wanted + 2 * gain_out * gain_in * cross
    level = np.sqrt(np.divide(wanted, actual, out=np.ones_like(wanted), where=actual > 0))
    return (level * (gain_out * a + gain_in * b)).astype(np.float32)


def _with_next(
    pieces: Iterable[_TrimmedPiece],
) -> Iterator[tuple[_TrimmedPiece, _TrimmedPiece | None]]:
    """Each piece with the one that it overlaps with, if any.

    A piece with a pause after it overlaps with none, so the next one is not waited for: the audio
    of a sentence is there before the next sentence is rendered.
    """
    piece = None
    for following in pieces:
        if piece is not None:
            yield piece, following
        piece = following
        if piece.n_wanted:
            yield piece, None
            piece = None
    if piece is not None:
        yield piece, None


def _trimmed(clip: Clip, sample_rate: int) -> Iterator[_TrimmedPiece]:
    """The clip's voiced pieces, each with the pause after it.

    The piece after a pause begins with some quiet, which is a part of the pause. A piece that has
    less of it gets the rest as silence. So the silence after a piece does not depend on the
    next one, which may be joined elsewhere.
    """
    samples = without_dc(clip.samples)
    n_least = round(QUIET_BEFORE_S * sample_rate)
    pieces = voiced_pieces(samples, sample_rate, clip.breaks)
    for piece, following in zip(pieces, (*pieces[1:], None), strict=True):
        pause_s = clip.pause_after_s if piece.pause_s is None else piece.pause_s
        n_wanted = round(pause_s * sample_rate)
        is_empty = piece.start == piece.end
        n_next = following.n_quiet_before if following else n_least
        n_quiet = 0 if is_empty else piece.n_quiet_after + max(n_least, n_next)
        yield _TrimmedPiece(
            clip.segment_id,
            samples[piece.start : piece.end],
            piece.start,
            n_wanted,
            max(0, n_wanted - n_quiet),
            0 if is_empty else max(0, n_least - piece.n_quiet_before),
            piece.n_quiet_after,
            ends_clip=following is None,
        )


def _placed(
    previous: _TrimmedPiece | None,
    piece: _TrimmedPiece,
    following: _TrimmedPiece | None,
    position: int,
    overlap_before: int,
    sample_rate: int,
) -> tuple[Joined, int]:
    """The samples of `piece` from `position` on, and its overlap with `following`.

    The samples of an overlap are returned with the later clip; the cues of both segments meet in
    the middle of the overlap.
    """
    overlap_after = _overlap(piece, following, sample_rate)
    n_before = 0 if overlap_before else piece.n_lacking
    n_kept = piece.samples.size - overlap_after
    samples = np.zeros(n_before + n_kept + piece.n_pause, np.float32)
    kept = samples[n_before : n_before + n_kept]
    kept[:] = piece.samples[:n_kept]
    _fade(kept, piece, sample_rate, start=not overlap_before, end=not overlap_after)
    if previous is not None and overlap_before:
        ending = previous.samples[previous.samples.size - overlap_before :]
        kept[:overlap_before] = crossfade(ending, kept[:overlap_before])
    cue = Cue(
        piece.segment_id,
        start=position + overlap_before // 2,
        end=position + n_before + n_kept + overlap_after // 2,
        origin=position + n_before - piece.n_trimmed,
        n_quiet_after=0 if overlap_after else piece.n_quiet_after,
    )
    return Joined(samples, cue, piece.ends_clip), overlap_after


def _overlap(piece: _TrimmedPiece, following: _TrimmedPiece | None, sample_rate: int) -> int:
    if following is None:
        return 0
    halves = piece.samples.size // 2, following.samples.size // 2
    return min(round(CROSSFADE_S * sample_rate), *halves)


def _fade(
    samples: Samples, piece: _TrimmedPiece, sample_rate: int, *, start: bool, end: bool
) -> None:
    """Fade `samples`, the kept part of `piece`, in at the start and out at the end, in place."""
    length = min(round(FADE_S * sample_rate), (piece.samples.size + 1) // 2)
    if length and start:
        samples[:length] *= _fade_in(length)
    if length and end:
        samples[samples.size - length :] *= _fade_in(length)[::-1]


@functools.cache
def _fade_in(length: int) -> NDArray[np.float32]:
    """Raised-cosine gains from nearly 0 to nearly 1."""
    angle = (np.arange(length) + 0.5) * (np.pi / 2 / length)
    return (np.sin(angle) ** 2).astype(np.float32)


def _silence(n_samples: int) -> Samples:
    return np.zeros(n_samples, np.float32)
