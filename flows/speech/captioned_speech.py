"""The sound of a text with its words: when each printed one sounds, as in transcripts of books."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from concurrent.futures import Future
from dataclasses import dataclass

from audiomill.flows.speech.speech_audio import joined_speech
from audiomill.flows.speech.text_plan import SpeechPlan
from audiomill.outputs.metadata.chapters import milliseconds
from audiomill.outputs.transcripts.cues import segment_cues
from audiomill.outputs.types import Cue
from audiomill.renderers.engine.protocol import Samples, ShardInfo
from audiomill.renderers.store.shard_reader import ShardReader


@dataclass(frozen=True, slots=True)
class SpokenWord:
    """A printed word with the signs around it, and when it sounds: seconds from the first sound."""

    text: str
    start_s: float
    end_s: float


@dataclass(frozen=True, slots=True, eq=False)
class SpeechPart:
    """The next samples of a text. `words` are those of the segment that ends with them."""

    samples: Samples
    words: tuple[SpokenWord, ...]


def captioned_speech(
    plan: SpeechPlan, stored: Iterable[Future[None]], reader: ShardReader
) -> Iterator[SpeechPart]:
    """As `speech_samples`, with the words as transcripts of books have them."""
    texts = {text.id: text for text in plan.texts}
    shards, pieces = dict[str, ShardInfo](), list[Cue]()
    for joined in joined_speech(plan, stored, reader, shards):
        pieces += [joined.cue] if joined.cue else []
        words = tuple[SpokenWord, ...]()
        if joined.ends_clip:
            name = pieces[-1].segment_id
            cues = segment_cues(texts[name], shards.pop(name), pieces)
            words = tuple(
                SpokenWord(word.text.strip(), *_times_s(word.start, word.end, plan.sample_rate))
                for cue in cues
                for word in cue.parts
            )
            pieces.clear()
        yield SpeechPart(joined.samples, words)


def _times_s(start: int, end: int, rate: int) -> tuple[float, float]:
    return milliseconds(start, rate) / 1000, milliseconds(end, rate) / 1000
