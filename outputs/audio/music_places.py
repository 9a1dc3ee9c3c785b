"""Places music in a recording: when each piece plays, how loud, and how chapters move. Pure.

    chapters        |lead One ▃▅▂▆ pause|          |lead Two ▃▅▂▆ pause|
    with music  ▇▇▇▇▇▇▇▇▇▇╲____╲        | ▇sting▇  |        ╱_______╱▇▇▇▇▇▇▇╲
                |<-intro_alone->|                             |<-outro_alone->|
    marks       |One                    |Two                               |

The music before a chapter belongs to it, so its mark is where the music begins. Music does not
follow the voice word by word: it stays ducked in pauses.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

import numpy as np

from audiomill.outputs.audio.loudness import LoudnessMeter
from audiomill.outputs.audio.music import Music, MusicUse
from audiomill.outputs.audio.music_pieces import PlacedMusic, lufs
from audiomill.outputs.types import Loudness, MeasuredChapter
from audiomill.renderers.engine.protocol import Samples

DUCK_S = 1.0  # from one level to the other; done before the first word, begun after the last
EDGE_S = 0.010  # at an end of a piece that is its own: too short to be heard, too long to click


@dataclass(frozen=True, slots=True, eq=False)
class RecordingMusic:
    """The chapters of a recording, moved by its music, and the music in its places."""

    chapters: tuple[MeasuredChapter, ...]
    pieces: tuple[PlacedMusic, ...] = ()
    loudness: tuple[Loudness, ...] = ()  # of each piece where no voice is


@dataclass(frozen=True, slots=True)
class _PlayedPart:
    """The part of a piece that is played: `n_samples`, from sample `start` of the recording on.

    In samples `under` of the piece, [start, end), the voice is over it; None if nowhere.
    """

    start: int
    n_samples: int
    under: tuple[int, int] | None
    n_fade_in: int
    n_fade_out: int


def place_music(
    music: Music,
    pieces: Mapping[MusicUse, Samples],
    chapters: Sequence[MeasuredChapter],
    stings: Sequence[int],
    voice_lufs: float,
) -> RecordingMusic:
    """The music of a recording of `chapters`.

    `stings` are the indices of the chapters that a sting precedes, ascending. `voice_lufs` is the
    loudness of the voice, to which all levels are relative. A recording in which the voice says
    nothing has no music.
    """
    if not _voice(chapters):
        return RecordingMusic(tuple(chapters))
    stings = stings if "sting" in pieces else ()
    moved = _moved(music, pieces, chapters, stings)
    rate = moved[0].sample_rate
    placed: list[PlacedMusic] = []
    loudness: list[Loudness] = []
    for use, part in _parts(music, pieces, moved, stings):
        samples = _shaped(pieces[use][: part.n_samples], part, music, voice_lufs, rate)
        placed.append(PlacedMusic(use, part.start, samples))
        loudness.append(_loudness_alone(samples, part, rate))
    return RecordingMusic(moved, tuple(placed), tuple(loudness))


def _voice(chapters: Sequence[MeasuredChapter]) -> tuple[int, int] | None:
    """The recording's samples from the first to the last sound of the voice; None if it is mute."""
    heard = [
        (start + cue.start, start + cue.end)
        for start, chapter in zip(_starts(chapters), chapters, strict=True)
        for cue in chapter.cues
        if cue.start < cue.end
    ]
    return (heard[0][0], heard[-1][1]) if heard else None


def _starts(chapters: Sequence[MeasuredChapter]) -> list[int]:
    """The sample of the recording at which each chapter begins."""
    return [0, *accumulate(one.n_samples for one in chapters)][: len(chapters)]


def _moved(
    music: Music,
    pieces: Mapping[MusicUse, Samples],
    chapters: Sequence[MeasuredChapter],
    stings: Sequence[int],
) -> tuple[MeasuredChapter, ...]:
    """The chapters with room for the music that plays alone."""
    voice_start, voice_end = _voice(chapters) or (0, 0)
    rate, n_all = chapters[0].sample_rate, sum(one.n_samples for one in chapters)
    before, after = [0] * len(chapters), [0] * len(chapters)
    for index in stings:
        before[index] = pieces["sting"].size
    if "intro" in pieces:
        n_alone = min(round(music.intro_alone_s * rate), pieces["intro"].size)
        before[0] = max(0, n_alone - voice_start)
    if "outro" in pieces:
        n_alone = min(round(music.outro_alone_s * rate), pieces["outro"].size)
        after[-1] = max(0, n_alone - (n_all - voice_end))
    return tuple(map(with_room, chapters, before, after))


def with_room(chapter: MeasuredChapter, n_before: int, n_after: int) -> MeasuredChapter:
    """The chapter with so many more samples of silence before and after it."""
    cues = (
        replace(
            cue,
            start=cue.start + n_before,
            end=cue.end + n_before,
            origin=cue.origin + n_before,
        )
        for cue in chapter.cues
    )
    return replace(
        chapter,
        n_samples=n_before + chapter.n_samples + n_after,
        cues=tuple(cues),
        n_before=chapter.n_before + n_before,
        n_after=chapter.n_after + n_after,
    )


