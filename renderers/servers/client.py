"""Sends requests to one server, as many at a time as it likes, each until it is answered.

    request ─▶ gate ─▶ attempt ─┬─▶ reply
                 ▲              ├─▶ ServerBusy: fewer at a time; this one waits as long as it asks
                 └──────────────┴─▶ ServerFailing: this one waits 0.5 s, 1 s … 15 s

Three failures without an answer between them open a circuit breaker: the server is then asked by
one request at a time, and the others go on once that one is answered. The run ends if nothing is
answered for `waiter.outage_s`.
"""

from __future__ import annotations

import atexit
import random
import threading
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from math import inf
from types import MappingProxyType
from typing import Generic, TypeVar

import httpx

from audiomill.renderers.base import EngineFailed
from audiomill.renderers.host.attempt import Attempt
from audiomill.renderers.host.waiting import Waiter
from audiomill.renderers.servers.flow_control import AdaptiveLimit, GateEntry, RequestGate
from audiomill.renderers.servers.keys import key_in
from audiomill.renderers.servers.replies import Reply, ServerBusy, ServerFailing, check_reply
from audiomill.renderers.servers.spending import Spending

T = TypeVar("T")

CONNECT_S = 10.0
# What a server may take: for any request, and for a character of it, on a slow CPU and in a queue.
BASE_TIMEOUT_S, CHAR_TIMEOUT_S = 60.0, 1.0
FIRST_DELAY_S, LONGEST_DELAY_S = 0.5, 15.0
BREAKER_FAILURES = 3  # in a row, by any requests
# Faults by one request while others are answered: it is to blame.
MAX_FAULTS = 6
# The delays before its last one take longer: others were answered since its first.
BLAME_WITHIN_S = 5.0
TELL_AFTER_S, TELL_EVERY_S = 10.0, 60.0


class RequestFails(EngineFailed):
    """The server fails each time with one request, and answers others."""


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

    def headers(self) -> dict[str, str]:
        """The key, if the environment has one."""
        key = key_in(self.key_variable)
        return {self.key_header: f"{self.key_prefix}{key}"} if key else {}


@dataclass(frozen=True, slots=True)
class Call:
    """One request to a server."""

    method: str
    path: str  # from the server's url
    body: Mapping[str, object] | None = None  # sent as JSON
    n_chars: int = 0  # of text, which decide how long it may take
    n_billed: int = 0  # of what a paid service counts
    form: Mapping[str, str] | None = None  # fields, sent instead of JSON
    files: Mapping[str, bytes] | None = None  # sent with the form
    headers: Mapping[str, str] = field(default_factory=_nothing)
    max_faults: int = MAX_FAULTS  # after which it is to blame, not the server
    accepted: tuple[int, ...] = ()  # statuses that say what was asked for, besides those of success
    # For an answer that is streamed by lines: True at the one after which no more is needed.
    is_enough: Callable[[str], bool] | None = None
    item_chars: tuple[int, ...] = ()  # of each text, if it has several

    @property
    def n_items(self) -> int:
        """How many texts it counts for: one at least."""
        return max(1, len(self.item_chars))

    @property
    def longest(self) -> int:
        """The characters of its longest text."""
        return max(self.item_chars, default=self.n_chars)


@dataclass(frozen=True, slots=True)
class Answer(Generic[T]):
    """What was read in a reply, and how many attempts a paid service may count for it."""

    value: T
    n_billed: int


@dataclass(slots=True)
class _Health:
    """Since when a server has answered nothing. Thread-safe."""

    failing_from_s: float = inf
    n_failures: int = 0  # since the last answer
    told_s: float = -inf
    lock: threading.Lock = field(default_factory=threading.Lock)

    def fail(self, now_s: float) -> float:
        """Note a failure. Returns for how long nothing was answered."""
        with self.lock:
            self.n_failures += 1
            self.failing_from_s = min(self.failing_from_s, now_s)
            return now_s - self.failing_from_s

    def answered(self) -> bool:
        """Note an answer. True if the user had been told that there was none."""
        with self.lock:
            was_told = self.told_s > self.failing_from_s
            self.failing_from_s, self.n_failures = inf, 0
            return was_told

    def tells(self, now_s: float) -> bool:
        """True if the user should be told now that the server does not answer."""
        with self.lock:
            late = now_s - self.failing_from_s >= TELL_AFTER_S
            due = late and now_s - self.told_s >= TELL_EVERY_S
            self.told_s = now_s if due else self.told_s
            return due


