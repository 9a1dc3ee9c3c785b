"""The file format of a stored shard. Knows bytes only, no files, folders or buckets.

    ┌───────┬───────────────┬────────────────┬─────────────┬───────────────────┐
    │ magic │ header bytes  │ SHA-256 of the │ header,     │ payload, audio,   │
    │ 8     │ 4, little end │ header, 32     │ JSON, UTF-8 │ to the file's end │
    └───────┴───────────────┴────────────────┴─────────────┴───────────────────┘

The header (`shard_header.py`) holds the key, a description of the audio, and the payload's length
and SHA-256. So a changed bit, a missing byte or an extra byte anywhere in the file is detected.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from dataclasses import replace
from enum import StrEnum
from typing import BinaryIO

import numpy as np
import soundfile

from audiomill.renderers.engine.errors import EngineFailed
from audiomill.renderers.engine.pcm import PcmLevels, pcm_of, quantised
from audiomill.renderers.engine.protocol import Rendered, Samples, ShardInfo
from audiomill.renderers.store.shard_header import (
    Codec,
    Header,
    HeaderInvalid,
    UnknownSchema,
    header_text,
    parsed_header,
)
from audiomill.renderers.store.shard_layout import MAGIC, MAX_HEADER_BYTES, PREFIX, Part, Parts

SUBTYPES = {16: "PCM_16", 24: "PCM_24"}


class MissReason(StrEnum):
    """Why the store cannot return a shard."""

    ABSENT = "absent"
    UNREADABLE = "unreadable"
    CUT_SHORT = "cut short"
    DAMAGED = "damaged"
    FOREIGN = "another segment's"
    UNKNOWN_SCHEMA = "of an unknown version"


class InvalidShard(Exception):
    """The bytes are not the requested shard. Has the reason, and a detail for people."""

    def __init__(self, reason: MissReason, detail: str) -> None:
        super().__init__(detail)
        self.reason = reason
        self.detail = detail


class Undecodable(Exception):
    """The payload is not audio of its codec."""


def pack(key: str, rendered: Rendered, *, sample_rate: int, bits: int, codec: Codec) -> Parts:
    """The file content of a shard; `bits` is 16 or 24. Raises EngineFailed for invalid audio."""
    payload, exponent, sha256 = _payload(rendered, sample_rate, bits, codec)
    info = ShardInfo(
        *(key, rendered.samples.size, sample_rate),
        *(rendered.timings, rendered.remarks, rendered.findings),
    )
    try:
        text = header_text(Header(info, codec, bits, exponent, len(payload), sha256))
    except HeaderInvalid as error:  # it could not be read again
        raise EngineFailed(f"The engine's audio cannot be stored: {error}.") from error
    prefix = PREFIX.pack(MAGIC, len(text), hashlib.sha256(text).digest())
    return prefix + text, payload


def inspect(key: str, data: bytes) -> ShardInfo:
    """Verify every byte of `data` without decoding the audio. Raises InvalidShard."""
    return _with_digest(_verified(key, data)[0].info, data)


def unpack(key: str, data: bytes) -> tuple[ShardInfo, Samples]:
    """Verify and decode the shard in `data`. Raises InvalidShard."""
    header, payload = _verified(key, data)
    try:
        samples = decoded(payload, header)
    except Undecodable as error:
        raise InvalidShard(MissReason.DAMAGED, str(error)) from error
    if header.exponent:
        samples = np.ldexp(samples, header.exponent)
    return _with_digest(header.info, data), samples


def digest_of(data: Part) -> str:
    """The SHA-256 of a shard's header, which has that of its payload: it tells all of the shard.

    `data` is the shard, or its first part.
    """
    return str(PREFIX.unpack_from(data)[2].hex())


def _payload(
    rendered: Rendered, sample_rate: int, bits: int, codec: Codec
) -> tuple[Part, int, str]:
    """The audio as it is stored, its exponent, and its SHA-256. Raises EngineFailed."""
    if codec is Codec.PCM:
        pcm = rendered.pcm or pcm_of(rendered.samples, bits)
        return pcm.octets.data, pcm.exponent, pcm.sha256
    levels, exponent = _levels_of(rendered, bits)
    payload = _to_flac(levels, sample_rate, bits)
    return payload, exponent, hashlib.sha256(payload).hexdigest()


def _levels_of(rendered: Rendered, bits: int) -> tuple[PcmLevels, int]:
    """The levels in the upper bits of 16 or 32, and their exponent. Raises EngineFailed."""
    if rendered.pcm:
        return _upper_bits(rendered.pcm.octets.data, bits), rendered.pcm.exponent
    levels, exponent = quantised(rendered.samples, bits)
    return (levels if bits == 16 else levels << (32 - bits)), exponent


def decoded(payload: memoryview, header: Header) -> Samples:
    """The samples of a payload, full scale 1, as many as the header says. Raises Undecodable."""
    if header.codec is Codec.PCM:
        return _from_pcm(payload, header.bits)
    return _from_flac(payload, header.info.sample_rate, header.info.n_samples)


def _from_pcm(payload: memoryview, bits: int) -> Samples:
    levels = _upper_bits(payload, bits)
    full = 1 << (8 * levels.itemsize - 1)
    return np.multiply(levels, np.float32(1 / full), dtype=np.float32)


def _upper_bits(payload: memoryview, bits: int) -> PcmLevels:
    """The levels of PCM of 16 bits; of 24 bits, 256 times the levels."""
    if bits == 16:
        return np.frombuffer(payload, "<i2")
    three = np.frombuffer(payload, np.uint8).reshape(-1, 3)
    # With a zero as the lowest of four bytes, for the correct sign.
    return np.pad(three, ((0, 0), (1, 0))).reshape(-1).view("<i4")


def _to_flac(levels: PcmLevels, sample_rate: int, bits: int) -> bytes:
    """Levels in the upper bits of 16 or 32, which are those that libsndfile uses, as FLAC."""
    with _anonymous_file() as file:
        try:
            soundfile.write(
                file.fileno(), levels, sample_rate, SUBTYPES[bits], format="FLAC", closefd=False
            )
        except soundfile.LibsndfileError as error:
            raise EngineFailed(f"The engine's audio cannot be stored as FLAC: {error}") from error
        file.seek(0)
        return file.read()


def _from_flac(payload: memoryview, sample_rate: int, n_samples: int) -> Samples:
    expected = (1, n_samples, sample_rate)
    with _anonymous_file() as file:
        file.write(payload)
        file.seek(0)
        try:
            # A few bytes may claim to be hours of silence, so only what is expected is decoded.
            with soundfile.SoundFile(file.fileno(), closefd=False) as opened:
                found = (opened.channels, opened.frames, opened.samplerate)
                samples = opened.read(n_samples, dtype="float32") if found == expected else None
        except soundfile.LibsndfileError as error:
            raise Undecodable(f"its FLAC does not decode: {error}") from error
    if samples is None or samples.size != n_samples:
        detail = "channels, samples and rate of its FLAC are {}, {} and {}, not {}, {} and {}"
        raise Undecodable(detail.format(*found, *expected))
    return np.asarray(samples, np.float32)


def _anonymous_file() -> BinaryIO:
    """A file without a name, in memory where possible. It vanishes when closed.

    libsndfile gets its descriptor. With a Python file object it would call back into Python every
    few thousand samples, and wait for the GIL each time.
    """
    if hasattr(os, "memfd_create"):
        return os.fdopen(os.memfd_create("shard"), "w+b")
    return tempfile.TemporaryFile()


def _with_digest(info: ShardInfo, data: bytes) -> ShardInfo:
    return replace(info, digest=digest_of(data))


def _verified(key: str, data: bytes) -> tuple[Header, memoryview]:
    """The header and payload of `data`, every byte verified. Raises InvalidShard."""
    text, payload = _split(data)
    header = _header(text)
    if header.info.key != key:
        raise InvalidShard(MissReason.FOREIGN, f"it holds {header.info.key[:12]}")
    if len(payload) < header.payload_bytes:
        detail = f"{len(payload)} of {header.payload_bytes} bytes of audio"
        raise InvalidShard(MissReason.CUT_SHORT, detail)
    if hashlib.sha256(payload).hexdigest() != header.payload_sha256:
        raise InvalidShard(MissReason.DAMAGED, "its audio has changed since it was written")
    return header, payload


def _split(data: bytes) -> tuple[bytes, memoryview]:
    """The verified header text, and the payload. Raises InvalidShard."""
    if len(data) < PREFIX.size:
        raise InvalidShard(MissReason.CUT_SHORT, f"{len(data)} bytes are left of it")
    magic, header_bytes, header_sha256 = PREFIX.unpack_from(data)
    if magic != MAGIC:
        raise InvalidShard(MissReason.DAMAGED, "it does not begin like a shard")
    if header_bytes > MAX_HEADER_BYTES:
        raise InvalidShard(MissReason.DAMAGED, f"its header has {header_bytes} bytes")
    text = data[PREFIX.size : PREFIX.size + header_bytes]
    if hashlib.sha256(text).digest() != header_sha256:
        cut = len(text) < header_bytes
        reason = MissReason.CUT_SHORT if cut else MissReason.DAMAGED
        raise InvalidShard(reason, "its header is not as it was written")
    return text, memoryview(data)[PREFIX.size + header_bytes :]


def _header(text: bytes) -> Header:
    """The header of any known schema. Raises InvalidShard."""
    try:
        return parsed_header(text)
    except UnknownSchema as error:
        raise InvalidShard(MissReason.UNKNOWN_SCHEMA, str(error)) from error
    except HeaderInvalid as error:
        raise InvalidShard(MissReason.DAMAGED, f"its header makes no sense: {error}") from error
