"""Plants faults in real speech, and asks which of them a run suspects: none of the clean ones.

clean clips ──┬─ every tenth is spoiled ─▶ measured ─▶ suspects ─▶ found of planted
              └─ none is                ─▶ measured ─▶ suspects ─▶ false alarms
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from audiomill.flows.pipeline.planning.plan import ChapterPlan
from audiomill.flows.pipeline.planning.recordings import ChapterPlace
from audiomill.flows.pipeline.suspects import Suspect, find_suspects
from audiomill.inputs.segmentation.pauses import CHAPTER_LEAD_S
from audiomill.outputs.audio.joining import Clip, measure_joined
from audiomill.renderers.engine.protocol import Request, Samples
from audiomill.renderers.store.store import StoredShard
from audiomill.renderers.takes.traits import measured_traits
from heard.rendering import Rendering
from support.spoiled_sound import Spoil, repeated, said_again

EACH = 10  # one of so many segments is spoiled at a time
MIN_CHARS = 40  # in less text a fault cannot be told from a word that is drawn out


def with_hole(samples: Samples, rate: int) -> Samples:
    """0.7 s of silence where the speech is loud."""
    at = _loudest(samples, rate)
    return np.concatenate([samples[:at], np.zeros(round(0.7 * rate), np.float32), samples[at:]])


def without_last_third(samples: Samples, rate: int) -> Samples:
    start, end = _voiced(samples, rate)
    return np.concatenate([samples[: start + 2 * (end - start) // 3], np.zeros(rate // 5)])


FAULTS: Mapping[str, Spoil] = {
    "hole of 0.7 s": with_hole,
    "quarter said again": said_again(1 / 4, 1 / 2),
    "last third missing": without_last_third,
    "said twice": repeated(2),
}


@dataclass(frozen=True)
class Detection:
    """How many of the planted faults of a kind were suspected."""

    fault: str
    n_found: int
    n_planted: int


@dataclass(frozen=True)
class VoiceFaults:
    """What is suspected of a voice at a speed, its texts read as one book."""

    voice: str
    n_segments: int
    false_alarms: tuple[Suspect, ...]  # in speech that is as the engine spoke it
    detections: tuple[Detection, ...]


def faults_by_voice(renderings: Sequence[Rendering]) -> Iterator[VoiceFaults]:
    """For each voice, at each of its speeds."""
    by_voice: dict[str, list[Rendering]] = defaultdict(list)
    for one in renderings:
        by_voice[one.case.reader].append(one)
    for reader, of_voice in by_voice.items():
        book = _one_book(of_voice)
        alarms = _suspects(book, [clip for _, clip in book.segments])
        yield VoiceFaults(reader, len(book.segments), alarms, tuple(_detections(book)))


def _one_book(renderings: Sequence[Rendering]) -> Rendering:
    segments = tuple(pair for one in renderings for pair in one.segments)
    infos = {request: info for one in renderings for request, info in one.infos.items()}
    return replace(renderings[0], segments=segments, infos=infos)


def _detections(rendering: Rendering) -> Iterator[Detection]:
    """Each fault, planted in every segment that is long enough, a tenth of them at a time."""
    long = [
        number
        for number, (segment, _) in enumerate(rendering.segments)
        if len(segment.request.spoken) >= MIN_CHARS
    ]
    for fault, spoil in FAULTS.items():
        found = sum(_n_found(rendering, spoil, {*long[first::EACH]}) for first in range(EACH))
        yield Detection(fault, found, len(long))


def _n_found(rendering: Rendering, spoil: Spoil, planted: set[int]) -> int:
    clips = [
        _spoiled(clip, spoil, rendering.sample_rate) if number in planted else clip
        for number, (_, clip) in enumerate(rendering.segments)
    ]
    texts = {one.text for one in _suspects(rendering, clips)}
    return sum(rendering.segments[number][0].request.spoken in texts for number in planted)


def _spoiled(clip: Clip, spoil: Spoil, sample_rate: int) -> Clip:
    samples = spoil(clip.samples, sample_rate).astype(np.float32)
    return replace(clip, samples=samples, breaks=())


def _suspects(rendering: Rendering, clips: Sequence[Clip]) -> tuple[Suspect, ...]:
    """What a run would suspect if the engine had given these clips."""
    rate = rendering.sample_rate
    segments = tuple(segment for segment, _ in rendering.segments)
    plan = ChapterPlan(1, "Heard", 1, segments, 0)
    measured = measure_joined("Heard", 1, clips, rate, lead_s=CHAPTER_LEAD_S)
    places = [ChapterPlace("heard", 0)]
    by_request = {
        segment.request: clip for (segment, _), clip in zip(rendering.segments, clips, strict=True)
    }

    def stored(request: Request) -> StoredShard:
        samples, whole = by_request[request].samples, rendering.infos[request]
        return StoredShard(replace(whole, n_samples=samples.size), samples)

    return find_suspects([plan], [measured], rendering.limits, {}, places, stored)


def _loudest(samples: Samples, rate: int) -> int:
    frame = rate // 100
    frames = samples[: samples.size // frame * frame].reshape(-1, frame)
    return int(np.square(frames).sum(axis=1).argmax()) * frame


def _voiced(samples: Samples, rate: int) -> tuple[int, int]:
    traits = measured_traits(samples, rate)
    return (traits.start, traits.end) if traits else (0, samples.size)
