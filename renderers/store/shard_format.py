"""The file format of a stored shard. Knows bytes only, no files, folders or buckets.

    ┌───────┬───────────────┬────────────────┬─────────────┬───────────────────┐
    │ magic │ header bytes  │ SHA-256 of the │ header,     │ payload, audio,   │
    │ 8     │ 4, little end │ header, 32     │ JSON, UTF-8 │ to the file's end │
    └───────┴───────────────┴────────────────┴─────────────┴───────────────────┘

The header holds the key, a description of the audio, and the payload's length and SHA-256. So a
changed bit, a missing byte or an extra byte anywhere in the file is detected.
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

MAGIC = b"\x89AMSHARD"
PREFIX = struct.Struct("<8sI32s")
SCHEMA = 3
ALL_FLAC = 2  # the previous schema, whose payloads are all FLAC
MAX_SAMPLE = 1 << 16  # 96 dB over full scale: louder samples are not audio
SUBTYPES = {16: "PCM_16", 24: "PCM_24"}

PcmLevels = NDArray[np.int16 | np.int32]


class Codec(StrEnum):
    """The encoding of a payload: little-endian PCM without a header, or a FLAC file."""

    PCM = "pcm"
    FLAC = "flac"


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


@dataclass(frozen=True, slots=True)
class Header:
    """The parsed header. The samples are those of the payload times two to the `exponent`."""

    shard: AudioShard
    codec: Codec
    bits: int
    exponent: int
    payload_bytes: int
    payload_sha256: str


def pack(key: str, rendered: Rendered, *, sample_rate: int, bits: int, codec: Codec) -> bytes:
    """The file content of a shard; `bits` is 16 or 24. Raises EngineFailed for invalid audio."""
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
    """Verify every byte of `data` without decoding the audio. Raises InvalidShard."""
    return _verified(key, data)[0].shard


def unpack(key: str, data: bytes) -> tuple[AudioShard, Samples]:
    """Verify and decode the shard in `data`. Raises InvalidShard."""
    header, payload = _verified(key, data)
    try:
        samples = decoded(payload, header.shard.sample_rate, header.bits, header.codec)
    except Undecodable as error:
        raise InvalidShard(MissReason.DAMAGED, str(error)) from error
    if samples.shape != (header.shard.n_samples,):
        detail = f"it holds {samples.size} samples, and its header says {header.shard.n_samples}"
        raise InvalidShard(MissReason.DAMAGED, detail)
    if header.exponent:
        samples = np.ldexp(samples, header.exponent)
    return header.shard, samples


def quantised(samples: Samples, bits: int) -> tuple[PcmLevels, int]:
    """`samples` as PCM levels of 16 or 24 bits, and the exponent that undoes their scaling.

    The samples are halved `exponent` times so that none is clipped. Raises EngineFailed for
    samples that are not audio.
    """
    lowest, highest = _range(samples)
    full = float(1 << (bits - 1))
    exponent = 0
    while (
        round(highest * full / 2**exponent) > full - 1 or round(lowest * full / 2**exponent) < -full
    ):
        exponent += 1
    scaled = samples * np.float32(full / 2**exponent)  # by a power of two, so nothing is rounded
    return np.rint(scaled, out=scaled).astype(np.int16 if bits == 16 else np.int32), exponent


def encoded(levels: PcmLevels, sample_rate: int, bits: int, codec: Codec) -> bytes:
    """The levels as a payload. Raises EngineFailed for a rate that FLAC does not support."""
    return _to_pcm(levels, bits) if codec is Codec.PCM else _to_flac(levels, sample_rate, bits)


def decoded(payload: memoryview, sample_rate: int, bits: int, codec: Codec) -> Samples:
    """The samples of a payload, full scale 1. Raises Undecodable."""
    return _from_pcm(payload, bits) if codec is Codec.PCM else _from_flac(payload, sample_rate)


def _range(samples: Samples) -> tuple[float, float]:
    """The lowest and the highest sample. Raises EngineFailed for samples that are not audio."""
    if samples.ndim != 1 or samples.size == 0:
        raise EngineFailed(
            f"The engine returned audio of shape {samples.shape}: there is no sound."
        )
    lowest, highest = float(samples.min()), float(samples.max())
    if not -MAX_SAMPLE < lowest <= highest < MAX_SAMPLE:  # false for NaN
        raise EngineFailed(
            "The engine returned audio with samples that are no numbers, or far off."
        )
    return lowest, highest


def _to_pcm(levels: PcmLevels, bits: int) -> bytes:
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
        # With a zero as the lowest of four bytes: 256 times the level, with the correct sign.
        levels = np.pad(three, ((0, 0), (1, 0))).reshape(-1).view("<i4")
    full = 1 << (8 * levels.itemsize - 1)
    return np.multiply(levels, np.float32(1 / full), dtype=np.float32)


def _to_flac(levels: PcmLevels, sample_rate: int, bits: int) -> bytes:
    # libsndfile uses the upper bits of the levels.
    aligned = levels if bits == 16 else levels << (32 - bits)
    with _anonymous_file() as file:
        try:
            soundfile.write(
                file.fileno(), aligned, sample_rate, SUBTYPES[bits], format="FLAC", closefd=False
            )
        except soundfile.LibsndfileError as error:
            raise EngineFailed(f"The engine's audio cannot be stored as FLAC: {error}") from error
        file.seek(0)
        return file.read()


def _from_flac(payload: memoryview, sample_rate: int) -> Samples:
    with _anonymous_file() as file:
        file.write(payload)
        file.seek(0)
        try:
            samples, rate = soundfile.read(file.fileno(), dtype="float32", closefd=False)
        except soundfile.LibsndfileError as error:
            raise Undecodable(f"its FLAC does not decode: {error}") from error
    if rate != sample_rate:
        raise Undecodable(f"its FLAC is at {rate} Hz, not {sample_rate}")
    return np.asarray(samples, np.float32)


def _anonymous_file() -> BinaryIO:
    """A file without a name, in memory where possible. It vanishes when closed.

    libsndfile gets its descriptor. With a Python file object it would call back into Python every
    few thousand samples, and wait for the GIL each time.
    """
    if hasattr(os, "memfd_create"):
        return os.fdopen(os.memfd_create("shard"), "w+b")
    return tempfile.TemporaryFile()


def _verified(key: str, data: bytes) -> tuple[Header, memoryview]:
    """The header and payload of `data`, every byte verified. Raises InvalidShard."""
    text, payload = _split(data)
    header = _header(text)
    if header.shard.key != key:
        raise InvalidShard(MissReason.FOREIGN, f"it holds {header.shard.key[:12]}")
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
    text = data[PREFIX.size : PREFIX.size + header_bytes]
    if hashlib.sha256(text).digest() != header_sha256:
        cut = len(text) < header_bytes
        reason = MissReason.CUT_SHORT if cut else MissReason.DAMAGED
        raise InvalidShard(reason, "its header is not as it was written")
    return text, memoryview(data)[PREFIX.size + header_bytes :]


def _header(text: bytes) -> Header:
    """The header of any known schema. Raises InvalidShard."""
    try:
        header = json.loads(text)
        if header["schema"] == ALL_FLAC:
            header["codec"] = Codec.FLAC
        elif header["schema"] != SCHEMA:
            detail = f"its schema is {header['schema']}, not {SCHEMA}"
            raise InvalidShard(MissReason.UNKNOWN_SCHEMA, detail)
        return _parsed(header)
    except (ValueError, KeyError, TypeError) as error:
        raise InvalidShard(MissReason.DAMAGED, f"its header makes no sense: {error!r}") from error


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
