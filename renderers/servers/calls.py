"""A server, a request to it, its answer, and what a reply tells besides its content."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Generic, TypeVar
from urllib.parse import unquote, urlsplit

from audiomill.inputs.messages import masked
from audiomill.renderers.engine.errors import EngineUnavailable
from audiomill.renderers.servers.replies import (
    MAX_LIST_BYTES,
    Reply,
    check_reply,
    longest_s,
    max_speech_bytes,
)

T = TypeVar("T")

MAX_FAULTS = 6  # by one request, if the server answers others


def key_in(variable: str) -> str:
    """The key in a variable of the environment that the settings name; "" without one.

    It is read when a request is sent, and kept nowhere: not in options, reports or messages.
    """
    return os.environ.get(variable, "").strip() if variable else ""


def _nothing() -> Mapping[str, str]:
    return MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Server:
    """Where a server is, and how it knows us."""

    name: str  # for people
    url: str  # without a slash at its end
    key_variable: str  # the variable of the environment with the key; "": none is sent
    key_header: str = "authorization"
    key_prefix: str = "Bearer "
    no_such_voice: str = ""  # see `check_reply`
    # Where people find a key, of a service that answers nobody without one. The key is missed
    # before anything is sent: a service that is out of reach cannot ask for it.
    keys_are_at: str = ""

    def headers(self) -> dict[str, str]:
        """The key, if the environment has one. Raises EngineUnavailable without a needed one."""
        key = key_in(self.key_variable)
        if not (key.isascii() and key.isprintable()):  # which no header may hold
            raise EngineUnavailable(
                f"The key in {self.key_variable} has a line break, or letters that no key has. Copy"
                " it once more."
            )
        if self.keys_are_at and not key:
            raise EngineUnavailable(
                f"{self.name} needs a key. Put yours into {self.key_variable}: it is at"
                f" {self.keys_are_at}."
            )
        return {self.key_header: f"{self.key_prefix}{key}"} if key else {}

    def secrets(self) -> tuple[str, ...]:
        """What no message may have: the key, and a name and password in the url."""
        login = urlsplit(self.url).netloc.rpartition("@")[0] if "@" in self.url else ""
        password = login.partition(":")[2]
        found = (key_in(self.key_variable), login, unquote(login), password, unquote(password))
        return tuple(filter(None, found))

    def masked(self, text: str) -> str:
        """A message without our secrets."""
        return masked(text, self.secrets())


@dataclass(frozen=True, slots=True)
class Call:
    """One request to a server."""

    method: str
    path: str  # from the server's url
    body: Mapping[str, object] | None = None  # sent as JSON
    n_chars: int = 0  # of text, which decide how long it may take
    n_billed: int = 0  # of what a paid service counts, as it is expected
    form: Mapping[str, str] | None = None  # fields, sent instead of JSON
    # Sent with the form: contents, or a name and a content.
    files: Mapping[str, bytes | tuple[str, bytes]] | None = None
    headers: Mapping[str, str] = field(default_factory=_nothing)
    max_faults: int = MAX_FAULTS  # after which it is to blame, not the server
    accepted: tuple[int, ...] = ()  # statuses that say what was asked for, besides those of success
    # For an answer that is streamed by lines: True at the one after which no more is needed.
    is_enough: Callable[[str], bool] | None = None
    item_chars: tuple[int, ...] = ()  # of each text, if it has several
    continues: bool = False  # a segment of which a take is finished
    max_bytes: int = 0  # of an answer that is no audio; 0: as many as its text may need

    @property
    def n_items(self) -> int:
        """How many texts it counts for: one at least."""
        return max(1, len(self.item_chars))

    @property
    def is_first(self) -> bool:
        """Whether it goes before new texts: a segment that has begun may hang on it."""
        return self.continues or not self.n_chars

    @property
    def max_reply_bytes(self) -> int:
        """The bytes that an answer may have."""
        if self.max_bytes or not self.n_chars:
            return self.max_bytes or MAX_LIST_BYTES
        return max_speech_bytes(self.n_chars, self.n_items)

    @property
    def longest_s(self) -> float:
        """The seconds of audio that an answer may have."""
        return longest_s(self.n_chars, self.n_items)

    @property
    def longest(self) -> int:
        """The characters of its longest text."""
        return max(self.item_chars, default=self.n_chars)


@dataclass(frozen=True, slots=True)
class Answer(Generic[T]):
    """What was read in a reply, and what a paid service may bill for it.

    That is for all attempts of which it is not certain that they were not billed.
    """

    value: T
    n_billed: int


class ReplyReader:
    """What replies tell besides their content. A subclass reads those of a server that tells more.

    Thread-safe.
    """

    def __init__(self, server: Server) -> None:
        self._server = server

    def check(self, reply: Reply) -> None:
        """Return if it is a success. Raises ServerBusy, ServerFailing, RenderError."""
        server = self._server
        check_reply(reply, server.name, server.key_variable, server.no_such_voice)

    def n_billed(self, reply: Reply, call: Call) -> int:  # noqa: ARG002 - some tell it
        """What the answer to `call` is billed as."""
        return call.n_billed

    def concurrency(self, reply: Reply) -> tuple[int, int] | None:  # noqa: ARG002 - some tell it
        """The account's requests under way, and how many it may have; None if it is not told."""
        return None
