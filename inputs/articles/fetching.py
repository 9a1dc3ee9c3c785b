"""Fetches a page, a feed or a picture from the web, within limits. Nothing else here speaks HTTP.

Each address, that of every redirect too, is checked before anything is sent to it, and the
connection goes to an address that was checked. HTML is never executed, cookies are not kept.
"""

from __future__ import annotations

import ssl
import time
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from email.utils import parsedate_to_datetime
from functools import cache
from http import HTTPStatus
from types import MappingProxyType
from urllib.parse import urljoin

import httpcore
import httpx

from audiomill.inputs.articles.addresses import (
    Endpoint,
    NetworkPolicy,
    Resolver,
    endpoint_of,
    resolve,
)
from audiomill.inputs.articles.compression import ACCEPTED, decompressed
from audiomill.inputs.articles.connections import CheckedTransport, Deadline
from audiomill.inputs.articles.credentials import NONE, Credentials
from audiomill.inputs.articles.page import Fetched, FetchError, NotThere, Refused, Seen, Unavailable
from audiomill.inputs.messages import mask_error

AGENT = "audiomill/0.1 (reads articles aloud)"
MAX_REDIRECTS = 5
_TEMPORARY = frozenset((408, 425, 429, 500, 502, 503, 504))
_REDIRECTS = frozenset((301, 302, 303, 307, 308))
_LOCKED = frozenset((401, 402, 403, 407, 451))
_LONGEST_WAIT_S = 24 * 3600.0
_ALWAYS = {"User-Agent": AGENT, "Accept-Encoding": ACCEPTED}
_BROKEN = (httpcore.NetworkError, httpcore.ProtocolError, httpcore.UnsupportedProtocol)


@dataclass(frozen=True, slots=True)
class FetchLimits:
    """What is spent on one address. `max_bytes` counts what is sent, and what it unpacks to."""

    max_bytes: int = 20 << 20
    connect_s: float = 10.0
    read_s: float = 20.0  # between two pieces
    total_s: float = 60.0


class Fetcher:
    """Fetches addresses one by one; may be used by many threads."""

    def __init__(
        self,
        policy: NetworkPolicy | None = None,
        limits: FetchLimits | None = None,
        resolver: Resolver = resolve,
        credentials: Mapping[Endpoint, Credentials] = MappingProxyType({}),
    ) -> None:
        """`credentials` are those of single servers; no other server gets them."""
        self._limits = limits or FetchLimits()
        self._credentials = credentials
        self._policy, self._resolver = policy or NetworkPolicy(), resolver
        self._context = _ssl_context()
        self._timeout = httpx.Timeout(self._limits.read_s, connect=self._limits.connect_s)

    def fetch(
        self,
        url: str,
        media_types: frozenset[str] = frozenset(),
        seen: Seen | None = None,
    ) -> Fetched:
        """The content at `url`, if it has one of `media_types` or tells none.

        Raises Refused, NotThere and Unavailable.
        """
        try:
            return self._followed(url, media_types, seen)
        except FetchError as error:  # a server may send back what it was sent
            own = self._credentials.values()
            mask_error(error, [secret for one in own for secret in one.sent_secrets()])
            raise

    def _followed(self, url: str, media_types: frozenset[str], seen: Seen | None) -> Fetched:
        """The content at `url`, or where it redirects to."""
        deadline = Deadline(time.monotonic() + self._limits.total_s)
        with CheckedTransport(self._policy, self._resolver, deadline, self._context) as transport:
            for _ in range(MAX_REDIRECTS + 1):
                parsed = _parsed(url)
                answer = self._ask(transport, parsed, seen, media_types, deadline)
                if isinstance(answer, Fetched):
                    return answer
                url = answer
        raise Refused(f"it leads on and on: more than {MAX_REDIRECTS} redirects")

    def _ask(
        self,
        transport: CheckedTransport,
        url: httpx.URL,
        seen: Seen | None,
        media_types: frozenset[str],
        deadline: Deadline,
    ) -> Fetched | str:
        """The answer, or the URL that the server redirects to."""
        conditions = _conditions(seen, str(url))
        own = self._credentials.get(_endpoint(url), NONE)
        try:
            with closing(transport.handle_request(self._request(url, conditions, own))) as response:
                location = response.headers.get("location")
                if response.status_code in _REDIRECTS and location is not None:
                    return _joined(url, own.masked(location.encode()).decode())
                _check_status(response, is_conditional=bool(conditions))
                received = self._received(str(url), response, media_types)
        except httpcore.TimeoutException as error:
            if deadline.is_over:
                raise Unavailable(f"it is not done after {self._limits.total_s:g} s") from error
            raise Unavailable("the server did not answer in time") from error
        except _BROKEN as error:
            raise Unavailable(f"the server cannot be reached ({_reason(error)})") from error
        content = received.content
        return received if content is None else replace(received, content=own.masked(content))

    def _request(
        self, url: httpx.URL, conditions: Mapping[str, str], own: Credentials
    ) -> httpx.Request:
        """The request as it is sent, which alone has the secrets of its server."""
        return httpx.Request(
            "GET",
            url.copy_with(raw_path=own.sent_path(url.raw_path)),
            headers={**_ALWAYS, **conditions, **own.sent_headers()},
            extensions={"timeout": self._timeout.as_dict()},
        )

    def _received(self, url: str, response: httpx.Response, media_types: frozenset[str]) -> Fetched:
        media_type, charset = _content_type(response)
        headers = response.headers
        seen = Seen(headers.get("etag", ""), headers.get("last-modified", ""), url)
        content = None
        if response.status_code != HTTPStatus.NOT_MODIFIED:
            if media_types and media_type and media_type not in media_types:
                raise Refused(f"it is “{media_type}”, which is no text to read")
            content = self._content(response)
        return Fetched(url, content, media_type, charset, seen)

    def _content(self, response: httpx.Response) -> bytes:
        encoding = response.headers.get("content-encoding", "")
        content = bytearray()
        for piece in decompressed(self._raw(response), encoding):
            content += piece
            self._check_size(len(content))
        return bytes(content)

    def _raw(self, response: httpx.Response) -> Iterator[bytes]:
        n_bytes = 0
        for chunk in response.iter_raw():
            n_bytes += len(chunk)
            self._check_size(n_bytes)
            yield chunk

    def _check_size(self, n_bytes: int) -> None:
        if n_bytes > self._limits.max_bytes:
            raise Refused(f"it is larger than {self._limits.max_bytes >> 20} MiB")


