"""Encodes streams.

    samples ─▶ s16le ─┬────────────────────▶ chunks of raw samples, after a header or none
                      └─▶ ffmpeg, by pipes ─▶ chunks of all other formats

Samples are made in threads, one block after the other, as fast as their client takes them. Each
chunk is passed on as soon as ffmpeg has written it.
"""

from __future__ import annotations

import asyncio
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import TypeVar

from audiomill.flows.setting_sources import named_ffmpeg
from audiomill.flows.speech.speech_audio import speech_pcm
from audiomill.outputs.ffmpeg.commands import encode_command
from audiomill.outputs.ffmpeg.find_ffmpeg import find_ffmpeg
from audiomill.outputs.formats.streams import STREAM_FORMATS, StreamFormat
from audiomill.outputs.formats.wav_header import wav_header
from audiomill.outputs.types import EncoderFailed
from audiomill.renderers.engine.protocol import Samples
from audiomill.renderers.host.pipes import opened_pipe

T = TypeVar("T")
CHUNK_BYTES = 1 << 14
END_S = 5.0  # in which an encoder writes what it has
_AT_ONCE = {"flush_packets": 1}


class StreamEncoder:
    """Encodes streams, `n_at_once` of them, until it is closed."""

    def __init__(self, n_at_once: int) -> None:
        """Raises EncoderMissing, UsageError."""
        encoders = [one.encoder for one in STREAM_FORMATS.values() if one.encoder]
        self._ffmpeg = find_ffmpeg(named_ffmpeg(), encoders)
        self._threads = ThreadPoolExecutor(n_at_once + 1, "stream")

    def close(self) -> None:
        """Wait until no stream is made any more."""
        self._threads.shutdown()

    async def in_thread(self, function: Callable[..., T], *arguments: object) -> T:
        """The result of a function that runs in one of the threads."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._threads, function, *arguments)

    async def encoded(
        self, samples: Iterable[Samples], sample_rate: int, form: StreamFormat
    ) -> AsyncIterator[bytes]:
        """A stream in a format, each part as soon as its samples are there.

        Raises EncoderFailed, and what `samples` raises.
        """
        rate = form.rate or sample_rate
        pcm = self._blocks(speech_pcm(samples, sample_rate, rate))
        async for chunk in _encoded(pcm, form, rate, self._ffmpeg):
            yield chunk

    async def _blocks(self, blocks: Iterator[bytes]) -> AsyncIterator[bytes]:
        """Blocks that are made, one after the other, in a thread."""
        while block := await self.in_thread(_next_block, blocks):
            yield block


def _next_block(blocks: Iterator[bytes]) -> bytes:
    """The next block that has something; b"" after the last one."""
    return next(filter(None, blocks), b"")


async def _encoded(
    pcm: AsyncIterator[bytes], form: StreamFormat, sample_rate: int, ffmpeg: str
) -> AsyncIterator[bytes]:
    """`pcm` is s16le at the rate of the format, mono."""
    if form.has_wav_header:
        header = wav_header(sample_rate)
        async for block in pcm:
            yield header + block
            header = b""
    elif not form.options:
        async for block in pcm:
            yield block
    else:
        options = {**dict(form.options), **_AT_ONCE}
        async for chunk in _piped(pcm, encode_command(ffmpeg, sample_rate, "pipe:1", options)):
            yield chunk


async def _piped(pcm: AsyncIterator[bytes], command: Sequence[str]) -> AsyncIterator[bytes]:
    process = await asyncio.create_subprocess_exec(
        *command, stdin=PIPE, stdout=PIPE, stderr=DEVNULL, process_group=0
    )
    feeding = asyncio.create_task(_feed(process, pcm))
    try:
        while chunk := await opened_pipe(process.stdout).read(CHUNK_BYTES):
            yield chunk
        await feeding
        if await process.wait():
            raise EncoderFailed(f"ffmpeg ended with status {process.returncode}.")
    finally:
        feeding.cancel()
        await _end(process)


async def _end(process: Process) -> None:
    """Wait for an encoder whose input has ended; kill it if it hangs.

    Not at once: who kills a process that is just ending takes its exit code from asyncio, which
    then says that the process is unknown.
    """
    try:
        async with asyncio.timeout(END_S):
            await process.communicate()
    except TimeoutError:
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()


async def _feed(process: Process, pcm: AsyncIterator[bytes]) -> None:
    """Write to an encoder until the samples end. It always gets an end, and so ends."""
    pipe = opened_pipe(process.stdin)
    try:
        async for block in pcm:
            pipe.write(block)
            await pipe.drain()
    except (BrokenPipeError, ConnectionResetError):
        pass  # it has ended, and its status tells why
    finally:
        pipe.close()
