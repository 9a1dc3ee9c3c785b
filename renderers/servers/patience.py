"""When a server is given up that does not answer, or one request that it does not answer.

    fault ─▶ FaultLog ─┬─▶ nothing was answered for too long: the server is given up
                       ├─▶ 6 faults, and others were answered meanwhile: the request is to blame
                       ├─▶ 3 whole replies, each damaged: the request is given up
                       └─▶ 10 tries that a paid service may bill: the request is given up

Each damaged reply may be billed, which is why there are fewer tries.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from math import inf

from audiomill.renderers.engine.errors import EngineFailed, EngineUnavailable
from audiomill.renderers.servers.calls import Call, Server
from audiomill.renderers.servers.replies import ServerFailing

# A server that has answered so lately is not down, even if only one request has been sent since.
ALIVE_S = 5.0
MAX_DAMAGED = 3  # replies to one request, each of which a paid service bills
MAX_BILLED = 10  # tries of one request that a paid service may bill, though no reply came whole
TELL_AFTER_S, TELL_EVERY_S = 10.0, 60.0
# A server that was never reached is not there, or its address is wrong, which is told soon.
FIRST_CONTACT_S = 10.0


class RequestFails(EngineFailed):
    """The server fails each time with one request, and not for want of a connection."""


@dataclass(slots=True)
class FaultLog:
    """What the attempts at one request have come to. Of one thread."""

    began_s: float  # when the request came, on its waiter's clock
    n_billed: int = 0  # by those that failed
    n_faults: int = 0
    n_billed_faults: int = 0  # those that may be billed
    n_refusals: int = 0  # because the server had too many requests
    n_replies: int = 0  # that said they were what was asked for
    n_answers_before: int = 0  # to any requests, before the first fault of this one

    def note(self, failing: ServerFailing, call: Call, n_answers: int) -> None:
        """Note a fault, and how many answers the server has given to anyone."""
        if not self.n_faults:
            self.n_answers_before = n_answers
        self.n_faults += 1
        if failing.may_be_billed:
            self.n_billed += call.n_billed
            self.n_billed_faults += 1


@dataclass(slots=True)
class Health:
    """Since when a server has answered nothing, and only failed, or only refused. Thread-safe."""

    failing_from_s: float = inf
    n_failures: int = 0  # since the last answer
    n_answers: int = 0  # ever
    notified_s: float = -inf
    lock: threading.Lock = field(default_factory=threading.Lock)

    def fail(self, now_s: float) -> float:
        """Note a failure or a refusal. Returns for how long nothing was answered."""
        with self.lock:
            self.n_failures += 1
            self.failing_from_s = min(self.failing_from_s, now_s)
            return now_s - self.failing_from_s

    def answered(self) -> bool:
        """Note an answer. True if the user had been told that there was none."""
        with self.lock:
            was_notified = self.notified_s > self.failing_from_s
            self.failing_from_s, self.n_failures = inf, 0
            self.n_answers += 1
            return was_notified

    def tells(self, now_s: float) -> bool:
        """True if the user should be told now that the server does not answer."""
        with self.lock:
            late = now_s - self.failing_from_s >= TELL_AFTER_S
            due = late and now_s - self.notified_s >= TELL_EVERY_S
            self.notified_s = now_s if due else self.notified_s
            return due


def check_server(server: Server, failing: ServerFailing, waited_s: float, outage_s: float) -> None:
    """Raise EngineUnavailable if nothing was answered while a request has waited for too long."""
    if waited_s >= outage_s:
        cure = "see whether this machine is online" if server.keys_are_at else "start the server"
        raise EngineUnavailable(
            f"{server.name} at {server.url} has not answered for"
            f" {waited_s:.0f} s ({failing}). What is finished is kept: {cure}, or"
            " correct its url in the settings, and run the same command again."
        ) from failing


def check_request(
    server: Server, failing: ServerFailing, call: Call, log: FaultLog, *, is_alive: bool
) -> None:
    """Raise RequestFails if one request is to blame, or costs each time.

    `is_alive`: the server answers others, or has done so lately.
    """
    if log.n_replies >= MAX_DAMAGED:
        cost = " It may bill each time, so it is not asked again." if call.n_billed else ""
        raise RequestFails(
            f"{server.name} answers one text {log.n_replies} times with {failing}.{cost} Look at"
            " the server's log, or try later."
        ) from failing
    if call.n_billed and log.n_billed_faults >= MAX_BILLED:
        raise RequestFails(
            f"{server.name} gave no whole answer to one text in {log.n_billed_faults} tries, and"
            f" may bill each ({failing}). What is finished is kept: run the same command again once"
            " the connection holds."
        ) from failing
    if failing.may_be_the_text and is_alive and log.n_faults >= call.max_faults:
        raise RequestFails(
            f"{server.name} fails each time with one text, and answers others"
            f" ({failing}). Look at the server's log."
        ) from failing
