"""Encodes streams.

    samples ─┬────────────────────▶ chunks of raw samples, after a header or none
             └─▶ ffmpeg, by pipes ─▶ chunks of all other formats

Each chunk is passed on as soon as ffmpeg has written it.
"""

from __future__ import annotations

import asyncio
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import AsyncIterator, Sequence
from contextlib import suppress

from audiomill.outputs.encoding.commands import encode_command
from audiomill.outputs.encoding.ffmpeg import opened_pipe
from audiomill.outputs.formats.streams import StreamFormat, wav_header
from audiomill.outputs.types import EncoderFailed

CHUNK_BYTES = 1 << 14
_AT_ONCE = {"flush_packets": 1}


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