class ServerClient:
    """A server's client. Thread-safe; all threads share its connections and its limit."""

    def __init__(
        self, server: Server, most_in_flight: int, spending: Spending, first_in_flight: int = 2
    ) -> None:
        self._server = server
        self._spending = spending
        self.gate = RequestGate(AdaptiveLimit(most_in_flight, first_in_flight))
        self._health = _Health()
        limits = httpx.Limits(max_connections=None, max_keepalive_connections=most_in_flight)
        atexit.register(self.close)
        # No proxy and no key of the environment besides those that the settings name.
        self._http = httpx.Client(
            limits=limits, trust_env=False, headers={"user-agent": "audiomill"}
        )

    def close(self) -> None:
        """Close all connections. Nothing can be sent afterwards."""
        atexit.unregister(self.close)
        self._http.close()

    def send(self, call: Call, read: Callable[[Reply], T], waiter: Waiter) -> Answer[T]:
        """What `read` makes of the server's reply to `call`, once it has one.

        `read` may raise ServerFailing for a reply that came damaged. Raises RenderError, and what
        stops the run.
        """
        n_billed = n_faults = 0
        while True:
            with (
                self.gate.passed(waiter, call.n_items) as entry,
                self._spending.reserved(call.n_billed) as reservation,
            ):
                try:
                    value = read(self._attempt(call, waiter))
                except ServerBusy as busy:
                    delay_s = self._note_busy(busy, entry, waiter)
                except ServerFailing as failing:
                    n_faults += 1
                    if failing.may_be_billed:
                        reservation.keep()
                        n_billed += 1
                    delay_s = self._note_failing(failing, n_faults, call, entry, waiter)
                else:
                    reservation.keep()
                    self.gate.succeeded(entry, call.longest, waiter.now_s())
                    self._note_answer(waiter)
                    return Answer(value, n_billed + 1)
            waiter.sleep(delay_s)

    def _attempt(self, call: Call, waiter: Waiter) -> Reply:
        """One attempt. Raises ServerBusy, ServerFailing, RenderError, and what stops the run."""
        timeout_s = BASE_TIMEOUT_S + CHAR_TIMEOUT_S * call.n_chars
        attempt = Attempt(lambda: self._exchange(call, timeout_s))
        waiter.wait(attempt.done, timeout_s + CONNECT_S)
        if not attempt.done.is_set():
            raise ServerFailing(f"no answer for {timeout_s:.0f} s", may_be_billed=True)
        reply = attempt.result()
        server = self._server
        if reply.status not in call.accepted:
            check_reply(reply, server.name, server.key_variable, server.no_such_voice)
        return reply

    def _exchange(self, call: Call, timeout_s: float) -> Reply:
        """Send the call and read the whole answer. Raises ServerFailing, EngineFailed."""
        url = f"{self._server.url}{call.path}"
        timeout = httpx.Timeout(timeout_s, connect=CONNECT_S)
        try:
            request = self._http.build_request(
                call.method,
                url,
                json=call.body,
                data=call.form,
                files=call.files,
                headers={**self._server.headers(), **call.headers},
                timeout=timeout,
            )
            with closing(self._http.send(request, stream=True)) as response:
                return Reply(response.status_code, response.headers, _content(response, call))
        except (httpx.InvalidURL, httpx.UnsupportedProtocol) as error:
            raise EngineFailed(f"{url} is no address of a server: {_words(error)}.") from error
        except (httpx.ConnectError, httpx.ConnectTimeout) as error:
            raise ServerFailing(f"no connection: {_words(error)}") from error
        except httpx.TransportError as error:
            raise ServerFailing(_words(error), may_be_billed=True) from error

    def _note_busy(self, busy: ServerBusy, entry: GateEntry, waiter: Waiter) -> float:
        """Lower the limit. Returns the seconds that this request waits."""
        delay_s = busy.retry_after_s
        if delay_s is None:
            delay_s = FIRST_DELAY_S * random.uniform(0.5, 1)  # noqa: S311
        self.gate.refused(entry, waiter.now_s() + delay_s)
        return delay_s

    def _note_failing(
        self, failing: ServerFailing, n_faults: int, call: Call, entry: GateEntry, waiter: Waiter
    ) -> float:
        """The seconds that this request waits; with many failures the others wait, too.

        Raises EngineFailed if the server fails for too long, or with one text only.
        """
        now_s = waiter.now_s()
        failing_s = self._health.fail(now_s)
        self._give_up(failing, call.max_faults - n_faults, failing_s, waiter.outage_s)
        if self._health.tells(now_s):
            waiter.tell(
                f"{self._server.name} has not answered for {failing_s:.0f} s ({failing})."
                f" Waiting for it, for {waiter.outage_s / 60:.0f} minutes at most."
            )
        delay_s = min(FIRST_DELAY_S * 2 ** (n_faults - 1), LONGEST_DELAY_S)
        # Random, so that several programs do not come back at the same moment.
        delay_s *= random.uniform(0.5, 1)  # noqa: S311
        if self._health.n_failures >= BREAKER_FAILURES:
            self.gate.failed(entry, now_s + delay_s)
        return delay_s

    def _give_up(
        self, failing: ServerFailing, n_left: int, failing_s: float, outage_s: float
    ) -> None:
        """Raise EngineFailed if trying again does not help."""
        if failing_s >= outage_s:
            raise EngineFailed(
                f"{self._server.name} at {self._server.url} has not answered for"
                f" {failing_s:.0f} s ({failing}). What is finished is kept: start the server, or"
                " correct its url in the settings, and run the same command again."
            ) from failing
        if n_left <= 0 and failing_s < BLAME_WITHIN_S:
            raise RequestFails(
                f"{self._server.name} fails each time with one text, and answers others"
                f" ({failing}). Look at the server's log."
            ) from failing

    def _note_answer(self, waiter: Waiter) -> None:
        if self._health.answered():
            waiter.tell(f"{self._server.name} answers again.")


def _content(response: httpx.Response, call: Call) -> bytes:
    """The whole answer, or as many of its lines as are enough; the server then stops."""
    if call.is_enough is None or not response.is_success:
        return response.read()
    lines: list[str] = []
    for line in response.iter_lines():
        lines.append(line)
        if call.is_enough(line):
            break
    return "\n".join(lines).encode()


def _words(error: Exception) -> str:
    return str(error).strip().rstrip(".") or type(error).__name__
