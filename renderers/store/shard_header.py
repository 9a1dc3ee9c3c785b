"""The header of a stored shard: what it says of the audio, and whether that can be true.

A checksum proves that a header is as it was written, not who wrote it. A shared store may hold
forged shards, so every field has a type and a range, and nothing is decoded before all are checked.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, TypeAlias, TypeVar, cast

from audiomill.renderers.engine.faults import Fault, Finding
from audiomill.renderers.engine.protocol import Remark, ShardInfo, WordTiming
from audiomill.renderers.store.shard_layout import MAX_PAYLOAD_BYTES, MAX_SAMPLES

SCHEMA = 3
ALL_FLAC = 2  # the previous schema, whose payloads are all FLAC
KEY = re.compile("[0-9a-f]{64}")
MAX_RATE_HZ = 1_000_000
BITS = (16, 24)
MAX_EXPONENT = 17  # samples are below two to the power of 16
MAX_POSITION = 1 << 31  # in a text
MAX_TIME_S = 1e6
MAX_TEXT_CHARS = 1000
_NUMBER = (int, float)
_TO_JSON = json.JSONEncoder(separators=(",", ":"))

T = TypeVar("T")
TimingRow: TypeAlias = tuple[int, int, float, float]  # a list in JSON: start, end, start_s, end_s


class Codec(StrEnum):
    """The encoding of a payload: little-endian PCM without a header, or a FLAC file."""

    PCM = "pcm"
    FLAC = "flac"


class UnknownSchema(Exception):
    """The header is of another version."""


class HeaderInvalid(Exception):
    """The header is no JSON object, or a field is missing, of another type or out of range."""


@dataclass(frozen=True, slots=True)
class Header:
    """The parsed header. The samples are those of the payload times two to the `exponent`."""

    info: ShardInfo
    codec: Codec
    bits: int
    exponent: int
    payload_bytes: int
    payload_sha256: str


def header_text(header: Header) -> bytes:
    """The header as JSON, which `parsed_header` can read. Raises HeaderInvalid."""
    info = header.info
    fields: dict[str, object] = {
        "schema": SCHEMA,
        "key": info.key,
        "n_samples": info.n_samples,
        "sample_rate": info.sample_rate,
        "codec": header.codec,
        "bits": header.bits,
        "exponent": header.exponent,
        "payload_bytes": header.payload_bytes,
        "payload_sha256": header.payload_sha256,
        "timings": [],
        "remarks": [[one.start, one.end, one.words] for one in info.remarks],
    }
    if info.findings:  # most engines are not checked, and older versions expect none
        fields["findings"] = [[one.fault, one.at, one.words] for one in info.findings]
    _parsed(fields, header.codec)  # JSON would change none of them
    rows = [[one.start, one.end, one.start_s, one.end_s] for one in info.timings]
    fields["timings"] = _field({"timings": rows}, "timings", _timing_rows)
    return _TO_JSON.encode(fields).encode()


def parsed_header(text: bytes) -> Header:
    """The header of any known schema, all of it checked. Raises UnknownSchema, HeaderInvalid."""
    try:
        # Nested too deeply it is a RecursionError; a number of too many digits is a ValueError.
        loaded = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise HeaderInvalid("it is not JSON") from error
    if not isinstance(loaded, dict):
        raise HeaderInvalid("it is not a JSON object")
    fields = cast("dict[str, Any]", loaded)
    schema = _field(fields, "schema", _position)
    if schema not in (SCHEMA, ALL_FLAC):
        raise UnknownSchema(f"its schema is {schema}, not {SCHEMA}")
    return _parsed(fields, Codec.FLAC if schema == ALL_FLAC else _field(fields, "codec", _codec))


def _parsed(fields: dict[str, Any], codec: Codec) -> Header:
    header = Header(
        info=ShardInfo(
            key=_field(fields, "key", _hash),
            n_samples=_field(fields, "n_samples", _n_samples),
            sample_rate=_field(fields, "sample_rate", _rate),
            timings=_field(fields, "timings", _timings),
            remarks=_field(fields, "remarks", _remarks),
            findings=_field(fields, "findings", _findings) if "findings" in fields else (),
        ),
        codec=codec,
        bits=_field(fields, "bits", _bits),
        exponent=_field(fields, "exponent", _exponent),
        payload_bytes=_field(fields, "payload_bytes", _payload_bytes),
        payload_sha256=_field(fields, "payload_sha256", _hash),
    )
    if header.bits not in BITS:
        raise HeaderInvalid(f"its samples have {header.bits} bits")
    if codec is Codec.PCM and header.payload_bytes * 8 != header.info.n_samples * header.bits:
        detail = f"{header.info.n_samples} samples are not {header.payload_bytes} bytes"
        raise HeaderInvalid(detail)
    return header


def _field(fields: dict[str, Any], name: str, check: Callable[[object], T]) -> T:
    """The checked value of a field. Raises HeaderInvalid."""
    try:
        return check(fields[name])
    except (KeyError, ValueError, HeaderInvalid) as error:
        raise HeaderInvalid(f"its {name} is missing or wrong") from error


def _integer(lowest: int, highest: int) -> Callable[[object], int]:
    def check(value: object) -> int:
        # Not `isinstance`: true and false are integers to Python.
        if type(value) is not int or not lowest <= value <= highest:
            raise HeaderInvalid
        return value

    return check


_position = _integer(0, MAX_POSITION)
_n_samples = _integer(1, MAX_SAMPLES)
_rate = _integer(1, MAX_RATE_HZ)
_bits = _integer(*BITS)
_exponent = _integer(0, MAX_EXPONENT)
_payload_bytes = _integer(1, MAX_PAYLOAD_BYTES)


def _timing_rows(value: object) -> list[TimingRow]:
    """Those of all words, in one loop: a header is mostly these, 34 of a segment."""
    rows = _list(value)
    for row in rows:
        start, end, start_s, end_s = row if type(row) is list else _list(row)
        # Not `isinstance`: true and false are integers to Python. NaN is not within a range.
        if not (
            type(start) is int
            and type(end) is int
            and 0 <= start <= MAX_POSITION
            and 0 <= end <= MAX_POSITION
            and isinstance(start_s, _NUMBER)
            and isinstance(end_s, _NUMBER)
            and -MAX_TIME_S <= start_s <= MAX_TIME_S
            and -MAX_TIME_S <= end_s <= MAX_TIME_S
        ):
            raise HeaderInvalid
    return cast("list[TimingRow]", rows)


def _text(value: object) -> str:
    if not isinstance(value, str) or len(value) > MAX_TEXT_CHARS:
        raise HeaderInvalid
    value.encode()  # half a character is a ValueError
    return value


def _hash(value: object) -> str:
    text = _text(value)
    if not KEY.fullmatch(text):
        raise HeaderInvalid
    return text


def _codec(value: object) -> Codec:
    return Codec(_text(value))


def _list(value: object) -> list[object]:
    if not isinstance(value, list):
        raise HeaderInvalid
    return cast("list[object]", value)


def _timings(value: object) -> tuple[WordTiming, ...]:
    return tuple([WordTiming(*row) for row in _timing_rows(value)])


def _remarks(value: object) -> tuple[Remark, ...]:
    return tuple(
        Remark(_position(start), _position(end), _text(words))
        for start, end, words in map(_list, _list(value))
    )


def _findings(value: object) -> tuple[Finding, ...]:
    return tuple(
        Finding(Fault(_text(fault)), _position(at), _text(words))
        for fault, at, words in map(_list, _list(value))
    )
