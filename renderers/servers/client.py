"""Sends requests to one server, as many at a time as it likes, each until it is answered.

    request ─▶ gate ─▶ attempt ─┬─▶ reply
                 ▲              ├─▶ ServerBusy: fewer at a time; this one waits as long as it asks
                 └──────────────┴─▶ ServerFailing: this one waits 0.5 s, 1 s … 15 s, as it does
                                    where ServerBusy does not say how long

Three failures without an answer between them open a circuit breaker: the server is then asked by
one request at a time, and the others go on once that one is answered. The run ends if a request has
waited for `waiter.outage_s`, in which the server failed and answered nothing. A server that only
refuses is waited for without an end: the user is told, and may stop.
"""

from __future__ import annotations

import atexit
import random
import time
from collections.abc import Callable, Generator
from contextlib import closing, contextmanager
from typing import TypeVar

import httpx

from audiomill.inputs.messages import mask_error
from audiomill.renderers.engine.errors import EngineFailed, RenderError
from audiomill.renderers.host.waiting import Attempt, Waiter, in_words
from audiomill.renderers.servers.calls import Answer, Call, ReplyReader, Server
from audiomill.renderers.servers.flow_control import AdaptiveLimit
from audiomill.renderers.servers.patience import (
    ALIVE_S,
    FIRST_CONTACT_S,
    FaultLog,
    Health,
    check_request,
    check_server,
)
from audiomill.renderers.servers.replies import MAX_ERROR_BYTES, Reply, ServerBusy, ServerFailing
from audiomill.renderers.servers.request_gate import GateEntry, RequestGate
from audiomill.renderers.servers.spending import Spending

T = TypeVar("T")

CONNECT_S = 10.0
# What a server may take: for any request, and for a character of it, on a slow CPU and in a queue.
BASE_TIMEOUT_S, CHAR_TIMEOUT_S = 60.0, 1.0
FIRST_DELAY_S, LONGEST_DELAY_S = 0.5, 15.0
BREAKER_FAILURES = 3  # in a row, by any requests


