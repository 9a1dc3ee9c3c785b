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
import struct
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import numpy as np

from renderers.shard import AudioShard, Remark, Rendered, Samples, WordTiming
from renderers.shard_payload import Codec, Undecodable, decoded, encoded, quantised

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
