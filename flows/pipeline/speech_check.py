"""Checks the speech of a book by recognition: listens to each window, segment by segment.

    shard ─▶ transcript ─┬─ as the text sounds ─────────────▶ noted
                         └─ otherwise ─▶ heard with more care ─▶ another take ─▶ … ─▶ finding

A transcript is noted in the store, for these very samples. Only engines whose takes differ render
again; the take that is nearest to its text is kept. A voice that is always heard otherwise is told,
but not rendered again.
"""

from __future__ import annotations

import hashlib
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from audiomill.flows.console import format_duration, say
from audiomill.flows.execution.run_context import Step
from audiomill.flows.execution.shard_source import ShardSource, shard_source_of
from audiomill.flows.execution.windows import WindowResult
from audiomill.flows.job import Job
from audiomill.flows.pipeline.planning.plan import Plan
from audiomill.flows.pipeline.run_state import Run
from audiomill.inputs.segmentation.lengths import is_speakable
from audiomill.renderers.engine.errors import RenderError
from audiomill.renderers.engine.faults import Fault, Finding
from audiomill.renderers.engine.planning import estimate_s
from audiomill.renderers.engine.protocol import (
    NO_USAGE,
    Remark,
    Request,
    Samples,
    ShardInfo,
    Usage,
    total_usage,
)
from audiomill.renderers.speech.recogniser import Recogniser
from audiomill.renderers.speech.transcript_comparison import (
    OtherWords,
    other_words,
    sound_of,
    words_heard,
    words_of,
)
from audiomill.renderers.speech.whisper import open_whisper
from audiomill.renderers.store.notes import note_key
from audiomill.renderers.store.shard_reader import read_ahead
from audiomill.renderers.store.store import ShardStore, StoredShard
from audiomill.renderers.takes.retaking import MAX_VAIN

# A second of silence takes this share of the time of a usual segment (Whisper base: 0.66 s of 0.8).
SHARE_OF_SILENCE = 0.8
CAREFUL = 5  # guesses that are followed, once a transcript differs


def open_recogniser(job: Job) -> Recogniser | None:
    """The recogniser that checks the job's speech; None if none does. Raises EngineMissing."""
    return open_whisper(job.check_speech) if job.check_speech else None


def tell_effort(plan: Plan, recogniser: Recogniser) -> None:
    """Say how long the check of a book takes, if nothing of it was checked before.

    The recogniser listens to silence for it, which also shows that it works. Raises RenderError.
    """
    silence = np.zeros(plan.sample_rate, np.float32)
    recogniser.transcript(silence, plan.sample_rate, "en")  # which loads it
    started = time.perf_counter()
    recogniser.transcript(silence, plan.sample_rate, "en")
    each_s = (time.perf_counter() - started) / SHARE_OF_SILENCE
    say(
        f"{plan.book.title}: {plan.n_requests:,} segments are checked by recognition, which takes"
        f" about {format_duration(plan.n_requests * each_s)} if none of them was checked before."
    )


class SpeechCheck:
    """Listens to the windows of a book."""

    def __init__(self, run: Run, store: ShardStore, recogniser: Recogniser) -> None:
        self._source = shard_source_of(run.job, store, run.context)
        self._listener = SegmentListener(self._source, store, recogniser)
        self._is_remote = store.is_remote
        self._recogniser = recogniser
        self._context = run.context
        self._languages = _languages(run.plan)
        self._unknown = set[str]()  # languages, which are told once

    def check_window(self, requests: Sequence[Request], result: WindowResult) -> WindowResult:
        """The result of a window, with what was heard in it and what was rendered again.

        Raises RenderError, StoreError, Interrupted.
        """
        heard = dict[str, HeardSegment]()
        for text, shard in self._shards(self._texts(requests)):
            heard[text.request.key] = self._listener.listen(text, shard)
            self._context.progress.advance(Step.LISTEN, self._seconds(text.request))
        return _with_heard(result, heard)

    def _texts(self, requests: Sequence[Request]) -> list[SpokenText]:
        """The segments to listen to."""
        texts = list[SpokenText]()
        for request in requests:
            language = self._languages[request.key]
            if is_speakable(request.spoken) and self._is_known(language):
                texts.append(SpokenText(request, language))
            else:
                self._context.progress.extend(Step.LISTEN, -self._seconds(request))
        return texts

    def _is_known(self, language: str) -> bool:
        is_known = self._recogniser.knows(language)
        if not is_known and language not in self._unknown:
            self._unknown.add(language)
            self._context.warn(f"What is said in the language {language} cannot be checked.")
        return is_known

    def _shards(self, texts: Sequence[SpokenText]) -> Iterator[tuple[SpokenText, StoredShard]]:
        reader = self._source.reader()
        shards = read_ahead(
            lambda text: reader.shard(text.request), texts, is_remote=self._is_remote
        )
        return self._context.until_cancelled(zip(texts, shards, strict=True))

    def _seconds(self, request: Request) -> float:
        return estimate_s(request, self._source.renderer.limits)


def _languages(plan: Plan) -> Mapping[str, str]:
    """The language of each request, by its key."""
    by_id = {segment.id: segment.language for segment in plan.segments}
    return {
        planned.request.key: by_id[planned.segment_id]
        for chapter in plan.chapters
        for planned in chapter.segments
    }


def _with_heard(result: WindowResult, heard: Mapping[str, HeardSegment]) -> WindowResult:
    """The result of a window whose segments were heard, and some of them replaced."""
    replaced = {key: one.shard for key, one in heard.items() if one.is_replaced}
    kept = {key: found for key, found in result.findings.items() if key not in replaced}
    findings = kept | {key: shard.findings for key, shard in replaced.items()}
    for key, one in heard.items():
        if one.finding:
            findings[key] = (*findings.get(key, ()), one.finding)
    return replace(
        result,
        findings={key: found for key, found in findings.items() if found},
        remarks={**result.remarks, **{key: one.remarks for key, one in replaced.items()}},
        shards={key: replaced.get(key, shard) for key, shard in result.shards.items()},
        digests={**result.digests, **{key: one.shard.digest for key, one in heard.items()}},
        usage=total_usage((result.usage, *(one.usage for one in heard.values()))),
    )


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
    """The words heard of a take, and those that are not the text."""

    transcript: str
    wrong: OtherWords | None

    @property
    def n_wrong(self) -> float:
        return self.wrong.n_sounds if self.wrong else 0.0


@dataclass(frozen=True, slots=True)
class _Noted:
    """The store's note on a shard: its transcript, and how many takes were no better."""

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

    def listen(self, text: SpokenText, shard: StoredShard) -> HeardSegment:
        """The words heard of a segment, in the best of its takes.

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
        """The words heard of samples: with more care, if they are not the text."""
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
    """The content of a note; None if there is none."""
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
