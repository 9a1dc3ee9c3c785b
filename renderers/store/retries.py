"""Repeats what a place on the network does not answer, until it answers or the outage is too long.

    attempt ─▶ no answer, or an error that may heal ─▶ wait 0.25 s, 0.5 s … 15 s ─▶ attempt …
            └▶ a result, or an error that cannot heal: returned or raised at once

Meanwhile the operation's data stays in memory, so nothing that was rendered is lost.
"""

from __future__ import annotations

import random
import threading
from collections.abc import Callable
from typing import TypeVar

from audiomill.renderers.base import StoreError
from audiomill.renderers.host.waiting import UNATTENDED, Attempt, Waiter, in_words
from audiomill.renderers.store.remote_errors import RemotePlace, is_permanent, words_of

ATTEMPT_S = 120.0  # without an answer, after which an attempt is given up; S3's client takes less
ONLY_ATTEMPT_S = 30.0  # the same for an operation that is not repeated
TELL_AFTER_S = 5.0  # without success, after which the user is told
TELL_EVERY_S = 60.0
FIRST_DELAY_S = 0.25
LONGEST_DELAY_S = 15.0

T = TypeVar("T")


class Retries:
    """Runs operations on a place, each as often as it takes. Thread-safe.

    Without a waiter an operation is tried once: its error is raised, and nobody is told.
    """

    def __init__(self, place: RemotePlace, waiter: Waiter | None) -> None:
        self._place = place
        self._repeats = waiter is not None
        self._attempt_s = min(ATTEMPT_S, waiter.outage_s) if waiter else ONLY_ATTEMPT_S
        self._waiter: Waiter = waiter or UNATTENDED
        self._outage_s = self._waiter.outage_s
        self._lock = threading.Lock()
        # The first failure since the last answer: what begins late does not wait all over again.
        self._outage_from_s = float("inf")
        self._told_s = float("-inf")  # when the user was last told that the store does not answer
        self._is_awaited = False  # the user knows of it, and not yet of an answer

    def run(self, operation: Callable[[], T]) -> T:
        """The operation's result.

        Raises OSError where trying again cannot help, StoreError after so long an outage as
        the waiter waits for, what else the operation raises, and what stops the run.
        """
        started_s = self._waiter.now_s()
        delay_s = FIRST_DELAY_S
        while True:
            try:
                result = self._attempt(operation, started_s)
            except OSError as error:
                if not self._repeats:
                    raise
                if is_permanent(error):
                    self._end_outage()  # it is an answer
                    raise
                if self._is_too_late(started_s):
                    raise self._outage_error(error) from error
                self._tell(words_of(error), started_s)
            else:
                self._end_outage()
                return result
            # Random, so that many writers do not come back at the same moment.
            self._waiter.sleep(delay_s * random.uniform(0.5, 1))  # noqa: S311
            delay_s = min(2 * delay_s, LONGEST_DELAY_S)

    def _attempt(self, operation: Callable[[], T], started_s: float) -> T:
        """The result of one attempt. Raises what the operation raises, and TimeoutError."""
        attempt = Attempt(operation)
        attempted_s = self._waiter.now_s()
        left_s = self._outage_from_s + self._outage_s - attempted_s
        limit_s = min(self._attempt_s, max(left_s, TELL_AFTER_S))
        while not attempt.done.is_set():
            self._waiter.wait(attempt.done, TELL_AFTER_S)
            if not attempt.done.is_set():
                self._tell("no answer", started_s)
                if self._waiter.now_s() - attempted_s >= limit_s:
                    raise TimeoutError(f"no answer for {limit_s:.0f} s")
        return attempt.result()

    def _is_too_late(self, started_s: float) -> bool:
        """Whether this operation has failed for the whole outage, or all of them have."""
        now_s = self._waiter.now_s()
        with self._lock:
            since_s = started_s if now_s - started_s >= self._outage_s else now_s
            self._outage_from_s = min(self._outage_from_s, since_s)
            return now_s - self._outage_from_s >= self._outage_s

    def _outage_error(self, error: OSError) -> StoreError:
        return StoreError(
            f"The {self._place} did not answer for {in_words(self._outage_s)}"
            f" ({words_of(error)}). What it has is kept: run the same command again when it"
            f" answers, or {self._place.instead}."
        )

    def _end_outage(self) -> None:
        with self._lock:
            self._outage_from_s = float("inf")
            was_awaited, self._is_awaited = self._is_awaited, False
        if was_awaited:
            self._waiter.tell(f"The {self._place} answers again.")

    def _tell(self, reason: str, started_s: float) -> None:
        """Tell the user, once a minute, that the run waits."""
        now_s = self._waiter.now_s()
        with self._lock:
            is_known = now_s - self._told_s < TELL_EVERY_S
            if now_s - started_s < TELL_AFTER_S or is_known:
                return
            self._told_s, self._is_awaited = now_s, True
        self._waiter.tell(
            f"The {self._place} has not answered for {now_s - started_s:.0f} s ({reason})."
            f" Waiting for it, for {in_words(self._outage_s)} at most; nothing is lost."
        )
