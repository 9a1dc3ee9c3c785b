"""Speaks texts: plans each, has it rendered by its engine's scheduler, and streams its audio.

    text ─▶ SpeechPlanner ─▶ SpeechScheduler of the engine ─▶ joined samples ─▶ s16le ─▶ format

Planning, reading and joining run in threads, encoding in ffmpeg. A stream is made as fast as its
client takes it, and holds two sentences at most.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Self, TypeVar

from audiomill.flows.execution.run_context import RunContext
from audiomill.flows.setting_sources import named_ffmpeg
from audiomill.flows.settings import Settings
from audiomill.flows.speech.scheduler import SpeechScheduler, SpeechTicket
from audiomill.flows.speech.speech_audio import speech_pcm, speech_samples
from audiomill.flows.speech.stream_encoding import encoded
from audiomill.flows.speech.text_plan import SpeechPlan, SpeechPlanner, TextToSpeak
from audiomill.outputs.encoding.find_ffmpeg import find_ffmpeg
from audiomill.outputs.formats.streams import STREAM_FORMATS
from audiomill.renderers.engine.protocol import Renderer
from audiomill.renderers.engine.registry import open_renderer
from audiomill.renderers.host.threads import MadeOnce
from audiomill.renderers.store.store import open_store

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class SpeechInProgress:
    """A text that is being rendered, until its ticket is dropped."""

    plan: SpeechPlan
    ticket: SpeechTicket
    scheduler: SpeechScheduler


class TextSpeaker:
    """Speaks texts while it is entered, `n_at_once` of them."""

    def __init__(self, settings: Settings, context: RunContext, n_at_once: int) -> None:
        """Raises UsageError, UnknownEngine, EncoderMissing."""
        self.planner = SpeechPlanner(settings)
        self._settings, self._context = settings, context
        encoders = [one.encoder for one in STREAM_FORMATS.values() if one.encoder]
        self._ffmpeg = find_ffmpeg(named_ffmpeg(), encoders)
        self._threads = ThreadPoolExecutor(n_at_once + 1, "speech")
        self._schedulers = MadeOnce[str, SpeechScheduler](self._open_scheduler)
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        """Raises StoreError."""
        self._store = self._stack.enter_context(open_store(self._settings.store).session())
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()
        self._threads.shutdown()

    def renderer_of(self, engine: str) -> Renderer:
        """The engine of that name; "": the default. Raises RenderError, UsageError."""
        job = self.planner.job_of(engine or self.planner.engine)
        return open_renderer(job.engine, job.options)

    def _open_scheduler(self, engine: str) -> SpeechScheduler:
        scheduler = SpeechScheduler(self.renderer_of(engine), self._store, self._context)
        return self._stack.enter_context(scheduler)

    @property
    def n_waiting(self) -> int:
        """The segments that are waited for and have not begun, of all engines."""
        return sum(one.n_waiting for one in self._schedulers.values())

    async def begin(self, text: TextToSpeak, client: str) -> SpeechInProgress:
        """Plan a text and begin to render it.

        Raises UsageError, SourceEmpty, RenderError, StoreError.
        """
        return await self._in_thread(self._begin, text, client)

    def _begin(self, text: TextToSpeak, client: str) -> SpeechInProgress:
        plan = self.planner.plan(text)
        scheduler = self._schedulers.of(plan.engine)
        requests = [segment.request for segment in plan.segments]
        return SpeechInProgress(plan, scheduler.submit(requests, client), scheduler)

    async def stream(self, speech: SpeechInProgress, format_name: str) -> AsyncIterator[bytes]:
        """The audio of a text in a format, as it becomes ready.

        Raises RenderError, StoreError, EncoderFailed; CancelledError of `concurrent.futures` if it
        is dropped.
        """
        form = STREAM_FORMATS[format_name]
        rate = form.rate or speech.plan.sample_rate
        samples = speech_samples(speech.plan, speech.ticket.stored, speech.scheduler.reader())
        pcm = self._blocks(speech_pcm(samples, speech.plan.sample_rate, rate))
        async for chunk in encoded(pcm, form, rate, self._ffmpeg):
            yield chunk

    async def _blocks(self, blocks: Iterator[bytes]) -> AsyncIterator[bytes]:
        """Blocks that are made, one after the other, in a thread."""
        while block := await self._in_thread(_next_block, blocks):
            yield block

    async def _in_thread(self, function: Callable[..., T], *arguments: object) -> T:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._threads, function, *arguments)


def _next_block(blocks: Iterator[bytes]) -> bytes:
    """The next block that has something; b"" after the last one."""
    return next(filter(None, blocks), b"")
