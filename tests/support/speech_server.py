"""Stand-ins on loopback for servers of speech, faithful to what each sends, the quirks included.

    with speech_server("openai", n_slots=5) as server: …    server.url, server.requests

The first argument names a profile, the others are fields of `Behaviour`. The audio is that of the
test engine `tone`, so its length follows the text and its pitch the words and the voice.
"""

from __future__ import annotations

import random
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from support.loopback import Server, listening
from support.speech_answers import Behaviour
from support.speech_audio import spoken_samples
from support.speech_handler import KEY, SpeechHandler
from support.speech_profile import Profile
from support.speech_profiles import PROFILES
from support.speech_replies import Reply
from support.speech_uploads import Form, Library, UploadRoutes

__all__ = ["KEY", "SpeechRequest", "SpeechServer", "serving", "speech_server", "spoken_samples"]

Served = TypeVar("Served", bound="SpeechServer")


@dataclass(frozen=True, slots=True)
class SpeechRequest:
    """A request that was answered, or was not. Times are those of `time.monotonic`."""

    path: str
    body: dict[str, Any]
    headers: dict[str, str]
    status: int  # 0: the connection was cut
    began_s: float
    ended_s: float  # when all but its last bytes was sent


@dataclass
class SpeechServer:
    """A stand-in: what it is, how it behaves, and what it was asked."""

    kind: str
    behaviour: Behaviour
    url: str = ""
    requests: list[SpeechRequest] = field(default_factory=list)
    lists_asked: list[str] = field(default_factory=list)  # paths of voices and models
    billed_characters: int = 0
    library: Library = field(default_factory=dict)  # recordings that it keeps
    uploads: list[Form] = field(default_factory=list)  # all that came
    spoken: list[str] = field(default_factory=list)  # each text whose audio was sent whole
    most_in_flight: int = 0  # of those that had a slot
    in_flight: list[int] = field(default_factory=list)  # when each request came, itself included
    faults_met: Counter[str] = field(default_factory=Counter)
    model_lock: threading.Lock = field(default_factory=threading.Lock)
    _n_in_flight: int = 0
    _attempts: Counter[str] = field(default_factory=Counter)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def n_in_flight(self) -> int:
        return self._n_in_flight

    @property
    def profile(self) -> Profile:
        return PROFILES[self.kind]

    def behave(self, **behaviour: Any) -> None:
        """Change how it behaves from now on."""
        self.behaviour = replace(self.behaviour, **behaviour)

    @property
    def is_down(self) -> bool:
        return self.behaviour.is_down

    @contextmanager
    def slot(self) -> Iterator[bool]:
        """Whether the request has one of the slots."""
        with self._lock:
            self._n_in_flight += 1
            self.in_flight.append(self._n_in_flight)
            n_slots = self.behaviour.n_slots
            has_slot = self._n_in_flight <= n_slots
            self.most_in_flight = max(self.most_in_flight, min(self._n_in_flight, n_slots))
        try:
            yield has_slot
        finally:
            with self._lock:
                self._n_in_flight -= 1

    def fault(self, text: str) -> str:
        """The fault of this attempt at `text`, whatever else is under way; "" for none."""
        with self._lock:
            self._attempts[text] += 1
            drawn = random.Random(f"{self.behaviour.seed} {self._attempts[text]} {text}").random()
        for name, rate in self.behaviour.faults.items():
            if drawn < rate:
                self.faults_met[name] += 1
                return name
            drawn -= rate
        return ""

    def spoil(self, text: str) -> str:
        """By what this take of `text` is spoiled; "" for nothing."""
        takes = self.behaviour.takes.get(text, ())
        take = self._attempts[text] - 1
        return takes[take] if take < len(takes) else ""

    def bill(self, n_chars: int) -> bool:
        """Count the characters. False if the quota does not allow it."""
        with self._lock:
            if self.billed_characters + n_chars > self.behaviour.quota:
                return False
            self.billed_characters += n_chars
            return True

    def take(self, routes: UploadRoutes, form: Form) -> Reply:
        """Keep a recording, and answer."""
        with self._lock:
            self.uploads.append(form)
            library = {} if self.behaviour.loses_uploads else self.library
            if self.behaviour.gets_twice:
                routes.take(library, form, self.behaviour.languages)
            return routes.take(library, form, self.behaviour.languages)

    def note(
        self, path: str, body: dict[str, Any], headers: dict[str, str], status: int, began_s: float
    ) -> None:
        """Note a request that has ended."""
        ended_s = time.monotonic()
        self.requests.append(SpeechRequest(path, body, headers, status, began_s, ended_s))


@contextmanager
def speech_server(kind: str, **behaviour: Any) -> Iterator[SpeechServer]:
    with serving(SpeechServer(kind, Behaviour(**behaviour)), SpeechHandler, "/v1") as server:
        yield server


@contextmanager
def serving(server: Served, kind: type[SpeechHandler], path: str) -> Iterator[Served]:
    """The server, answering on loopback; `path` ends its url."""

    class Handler(kind):
        speech = server

    with listening(Server(Handler)) as http:
        server.url = f"{http.url}{path}"
        yield server
