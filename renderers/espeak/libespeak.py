"""Calls libespeak-ng in this process through its C interface. Knows no requests and no store.

The library keeps state from one text to the next: its position in a flutter table, filters,
amplitude control, noise. Measured: the same text rendered twice in a row differs in nearly every
sample, and setting parameters or initialising again does not help. So each text is rendered by a
freshly loaded library, which is unloaded afterwards. That costs 0.6 ms, a tenth of the time to
render five seconds, and makes the result exact by construction.

Unloading works only if nothing else has the library open. So each `Library` has its own copy of the
file; on Linux it is in memory, without a name that a killed run could leave behind. Several
libraries can run at the same time on different threads.
"""

from __future__ import annotations

import atexit
import ctypes
import os
import shutil
import tempfile
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from ctypes import POINTER, c_char_p, c_int, c_long, c_short, c_size_t, c_uint, c_void_p
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path
from typing import Any

from audiomill.renderers.engine.errors import EngineFailed, EngineMissing
from audiomill.renderers.host.installation import this_installation

# From espeak_ng.h and speak_lib.h.
AUDIO_OUTPUT_SYNCHRONOUS = 2
INITIALIZE_DONT_EXIT = 0x8000
CHARS_UTF8 = 1  # without espeakSSML: text is not markup
PHONEMES = 0x100  # [[…]] is phonemes
IPA = 2  # espeakPHONEMES_IPA
POS_CHARACTER = 1
PARAMETER_RATE = 1
STATUS_OK = 0

# Linux can open a file again through a descriptor of it.
DESCRIPTORS = Path("/proc/self/fd")


class EventType(IntEnum):
    """The types of events in use. The library has more."""

    LIST_END = 0
    WORD = 1
    CLAUSE_END = 5


class EventStruct(ctypes.Structure):
    """C struct espeak_EVENT."""

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
    """C struct espeak_VOICE."""

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
class EspeakEvent:
    """A word or clause boundary at `sample`, and at character `position` (from 0) of the text."""

    type: EventType
    position: int
    sample: int


@dataclass(frozen=True, slots=True)
class SpeechSetting:
    """All that decides the sound of a text besides the text."""

    identifier: str  # of the voice, as in `ListedVoice`
    variant: str  # "" for none
    words_per_minute: int
    seed: int
    has_codes: bool = False  # of phonemes, in double brackets


@dataclass(frozen=True, slots=True)
class EspeakUtterance:
    """Rendered audio: 16-bit mono PCM in native byte order, and its events."""

    pcm: bytes
    events: tuple[EspeakEvent, ...]


@dataclass(frozen=True, slots=True)
class ListedVoice:
    """A voice as the library lists it. `languages` are (priority, tag); lower is preferred."""

    identifier: str  # the path of its file below espeak-ng-data/lang, for example "gmw/en-US"
    description: str
    languages: tuple[tuple[int, str], ...]
    gender: int  # 0 unknown, 1 male, 2 female


def word_and_clause_events(events: Any) -> Iterator[EspeakEvent]:
    """The word and clause events of a C array that ends with LIST_END."""
    types = (EventType.WORD, EventType.CLAUSE_END)
    index = 0
    while (event := events[index]).type != EventType.LIST_END:
        if event.type in types:
            yield EspeakEvent(EventType(event.type), max(0, event.text_position - 1), event.sample)
        index += 1


def listed_voices(voices: Any) -> Iterator[ListedVoice]:
    """The voices of a C array that ends with a null pointer."""
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
    """The pairs at `address`, each a priority byte and a C string; a priority of 0 ends them."""
    while priority := ctypes.string_at(address, 1)[0]:
        tag = ctypes.string_at(address + 1)
        yield priority, tag.decode()
        address += len(tag) + 2


