"""What is said between audiomill and an engine in an environment of its own. Pure.

    {"op": "row", "id": 3, "index": 0, "sample_rate": 24000, "format": "f32le", "n_bytes": 9600}⏎
    9600 bytes of audio

The other side is `worker_program.py`, whose docstring lists the messages. Everything that comes
from there is checked here: an engine may write anything.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import numpy as np

from audiomill.renderers.engine.options import Setting
from audiomill.renderers.engine.protocol import Samples, Voice

PROTOCOL = 1
LONGEST_LINE = 1 << 20  # bytes
LONGEST_AUDIO = 1 << 28  # bytes: 45 minutes at 24 kHz, which no row is long enough for
FORMATS = {"f32le": np.dtype("<f4"), "s16le": np.dtype("<i2")}
LOUDEST = 64.0  # times full scale: more is no audio
FASTEST_RATE = 192_000


class Rubbish(Exception):
    """The worker has sent what the protocol does not allow. The message says what."""


@dataclass(frozen=True, slots=True)
class Message:
    """One message of the worker: its JSON object, and the bytes that follow it."""

    content: dict[str, Any]
    payload: bytes = b""

    @property
    def op(self) -> str:
        """What kind of message it is."""
        return str(self.content.get("op"))

    def number(self, name: str, most: int = 1 << 53) -> int:
        """A whole number from 0 to `most`. Raises Rubbish."""
        value = self.content.get(name)
        if type(value) is not int or not 0 <= value <= most:
            raise Rubbish(f"{self.op!r} has {name} {value!r}")
        return value

    def text(self, name: str) -> str:
        """A text; "" if there is none. Raises Rubbish."""
        value = self.content.get(name, "")
        if not isinstance(value, str):
            raise Rubbish(f"{self.op!r} has {name} {value!r}")
        return value


class MessageParser:
    """Messages out of bytes, however these are cut into pieces."""

    def __init__(self) -> None:
        self._bytes = bytearray()
        self._content: dict[str, Any] | None = None  # of a message whose payload is awaited
        self._n_bytes = 0

    def feed(self, data: bytes) -> Iterator[Message]:
        """The messages that are complete with `data`. Raises Rubbish."""
        self._bytes += data
        while True:
            if self._content is None and not self._read_line():
                return
            if len(self._bytes) < self._n_bytes:
                return
            payload = bytes(self._bytes[: self._n_bytes])
            del self._bytes[: self._n_bytes]
            message = Message(cast("dict[str, Any]", self._content), payload)
            self._content, self._n_bytes = None, 0
            yield message

    def _read_line(self) -> bool:
        """Take a message's line, if it is there. Raises Rubbish."""
        end = self._bytes.find(b"\n", 0, LONGEST_LINE)
        if end < 0:
            if len(self._bytes) >= LONGEST_LINE:
                raise Rubbish("it sent a line without an end")
            return False
        line = bytes(self._bytes[:end])
        del self._bytes[: end + 1]
        self._content = _object(line)
        self._n_bytes = (
            Message(self._content).number("n_bytes", LONGEST_AUDIO)
            if ("n_bytes" in self._content)
            else 0
        )
        return True


def _object(line: bytes) -> dict[str, Any]:
    """The JSON object of a line. Raises Rubbish."""
    try:
        content = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise Rubbish(f"it sent {_shown(line)} instead of a message") from error
    if not isinstance(content, dict):
        raise Rubbish(f"it sent {_shown(line)} instead of a message")
    return cast("dict[str, Any]", content)


def _shown(line: bytes) -> str:
    return ascii(line[:40].decode("ascii", "replace"))


def request_line(op: str, **content: object) -> bytes:
    """A request as it is sent."""
    return json.dumps({"op": op, **content}).encode("ascii") + b"\n"


@dataclass(frozen=True, slots=True)
class Reference:
    """The sound of a cloned voice as a worker gets it: a file that it can read, and its text."""

    audio: Path  # a checked WAV
    text: str  # what is said in it; "" if not known
    settings: tuple[tuple[str, Setting], ...] = ()  # of this voice, for the engine


@dataclass(frozen=True, slots=True)
class SpokenRow:
    """One text to speak, with everything that decides its sound."""

    text: str
    voice: str  # as the engine lists it; "" with a reference
    language: str  # BCP 47; "" if the engine finds it by itself
    speed: float
    seed: int  # 0 to 2**32 - 1
    reference: Reference | None = None

    def as_message(self) -> dict[str, object]:
        """The row as it is sent: `worker_program.TextRow`."""
        message: dict[str, object] = {
            "text": self.text,
            "voice": self.voice,
            "language": self.language,
            "speed": self.speed,
            "seed": self.seed,
        }
        if self.reference is not None:
            message["reference"] = {
                "audio": str(self.reference.audio),
                "text": self.reference.text,
            }
            message["settings"] = dict(self.reference.settings)
        return message


@dataclass(frozen=True, slots=True)
class Hello:
    """What a loaded engine is and can do."""

    sample_rate: int  # Hz
    voices: tuple[Voice, ...]  # its own, without cloned ones
    languages: tuple[str, ...]  # BCP 47, those that a voice can be told to speak; () if none
    clones: bool
    rows_per_call: int  # most that it speaks together


def hello_of(message: Message) -> Hello:
    """The worker's first answer. Raises Rubbish."""
    if message.number("protocol") != PROTOCOL:
        raise Rubbish(f"it speaks protocol {message.number('protocol')}, not {PROTOCOL}")
    rate = message.number("sample_rate", FASTEST_RATE)
    if rate == 0:
        raise Rubbish("it has a sample rate of 0")
    return Hello(
        sample_rate=rate,
        voices=tuple(sorted(map(_voice, _list(message, "voices")), key=lambda one: one.name)),
        languages=tuple(map(str, _list(message, "languages"))),
        clones=message.content.get("clones") is True,
        rows_per_call=max(1, message.number("rows_per_call", 1 << 12)),
    )


def _list(message: Message, name: str) -> Sequence[Any]:
    value = message.content.get(name)
    if not isinstance(value, list):
        raise Rubbish(f"{message.op!r} has {name} {value!r}")
    return cast("list[Any]", value)


def _voice(listed: Any) -> Voice:
    """A voice; of one that has no language, that is "mul". Raises Rubbish."""
    if not isinstance(listed, dict) or not cast("dict[str, Any]", listed).get("name"):
        raise Rubbish(f"it has a voice {listed!r}")
    found = cast("dict[str, Any]", listed)
    names = ("name", "language", "gender", "description")
    name, language, gender, description = (str(found.get(key, "")) for key in names)
    return Voice(name, language or "mul", gender, description)


def samples_of(message: Message, sample_rate: int) -> Samples:
    """A row's audio. Raises Rubbish if it is none."""
    rate = message.number("sample_rate", FASTEST_RATE)
    if rate != sample_rate:
        raise Rubbish(f"it sent audio at {rate} Hz, not at {sample_rate} Hz")
    dtype = FORMATS.get(message.text("format"))
    if dtype is None or len(message.payload) % dtype.itemsize:
        raise Rubbish(f"it sent {len(message.payload)} bytes of {message.text('format')!r}")
    if not message.payload:
        raise Rubbish("it sent no audio")
    samples = np.frombuffer(message.payload, dtype).astype(np.float32)
    if dtype.kind == "i":
        samples /= 1 << 15
    if not np.isfinite(samples).all():
        raise Rubbish("it sent samples that are not numbers")
    if np.abs(samples).max() > LOUDEST:
        raise Rubbish(f"it sent samples of up to {np.abs(samples).max():.3g} times full scale")
    return samples
