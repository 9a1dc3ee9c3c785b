"""Asks a server of OpenAI's protocol for speech, and notes when each part of the audio came."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass

import httpx
from prometheus_client.parser import text_string_to_metric_families

from audiomill.flows.bench.serve.speech_figures import Arrival, StoreHits, TimedSpeech
from audiomill.flows.speech.row_counts import ROWS_METRIC

TIMEOUT_S = 300.0  # without any byte
METRICS_S = 10.0  # for what a server tells of itself
NOT_WHOLE, NOT_ASKED = "not whole in time", "not asked for in time"
MAX_MESSAGE_CHARS = 200  # of an error


@dataclass(frozen=True, slots=True)
class SpeechServer:
    """A server, and what is asked of it. `url` ends where the path `/audio/speech` begins."""

    url: str
    model: str
    voice: str
    key: str = ""


@asynccontextmanager
async def connected(server: SpeechServer) -> AsyncGenerator[httpx.AsyncClient]:
    """A client without a bound of its own on connections."""
    headers = {"Authorization": f"Bearer {server.key}"} if server.key else {}
    limits = httpx.Limits(max_connections=None, max_keepalive_connections=None)
    async with httpx.AsyncClient(
        base_url=server.url, headers=headers, limits=limits, timeout=TIMEOUT_S, trust_env=False
    ) as client:
        yield client


async def speak(
    client: httpx.AsyncClient,
    server: SpeechServer,
    text: str,
    *,
    only_first: bool = False,
    until_s: float | None = None,
) -> TimedSpeech:
    """Have a text said as raw samples, all of it or up to the first part of its audio.

    It is given up when the clock of the event loop shows `until_s`. What goes wrong is in the
    result.
    """
    begun_s = time.perf_counter()
    arrivals: list[Arrival] = []
    body = {
        "model": server.model,
        "voice": server.voice,
        "input": text,
        "response_format": "pcm",
    }
    error, given_up_s = "", None
    try:
        async with (
            asyncio.timeout_at(until_s),
            client.stream("POST", "/audio/speech", json=body) as answer,
        ):
            if not answer.is_success:
                return TimedSpeech((), f"status {answer.status_code}")
            async for part in answer.aiter_raw():
                arrivals.append(Arrival(time.perf_counter() - begun_s, len(part)))
                if only_first and part:
                    break
    except httpx.HTTPError as failed:
        error = _named(failed)
    except TimeoutError:
        error, given_up_s = NOT_WHOLE, time.perf_counter() - begun_s
    arrived = tuple(one for one in arrivals if one.n_bytes)
    return TimedSpeech(arrived, error or ("" if arrived else "no audio"), given_up_s)


def _named(failed: httpx.HTTPError) -> str:
    """What went wrong. A cut is a reset or a missing end by chance."""
    match failed:
        case httpx.TimeoutException():
            return f"nothing came for {TIMEOUT_S:.0f} s"
        case httpx.ConnectError():
            return f"no connection: {failed}"[:MAX_MESSAGE_CHARS]
        case httpx.NetworkError() | httpx.RemoteProtocolError():
            return "the connection was cut"
        case _:
            return f"{type(failed).__name__}: {failed}"[:MAX_MESSAGE_CHARS]


async def speak_all(
    client: httpx.AsyncClient,
    server: SpeechServer,
    texts: Sequence[str],
    n_in_flight: int,
    spoken: list[TimedSpeech],
    until_s: float,
) -> None:
    """Have all texts said, so many at a time, each as soon as one before it is done.

    Each comes into `spoken` as it is done, so that what was said before an interruption is there.
    When the clock of the event loop shows `until_s`, the others are given up.
    """
    waiting, loop = iter(texts), asyncio.get_running_loop()

    async def one_after_another() -> None:
        for text in waiting:
            if loop.time() < until_s:
                one = await speak(client, server, text, until_s=until_s)
            else:
                one = TimedSpeech((), NOT_ASKED)
            spoken.append(one)

    async with asyncio.TaskGroup() as group:
        for _ in range(n_in_flight):
            group.create_task(one_after_another())


async def store_hits(client: httpx.AsyncClient) -> StoreHits | None:
    """What the store of a server has had so far; None if it does not tell, as others than ours."""
    try:
        answer = await client.get(client.base_url.join("/metrics"), timeout=METRICS_S)
        return _hits_of(answer.text) if answer.is_success else None
    except (httpx.HTTPError, ValueError):
        return None


def _hits_of(metrics: str) -> StoreHits | None:
    """Raises ValueError for what only looks like our metrics."""
    name = f"{ROWS_METRIC}_total"
    lines = "".join(f"{line}\n" for line in metrics.splitlines() if line.startswith(f"{name}{{"))
    samples = [one for family in text_string_to_metric_families(lines) for one in family.samples]
    if not samples:
        return None
    n_stored = sum(one.value for one in samples if one.labels.get("outcome") == "stored")
    return StoreHits(int(n_stored), int(sum(one.value for one in samples)))
