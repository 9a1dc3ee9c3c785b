"""Encodes streams: each chunk is passed on as soon as ffmpeg has written it.

samples ─┬────────────────────▶ chunks of raw samples, after a header or none
         └─▶ ffmpeg, by pipes ─▶ chunks of all other formats
"""

from __future__ import annotations

import asyncio
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import TypeVar

from audiomill.outputs.formats.streams import StreamFormat, wav_header
from audiomill.outputs.types import EncoderFailed

Pipe = TypeVar("Pipe", asyncio.StreamReader, asyncio.StreamWriter)
CHUNK_BYTES = 1 << 14
_INPUT = ("-hide_banner", "-nostats", "-loglevel", "error", "-probesize", "32", "-f", "s16le")
_OUTPUT = ("-fflags", "+bitexact", "-flags:a", "+bitexact", "-flush_packets", "1", "pipe:1")


async def encoded(
    pcm: AsyncIterator[bytes], form: StreamFormat, sample_rate: int, ffmpeg: str
) -> AsyncIterator[bytes]:
    """A stream in a format. `pcm` is s16le at the rate of the format, mono.

    Raises EncoderFailed, and what `pcm` raises.
    """
    if form.has_wav_header:
        header = wav_header(sample_rate)
        async for block in pcm:
            yield header + block
            header = b""
    elif not form.options:
        async for block in pcm:
            yield block
    else:
        command = (ffmpeg, *_INPUT, "-ar", str(sample_rate), "-ac", "1", "-i", "pipe:0")
        async for chunk in _piped(pcm, (*command, *form.options, *_OUTPUT)):
            yield chunk


async def _piped(pcm: AsyncIterator[bytes], command: tuple[str, ...]) -> AsyncIterator[bytes]:
    process = await asyncio.create_subprocess_exec(
        *command, stdin=PIPE, stdout=PIPE, stderr=DEVNULL, process_group=0
    )
    feeding = asyncio.create_task(_feed(process, pcm))
    try:
        while chunk := await _opened(process.stdout).read(CHUNK_BYTES):
            yield chunk
        await feeding
        if await process.wait():
            raise EncoderFailed(f"ffmpeg ended with status {process.returncode}.")
    finally:
        feeding.cancel()
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()


async def _feed(process: Process, pcm: AsyncIterator[bytes]) -> None:
    """Write to an encoder until the samples end. It always gets an end, and so ends."""
    pipe = _opened(process.stdin)
    try:
        async for block in pcm:
            pipe.write(block)
            await pipe.drain()
    except (BrokenPipeError, ConnectionResetError):
        pass  # it has ended, and its status tells why
    finally:
        pipe.close()


def _opened(pipe: Pipe | None) -> Pipe:
    if pipe is None:
        raise RuntimeError("that end of ffmpeg was not opened as a pipe")
    return pipe
