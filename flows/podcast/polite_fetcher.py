"""Fetches as a guest does: what robots.txt allows, with a pause between two requests.

A server that is away now is asked again after longer and longer pauses. One that stays away, or
asks for more time than a run has, is left alone until the next run.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from audiomill.flows.podcast.robots import (
    ALL_ALLOWED,
    Robots,
    parse_robots,
    robots_address,
    robots_without,
)
from audiomill.flows.podcast.show_settings import FetchChoice
from audiomill.inputs.articles.page import Fetched, FetchError, Refused, Seen, Unavailable

if TYPE_CHECKING:
    from collections.abc import Generator

    from audiomill.inputs.articles.fetching import Fetcher

# Waits for some seconds. It may raise Interrupted instead.
Wait = Callable[[float], None]

# Pauses before an address is asked for again, in pauses between two requests.
BACK_OFF = (2, 8)
# A server that asks for a longer pause than this many seconds gets it until the next run.
LONGEST_PAUSE_S = 60.0
# Addresses of a server that fail one after the other until it counts as away.
AWAY_AFTER = 3


@dataclass(slots=True)
class _KnownServer:
    """One server: its rules, when it may be asked again, and how it has answered."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    robots: Robots | None = None
    free_at: float = 0.0  # of time.monotonic()
    n_failed: int = 0  # addresses, one after the other
    away: str = ""  # why it is not asked any more; "" if it is


class PoliteFetcher:
    """Fetches for many threads; each server gets one request at a time."""

    def __init__(self, fetcher: Fetcher, choice: FetchChoice, wait: Wait) -> None:
        self._fetcher, self._choice, self._wait = fetcher, choice, wait
        self._servers: dict[str, _KnownServer] = {}
        self._lock = threading.Lock()

    def fetch(
        self, url: str, media_types: frozenset[str] = frozenset(), seen: Seen | None = None
    ) -> Fetched:
        """As `Fetcher.fetch`, when its server is ready for it. Raises FetchError, Interrupted."""
        with self._lock:
            server = self._servers.setdefault(_origin(url), _KnownServer())
        with server.lock:
            if server.robots is None and not server.away:
                server.robots = self._robots(url, server)
            if server.away:
                raise Unavailable(server.away)
            if not (server.robots or ALL_ALLOWED).allows(url):
                raise Refused("its robots.txt does not let programs read it")
            return self._request(server, url, media_types, seen)

    def _robots(self, url: str, server: _KnownServer) -> Robots | None:
        """The server's rules. None, and the server counts as away, if it cannot tell them now."""
        if not self._choice.robots:
            return ALL_ALLOWED
        try:
            return parse_robots(self._request(server, robots_address(url)).content or b"")
        except Unavailable as error:
            server.away = f"its robots.txt cannot be read now: {error}"
            return None
        except FetchError as error:
            return robots_without(error)

    def _request(
        self,
        server: _KnownServer,
        url: str,
        media_types: frozenset[str] = frozenset(),
        seen: Seen | None = None,
    ) -> Fetched:
        """The answer, after some attempts if the server is away. Raises FetchError, Interrupted."""
        back_off = iter(() if server.n_failed else BACK_OFF)
        while True:
            try:
                with self._turn(server):
                    answer = self._fetcher.fetch(url, media_types, seen)
            except Unavailable as error:
                n_pauses, asked_s = next(back_off, None), error.retry_after_s or 0.0
                if n_pauses is None or asked_s > LONGEST_PAUSE_S:
                    _note_failure(server, error)
                    raise
                pause_s = max(n_pauses * self._choice.wait_s, asked_s)
                server.free_at = time.monotonic() + pause_s
            except FetchError:
                server.n_failed = 0
                raise
            else:
                server.n_failed = 0
                return answer

    @contextmanager
    def _turn(self, server: _KnownServer) -> Generator[None]:
        """Wait until the server may be asked; after the block it has its pause."""
        wait_s = server.free_at - time.monotonic()
        if wait_s > 0:
            self._wait(wait_s)
        try:
            yield
        finally:
            asked_s = server.robots.delay_s if server.robots else 0.0
            server.free_at = time.monotonic() + max(self._choice.wait_s, asked_s)


def _note_failure(server: _KnownServer, error: Unavailable) -> None:
    server.n_failed += 1
    if (error.retry_after_s or 0.0) > LONGEST_PAUSE_S or server.n_failed >= AWAY_AFTER:
        server.away = f"its server is away: {error}"


def _origin(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}".lower()
