"""Measures servers of speech: by requests in flight, the same texts again, and a text cancelled.

    warm up ─▶ for each number in flight: each server ─▶ the first texts again ─▶ cancel

Servers take turns at each step, so that something that disturbs the machine disturbs all. All get
the same texts, which nobody has said before.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from random import Random
from statistics import median

import httpx

from audiomill.flows.bench.serve.fresh_texts import fresh_text
from audiomill.flows.bench.serve.speech_client import SpeechServer, connected, speak, speak_all
from audiomill.flows.bench.serve.speech_figures import LevelFigures, level_figures

LEAST_TEXTS = 8  # of a level
TEXTS_PER_REQUEST = 2  # in flight
LONG_SENTENCES = 40  # of a text that is cancelled: minutes of speech
N_CANCELLED = 3


@dataclass(frozen=True, slots=True)
class ServerFigures:
    """What was measured of one server. Seconds; None: no text was said."""

    url: str
    levels: tuple[LevelFigures, ...]
    again: LevelFigures  # the texts of the first level once more
    # How much later than otherwise a text comes that is sent as another one is cancelled.
    cancelled_s: float | None


@dataclass(frozen=True, slots=True)
class _Asked:
    """A server with its client, and what it has shown so far."""

    server: SpeechServer
    client: httpx.AsyncClient
    levels: list[LevelFigures]


async def bench_servers(
    servers: Sequence[SpeechServer],
    in_flight: Sequence[int],
    seed: int,
    tell: Callable[[str], None],
) -> tuple[ServerFigures, ...]:
    """The figures of servers, in order. `tell` hears what is measured."""
    random = Random(seed)  # noqa: S311 - of texts, not of secrets
    async with AsyncExitStack() as stack:
        asked = [
            _Asked(server, await stack.enter_async_context(connected(server)), [])
            for server in servers
        ]
        warm_up = fresh_text(random)
        for one in asked:
            await speak(one.client, one.server, warm_up)
        first_texts: list[str] = []
        for n in in_flight:
            texts = [fresh_text(random) for _ in range(max(LEAST_TEXTS, TEXTS_PER_REQUEST * n))]
            first_texts = first_texts or texts
            for one in asked:
                tell(f"{one.server.url}: {len(texts)} texts, {n} at a time")
                one.levels.append(await _level(one, texts, n))
        again = [await _level(one, first_texts, in_flight[0]) for one in asked]
        cancelled_s = [
            await _cancelled_s(one, [fresh_text(random) for _ in range(2 * N_CANCELLED)], long)
            for one, long in zip(asked, _long_texts(random, len(asked)), strict=True)
        ]
    return tuple(
        ServerFigures(one.server.url, tuple(one.levels), figures, late_s)
        for one, figures, late_s in zip(asked, again, cancelled_s, strict=True)
    )


def _long_texts(random: Random, n_servers: int) -> Iterator[list[str]]:
    """Of each server, the texts that are cancelled."""
    texts = [fresh_text(random, LONG_SENTENCES) for _ in range(N_CANCELLED)]
    for _ in range(n_servers):
        yield texts


async def _level(one: _Asked, texts: Sequence[str], n_in_flight: int) -> LevelFigures:
    spoken, wall_s = await speak_all(one.client, one.server, texts, n_in_flight)
    return level_figures(n_in_flight, spoken, wall_s)


async def _cancelled_s(one: _Asked, short: Sequence[str], long: Sequence[str]) -> float | None:
    """The median of how much later the first audio of a text is after a cancelled one."""
    late_s: list[float] = []
    for cancelled, alone, after in zip(long, short[::2], short[1::2], strict=True):
        quiet = await speak(one.client, one.server, alone)
        await speak(one.client, one.server, cancelled, only_first=True)
        next_one = await speak(one.client, one.server, after)
        if quiet.first_s is not None and next_one.first_s is not None:
            late_s.append(max(0.0, next_one.first_s - quiet.first_s))
    return median(late_s) if late_s else None


def run_bench_of_servers(
    servers: Sequence[SpeechServer],
    in_flight: Sequence[int],
    seed: int,
    tell: Callable[[str], None],
) -> tuple[ServerFigures, ...]:
    """As `bench_servers`, for callers that are not asynchronous."""
    return asyncio.run(bench_servers(servers, in_flight, seed, tell))
