"""Plants faults in real speech, and asks which of them `--check-speech` hears: none of clean ones.

The recogniser is the render's own, with the packages of the listener. What it has heard is kept.
"""

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import cycle, pairwise
from pathlib import Path
from types import SimpleNamespace

import numpy as np

from audiomill.flows.pipeline.speech_check import SegmentListener, SpokenText
from audiomill.renderers.engine.protocol import Request, Samples
from audiomill.renderers.speech.recogniser import Recogniser
from audiomill.renderers.speech.whisper import open_whisper
from audiomill.renderers.store.store import StoredShard, open_store
from heard.faults import FAULTS, MIN_CHARS, Detection
from heard.listening import Listener
from heard.rendering import Rendering

N_WORDS_OUT = 3
WORDS_OUT, OTHER_TEXT = f"{N_WORDS_OUT} words cut out", "another text"
# Each long segment has one of these, in turn. A hole is no fault of words.
HEARD_FAULTS = (WORDS_OUT, OTHER_TEXT, "last third missing", "said twice", "quarter said again")


@dataclass(frozen=True)
class Recognised:
    """What recognition tells of one rendering."""

    case: str
    n_segments: int
    false_alarms: tuple[str, ...]  # in speech that is as the engine spoke it
    detections: tuple[Detection, ...]


def recogniser_of(listener: Listener) -> Recogniser:
    """The recogniser of a render, here."""
    (packages,) = listener.python.parents[1].glob("lib/*/site-packages")
    sys.path.append(str(packages))  # after those of the tests
    return open_whisper(str(listener.whisper))


def recognised(rendering: Rendering, recogniser: Recogniser, out: Path) -> Recognised:
    """Listen to all segments, and to the long ones again with a fault in each."""
    hearing = _Hearing(rendering, recogniser, out)
    segments = [(segment.request, clip.samples) for segment, clip in rendering.segments]
    alarms = [hearing.told(request, samples) for request, samples in segments]
    found, planted = Counter[str](), Counter[str]()
    for fault, request, samples in _spoiled(rendering, segments):
        planted[fault] += 1
        found[fault] += bool(hearing.told(request, samples))
    return Recognised(
        rendering.case.name,
        len(segments),
        tuple(filter(None, alarms)),
        tuple(Detection(one, found[one], planted[one]) for one in HEARD_FAULTS),
    )


class _Hearing:
    """What a render would be told of samples, with the store of its transcripts."""

    def __init__(self, rendering: Rendering, recogniser: Recogniser, out: Path) -> None:
        source = SimpleNamespace(
            renderer=SimpleNamespace(
                sample_rate=rendering.sample_rate, limits=SimpleNamespace(n_retakes=0)
            )
        )
        self._listener = SegmentListener(source, open_store(str(out / "store")), recogniser)
        self._rendering = rendering

    def told(self, request: Request, samples: Samples) -> str:
        """What is wrong; "" for nothing."""
        info = replace(self._rendering.infos[request], n_samples=samples.size)
        text = SpokenText(request, self._rendering.case.language)
        finding = self._listener.listen(text, StoredShard(info, samples)).finding
        return finding.words if finding else ""


def _spoiled(
    rendering: Rendering, segments: Sequence[tuple[Request, Samples]]
) -> Iterator[tuple[str, Request, Samples]]:
    """(the fault, what should have been said, what is said instead)."""
    faults = cycle(HEARD_FAULTS)
    for (_, before), (request, samples) in pairwise(segments):
        if len(request.spoken) < MIN_CHARS:
            continue
        fault = next(faults)
        if fault == OTHER_TEXT:
            spoiled = before
        elif fault == WORDS_OUT:
            spoiled = _without_words(rendering, request, samples)
        else:
            spoiled = FAULTS[fault](samples, rendering.sample_rate)
        yield fault, request, spoiled.astype(np.float32)


def _without_words(rendering: Rendering, request: Request, samples: Samples) -> Samples:
    """Without some words in the middle: those that the engine timed, or a stretch as long."""
    timings = rendering.infos[request].timings
    first = len(timings) // 2
    if len(timings) < first + N_WORDS_OUT:
        third = samples.size // 3
        return np.concatenate([samples[:third], samples[-third:]])
    cut = timings[first : first + N_WORDS_OUT]
    start, end = (round(at_s * rendering.sample_rate) for at_s in (cut[0].start_s, cut[-1].end_s))
    return np.concatenate([samples[:start], samples[end:]])
