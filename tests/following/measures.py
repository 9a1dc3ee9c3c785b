"""How far the marks of words are from their sound, of what a page has recorded. Pure.

Lengths are milliseconds that pass for the listener: at speed 3, a third of those of the sound.
"""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

STEADY_MS = 35.0  # two frames
EARLY_MS = 5.0  # so much of the sound before a word the page may mark it

Place = tuple[str, str, int]  # an audio file, a span, UTF-16 units into its text
# When it was drawn, the number of its file, or -1 if none sounds, and where the sound was.
Frame = tuple[float, int, float]
Mark = tuple[float, int, float, str, int]  # the same of its frame, then the place of the word
_Words = Mapping[str, Sequence[tuple[float, Place]]]  # of each file, in the order of their starts


@dataclass(frozen=True)
class Record:
    """What a page has done. `frames` and `marks` are in order of time."""

    files: Sequence[str]
    frames: Sequence[Frame]
    marks: Sequence[Mark]


@dataclass(frozen=True)
class Following:
    """`late_ms` has a number for each word that was marked, in order; `own_ms` how late it was in
    the frame before, in which it was not marked: 0 where the page could not have been earlier.
    `steady_ms` is of the words before which a frame was drawn at most STEADY_MS ago.

    `n_skipped` words were never marked as at most two frames were drawn while they sounded, and
    `n_dropped` although there were more. `n_wrong` were marked while another one sounded. While the
    page played, the sound stood still for `stalled_ms`.
    """

    late_ms: Sequence[float]
    own_ms: Sequence[float]
    steady_ms: Sequence[float]
    n_skipped: int
    n_dropped: int
    n_wrong: int
    frame_ms: Sequence[float]
    stalled_ms: float


def following(record: Record, starts: Mapping[Place, float], speed: float) -> Following:
    """`starts` is when words begin, in ms of their file."""
    by_file = _by_file(starts)
    late = [
        (sound - starts[record.files[file], *place]) / speed
        for _, file, sound, *place in record.marks
    ]
    before = _frames_before(record)
    n_skipped, n_dropped = _unmarked(record, by_file)
    return Following(
        late_ms=late,
        own_ms=_own(record, before, starts, speed),
        steady_ms=[
            one
            for one, (at, *_), (drawn, *_) in zip(late, record.marks, before, strict=True)
            if at - drawn <= STEADY_MS
        ],
        n_skipped=n_skipped,
        n_dropped=n_dropped,
        n_wrong=_n_wrong(record, starts, by_file),
        frame_ms=[after - at for (at, *_), (after, *_) in pairwise(record.frames)],
        stalled_ms=_stalled(record, speed),
    )


def _by_file(starts: Mapping[Place, float]) -> _Words:
    found: dict[str, list[tuple[float, Place]]] = defaultdict(list)
    for place, start in starts.items():
        found[place[0]].append((start, place))
    return {name: sorted(words) for name, words in found.items()}


def _frames_before(record: Record) -> list[Frame]:
    """For each mark the last frame before its own."""
    drawn = [at for at, *_ in record.frames]
    return [record.frames[max(bisect_left(drawn, at) - 1, 0)] for at, *_ in record.marks]


def _own(
    record: Record, before: Sequence[Frame], starts: Mapping[Place, float], speed: float
) -> list[float]:
    return [
        max(sound - starts[record.files[file], *place], 0.0) / speed if file_before == file else 0.0
        for (_, file, _, *place), (_, file_before, sound) in zip(record.marks, before, strict=True)
    ]


def _n_wrong(record: Record, starts: Mapping[Place, float], by_file: _Words) -> int:
    n_wrong = 0
    for _, file, sound, *place in record.marks:
        begin = [start for start, _ in by_file[record.files[file]]]
        # The sound may have gone on while the page looked.
        begun = {bisect_right(begin, sound + early) for early in (EARLY_MS, 0.0)}
        n_wrong += bisect_right(begin, starts[record.files[file], *place]) not in begun
    return n_wrong


def _unmarked(record: Record, by_file: _Words) -> tuple[int, int]:
    """How many words that were heard whole had no mark: with at most two frames, and with more.

    In a frame the page may look before us, or after: in the first one just before a word began, in
    the last one when it had ended.
    """
    marked = {(record.files[file], *place) for _, file, _, *place in record.marks}
    numbers = [0, 0]
    for file, name in enumerate(record.files):
        sounds = sorted(sound for _, one, sound in record.frames if one == file)
        for (start, place), (end, _) in pairwise(by_file.get(name, ())):
            if place in marked or not sounds or start < sounds[0] or end > sounds[-1]:
                continue
            n_frames = bisect_left(sounds, end - EARLY_MS) - bisect_left(sounds, start)
            numbers[n_frames > 2] += 1
    return numbers[0], numbers[1]


def _stalled(record: Record, speed: float) -> float:
    return sum(
        after - at - (sound_after - sound) / speed
        for (at, file, sound), (after, file_after, sound_after) in pairwise(record.frames)
        if file == file_after >= 0
    )
