"""Stand-ins on loopback for servers of speech, faithful to what each sends, the quirks included.

    with speech_server("openai", n_slots=5) as server: …    server.url, server.requests

The first argument names a profile of `servers.toml`, the others are fields of `Behaviour`. The
audio is that of the test engine `tone`, so its length follows the text and its pitch the words and
the voice.
"""

import random
import threading
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, fields, replace
from typing import Any, TypeVar

from support import speech_uploads
from support.loopback import answering
from support.speech_answers import Behaviour
from support.speech_audio import spoken_samples
from support.speech_checks import Body, voice_in
from support.speech_handler import KEY, SpeechHandler, SpeechRequest
from support.speech_profiles import PROFILES, Profile
from support.speech_replies import Reply, reply_of
from support.speech_uploads import KEPT, Form, Library

__all__ = ["KEY", "SpeechRequest", "SpeechServer", "serving", "speech_server", "spoken_samples"]

Served = TypeVar("Served", bound="SpeechServer")


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
    n_in_flight: int = 0
    faults_met: Counter[str] = field(default_factory=Counter)
    model_lock: threading.Lock = field(default_factory=threading.Lock)
    _attempts: Counter[str] = field(default_factory=Counter)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def profile(self) -> Profile:
        return PROFILES[self.kind]

    def behave(self, **behaviour: Any) -> None:
        """Change how it behaves from now on."""
        self.behaviour = replace(self.behaviour, **behaviour)

    @contextmanager
    def slot(self) -> Iterator[bool]:
        """Whether the request has one of the slots."""
        with self._lock:
            self.n_in_flight += 1
            self.in_flight.append(self.n_in_flight)
            n_slots = self.behaviour.n_slots
            has_slot = self.n_in_flight <= n_slots
            self.most_in_flight = max(self.most_in_flight, min(self.n_in_flight, n_slots))
        try:
            yield has_slot
        finally:
            with self._lock:
                self.n_in_flight -= 1

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

    def take(self, form: Form) -> Reply:
        """Keep a recording, and answer."""
        how, take = self.behaviour, getattr(speech_uploads, self.profile.uploads)
        with self._lock:
            self.uploads.append(form)
            library = {} if how.loses_uploads else self.library
            if how.gets_twice:
                take(library, form, how.languages)
            return reply_of(*take(library, form, how.languages))

    def kept(self, body: Body) -> Body:
        """The request with the recording of its voice, unless it is forgotten now."""
        if len(self.spoken) >= self.behaviour.forgets_after:
            self.behave(forgets_after=float("inf"))
            self.library.clear()
        kept = self.library.get(voice_in(body))
        return {**body, KEPT: kept} if kept else body


def server_with(kind: type[Served], name: str, options: Mapping[str, Any]) -> Served:
    """A server whose options are fields of its own, or of its `Behaviour`."""
    usual = {one.name for one in fields(Behaviour)}
    how = Behaviour(**{key: value for key, value in options.items() if key in usual})
    return kind(name, how, **{key: value for key, value in options.items() if key not in usual})


@contextmanager
def speech_server(kind: str, **behaviour: Any) -> Iterator[SpeechServer]:
    made = server_with(SpeechServer, kind, behaviour)
    with serving(made, SpeechHandler, "/v1") as server:
        yield server


@contextmanager
def serving(server: Served, kind: type[SpeechHandler], path: str) -> Iterator[Served]:
    """The server, answering on loopback; `path` ends its url."""
    with answering(kind, speech=server) as http:
        server.url = f"{http.url}{path}"
        yield server
