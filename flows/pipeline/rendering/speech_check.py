"""The check by recognition of a book: what it takes, and the windows that it has listened to."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from audiomill.flows.console import format_duration, say
from audiomill.flows.execution.run_context import Step
from audiomill.flows.execution.shard_source import shard_source_of
from audiomill.flows.execution.windows import WindowResult
from audiomill.flows.job import Job
from audiomill.flows.pipeline.planning.plan import Plan
from audiomill.flows.pipeline.rendering.heard_segments import (
    HeardSegment,
    SegmentListener,
    SpokenText,
)
from audiomill.flows.pipeline.run import Run
from audiomill.inputs.segmentation.lengths import is_speakable
from audiomill.renderers.base import Request, total_usage
from audiomill.renderers.planning import estimate_s
from audiomill.renderers.recognition.recogniser import Recogniser
from audiomill.renderers.recognition.whisper import open_whisper
from audiomill.renderers.store.shard_reader import read_ahead
from audiomill.renderers.store.store import ShardStore, StoredShard

# A second of silence takes this share of the time of a usual segment (Whisper base: 0.66 s of 0.8).
SHARE_OF_SILENCE = 0.8


def open_recogniser(job: Job) -> Recogniser | None:
    """What checks the job's speech; None if nothing does. Raises EngineMissing."""
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

    def checked(self, requests: Sequence[Request], result: WindowResult) -> WindowResult:
        """The result of a window, with what was heard in it and what was rendered again.

        Raises RenderError, StoreError, Interrupted.
        """
        heard = dict[str, HeardSegment]()
        for text, shard in self._shards(self._texts(requests)):
            heard[text.request.key] = self._listener.heard(text, shard)
            self._context.progress.advance(Step.LISTEN, self._seconds(text.request))
        return _with_heard(result, heard)

    def _texts(self, requests: Sequence[Request]) -> list[SpokenText]:
        """What is to be listened to."""
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
        usage=total_usage((result.usage, *(one.usage for one in heard.values()))),
    )