class ServerClient:
    """A server's client. Thread-safe; all threads share its connections and its limit."""

    def __init__(
        self,
        server: Server,
        most_in_flight: int,
        spending: Spending,
        first_in_flight: int = 2,
        reader: ReplyReader | None = None,
    ) -> None:
        """Open no connection yet. `reader` knows a server that tells more than others."""
        self._server = server
        self._reader = reader or ReplyReader(server)
        self._spending = spending
        self.gate = RequestGate(AdaptiveLimit(most_in_flight, first_in_flight))
        self._health, self._refusals = Health(), Health()  # by failures, and by ServerBusy
        limits = httpx.Limits(max_connections=None, max_keepalive_connections=most_in_flight)
        atexit.register(self.close)
        # No proxy and no key of the environment besides those that the settings name. Nothing
        # compressed: audio gains nothing, and a small answer could become a huge one.
        headers = {"user-agent": "audiomill", "accept-encoding": "identity"}
        self._http = httpx.Client(limits=limits, trust_env=False, headers=headers)

    def close(self) -> None:
        """Close all connections. Nothing can be sent afterwards."""
        atexit.unregister(self.close)
        self._http.close()

    def send(self, call: Call, read: Callable[[Reply], T], waiter: Waiter) -> Answer[T]:
        """What `read` makes of the server's reply to `call`, once it has one.

        `read` may raise ServerFailing for a reply that came damaged. Raises RenderError, and what
        stops the run.
        """
        log = FaultLog(waiter.now_s())
        place = self.gate.place(call.n_items, is_first=call.is_first)
        while True:
            with (
                self._masking(),
                self.gate.passed(place, waiter) as entry,
                self._spending.reserved(call.n_billed) as reservation,
            ):
                try:
                    reply = self._attempt(call, waiter)
                    log.n_replies += 1
                    value = read(reply)
                except ServerBusy as busy:
                    delay_s = self._note_busy(busy, log, entry, waiter)
                except ServerFailing as failing:
                    if failing.may_be_billed:
                        reservation.keep(call.n_billed)
                    delay_s = self._note_failing(failing, log, call, entry, waiter)
                else:
                    n_billed = self._reader.n_billed(reply, call)
                    reservation.keep(n_billed)
                    self._note_answer(reply, call, entry, waiter)
                    return Answer(value, log.n_billed + n_billed)
            waiter.sleep(delay_s)

    @contextmanager
    def _masking(self) -> Generator[None]:
        """In the block, no error has our key: a server may send it back."""
        try:
            yield
        except RenderError as error:
            mask_error(error, self._server.secrets())
            raise

    def _tell(self, waiter: Waiter, words: str) -> None:
        waiter.tell(self._server.masked(words))

    def _attempt(self, call: Call, waiter: Waiter) -> Reply:
        """One attempt. Raises ServerBusy, ServerFailing, RenderError, and what stops the run."""
        timeout_s = BASE_TIMEOUT_S + CHAR_TIMEOUT_S * call.n_chars
        attempt = Attempt(lambda: self._exchange(call, timeout_s))
        waiter.wait(attempt.done, timeout_s + CONNECT_S)
        if not attempt.done.is_set():
            raise ServerFailing(f"no answer for {timeout_s:.0f} s", may_be_billed=True)
        reply = attempt.result()
        if reply.status not in call.accepted:
            self._reader.check(reply)
        return reply

    def _exchange(self, call: Call, timeout_s: float) -> Reply:
        """Send the call and read the whole answer. Raises ServerFailing, EngineFailed."""
        url = f"{self._server.url}{call.path}"
        timeout = httpx.Timeout(timeout_s, connect=CONNECT_S)
        began_s = time.monotonic()
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
                content = self._content(response, call, began_s + timeout_s)
                return Reply(response.status_code, response.headers, content, call.longest_s)
        except (httpx.InvalidURL, httpx.UnsupportedProtocol) as error:
            raise EngineFailed(f"{url} is no address of a server: {_words(error)}.") from error
        except (httpx.ConnectError, httpx.ConnectTimeout) as error:
            words = f"no connection: {_words(error)}"
            raise ServerFailing(words, may_be_the_text=False) from error
        except (httpx.TransportError, httpx.DecodingError) as error:
            raise ServerFailing(_words(error), may_be_billed=True) from error

    def _content(self, response: httpx.Response, call: Call, until_s: float) -> bytes:
        """The whole answer, or as many of its lines as are enough; the server then stops.

        Of one that says what went wrong only the beginning, if it is long. Raises
        httpx.ReadTimeout at `until_s`, as that of httpx begins anew with every byte, and
        EngineFailed for what is compressed, or larger than an answer to `call` can be.
        """
        if response.headers.get("content-encoding", "identity").lower() not in ("identity", ""):
            raise EngineFailed(
                f"{self._server.name} compresses its answers, which was not asked for. Turn that"
                " off in the server, or in the proxy before it."
            )
        is_wanted = response.is_success or response.status_code in call.accepted
        max_bytes = call.max_reply_bytes if is_wanted else MAX_ERROR_BYTES
        content, n_seen = bytearray(), 0
        for part in response.iter_raw():
            content += part
            if len(content) > max_bytes and is_wanted:
                raise EngineFailed(_too_large(self._server.name, call))
            if time.monotonic() > until_s:
                raise httpx.ReadTimeout("an answer that does not end")
            if call.is_enough and response.is_success:
                end = _end_of_enough(content, n_seen, call.is_enough)
                if end:
                    return bytes(content[:end])
                n_seen = content.rfind(b"\n") + 1
            if len(content) > max_bytes:
                break
        # Here already: a key in a reason that is cut would no longer be known.
        return bytes(content) if is_wanted else self._masked_bytes(content[:max_bytes])

    def _masked_bytes(self, content: bytearray) -> bytes:
        return self._server.masked(content.decode("utf-8", "replace")).encode()

    def _note_busy(
        self, busy: ServerBusy, log: FaultLog, entry: GateEntry, waiter: Waiter
    ) -> float:
        """Lower the limit. Returns the seconds that this request waits."""
        log.n_refusals += 1
        now_s = waiter.now_s()
        refused_s = self._refusals.fail(now_s)
        if self._refusals.tells(now_s):
            self._tell(
                waiter,
                f"{self._server.name} has refused all requests for {refused_s:.0f} s ({busy})."
                " Waiting until it takes some again.",
            )
        delay_s = busy.retry_after_s
        if delay_s is None:
            delay_s = _delay_s(log.n_refusals)
        self.gate.refused(entry, now_s + delay_s)
        return delay_s

    def _note_failing(
        self, failing: ServerFailing, log: FaultLog, call: Call, entry: GateEntry, waiter: Waiter
    ) -> float:
        """The seconds that this request waits; with many failures the others wait, too.

        Raises EngineFailed if the server fails for too long, or with one text only.
        """
        log.note(failing, call, self._health.n_answers)
        now_s = waiter.now_s()
        failing_s = self._health.fail(now_s)
        # One that has begun in an outage waits for as long: the process may have been idle before.
        waited_s = min(failing_s, now_s - log.began_s)
        outage_s = waiter.outage_s
        if not self._health.n_answers and not failing.may_be_the_text:
            outage_s = min(outage_s, FIRST_CONTACT_S)
        check_server(self._server, failing, waited_s, outage_s)
        is_alive = failing_s < ALIVE_S or self._health.n_answers > log.n_answers_before
        check_request(self._server, failing, call, log, is_alive=is_alive)
        if self._health.tells(now_s):
            self._tell(
                waiter,
                f"{self._server.name} at {self._server.url} has not answered for"
                f" {failing_s:.0f} s ({failing}). Waiting for it, for {in_words(outage_s)} at"
                " most.",
            )
        delay_s = _delay_s(log.n_faults)
        if self._health.n_failures >= BREAKER_FAILURES:
            self.gate.failed(entry, now_s + delay_s)
        return delay_s

    def _note_answer(self, reply: Reply, call: Call, entry: GateEntry, waiter: Waiter) -> None:
        if call.longest:  # a list of voices comes at once, and is no measure of speech
            self.gate.succeeded(entry, call.longest, waiter.now_s())
        if counts := self._reader.concurrency(reply):
            self.gate.counted(entry, *counts)
        if any([self._health.answered(), self._refusals.answered()]):
            self._tell(waiter, f"{self._server.name} answers again.")


def _delay_s(n_attempts: int) -> float:
    """How long a request waits after so many attempts in vain, where the server does not tell."""
    delay_s = min(FIRST_DELAY_S * 2 ** (n_attempts - 1), LONGEST_DELAY_S)
    # Random, so that several programs do not come back at the same moment.
    return delay_s * random.uniform(0.5, 1)  # noqa: S311


def _end_of_enough(content: bytearray, start: int, is_enough: Callable[[str], bool]) -> int:
    """Where the line ends after which no more is needed, among the whole ones from `start` on.

    0 if there is none yet.
    """
    while (end := content.find(b"\n", start)) >= 0:
        if is_enough(content[start:end].decode("utf-8", "replace").rstrip("\r")):
            return end
        start = end + 1
    return 0


def _too_large(server: str, call: Call) -> str:
    asked = f"a text of {call.n_chars:,} characters" if call.n_chars else "a list"
    return (
        f"{server} sends more than {call.max_reply_bytes >> 20} MiB for {asked}, and was stopped."
        " Look at the server's url in the settings, and at its log."
    )


def _words(error: Exception) -> str:
    return str(error).strip().rstrip(".") or type(error).__name__
