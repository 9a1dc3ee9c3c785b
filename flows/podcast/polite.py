"""Fetches as a guest does: what robots.txt allows, and with a pause between two requests."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from audiomill.flows.podcast.show import FetchChoice
from audiomill.inputs.articles.errors import FetchError, Refused
from audiomill.inputs.articles.listings.robots import (
    ALL_ALLOWED,
    Robots,
    parse_robots,
    robots_address,
    robots_without,
)
from audiomill.inputs.articles.page import Fetched, Seen

if TYPE_CHECKING:
    from collections.abc import Generator

    from audiomill.inputs.articles.fetching import Fetcher

# Waits for some seconds. It may raise Interrupted instead.
Wait = Callable[[float], None]


@dataclass(slots=True)
class _KnownServer:
    """One server: its rules, and when it may be asked again."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    robots: Robots | None = None
    free_at: float = 0.0  # of time.monotonic()


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
            if server.robots is None:
                server.robots = self._robots(url, server)
            if not server.robots.allows(url):
                raise Refused("its robots.txt does not let programs read it")
            with self._turn(server):
                return self._fetcher.fetch(url, media_types, seen)

    def _robots(self, url: str, server: _KnownServer) -> Robots:
        if not self._choice.robots:
            return ALL_ALLOWED
        try:
            with self._turn(server):
                return parse_robots(self._fetcher.fetch(robots_address(url)).content or b"")
        except FetchError as error:
            return robots_without(error)

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


def _origin(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}".lower()
