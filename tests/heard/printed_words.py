"""When printed words start in a finished book, beside an aligner that gets the spoken ones.

    printed  |It   |cost |£2.5m                         |     of the transcript, .words.json
    aligner  |it   |cost |two point five million pounds |     of the finished audio

Words that are spoken alone and then joined without a gap tell how far off the aligner itself is:
there it is known where each of them starts.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import soundfile

from audiomill.inputs.model.book import Segment
from audiomill.inputs.segmentation.printed_words import PrintedWord, printed_words
from audiomill.renderers.engine.protocol import Samples
from heard.models import Models
from heard.rendering import Rendering, render
from heard.word_times import (
    SOUND_DB,
    Times,
    aligned,
    begun_with_sound,
    frame_levels_db,
    new_decoder,
    onsets_after_quiet_s,
    words_at,
)

AROUND_S = 0.25  # what the aligner hears before and after a segment, if it is silent
FRAME_S = 0.002
Window = tuple[float, float]


@dataclass(frozen=True)
class WordStart:
    """A printed word, and how much later it is said to start than the aligner finds."""

    printed: str
    n_spoken: int
    at_s: float
    late_s: float


@dataclass(frozen=True)
class WordStarts:
    """Those of a finished book, and how many of its words are in segments that did not align."""

    words: tuple[WordStart, ...]
    n_left_out: int


def word_starts(rendering: Rendering) -> WordStarts:
    """The words of all segments of which the aligner knows each spoken word."""
    samples, rate = soundfile.read(rendering.audio, dtype="float32")
    decoder = new_decoder()
    found: list[WordStart] = []
    n_left_out = 0
    for segment, words, starts_s, window in _placed(rendering, samples.size / rate):
        first, last = (round(at * rate) for at in window)
        spoken = words_at(segment.spoken)
        heard = aligned(samples[first:last], rate, [*spoken.values()], decoder)
        if heard is None:
            n_left_out += len(words)
            continue
        onsets_s = onsets_after_quiet_s(samples[first:last], rate)
        heard = begun_with_sound(heard, segment.spoken, spoken, onsets_s)
        by_place = dict(zip(spoken, heard, strict=True))
        found += _compared(segment, words, starts_s, by_place, window[0])
    return WordStarts(tuple(found), n_left_out)


def _compared(
    segment: Segment,
    words: Iterable[PrintedWord],
    starts_s: Iterable[float],
    heard: dict[int, tuple[float, float]],
    offset_s: float,
) -> Iterator[WordStart]:
    for word, ours_s in zip(words, starts_s, strict=True):
        times = [time for at, time in heard.items() if word.start <= at < word.end]
        if times:
            start_s = offset_s + times[0][0]
            text = segment.text[word.first : word.last]
            yield WordStart(text, len(times), start_s, ours_s - start_s)


def _placed(
    rendering: Rendering, duration_s: float
) -> Iterator[tuple[Segment, list[PrintedWord], list[float], Window]]:
    """Each segment, its printed words, when they start in the file, and where it sounds there."""
    times = iter(json.loads(rendering.words.read_text())["segments"])
    texts = [
        (segment, [word for sentence in printed_words(segment) for word in sentence])
        for segment in rendering.texts
    ]
    timed = [(segment, words, [next(times) for _ in words]) for segment, words in texts if words]
    assert next(times, None) is None
    sounding = [(told[0]["startTime"], told[-1]["endTime"]) for _, _, told in timed]
    edges = [(a[1] + b[0]) / 2 for a, b in pairwise([(0, 0), *sounding, (duration_s,) * 2])]
    for (segment, words, told), (start, end), (least, most) in zip(
        timed, sounding, pairwise(edges), strict=True
    ):
        window = max(least, start - AROUND_S), min(most, end + AROUND_S)
        yield segment, words, [one["startTime"] for one in told], window


def aligner_errors_s(rendering: Rendering, models: Models, out: Path) -> list[float]:
    """How much later than it does a word starts for the aligner, in words that were joined.

    Each is spoken alone by the same voice; its sound begins where that of the last one ends.
    """
    alone = _spoken_alone(rendering, models, out)
    rate, decoder = rendering.sample_rate, new_decoder()
    errors: list[float] = []
    for segment in rendering.texts:
        words = [*words_at(segment.spoken).values()]
        lengths_s = [alone[word].size / rate for word in words]
        starts_s = AROUND_S + np.cumsum([0.0, *lengths_s[:-1]])
        quiet = np.zeros(round(AROUND_S * rate), np.float32)
        samples = np.concatenate([quiet, *(alone[word] for word in words), quiet])
        heard: Times = aligned(samples, rate, words, decoder) or ()
        errors += [time[0] - start for time, start in zip(heard, starts_s, strict=False)]
    return errors


def _spoken_alone(rendering: Rendering, models: Models, out: Path) -> dict[str, Samples]:
    """The sound of each spoken word, without the quiet around it."""
    words = {word for one in rendering.texts for word in words_at(one.spoken).values()}
    source = out / f"{rendering.case.name} alone.en.md"
    source.write_text("\n\n".join(f"{word.capitalize()}." for word in sorted(words)))
    alone = render(replace(rendering.case, source=source), models, out)
    sounds: dict[str, Samples] = {}
    for segment, clip in alone.segments:
        (word,) = words_at(segment.request.spoken).values()
        sounds[word] = _sound_of(clip.samples, alone.sample_rate)
    return sounds


def _sound_of(samples: Samples, rate: int) -> Samples:
    levels_db = frame_levels_db(samples, rate, FRAME_S)
    loud = np.flatnonzero(levels_db > np.percentile(levels_db, 95) + SOUND_DB)
    size = round(FRAME_S * rate)
    return samples[loud[0] * size : (loud[-1] + 1) * size]