def _parts(
    music: Music,
    pieces: Mapping[MusicUse, Samples],
    moved: Sequence[MeasuredChapter],
    stings: Sequence[int],
) -> Iterator[tuple[MusicUse, _PlayedPart]]:
    """The part of each piece that is played, in the order of the recording."""
    voice, rate, starts = _voice(moved) or (0, 0), moved[0].sample_rate, _starts(moved)
    n_edge = max(1, round(EDGE_S * rate))
    n_free_first, n_free_last = _free(pieces, moved, stings, voice)
    if "intro" in pieces:
        yield "intro", _intro(music, pieces["intro"].size, voice[0], n_free_first, rate)
    for index in stings:
        n_samples = pieces["sting"].size
        yield "sting", _PlayedPart(starts[index], n_samples, None, n_edge, n_edge)
    if "outro" in pieces:
        yield "outro", _outro(music, pieces["outro"].size, voice[1], n_free_last, rate)


def _free(
    pieces: Mapping[MusicUse, Samples],
    moved: Sequence[MeasuredChapter],
    stings: Sequence[int],
    voice: tuple[int, int],
) -> tuple[int, int]:
    """The samples under the voice that the intro and the outro may have.

    Neither meets a sting, nor the other: without a sting each may have half of the voice.
    """
    if stings:
        starts = _starts(moved)
        after_last = starts[stings[-1]] + moved[stings[-1]].n_before
        return max(0, starts[stings[0]] - voice[0]), max(0, voice[1] - after_last)
    n_voice = voice[1] - voice[0]
    n_free = n_voice // 2 if {"intro", "outro"} <= pieces.keys() else n_voice
    return n_free, n_free


def _intro(music: Music, n_piece: int, voice_start: int, n_free: int, rate: int) -> _PlayedPart:
    n_under = min(round(music.intro_under_voice_s * rate), n_free)
    n_samples = min(voice_start + n_under, n_piece)
    n_under = max(0, n_samples - voice_start)
    return _PlayedPart(
        start=0,
        n_samples=n_samples,
        under=(voice_start, n_samples) if n_under else None,
        n_fade_in=_n_fade(0.0, 0, rate),
        n_fade_out=_n_fade(
            music.fade_s if n_samples < n_piece else 0.0, n_under or n_samples, rate
        ),
    )


def _outro(music: Music, n_piece: int, voice_end: int, n_free: int, rate: int) -> _PlayedPart:
    n_alone = min(round(music.outro_alone_s * rate), n_piece)
    n_under = min(round(music.outro_under_voice_s * rate), n_free, n_piece - n_alone)
    n_samples = n_under + n_alone
    return _PlayedPart(
        start=voice_end - n_under,
        n_samples=n_samples,
        under=(0, n_under) if n_under else None,
        n_fade_in=_n_fade(music.fade_s, n_under, rate),
        n_fade_out=_n_fade(
            music.fade_s if n_samples < n_piece else 0.0, n_alone or n_samples, rate
        ),
    )


def _n_fade(fade_s: float, n_most: int, rate: int) -> int:
    """The samples of a fade of `fade_s`, in `n_most` samples; never so short that it clicks."""
    return max(1, round(EDGE_S * rate), min(round(fade_s * rate), n_most))


def _shaped(
    samples: Samples, part: _PlayedPart, music: Music, voice_lufs: float, rate: int
) -> Samples:
    """The part at its levels, ducked under the voice, with its fades."""
    used_lufs = lufs(samples, rate)
    alone_db = _gain_db(used_lufs, voice_lufs - music.alone_below_voice_db)
    gains_db = np.full(samples.size, alone_db, np.float32)
    if part.under:
        start, end = part.under
        # What grows louder later must not be so under the voice.
        under_lufs = max(used_lufs, lufs(samples[start:end], rate))
        ducked_db = _gain_db(under_lufs, voice_lufs - music.ducked_below_voice_db)
        n_turn = round(DUCK_S * rate)
        ducked = _ramp(samples.size, start - n_turn, start)
        ducked *= 1 - _ramp(samples.size, end, end + n_turn)
        gains_db += (ducked_db - alone_db) * ducked
    gains = 10 ** (gains_db / 20)
    gains[: part.n_fade_in] *= _ramp(part.n_fade_in, 0, part.n_fade_in)[: samples.size]
    ending = gains[max(0, gains.size - part.n_fade_out) :]
    ending *= 1 - _ramp(part.n_fade_out, 0, part.n_fade_out)[part.n_fade_out - ending.size :]
    return (samples * gains).astype(np.float32)


def _gain_db(measured_lufs: float, target_lufs: float) -> float:
    """The gain to a loudness; 0 dB where one of them is silent."""
    gain_db = target_lufs - measured_lufs
    return gain_db if math.isfinite(gain_db) else 0.0


def _ramp(n_samples: int, start: int, end: int) -> Samples:
    """A raised cosine from 0 before sample `start` to 1 from sample `end` on, [n_samples]."""
    at = (np.arange(n_samples, dtype=np.float32) + 0.5 - start) / max(1, end - start)
    return np.sin(np.clip(at, 0, 1) * np.float32(np.pi / 2)) ** 2


def _loudness_alone(samples: Samples, part: _PlayedPart, rate: int) -> Loudness:
    """The loudness of a part where no voice is over it."""
    start, end = part.under or (samples.size, samples.size)
    meter = LoudnessMeter(rate)
    meter.add(samples[:start])
    meter.add(samples[end:])
    return meter.measured()
