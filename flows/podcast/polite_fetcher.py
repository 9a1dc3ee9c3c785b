"""Fetches as a guest does: what robots.txt allows, with a pause between two requests.

A server that is away now is asked again after longer and longer pauses. One that stays away, or
asks for more time than a run has, is left alone until the next run.

What a site lets programs fetch: its robots.txt, by RFC 9309. The library protego matches paths.

Knows no network: it takes the bytes, or the error, of a fetch of /robots.txt.
"""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from protego import Protego

from audiomill.flows.podcast.show_settings import FetchChoice
from audiomill.inputs.articles.fetching import AGENT
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
MAX_BYTES = 500 << 10  # RFC 9309, 2.5; what follows is not read
MAX_DELAY_S = 60.0
_OWN_NAME = AGENT.partition("/")[0]
_USER_AGENT = re.compile(r"\s*user[- ]?agent\s*:?\s*(.*)", re.IGNORECASE)
_OTHERS = "others"  # the name that stands for all programs but this one


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


@dataclass(frozen=True, slots=True)
class Robots:
    """The rules of a site for this program."""

    rules: Protego

    def allows(self, url: str) -> bool:
        """Whether the site lets this program fetch an address of it."""
        try:
            return self.rules.can_fetch(url, _OWN_NAME)
        except ValueError:  # it is no address
            return False

    @property
    def delay_s(self) -> float:
        """Seconds to wait between two fetches, as the site asks; 0 if it does not."""
        return min(self.rules.crawl_delay(_OWN_NAME) or 0.0, MAX_DELAY_S)

    @property
    def sitemaps(self) -> tuple[str, ...]:
        """The links to the sitemaps of the site, as they are written."""
        return tuple(dict.fromkeys(self.rules.sitemaps))


ALL_ALLOWED = Robots(Protego.parse(""))
NOTHING_ALLOWED = Robots(Protego.parse("User-agent: *\nDisallow: /"))


def robots_address(url: str) -> str:
    """The address of the robots.txt that holds for a URL (RFC 9309, 2.3)."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}/robots.txt"


def parse_robots(content: bytes) -> Robots:
    """The rules in a robots.txt. Any bytes are one: lines that say nothing are passed over."""
    head, is_cut = content[:MAX_BYTES], len(content) > MAX_BYTES
    lines = head.decode("utf-8-sig", "replace").splitlines()
    # Half a line may forbid more than the whole.
    whole = lines[:-1] if is_cut else lines
    return Robots(Protego.parse("\n".join(map(_with_known_name, whole))))


def robots_without(error: FetchError) -> Robots:
    """What holds if robots.txt was not fetched (RFC 9309, 2.3.1.3 and 2.3.1.4).

    Without such a file all is allowed. While the server is away nothing is, for now.
    """
    return NOTHING_ALLOWED if isinstance(error, Unavailable) else ALL_ALLOWED


def _with_known_name(line: str) -> str:
    """A line in which each program but this one has the same name.

    protego would give each of thousands of names each of thousands of rules, and takes the
    beginning of a name for the name.
    """
    found = _USER_AGENT.match(line.partition("#")[0])
    if not found:
        return line
    name = found[1].partition("/")[0].strip().lower()
    return f"User-agent: {name if name in {'*', _OWN_NAME} else _OTHERS}"
