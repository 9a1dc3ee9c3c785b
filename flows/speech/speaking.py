"""Speaks texts: plans each, has it rendered by its engine's scheduler, and streams its audio.

    text ─▶ SpeechPlanner ─▶ SpeechScheduler of the engine ─▶ joined samples ─▶ s16le ─▶ format

Rows are rendered in this process, or at the workers of a cluster.

Planning, reading and joining run in threads, encoding in ffmpeg. A stream is made as fast as its
client takes it, and holds two sentences at most.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Self

from audiomill.flows.cluster.choice import ThisProcess
from audiomill.flows.execution.row_source import RowPlace
from audiomill.flows.execution.run_context import RunContext
from audiomill.flows.settings import Settings
from audiomill.flows.speech.captioned_speech import SpeechPart, SpokenWord, captioned_speech
from audiomill.flows.speech.framing import AudioPart
from audiomill.flows.speech.row_counts import RowCounts
from audiomill.flows.speech.scheduler import SpeechScheduler, SpeechTicket
from audiomill.flows.speech.speech_audio import speech_samples
from audiomill.flows.speech.stream_encoding import StreamEncoder
from audiomill.flows.speech.text_plan import SpeechPlan, SpeechPlanner, TextToSpeak
from audiomill.outputs.formats.streams import STREAM_FORMATS, StreamFormat
from audiomill.renderers.engine.protocol import Renderer, Samples
from audiomill.renderers.engine.registry import open_renderer
from audiomill.renderers.host.threads import MadeOnce
from audiomill.renderers.store.store import open_store


@dataclass(frozen=True, slots=True)
class SpeechInProgress:
    """A text that is being rendered, until its ticket is dropped."""

    plan: SpeechPlan
    ticket: SpeechTicket
    scheduler: SpeechScheduler


class TextSpeaker:
    """Speaks texts while it is entered, `n_at_once` of them."""

    def __init__(
        self,
        settings: Settings,
        context: RunContext,
        n_at_once: int,
        place: RowPlace | None = None,
    ) -> None:
        """Without a place, this process renders.

        Raises UsageError, UnknownEngine, EncoderMissing.
        """
        self.planner = SpeechPlanner(settings)
        self._settings, self._context = settings, context
        self._place = place or ThisProcess()
        self._encoder = StreamEncoder(n_at_once)
        self._schedulers = MadeOnce[str, SpeechScheduler](self._open_scheduler)
        self._stack = ExitStack()
        self._audio_s, self._lock = 0.0, threading.Lock()

    def __enter__(self) -> Self:
        """Open the store. Raises StoreError."""
        self._store = self._stack.enter_context(open_store(self._settings.store).session())
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()
        self._encoder.close()

    def renderer_of(self, engine: str) -> Renderer:
        """The engine of that name; "": the default. Raises RenderError, UsageError."""
        job = self.planner.job_of(engine or self.planner.engine)
        return open_renderer(job.engine, job.options)

    def scheduler_of(self, engine: str) -> SpeechScheduler:
        """The scheduler of an engine, by its name. Raises RenderError, UsageError."""
        return self._schedulers.of(engine)

    def has_store(self, identity: str) -> bool:
        """Whether audio is kept in the store of that identity. Raises StoreError."""
        return self._store.give_identity() == identity

    def _open_scheduler(self, engine: str) -> SpeechScheduler:
        job = self.planner.job_of(engine or self.planner.engine)
        source = self._place.row_source(job, self._store, self._context)
        return self._stack.enter_context(SpeechScheduler(source))

    @property
    def n_waiting(self) -> int:
        """The segments that are waited for and have not begun, of all engines."""
        return sum(self.n_waiting_by_engine.values())

    @property
    def n_waiting_by_engine(self) -> Mapping[str, int]:
        """The segments that are waited for and have not begun, of each engine in use."""
        return {name: one.n_waiting for name, one in self._schedulers.made().items()}

    @property
    def row_counts(self) -> Mapping[str, RowCounts]:
        """What has become of the segments, of each engine in use."""
        return {name: one.counts for name, one in self._schedulers.made().items()}

    @property
    def audio_s(self) -> float:
        """The seconds of audio that clients have taken."""
        return self._audio_s

    async def begin(self, text: TextToSpeak, client: str) -> SpeechInProgress:
        """Plan a text and begin to render it.

        Raises UsageError, SourceEmpty, RenderError, StoreError.
        """
        return await self._encoder.in_thread(self._begin, text, client)

    def _begin(self, text: TextToSpeak, client: str) -> SpeechInProgress:
        plan = self.planner.plan(text)
        scheduler = self.scheduler_of(plan.engine)
        requests = [segment.request for segment in plan.segments]
        return SpeechInProgress(plan, scheduler.submit(requests, client), scheduler)

    async def stream(self, speech: SpeechInProgress, format_name: str) -> AsyncIterator[AudioPart]:
        """The audio of a text in a format, as it becomes ready, without words.

        Raises RenderError, StoreError, EncoderFailed; CancelledError of `concurrent.futures` if it
        is dropped.
        """
        samples = speech_samples(speech.plan, speech.ticket.stored, speech.scheduler.reader())
        async for chunk in self._encoded(speech, samples, format_name):
            yield AudioPart(chunk)

    async def captioned(
        self, speech: SpeechInProgress, format_name: str
    ) -> AsyncIterator[AudioPart]:
        """As `stream`; each part has the words that have become ready. Raises the same."""
        words = deque[SpokenWord]()
        parts = captioned_speech(speech.plan, speech.ticket.stored, speech.scheduler.reader())
        async for chunk in self._encoded(speech, _samples(parts, words), format_name):
            yield AudioPart(chunk, _taken(words))
        if words:
            yield AudioPart(b"", _taken(words))

    def _encoded(
        self, speech: SpeechInProgress, samples: Iterator[Samples], format_name: str
    ) -> AsyncIterator[bytes]:
        form = STREAM_FORMATS[format_name]
        counted = self._counted(samples, speech.plan.sample_rate)
        return self._encoder.encoded(counted, speech.plan.sample_rate, form)

    def raw(self, samples: Iterable[Samples], sample_rate: int) -> AsyncIterator[bytes]:
        """Samples as s16le at their own rate, as they become ready. Raises what they raise."""
        counted = self._counted(samples, sample_rate)
        return self._encoder.encoded(counted, sample_rate, StreamFormat("audio/pcm"))

    def _counted(self, blocks: Iterable[Samples], sample_rate: int) -> Iterator[Samples]:
        for block in blocks:
            yield block
            with self._lock:
                self._audio_s += block.size / sample_rate


def _samples(parts: Iterable[SpeechPart], words: deque[SpokenWord]) -> Iterator[Samples]:
    """The samples of the parts; the words are there before the encoder has their last samples."""
    for part in parts:
        words.extend(part.words)
        yield part.samples


def _taken(words: deque[SpokenWord]) -> tuple[SpokenWord, ...]:
    return tuple(words.popleft() for _ in range(len(words)))
