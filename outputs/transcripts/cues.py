"""The cues of a transcript: when each printed sentence and word sounds in a recording. Pure.

    segment, printed    It was 1914. Nobody came.          what a reader sees
    its shard           |  word word ..  |  word word |     times of the engine
    its pieces          [────────────]    [──────────]      where joining has placed them
    cues                [It was 1914.]    [Nobody came.]

A cue begins and ends with the sound of its sentence; a short one stays a little longer, if the next
does not begin. Nobody can read more than two lines while they are shown, so a long sentence has a
cue for each of its clauses (`captions.py`). Where a sentence goes on in another segment, because it
is too long for the engine or somebody else says the rest of it, another cue begins too.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, groupby, pairwise

import numpy as np

from audiomill.inputs.model.book import Segment
from audiomill.inputs.segmentation.printed_words import printed_words
from audiomill.outputs.metadata.chapters import milliseconds
from audiomill.outputs.text import one_line
from audiomill.outputs.transcripts.captions import captions, fits_on_screen, speaker_lead
from audiomill.outputs.transcripts.words import CueWord, cue_words, placed
from audiomill.outputs.types import Cue, MeasuredChapter
from audiomill.renderers.engine.protocol import ShardInfo, WordTiming
from audiomill.renderers.speech.timing import SentenceTiming, sentence_timings

SHORT_S = 0.8  # nobody can read less
MIN_CUE_S = 0.001  # files have times in milliseconds; a shorter cue would be empty


@dataclass(frozen=True, slots=True)
class TranscriptCue:
    """A text on one line, as it is printed, and samples [start, end) of the recording."""

    start: int
    end: int
    text: str
    speaker: str = ""  # a character whom the cast names; "": the narrator, or it is not sure
    words: tuple[CueWord, ...] = ()  # in order, without overlap, within the cue

    @property
    def parts(self) -> tuple[TranscriptCue, ...]:
        """The text in words, with the signs around them; together they are all of it."""
        words = self.words
        if not words or words[0].at:  # the rest of a word that began in the cue before
            words = (CueWord(0, self.start, words[0].start if words else self.end), *words)
        edges = pairwise((*(one.at for one in words), len(self.text)))
        return tuple(
            TranscriptCue(word.start, word.end, self.text[at:until], self.speaker)
            for word, (at, until) in zip(words, edges, strict=True)
        )


def timestamp(at: int, sample_rate: int, decimal_sign: str) -> str:
    """A sample as a time in a file, to the nearest millisecond: 01:02:03.456."""
    seconds, ms = divmod(milliseconds(at, sample_rate), 1000)
    whole = f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"
    return f"{whole}{decimal_sign}{ms:03}"


def recording_cues(
    chapters: Sequence[MeasuredChapter],
    segments: Mapping[str, Segment],
    shards: Mapping[str, ShardInfo],
    *,
    has_words: bool = True,
) -> tuple[TranscriptCue, ...]:
    """The cues of a recording of these chapters, in order and without overlap.

    `segments` and `shards` are found by the segment's id. Each sentence that sounds is in the cues
    exactly once, with its words if `has_words`. A segment for which the engine has returned silence
    is in none.
    """
    cues: list[TranscriptCue] = []
    n_before = 0
    for chapter in chapters:
        for name, pieces in groupby(chapter.cues, key=lambda cue: cue.segment_id):
            segment = segment_cues(segments[name], shards[name], tuple(pieces), has_words=has_words)
            cues += [_moved(cue, n_before) for cue in segment]
        n_before += chapter.n_samples
    n_short = round(SHORT_S * chapters[0].sample_rate) if chapters else 0
    return tuple(_held(cues, n_before, n_short))


def _moved(cue: TranscriptCue, n_samples: int) -> TranscriptCue:
    words = tuple(
        CueWord(word.at, word.start + n_samples, word.end + n_samples, word.is_estimated)
        for word in cue.words
    )
    return replace(cue, start=cue.start + n_samples, end=cue.end + n_samples, words=words)


def _joined(first: TranscriptCue, second: TranscriptCue) -> TranscriptCue:
    """One cue of both, whose times are next to each other."""
    n_before = len(first.text) + 1
    words = (replace(word, at=word.at + n_before) for word in second.words)
    return replace(
        first,
        end=max(first.end, second.end),
        text=f"{first.text} {second.text}",
        words=(*first.words, *words),
    )


def _held(cues: Sequence[TranscriptCue], n_samples: int, n_short: int) -> Iterator[TranscriptCue]:
    """The cues, of which short ones stay in the silence after them until they can be read."""
    following = [*(cue.start for cue in cues[1:]), n_samples]
    for cue, before in zip(cues, following, strict=False):  # strict=False: there may be no cue
        yield replace(cue, end=max(cue.end, min(cue.start + n_short, before)))


def segment_cues(
    segment: Segment, shard: ShardInfo, pieces: Sequence[Cue], *, has_words: bool = True
) -> tuple[TranscriptCue, ...]:
    """The cues of one segment, whose `pieces` have their places in the chapter."""
    pieces = [piece for piece in pieces if piece.start < piece.end]
    if not pieces:
        return ()
    timings = sentence_timings(segment.sentences, shard)
    places = [piece_of(timing, pieces, shard.sample_rate) for timing in timings]
    sentences = [
        _sentence_cues(segment, timing, printed, shard, piece, goes_on=piece is following)
        for timing, printed, piece, following in zip(
            timings, segment.printed, places, (*places[1:], None), strict=True
        )
    ]
    if has_words:
        sentences = [
            _with_words(cues, cue_words(segment, printed, spoken, timing, shard, piece))
            for cues, timing, printed, piece, spoken in zip(
                sentences, timings, segment.printed, places, printed_words(segment), strict=True
            )
        ]
    return tuple(_without_empty([*chain(*sentences)], pieces, shard.sample_rate))


def piece_of(timing: SentenceTiming, pieces: Sequence[Cue], rate: int) -> Cue:
    """The piece in which most of a sentence sounds."""

    def overlap(piece: Cue) -> float:
        start, end = piece.start - piece.origin, piece.end - piece.origin
        return min(end, timing.end_s * rate) - max(start, timing.start_s * rate)

    return max(pieces, key=overlap)


def _sentence_cues(
    segment: Segment,
    timing: SentenceTiming,
    printed: tuple[int, int],
    shard: ShardInfo,
    piece: Cue,
    *,
    goes_on: bool,
) -> Iterator[TranscriptCue]:
    """The cues of one sentence without their words, each up to the next; some may be empty.

    The last one of a piece ends with its sound, which an engine's time of the last word may be
    0.2 s before; where the voice `goes_on` to the next sentence, only that time is known.
    One of less than SHORT_S is joined to another of the sentence, if both fit on a screen.
    """
    rate = shard.sample_rate
    spoken = segment.spoken[timing.start : timing.end]
    lead = speaker_lead(segment.speaker)
    parts = captions(segment.text[slice(*printed)], spoken, lead)
    starts_s = _times_s([part.at for part in parts], spoken, timing, shard.timings)
    sound_end_s = (piece.end - piece.n_quiet_after - piece.origin) / rate
    end_s = timing.end_s if goes_on else max(timing.start_s, sound_end_s)
    edges = [placed(at_s, piece, rate) for at_s in (*starts_s, end_s)]
    cues: list[TranscriptCue] = []
    for part, (start, end) in zip(parts, pairwise(edges), strict=True):
        cue = TranscriptCue(start, end, one_line(part.text), segment.speaker)
        last = cues[-1] if cues else cue
        text = f"{last.text} {cue.text}"
        is_short = min(end - start, last.end - last.start) < SHORT_S * rate
        if cues and is_short and fits_on_screen(lead + text):
            cues[-1] = replace(last, end=end, text=text)
        else:
            cues.append(cue)
    yield from cues


def _with_words(cues: Iterable[TranscriptCue], words: Sequence[CueWord]) -> Iterator[TranscriptCue]:
    """The cues of a sentence with their words, of which `at` counts letters of the sentence.

    They count no white space, which a cue has less of than the page.
    """
    first, n_before = 0, 0
    for cue in cues:
        places = [at for at, letter in enumerate(cue.text) if letter != " "]
        last = bisect_left(words, n_before + len(places), first, key=lambda word: word.at)
        yield replace(
            cue,
            words=tuple(
                CueWord(
                    places[word.at - n_before],
                    min(max(cue.start, word.start), cue.end),
                    min(max(cue.start, word.end), cue.end),
                    word.is_estimated,
                )
                for word in words[first:last]
            ),
        )
        first, n_before = last, n_before + len(places)


def _times_s(
    places: Sequence[int], spoken: str, timing: SentenceTiming, words: Sequence[WordTiming]
) -> Sequence[float]:
    """When the words from each character of a sentence on sound: the first is its start.

    Between the starts of two words the time is interpolated.
    """
    inside = [word for word in words if timing.start <= word.start < timing.end]
    anchors = [timing.start, *(word.start for word in inside), timing.end]
    times_s = [timing.start_s, *(word.start_s for word in inside), timing.end_s]
    ordered_s = np.clip(np.maximum.accumulate(times_s), timing.start_s, timing.end_s)
    wanted = [timing.start + _first_letter(spoken, place) for place in places[1:]]
    return [timing.start_s, *np.interp(wanted, anchors, ordered_s)]


def _first_letter(spoken: str, at: int) -> int:
    """The first letter or digit from `at` on: no word sounds at the mark before it."""
    return next((place for place in range(at, len(spoken)) if spoken[place].isalnum()), at)


def _without_empty(
    cues: Sequence[TranscriptCue], pieces: Sequence[Cue], rate: int
) -> Iterator[TranscriptCue]:
    """The cues of a segment; one without a time of its own is joined to the one before or after."""
    joined: list[TranscriptCue] = []
    for cue in cues:
        last = joined[-1] if joined else None
        if last and MIN_CUE_S * rate > min(cue.end - cue.start, last.end - last.start):
            joined[-1] = _joined(last, cue)
        else:
            joined.append(cue)
    if len(joined) == 1 and joined[0].end - joined[0].start < MIN_CUE_S * rate:
        joined = [replace(joined[0], start=pieces[0].start, end=pieces[-1].end)]
    yield from joined
