"""libespeak-ng's C interface, as far as it is used, and what is read out of its structures.

The numbers and layouts are those of espeak-ng's speak_lib.h and espeak_ng.h, version 1.52.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from ctypes import POINTER, c_char_p, c_int, c_short, c_uint, c_void_p
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

AUDIO_OUTPUT_SYNCHRONOUS = 2
INITIALIZE_DONT_EXIT = 0x8000
CHARS_UTF8 = 1  # and neither espeakSSML nor espeakPHONEMES: text is text
POS_CHARACTER = 1
PARAMETER_RATE = 1
STATUS_OK = 0


class EventType(IntEnum):
    """The events that are kept. The library has more."""

    LIST_END = 0
    WORD = 1
    CLAUSE_END = 5


class EventStruct(ctypes.Structure):
    """espeak_EVENT."""

    _fields_ = (
        ("type", c_int),
        ("unique_identifier", c_uint),
        ("text_position", c_int),  # in characters, from 1
        ("length", c_int),
        ("audio_position", c_int),  # in ms
        ("sample", c_int),
        ("user_data", c_void_p),
        ("id", c_void_p),
    )


class VoiceStruct(ctypes.Structure):
    """espeak_VOICE."""

    _fields_ = (
        ("name", c_char_p),
        ("languages", c_void_p),
        ("identifier", c_char_p),
        ("gender", ctypes.c_ubyte),
        ("age", ctypes.c_ubyte),
        ("variant", ctypes.c_ubyte),
        ("padding", ctypes.c_ubyte),
        ("score", c_int),
        ("spare", c_void_p),
    )


Callback = ctypes.CFUNCTYPE(c_int, POINTER(c_short), c_int, POINTER(EventStruct))


@dataclass(frozen=True, slots=True)
class Event:
    """Something that begins or ends at `sample`; `position` is a character of the text, from 0."""

    type: EventType
    position: int
    sample: int


@dataclass(frozen=True, slots=True)
class Utterance:
    """What the library said: 16-bit mono PCM in the machine's byte order, and its events."""

    pcm: bytes
    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class ListedVoice:
    """A voice as the library lists it. `languages` are (priority, tag), the least comes first."""

    identifier: str  # its file below espeak-ng-data/lang: "gmw/en-US"
    description: str
    languages: tuple[tuple[int, str], ...]
    gender: int  # 0 unknown, 1 male, 2 female


def kept_events(happened: Any) -> Iterator[Event]:
    """The word and clause events of a list that LIST_END ends."""
    kinds = (EventType.WORD, EventType.CLAUSE_END)
    index = 0
    while (event := happened[index]).type != EventType.LIST_END:
        if event.type in kinds:
            yield Event(EventType(event.type), max(0, event.text_position - 1), event.sample)
        index += 1


def listed_voices(voices: Any) -> Iterator[ListedVoice]:
    """The voices of a list that a null pointer ends."""
    index = 0
    while voices[index]:
        voice = voices[index].contents
        yield ListedVoice(
            identifier=voice.identifier.decode(),
            description=voice.name.decode().strip(),
            languages=tuple(_languages(voice.languages)),
            gender=voice.gender,
        )
        index += 1


def _languages(address: int) -> Iterator[tuple[int, str]]:
    """Read (a byte of priority, a string ending in NUL) until a priority is 0."""
    while priority := ctypes.string_at(address, 1)[0]:
        tag = ctypes.string_at(address + 1)
        yield priority, tag.decode()
        address += len(tag) + 2
