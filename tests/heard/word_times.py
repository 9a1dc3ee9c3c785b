"""Words' times beside those of a forced aligner, which knows nothing of the engine.

ours      |the |mill   |stood  |
aligner  |the  |mill  |stood   |       off: ours - aligner's

After a mark the aligner often puts a word into the pause, or late into a vowel: there the place
where sound begins says more, and is taken instead.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import soxr
from numpy.typing import NDArray
from pocketsphinx import Decoder

from audiomill.outputs.audio.joining import Clip
from audiomill.renderers.engine.protocol import Samples, ShardInfo
from heard.rendering import Rendering

ALIGNER_RATE, FRAME_S = 16_000, 0.01
PEAK = 0.8
NOISE = 1e-3  # as in a recording: the aligner does not know digital silence
BEAM = 1e-80  # with less, long segments are not aligned
FAR_S = 0.1
FRAME_OF_SOUND_S = 0.01
SOUND_DB = -35.0  # re the level that the loudest twentieth of the frames exceed
PAUSE_S = 0.08
Times: TypeAlias = Sequence[tuple[float, float]]
MARKS = frozenset(".,:;!?—–…")
WORD = re.compile(r"[^\W_]+(?:’[^\W_]+)*")


@dataclass(frozen=True)
class TimedWord:
    """A word of a segment, and how much later it is said to start than the aligner finds."""

    word: str
    segment_id: str
    at_s: float
    late_s: float

    @property
    def is_far_off(self) -> bool:
        """Whether a highlight is seen to be early or late."""
        return abs(self.late_s) > FAR_S


def timed_words(rendering: Rendering) -> list[TimedWord]:
    """The words of all segments that the aligner knows; of English only."""
    if rendering.case.language != "en":
        return []
    decoder = new_decoder()
    found: list[TimedWord] = []
    for segment, clip in rendering.segments:
        words = words_at(segment.request.spoken)
        times = aligned(clip.samples, rendering.sample_rate, [*words.values()], decoder)
        if times is not None:
            onsets_s = onsets_after_quiet_s(clip.samples, rendering.sample_rate)
            times = begun_with_sound(times, segment.request.spoken, words, onsets_s)
            found += compared(clip, words, times, rendering.infos[segment.request])
    return found


def new_decoder() -> Decoder:
    """What aligns words with speech."""
    beams = dict.fromkeys(("beam", "wbeam", "pbeam"), BEAM)
    return Decoder(lm=None, samprate=ALIGNER_RATE, bestpath=False, loglevel="FATAL", **beams)


def words_at(spoken: str) -> dict[int, str]:
    """The words of a text by their places."""
    return {
        one.start(): one[0].lower().replace("’", "'")
        for one in WORD.finditer(spoken.replace("'", "’"))
    }


def onsets_after_quiet_s(samples: Samples, rate: int) -> list[float]:
    """When sound begins after quiet of PAUSE_S and more, or at the start, in seconds."""
    levels_db = frame_levels_db(samples, rate, FRAME_OF_SOUND_S)
    heard = np.flatnonzero(levels_db > np.percentile(levels_db, 95) + SOUND_DB)
    n_quiet = round(PAUSE_S / FRAME_OF_SOUND_S)
    begins = np.diff(heard, prepend=-n_quiet - 1) > n_quiet
    return [float(at) * FRAME_OF_SOUND_S for at in heard[begins]]


def frame_levels_db(samples: Samples, rate: int, frame_s: float) -> NDArray[np.float64]:
    """The level of each whole frame."""
    size = round(frame_s * rate)
    frames = samples[: samples.size // size * size].reshape(-1, size).astype(np.float64)
    return 10 * np.log10((frames**2).mean(axis=1) + 1e-14)


def begun_with_sound(
    times: Times, spoken: str, words: dict[int, str], onsets_s: Sequence[float]
) -> Times:
    """The aligner's times, with the begin of the sound for each word after a mark.

    It lies after the middle of the word before it; where there is no pause, the time stays.
    """
    found = list(times)
    for index, at in enumerate(words):
        if at and spoken[:at].rstrip()[-1:] not in MARKS:
            continue
        least_s = sum(times[index - 1]) / 2 if index else -1.0
        most_s = times[index + 1][0] if index + 1 < len(times) else times[index][1]
        between = [one for one in onsets_s if least_s < one < most_s]
        if between:
            nearest = min(between, key=lambda one: abs(one - times[index][0]))
            found[index] = (nearest, times[index][1])
    return found


def compared(clip: Clip, words: dict[int, str], times: Times, info: ShardInfo) -> list[TimedWord]:
    ours = {one.start: one.start_s for one in info.timings}
    return [
        TimedWord(word, clip.segment_id, start_s, ours[at] - start_s)
        for (at, word), (start_s, _) in zip(words.items(), times, strict=True)
        if at in ours
    ]


def aligned(samples: Samples, rate: int, words: Sequence[str], decoder: Decoder) -> Times | None:
    """When each word sounds; None if the dictionary lacks one, or they do not fit."""
    if any(decoder.lookup_word(word) is None for word in words):
        return None
    noise = np.random.default_rng(1).normal(0, NOISE, samples.size)
    resampled = soxr.resample(samples + noise, rate, ALIGNER_RATE)
    loud = resampled * (PEAK / max(1e-6, float(np.abs(resampled).max())))
    decoder.set_align_text(" ".join(words))
    decoder.start_utt()
    decoder.process_raw((loud * 32767).astype("<i2").tobytes(), full_utt=True)
    decoder.end_utt()
    # Silences and noises are in brackets; a second pronunciation is “the(2)”.
    said = [one for one in decoder.seg() or () if one.word[0] not in "<[+("]
    if [one.word.partition("(")[0] for one in said] != [*words]:
        return None
    return [(one.start_frame * FRAME_S, (one.end_frame + 1) * FRAME_S) for one in said]
