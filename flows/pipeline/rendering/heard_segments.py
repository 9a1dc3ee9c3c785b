"""Listens to a segment, and has it rendered again until it says its text.

    shard ─▶ transcript ─┬─ as the text sounds ─────────────▶ noted
                         └─ otherwise ─▶ heard with more care ─▶ another take ─▶ … ─▶ finding

A transcript is noted in the store, for these very samples. Only engines whose takes differ render
again; the take that is nearest to its text is kept. A voice that is always heard otherwise is told,
but not rendered again.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from audiomill.flows.execution.shard_source import ShardSource
from audiomill.renderers.base import (
    NO_USAGE,
    Remark,
    RenderError,
    Request,
    Samples,
    ShardInfo,
    Usage,
    total_usage,
)
from audiomill.renderers.recognition.comparison import (
    OtherWords,
    other_words,
    sound_of,
    words_heard,
    words_of,
)
from audiomill.renderers.recognition.recogniser import Recogniser
from audiomill.renderers.store.notes import note_key
from audiomill.renderers.store.store import ShardStore, StoredShard
from audiomill.renderers.takes.faults import Fault, Finding
from audiomill.renderers.takes.retaking import MAX_VAIN

CAREFUL = 5  # guesses that are followed, once a transcript differs


@dataclass(frozen=True, slots=True)
class SpokenText:
    """A text that an engine was given, in its language (BCP 47)."""

    request: Request
    language: str


@dataclass(frozen=True, slots=True)
class HeardSegment:
    """A segment that was listened to: what is stored of it now, and what it took."""

    shard: ShardInfo
    finding: Finding | None
    usage: Usage = NO_USAGE  # of takes that were rendered
    is_replaced: bool = False


@dataclass(frozen=True, slots=True)
class _Heard:
    """What was heard of a take, and what of it is not the text."""

    transcript: str
    wrong: OtherWords | None

    @property
    def n_wrong(self) -> float:
        return self.wrong.n_sounds if self.wrong else 0.0


@dataclass(frozen=True, slots=True)
class _Noted:
    """What the store knows of a shard: its transcript, and how many takes were no better."""

    transcript: str
    n_retakes: int


class SegmentListener:
    """Listens to segments, and renders them again."""

    def __init__(self, source: ShardSource, store: ShardStore, recogniser: Recogniser) -> None:
        self._source = source
        self._store = store
        self._recogniser = recogniser
        limits = source.renderer.limits
        self._most_retakes = 0 if store.unwritable else limits.n_retakes  # a better one is stored
        self._n_vain = Counter[str]()  # segments of a voice, one after the other, that stay wrong

    def heard(self, text: SpokenText, shard: StoredShard) -> HeardSegment:
        """What is heard of a segment, in the best of its takes.

        Raises EngineFailed if nothing can be heard, StoreError, and what stops the run.
        """
        remarks = shard.info.remarks
        noted = _parsed(self._store.note(self._note_key(text, shard.samples)))
        n_noted = noted.n_retakes if noted else -1
        best = (
            self._compared(text, remarks, noted.transcript)
            if noted
            else self._listened(text, remarks, shard.samples)
        )
        n_retakes, usage, kept = max(n_noted, 0), NO_USAGE, shard
        voice = text.request.voice
        while best.wrong and n_retakes < self._most_retakes and self._n_vain[voice] < MAX_VAIN:
            try:
                again = self._source.another_take(text.request, n_retakes + 1)
            except RenderError:
                break  # what there is has been paid for, and the next segment will tell
            n_retakes, usage = n_retakes + 1, total_usage((usage, again.usage))
            heard = self._listened(text, again.remarks, again.samples)
            if heard.n_wrong < best.n_wrong:
                kept, best = self._source.replace(text.request, again), heard
        self._n_vain[voice] = self._n_vain[voice] + 1 if best.wrong else 0
        if n_retakes > n_noted:
            self._store.keep_note(
                self._note_key(text, kept.samples), f"{n_retakes}\n{best.transcript}"
            )
        finding = _finding(best.wrong, kept.info, n_retakes)
        return HeardSegment(kept.info, finding, usage, kept is not shard)

    def _listened(self, text: SpokenText, remarks: Iterable[Remark], samples: Samples) -> _Heard:
        """What is heard of samples: with more care, if it is not the text."""
        rate = self._source.renderer.sample_rate
        for n_guesses in (1, CAREFUL):
            transcript = self._recogniser.transcript(samples, rate, text.language, n_guesses)
            heard = self._compared(text, remarks, transcript)
            if not heard.wrong:
                break
        return heard

    def _compared(self, text: SpokenText, remarks: Iterable[Remark], transcript: str) -> _Heard:
        expected = words_of(text.request.spoken, text.language)
        odd = " ".join(
            text.request.spoken[one.start : one.end]
            for one in (*text.request.pronunciations, *remarks)
        )
        n_tolerated = len("".join(map(sound_of, words_of(odd, text.language))))
        wrong = other_words(expected, words_heard(transcript, text.language), n_tolerated)
        return _Heard(transcript, wrong)

    def _note_key(self, text: SpokenText, samples: Samples) -> str:
        digest = hashlib.sha256(samples.tobytes()).hexdigest()
        about = (text.request.key, text.language, self._recogniser.identity, digest)
        return note_key(" ".join(about))


def _parsed(note: str) -> _Noted | None:
    """What a note says; None if there is none."""
    n_retakes, mark, transcript = note.partition("\n")
    return _Noted(transcript, int(n_retakes)) if mark else None


def _finding(wrong: OtherWords | None, shard: ShardInfo, n_retakes: int) -> Finding | None:
    """The fault of a shard, at the word where it begins."""
    if wrong is None:
        return None
    at = round(wrong.at * shard.n_samples)
    if shard.timings:
        word = shard.timings[min(int(wrong.at * len(shard.timings)), len(shard.timings) - 1)]
        at = round(word.start_s * shard.sample_rate)
    of_several = f", in the best of {n_retakes + 1} takes" if n_retakes else ""
    return Finding(Fault.OTHER_WORDS, at, f"{wrong}{of_several}")
