"""Asks a server of OpenAI's protocol for speech, and notes when each part of the audio came."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass

import httpx

from audiomill.flows.bench.serve.speech_figures import Arrival, TimedSpeech

TIMEOUT_S = 300.0  # without any byte
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
    client: httpx.AsyncClient, server: SpeechServer, text: str, *, only_first: bool = False
) -> TimedSpeech:
    """Have a text said as raw samples, all of it or up to the first part of its audio.

    What goes wrong is in the result.
    """
    begun_s = time.perf_counter()
    arrivals: list[Arrival] = []
    body = {
        "model": server.model,
        "voice": server.voice,
        "input": text,
        "response_format": "pcm",
    }
    error = ""
    try:
        async with client.stream("POST", "/audio/speech", json=body) as answer:
            if not answer.is_success:
                return TimedSpeech((), f"status {answer.status_code}")
            async for part in answer.aiter_raw():
                arrivals.append(Arrival(time.perf_counter() - begun_s, len(part)))
                if only_first and part:
                    break
    except httpx.HTTPError as failed:
        error = _named(failed)
    arrived = tuple(one for one in arrivals if one.n_bytes)
    return TimedSpeech(arrived, error or ("" if arrived else "no audio"))


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
) -> None:
    """Have all texts said, so many at a time, each as soon as one before it is done.

    Each comes into `spoken` as it is done, so that what was said before an interruption is there.
    """
    waiting = iter(texts)

    async def one_after_another() -> None:
        for text in waiting:
            one = await speak(client, server, text)
            spoken.append(one)

    async with asyncio.TaskGroup() as group:
        for _ in range(n_in_flight):
            group.create_task(one_after_another())
