"""The bytes of a stored shard. Knows the format; knows no files, folders or buckets.

    ┌───────┬───────────────┬────────────────┬─────────────┬───────────────────┐
    │ magic │ header bytes  │ SHA-256 of the │ header,     │ payload, audio,   │
    │ 8     │ 4, little end │ header, 32     │ JSON, UTF-8 │ to the file's end │
    └───────┴───────────────┴────────────────┴─────────────┴───────────────────┘

The header holds the key, what the audio is, and the payload's length and SHA-256: no bit of the
file can change, and no byte be missing or too many, without being seen.
"""

from __future__ import annotations

import hashlib
import json
import os
import struct
import tempfile
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, BinaryIO

import numpy as np
import soundfile
from numpy.typing import NDArray

from audiomill.renderers.base import AudioShard, EngineFailed, Remark, Rendered, Samples, WordTiming

# A shard's audio as bytes:

LOUDEST = 1 << 16  # 96 dB over full scale: what is louder is not sound
SUBTYPES = {16: "PCM_16", 24: "PCM_24"}
SampleLevels = NDArray[np.int16 | np.int32]


class Codec(StrEnum):
    """What a payload is: little-endian levels one after the other, or a FLAC file."""

    PCM = "pcm"
    FLAC = "flac"


class Undecodable(Exception):
    """These bytes are not audio of that kind."""


def quantised(samples: Samples, bits: int) -> tuple[SampleLevels, int]:
    """`samples` in PCM levels of 16 or 24 bits, halved `exponent` times so that none is clipped.

    Raises EngineFailed for what is no audio.
    """
    least, most = _bounds(samples)
    full = float(1 << (bits - 1))
    exponent = 0
    while round(most * full / 2**exponent) > full - 1 or round(least * full / 2**exponent) < -full:
        exponent += 1
    scaled = samples * np.float32(full / 2**exponent)  # a power of two: nothing is rounded yet
    return np.rint(scaled, out=scaled).astype(np.int16 if bits == 16 else np.int32), exponent


def _bounds(samples: Samples) -> tuple[float, float]:
    """The least and the largest sample, if they can be audio. Raises EngineFailed."""
    if samples.ndim != 1 or samples.size == 0:
        raise EngineFailed(
            f"The engine returned audio of shape {samples.shape}: there is no sound."
        )
    least, most = float(samples.min()), float(samples.max())
    if not -LOUDEST < least <= most < LOUDEST:  # which no NaN is
        raise EngineFailed(
            "The engine returned audio with samples that are no numbers, or far off."
        )
    return least, most


def encoded(levels: SampleLevels, sample_rate: int, bits: int, codec: Codec) -> bytes:
    """The levels as a payload. Raises EngineFailed for a rate that FLAC cannot have."""
    return _pcm(levels, bits) if codec is Codec.PCM else _flac(levels, sample_rate, bits)


def decoded(payload: memoryview, sample_rate: int, bits: int, codec: Codec) -> Samples:
    """The samples of a payload, full scale 1. Raises Undecodable."""
    return _from_pcm(payload, bits) if codec is Codec.PCM else _from_flac(payload, sample_rate)


def _pcm(levels: SampleLevels, bits: int) -> bytes:
    if bits == 16:
        return levels.astype("<i2", copy=False).tobytes()
    return levels.astype("<i4").view(np.uint8).reshape(-1, 4)[:, :3].tobytes()