@cache
def _ssl_context() -> ssl.SSLContext:
    """For all connections: to read the authorities' certificates takes 13 ms."""
    return httpx.create_ssl_context(trust_env=False)


def _parsed(url: str) -> httpx.URL:
    """Raises Refused if no server can be known from it."""
    try:
        parsed = httpx.URL(url.strip())
    except (httpx.InvalidURL, ValueError) as error:
        raise Refused(f"this is no address of a web page ({error})") from error
    _endpoint(parsed)
    return parsed.copy_with(fragment=None)


def _endpoint(url: httpx.URL) -> Endpoint:
    """The server of a URL. Raises Refused if it names none that may be asked."""
    return endpoint_of(url.scheme, url.host, url.port, url.userinfo)


def _joined(url: httpx.URL, location: str) -> str:
    """Raises Refused if no address can be made of them."""
    try:
        return urljoin(str(url), location.strip())
    except ValueError as error:
        raise Refused(f"it redirects to no address ({error})") from error


def _conditions(seen: Seen | None, url: str) -> dict[str, str]:
    """What asks `url` for changes only; nothing if what was seen came from another address."""
    if seen is None or seen.url != url:
        return {}
    pairs = {"If-None-Match": seen.etag, "If-Modified-Since": seen.last_modified}
    return {name: value for name, value in pairs.items() if value}


def _check_status(response: httpx.Response, *, is_conditional: bool) -> None:
    """Raise NotThere or Unavailable unless the answer has content, or says that it is unchanged."""
    status = response.status_code
    if response.is_success or (status == HTTPStatus.NOT_MODIFIED and is_conditional):
        return
    status_line = f"{status} {response.reason_phrase}".strip()
    if status in _TEMPORARY:
        raise Unavailable(f"the server answers “{status_line}”", _retry_after_s(response))
    if status in _LOCKED:
        raise NotThere(f"the server does not let us read it (“{status_line}”)")
    raise NotThere(f"the server answers “{status_line}”")


def _retry_after_s(response: httpx.Response) -> float:
    """From now on, as told in seconds or as a date (RFC 9110, 10.2.3); 0 if nothing is told."""
    retry_after = response.headers.get("retry-after", "").strip()
    if retry_after.isdecimal():
        return min(float(retry_after), _LONGEST_WAIT_S)
    try:
        wait_s = parsedate_to_datetime(retry_after).timestamp() - time.time()
    except (ValueError, OverflowError, OSError):  # also of a year that no clock has
        return 0.0
    return min(max(wait_s, 0.0), _LONGEST_WAIT_S)


def _content_type(response: httpx.Response) -> tuple[str, str]:
    content_type = response.headers.get("content-type", "")
    media_type = content_type.partition(";")[0].strip().lower()
    return media_type, (response.charset_encoding or "").lower()


def _reason(error: Exception) -> str:
    return str(error).partition("\n")[0] or type(error).__name__