class Library:
    """A private copy of libespeak-ng. Any thread may use it, but only one at a time."""

    def __init__(self, library: Path, data: Path) -> None:
        """Raises EngineMissing."""
        self._data = data
        try:
            self._image = _private_copy(library)
        except OSError as error:
            raise _missing(f"{library}: {error.strerror or error}") from error
        with self._fresh() as loaded:
            loaded.espeak_Info.restype = c_char_p
            self.version: str = loaded.espeak_Info(None).decode()

    def voices(self) -> list[ListedVoice]:
        """All voices in the data folder."""
        with self._fresh() as loaded:
            loaded.espeak_ListVoices.restype = POINTER(POINTER(VoiceStruct))
            return list(listed_voices(loaded.espeak_ListVoices(None)))

    def speak(self, setting: SpeechSetting, text: str) -> EspeakUtterance:
        """Render `text`, which must not contain control characters. Raises EngineFailed.

        Some texts make the library overwrite the stack, which ends the process.
        """
        pcm = bytearray()
        events: list[EspeakEvent] = []

        @Callback
        def collect(samples: Any, n_samples: int, new_events: Any) -> int:
            pcm.extend(ctypes.string_at(samples, 2 * n_samples) if n_samples > 0 else b"")
            events.extend(word_and_clause_events(new_events))
            return 0

        with self._fresh() as loaded:
            self._set_voice(loaded, setting.identifier, setting.variant)
            loaded.espeak_SetParameter(PARAMETER_RATE, setting.words_per_minute, 0)
            loaded.espeak_ng_SetRandSeed(c_long(setting.seed))
            loaded.espeak_SetSynthCallback(collect)
            encoded = text.encode("utf-8")
            flags = CHARS_UTF8 | PHONEMES if setting.has_codes else CHARS_UTF8
            status = loaded.espeak_ng_Synthesize(
                encoded, c_size_t(len(encoded) + 1), 0, POS_CHARACTER, 0, flags, None, None
            )
            _check(loaded, status, f"speaking {text[:60]!r}")
        return EspeakUtterance(bytes(pcm), tuple(events))

    def phonemes(self, setting: SpeechSetting, text: str) -> str:
        """The IPA of `text`, which must not contain control characters. Raises EngineFailed."""
        with self._fresh() as loaded:
            self._set_voice(loaded, setting.identifier, setting.variant)
            loaded.espeak_TextToPhonemes.restype = c_char_p
            buffer = ctypes.create_string_buffer(text.encode("utf-8"))
            rest = c_void_p(ctypes.addressof(buffer))
            clauses: list[str] = []
            while rest.value:  # each call reads a clause
                ipa = loaded.espeak_TextToPhonemes(ctypes.byref(rest), CHARS_UTF8, IPA)
                clauses.append(ipa.decode())
            return " ".join(" ".join(clauses).split())

    @contextmanager
    def _fresh(self) -> Generator[ctypes.CDLL]:
        """Load and initialise the library; unload it afterwards."""
        try:
            loaded = ctypes.CDLL(self._image)
        except OSError as error:
            raise _missing(str(error)) from error
        try:
            self._initialise(loaded)
            yield loaded
        finally:
            loaded.espeak_Terminate()
            _unload(loaded)

    def _initialise(self, loaded: ctypes.CDLL) -> None:
        if loaded.espeak_ng_GetSampleRate() != 0:
            raise EngineFailed(
                "This system does not unload libespeak-ng, so one segment would colour the next."
                " Use another engine."
            )
        # The first call sets LC_CTYPE to C.UTF-8. Nothing else in the process changes: no thread,
        # no signal handler, no working directory.
        rate = loaded.espeak_Initialize(
            AUDIO_OUTPUT_SYNCHRONOUS, 0, os.fsencode(self._data), INITIALIZE_DONT_EXIT
        )
        if rate <= 0:
            raise _missing(
                f"{self._data}: its data is not there, of another version, or its path too long"
            )

    def _set_voice(self, loaded: ctypes.CDLL, identifier: str, variant: str) -> None:
        """Select a voice by an open file of it, if the system allows that.

        Selecting by name makes the library read all of its 360 voice files first (2.7 ms), unless
        the name is in lower case.
        """
        suffix = f"+{variant}" if variant else ""
        if DESCRIPTORS.exists():
            with (self._data / "lang" / identifier).open("rb") as file:
                path = f"{DESCRIPTORS}/{file.fileno()}{suffix}"
                status = loaded.espeak_ng_SetVoiceByFile(path.encode())
        else:
            status = loaded.espeak_ng_SetVoiceByName(f"{identifier}{suffix}".encode())
        _check(loaded, status, f"choosing the voice {identifier}{suffix}")


def _private_copy(library: Path) -> str:
    """The path of a copy of `library` that nothing else in this process has open."""
    if DESCRIPTORS.exists() and hasattr(os, "memfd_create"):
        descriptor = os.memfd_create(library.name)
        with os.fdopen(os.dup(descriptor), "wb") as copy:
            copy.write(library.read_bytes())
        return f"{DESCRIPTORS}/{descriptor}"
    folder = tempfile.mkdtemp(prefix="audiomill-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return shutil.copy(library, folder)


def _unload(loaded: ctypes.CDLL) -> None:
    close = ctypes.CDLL(None).dlclose
    close.argtypes = [c_void_p]
    close(loaded._handle)


def _check(loaded: ctypes.CDLL, status: int, action: str) -> None:
    """Raise EngineFailed with the library's message unless `status` is OK."""
    if status == STATUS_OK:
        return
    message = ctypes.create_string_buffer(512)
    loaded.espeak_ng_GetStatusCodeMessage(c_int(status), message, c_size_t(512))
    raise EngineFailed(f"espeak-ng, {action}: {message.value.decode(errors='replace')}.")


def _missing(reason: str) -> EngineMissing:
    return EngineMissing(
        f"The espeak-ng voice cannot be loaded: {reason}."
        f" {this_installation().repair_hint('espeakng-loader')}"
    )