def _from_pcm(payload: memoryview, bits: int) -> Samples:
    if bits not in SUBTYPES or len(payload) % (bits // 8):
        raise Undecodable(f"its {len(payload)} bytes are not PCM of {bits} bits")
    if bits == 16:
        levels = np.frombuffer(payload, "<i2")
    else:
        three = np.frombuffer(payload, np.uint8).reshape(-1, 3)
        # Four bytes with the lowest 0: 256 times the level, and the sign is in its place.
        levels = np.pad(three, ((0, 0), (1, 0))).reshape(-1).view("<i4")
    full = 1 << (8 * levels.itemsize - 1)
    return np.multiply(levels, np.float32(1 / full), dtype=np.float32)


def _flac(levels: SampleLevels, sample_rate: int, bits: int) -> bytes:
    # libsndfile takes the upper bits of what it is given.
    aligned = levels if bits == 16 else levels << (32 - bits)
    with _nameless_file() as packed:
        try:
            soundfile.write(
                packed.fileno(), aligned, sample_rate, SUBTYPES[bits], format="FLAC", closefd=False
            )
        except soundfile.LibsndfileError as error:
            raise EngineFailed(f"The engine's audio cannot be stored as FLAC: {error}") from error
        packed.seek(0)
        return packed.read()


def _from_flac(payload: memoryview, sample_rate: int) -> Samples:
    with _nameless_file() as packed:
        packed.write(payload)
        packed.seek(0)
        try:
            samples, rate = soundfile.read(packed.fileno(), dtype="float32", closefd=False)
        except soundfile.LibsndfileError as error:
            raise Undecodable(f"its FLAC does not decode: {error}") from error
    if rate != sample_rate:
        raise Undecodable(f"its FLAC is at {rate} Hz, not {sample_rate}")
    return np.asarray(samples, np.float32)


def _nameless_file() -> BinaryIO:
    """A file that is gone when it is closed, or its process dies; in memory where that can be.

    libsndfile is given its descriptor. With a Python object it would come back to Python for every
    few thousand samples, and wait for all other threads each time.
    """
    if hasattr(os, "memfd_create"):
        return os.fdopen(os.memfd_create("shard"), "w+b")
    return tempfile.TemporaryFile()


MAGIC = b"\x89AMSHARD"
PREFIX = struct.Struct("<8sI32s")
SCHEMA = 3
ALL_FLAC = 2  # the schema before, in which every payload was


class MissReason(StrEnum):
    """Why a shard cannot be had from the store."""

    ABSENT = "absent"
    UNREADABLE = "unreadable"
    CUT_SHORT = "cut short"
    DAMAGED = "damaged"
    FOREIGN = "another segment's"
    UNKNOWN_SCHEMA = "of an unknown version"


class Flaw(Exception):
    """These bytes are not the shard that was asked for, and why."""

    def __init__(self, reason: MissReason, detail: str) -> None:
        super().__init__(detail)
        self.reason = reason
        self.detail = detail


@dataclass(frozen=True, slots=True)
class Header:
    """What stands before the payload. Samples are the payload's times two to the `exponent`."""

    shard: AudioShard
    codec: Codec
    bits: int
    exponent: int
    payload_bytes: int
    payload_sha256: str


def pack(key: str, rendered: Rendered, *, sample_rate: int, bits: int, codec: Codec) -> bytes:
    """The file of one shard; `bits` is 16 or 24. Raises EngineFailed for what is no audio."""
    levels, exponent = quantised(rendered.samples, bits)
    payload = encoded(levels, sample_rate, bits, codec)
    header = {
        "schema": SCHEMA,
        "key": key,
        "n_samples": levels.size,
        "sample_rate": sample_rate,
        "codec": codec,
        "bits": bits,
        "exponent": exponent,
        "payload_bytes": len(payload),
        "payload_sha256": hashlib.sha256(payload).hexdigest(),
        "timings": [[one.start, one.end, one.start_s, one.end_s] for one in rendered.timings],
        "remarks": [[one.start, one.end, one.words] for one in rendered.remarks],
    }
    text = json.dumps(header, separators=(",", ":")).encode()
    prefix = PREFIX.pack(MAGIC, len(text), hashlib.sha256(text).digest())
    return b"".join((prefix, text, payload))


def inspect(key: str, data: bytes) -> AudioShard:
    """What `data` holds, every byte of it verified, nothing decoded. Raises Flaw."""
    return _verified(key, data)[0].shard


def unpack(key: str, data: bytes) -> tuple[AudioShard, Samples]:
    """The shard in `data`, verified and decoded. Raises Flaw."""
    header, payload = _verified(key, data)
    try:
        samples = decoded(payload, header.shard.sample_rate, header.bits, header.codec)
    except Undecodable as error:
        raise Flaw(MissReason.DAMAGED, str(error)) from error
    if samples.shape != (header.shard.n_samples,):
        detail = f"it holds {samples.size} samples, and its header says {header.shard.n_samples}"
        raise Flaw(MissReason.DAMAGED, detail)
    if header.exponent:
        samples = np.ldexp(samples, header.exponent)
    return header.shard, samples


def _verified(key: str, data: bytes) -> tuple[Header, memoryview]:
    text, payload = _split(data)
    header = _header(text)
    if header.shard.key != key:
        raise Flaw(MissReason.FOREIGN, f"it holds {header.shard.key[:12]}")
    if len(payload) < header.payload_bytes:
        raise Flaw(MissReason.CUT_SHORT, f"{len(payload)} of {header.payload_bytes} bytes of audio")
    if hashlib.sha256(payload).hexdigest() != header.payload_sha256:
        raise Flaw(MissReason.DAMAGED, "its audio has changed since it was written")
    return header, payload


def _split(data: bytes) -> tuple[bytes, memoryview]:
    """Header and payload of a file whose header is as it was written. Raises Flaw."""
    if len(data) < PREFIX.size:
        raise Flaw(MissReason.CUT_SHORT, f"{len(data)} bytes are left of it")
    magic, header_bytes, header_sha256 = PREFIX.unpack_from(data)
    if magic != MAGIC:
        raise Flaw(MissReason.DAMAGED, "it does not begin like a shard")
    text = data[PREFIX.size : PREFIX.size + header_bytes]
    if hashlib.sha256(text).digest() != header_sha256:
        cut = len(text) < header_bytes
        reason = MissReason.CUT_SHORT if cut else MissReason.DAMAGED
        raise Flaw(reason, "its header is not as it was written")
    return text, memoryview(data)[PREFIX.size + header_bytes :]


def _header(text: bytes) -> Header:
    """Raises Flaw."""
    try:
        header = json.loads(text)
        if header["schema"] == ALL_FLAC:
            header["codec"] = Codec.FLAC
        elif header["schema"] != SCHEMA:
            detail = f"its schema is {header['schema']}, not {SCHEMA}"
            raise Flaw(MissReason.UNKNOWN_SCHEMA, detail)
        return _parsed(header)
    except (ValueError, KeyError, TypeError) as error:
        raise Flaw(MissReason.DAMAGED, f"its header makes no sense: {error!r}") from error


def _parsed(header: dict[str, Any]) -> Header:
    return Header(
        shard=AudioShard(
            key=header["key"],
            n_samples=header["n_samples"],
            sample_rate=header["sample_rate"],
            timings=tuple(WordTiming(*timing) for timing in header["timings"]),
            remarks=tuple(Remark(*remark) for remark in header["remarks"]),
        ),
        codec=Codec(header["codec"]),
        bits=header["bits"],
        exponent=header["exponent"],
        payload_bytes=header["payload_bytes"],
        payload_sha256=header["payload_sha256"],
    )
