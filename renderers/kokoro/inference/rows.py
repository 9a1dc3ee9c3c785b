"""Rows: what a Kokoro model speaks at a time, and how their audio becomes a request's. No torch.

phonemes of a request ─▶ parts of at most 510 ─▶ one row each: 0 token … token 0
Rendered              ◀─ rows joined           ◀─ samples, and the frames of each token
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import TypeAlias

import numpy as np

from audiomill.renderers.engine.pcm import PcmAudio
from audiomill.renderers.engine.protocol import Rendered, Request, Samples, WordTiming
from audiomill.renderers.engine.text_renderer import silence
from audiomill.renderers.kokoro.g2p.phonemes import Phonemes, PhonemeWord
from audiomill.renderers.kokoro.model.config import SAMPLE_RATE

EDGE = 0  # the token before the first phoneme and after the last
# What is heard comes so many frames before the model's durations say, and a word begins with the
# space before its phonemes. The first has none. Measured at 880 words of four voices with a forced
# aligner: docs/design/quality.md. Upstream subtracts three frames, too (`join_timestamps`).
N_FRAMES_LATE, N_FRAMES_LATE_FIRST = 1.5, 3.0


# A row as any process asks for it: tokens, voice or mix, speed, seed of its noise.
RowRequest: TypeAlias = tuple[tuple[int, ...], str, float, int]


@dataclass(frozen=True, slots=True)
class RowAudio:
    """One row's samples, the number of frames of each token, and the seconds of a frame.

    `durations` is empty if the model does not tell them; then words have no timings. `pcm` is what
    the store keeps of the samples, if another process has made it.
    """

    samples: Samples
    durations: tuple[int, ...]
    frame_s: float
    pcm: PcmAudio | None = None


def tokens_of(phonemes: str, vocab: Mapping[str, int]) -> tuple[int, ...]:
    """The tokens of a row, with those at its edges."""
    return (EDGE, *map(vocab.__getitem__, phonemes), EDGE)


def seed_of(key: str, part: int) -> int:
    """A seed of 64 bits for one part of the segment with this shard key."""
    return int.from_bytes(hashlib.sha256(f"{key} {part}".encode()).digest()[:8], "little")


def row_request(
    phonemes: str, vocab: Mapping[str, int], request: Request, number: int
) -> RowRequest:
    """A row of 1 to 510 `phonemes`, which are the part with this number of `request`."""
    tokens = tokens_of(phonemes, vocab)
    return tokens, request.voice, request.speed, seed_of(request.key, number)


def joined(parts: Sequence[Phonemes], audio: Iterator[RowAudio]) -> Rendered:
    """One request's audio: the rows of its parts, taken from `audio`, one after the other."""
    remarks = tuple(remark for part in parts for remark in part.remarks)
    rows: list[RowAudio] = []
    timings: list[WordTiming] = []
    for part in parts:
        if part.text:
            row = next(audio)
            row_start_s = sum(before.samples.size for before in rows) / SAMPLE_RATE
            if row.durations:
                timings += word_timings(part, row.durations, row.frame_s, row_start_s)
            rows.append(row)
    if not rows:
        return replace(silence(SAMPLE_RATE), remarks=remarks)
    words = merge_split_words(timings)
    if len(rows) == 1:  # not copied: that would hold a batch in memory twice
        return Rendered(rows[0].samples, words, remarks, pcm=rows[0].pcm)
    return Rendered(np.concatenate([row.samples for row in rows]), words, remarks)


def word_timings(
    phonemes: Phonemes, durations: Sequence[int], frame_s: float, row_start_s: float
) -> list[WordTiming]:
    """The timings of a row's words, from the durations that the model predicts.

    `durations` are in frames of `frame_s`, for the edge token, each phoneme, and the edge token at
    the end. `row_start_s` is the time of the row's first sample in the segment.
    """
    text = phonemes.text
    frames = [0, *accumulate(durations)]  # where each token begins, the edge token first
    timings: list[WordTiming] = []
    for word in phonemes.words:
        start, end = _heard_from(text, word, frames), frames[word.last + 1] - N_FRAMES_LATE
        start_s = row_start_s + (frame_s * start if start > 0 else 0.0)
        end_s = row_start_s + (frame_s * end if end > 0 else 0.0)
        timings.append(WordTiming(word.start, word.end, start_s, end_s))
    return timings


def _heard_from(text: str, word: PhonemeWord, frames: Sequence[int]) -> float:
    """The frame from which a word is heard."""
    has_space = word.first > 0 and text[word.first - 1] == " "
    if has_space:
        return frames[word.first] - N_FRAMES_LATE
    return frames[word.first + 1] - N_FRAMES_LATE_FIRST


def merge_split_words(timings: Sequence[WordTiming]) -> tuple[WordTiming, ...]:
    """The timings in order, with the halves of a word that was split between two rows merged."""
    if len({(timing.start, timing.end) for timing in timings}) == len(timings):
        return tuple(timings)  # nearly always
    merged: list[WordTiming] = []
    for timing in timings:
        if merged and (merged[-1].start, merged[-1].end) == (timing.start, timing.end):
            timing = WordTiming(timing.start, timing.end, merged.pop().start_s, timing.end_s)
        merged.append(timing)
    return tuple(merged)
