"""Measures servers of speech: by requests in flight, the same texts again, and a text cancelled.

    warm up ─▶ for each number in flight: each server ─▶ the first texts again ─▶ cancel

Servers take turns at each step, so that something that disturbs the machine disturbs all. All get
the same texts, which nobody has said before; only those that are cancelled are as long as a server
is fast. Each step of a server has a time, after which the texts that are not whole are given up.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Coroutine, Sequence
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, field, replace
from random import Random
from statistics import median
from typing import Any

import httpx

from audiomill.flows.bench.serve.fresh_texts import fresh_text
from audiomill.flows.bench.serve.speech_client import (
    SpeechServer,
    connected,
    speak,
    speak_all,
    store_hits,
)
from audiomill.flows.bench.serve.speech_figures import (
    LevelFigures,
    TimedSpeech,
    level_figures,
)

LEAST_TEXTS = 8  # of a level
MOST_MORE_TEXTS = 16  # than are in flight: 64 at a time would else take a slow server half an hour
N_CANCELLED = 3
CANCELLED_TEXT_S = 15.0  # in which a server would say a text that is cancelled
MIN_CANCELLED_SENTENCES, MAX_CANCELLED_SENTENCES = 4, 40
SENTENCE_S = 5.0  # of audio, about
WARM_UP_S = 300.0  # for a first text, until a server has loaded all it needs
SETTLE_S = 60.0  # for a server that goes on with texts that were given up
CANCELLING_S = 90.0  # for all texts that are cancelled; slower servers have fewer, or none
_POLL_S = 0.1


@dataclass(frozen=True, slots=True)
class ServePlan:
    """What is measured."""

    in_flight: tuple[int, ...]
    seed: int  # of the texts
    within_s: float  # a level of a server; what is not said by then counts as an error


@dataclass(frozen=True, slots=True)
class ServerFigures:
    """What was measured of one server. Seconds; None: no text was said, or it was not measured."""

    url: str
    levels: tuple[LevelFigures, ...]
    again: LevelFigures | None  # the texts of the first level once more
    # How much later than otherwise a text comes that is sent as another one is cancelled.
    cancelled_s: float | None


@dataclass(frozen=True, slots=True)
class ServeBench:
    """What was measured of several servers, in order."""

    servers: tuple[ServerFigures, ...]
    is_interrupted: bool  # the last figures are of fewer texts, and others are missing


@dataclass(slots=True)
class _Level:
    """Texts that a server says, so many at a time, as far as it has come."""

    in_flight: int
    spoken: list[TimedSpeech] = field(default_factory=list[TimedSpeech])
    begun_s: float = field(default_factory=time.perf_counter)

    def figures(self) -> LevelFigures:
        """Those of the texts that have been said by now."""
        return level_figures(self.in_flight, self.spoken, time.perf_counter() - self.begun_s)


@dataclass(slots=True)
class _Asked:
    """A server with its client, and what it has shown so far."""

    server: SpeechServer
    client: httpx.AsyncClient
    random: Random  # of texts that no other server gets
    levels: list[LevelFigures] = field(default_factory=list[LevelFigures])
    again: LevelFigures | None = None
    late_s: list[float] = field(default_factory=list[float])

    async def level(self, texts: Sequence[str], n_in_flight: int, within_s: float) -> None:
        """Measure a level; if this is stopped, what has been said till then."""
        level = _Level(n_in_flight)
        try:
            self.levels.append(await self._measured(level, texts, within_s))
        except asyncio.CancelledError:
            if level.spoken:
                self.levels.append(level.figures())
            raise
        await self._settle(level)

    async def same_again(self, texts: Sequence[str], n_in_flight: int, within_s: float) -> None:
        """Measure the texts of the first level once more."""
        level = _Level(n_in_flight)
        self.again = await self._measured(level, texts, within_s)
        await self._settle(level)

    async def _measured(self, level: _Level, texts: Sequence[str], within_s: float) -> LevelFigures:
        before = await store_hits(self.client)
        level.begun_s = time.perf_counter()
        until_s = asyncio.get_running_loop().time() + within_s
        await speak_all(self.client, self.server, texts, level.in_flight, level.spoken, until_s)
        figures = level.figures()
        after = await store_hits(self.client)
        return replace(figures, hits=after.since(before) if before and after else None)

    async def _settle(self, level: _Level) -> None:
        """Wait for a server that still renders what was given up: it answers once it is done.

        What is measured next would else be beside that.
        """
        if any(one.given_up_s is not None for one in level.spoken):
            until_s = asyncio.get_running_loop().time() + SETTLE_S
            await speak(self.client, self.server, fresh_text(self.random, 1), until_s=until_s)

    async def cancel(self) -> None:
        """Measure how much later the first audio of a text is after a cancelled one."""
        with suppress(TimeoutError):
            async with asyncio.timeout(CANCELLING_S):
                for _ in range(N_CANCELLED):
                    await self._cancel()

    async def _cancel(self) -> None:
        long = fresh_text(self.random, self._n_cancelled_sentences())
        quiet = await speak(self.client, self.server, fresh_text(self.random, 1))
        await speak(self.client, self.server, long, only_first=True)
        next_one = await speak(self.client, self.server, fresh_text(self.random, 1))
        if quiet.first_s is not None and next_one.first_s is not None:
            self.late_s.append(max(0.0, next_one.first_s - quiet.first_s))

    def _n_cancelled_sentences(self) -> int:
        speed = min(one.speed for one in self.levels)
        n = round(speed * CANCELLED_TEXT_S / SENTENCE_S)
        return max(MIN_CANCELLED_SENTENCES, min(n, MAX_CANCELLED_SENTENCES))

    def figures(self) -> ServerFigures:
        """What has been measured by now."""
        late_s = median(self.late_s) if self.late_s else None
        return ServerFigures(self.server.url, tuple(self.levels), self.again, late_s)


async def bench_servers(
    servers: Sequence[SpeechServer],
    plan: ServePlan,
    tell: Callable[[str], None],
    stop: threading.Event,
) -> ServeBench:
    """The figures of servers, in order, up to `stop`. `tell` hears what is measured."""
    async with AsyncExitStack() as stack:
        asked = [
            _Asked(
                server,
                await stack.enter_async_context(connected(server)),
                Random(f"{plan.seed} {number}"),  # noqa: S311 - of texts, not of secrets
            )
            for number, server in enumerate(servers)
        ]
        is_whole = await _until(stop, _measure(asked, plan, tell))
    return ServeBench(tuple(one.figures() for one in asked), not is_whole)


async def _measure(asked: Sequence[_Asked], plan: ServePlan, tell: Callable[[str], None]) -> None:
    random = Random(plan.seed)  # noqa: S311 - of texts, not of secrets
    warm_up, loop = fresh_text(random), asyncio.get_running_loop()
    for one in asked:
        await speak(one.client, one.server, warm_up, until_s=loop.time() + WARM_UP_S)
    first_texts: list[str] = []
    for n in plan.in_flight:
        texts = [fresh_text(random) for _ in range(_n_texts(n))]
        first_texts = first_texts or texts
        for one in asked:
            tell(f"{one.server.url}: {len(texts)} texts, {n} at a time")
            await one.level(texts, n, plan.within_s)
    for one in asked:
        tell(f"{one.server.url}: the first {len(first_texts)} texts again")
        await one.same_again(first_texts, plan.in_flight[0], plan.within_s)
    for one in asked:
        tell(f"{one.server.url}: texts that are cancelled")
        await one.cancel()


def _n_texts(in_flight: int) -> int:
    return max(LEAST_TEXTS, in_flight + min(in_flight, MOST_MORE_TEXTS))


async def _until(stop: threading.Event, work: Coroutine[Any, Any, None]) -> bool:
    """Do some work, or what is done of it when `stop` is set; whether all of it was."""
    task = asyncio.create_task(work)
    while not task.done():
        if stop.is_set():
            task.cancel()
        await asyncio.wait((task,), timeout=_POLL_S)
    if task.cancelled():
        return False
    task.result()
    return True


def run_bench_of_servers(
    servers: Sequence[SpeechServer],
    plan: ServePlan,
    tell: Callable[[str], None],
    stop: threading.Event,
) -> ServeBench:
    """As `bench_servers`, for callers that are not asynchronous."""
    return asyncio.run(bench_servers(servers, plan, tell, stop))
