"""Fetches a page, a feed or a picture from the web, within limits. Nothing else here speaks HTTP.

Each address, that of every redirect too, is checked before anything is sent to it, and the
connection goes to an address that was checked. HTML is never executed, cookies are not kept.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from types import MappingProxyType, TracebackType
from typing import Self
from urllib.parse import urljoin

import httpx

from audiomill.inputs.articles.addresses import (
    Endpoint,
    NetworkPolicy,
    Resolver,
    checked_addresses,
    endpoint_of,
    resolve,
)
from audiomill.inputs.articles.compression import ACCEPTED, decompressed
from audiomill.inputs.articles.credentials import NONE, Credentials
from audiomill.inputs.articles.errors import NotThere, Refused, Unavailable
from audiomill.inputs.articles.page import Fetched, Seen

AGENT = "audiomill/0.1 (reads articles aloud)"
MAX_REDIRECTS = 5
_TEMPORARY = frozenset((408, 425, 429, 500, 502, 503, 504))
_REDIRECTS = frozenset((301, 302, 303, 307, 308))
_LOCKED = frozenset((401, 402, 403, 407, 451))
_LOCATION = "audiomill.location"  # of a redirect, among the extensions of a response
_LONGEST_WAIT_S = 24 * 3600.0


@dataclass(frozen=True, slots=True)
class FetchLimits:
    """What is spent on one address. `max_bytes` counts what is sent, and what it unpacks to."""

    max_bytes: int = 20 << 20
    connect_s: float = 10.0
    read_s: float = 20.0  # between two pieces
    total_s: float = 60.0


class Fetcher:
    """Fetches addresses one by one; may be used by many threads. Close it, or use it in a block."""

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
        timeout = httpx.Timeout(self._limits.read_s, connect=self._limits.connect_s)
        transport = _CheckedTransport(policy or NetworkPolicy(), resolver, credentials)
        self._client = httpx.Client(
            transport=transport,
            timeout=timeout,
            trust_env=False,  # no proxy: it would resolve the names again
            headers={"User-Agent": AGENT, "Accept-Encoding": ACCEPTED},
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._client.close()

    def fetch(
        self,
        url: str,
        media_types: frozenset[str] = frozenset(),
        seen: Seen | None = None,
    ) -> Fetched:
        """The content at `url`, if it has one of `media_types` or tells none.

        Raises Refused, NotThere and Unavailable.
        """
        deadline = time.monotonic() + self._limits.total_s
        for _ in range(MAX_REDIRECTS + 1):
            answer = self._ask(_parsed(url), _conditions(seen), media_types, deadline)
            if isinstance(answer, Fetched):
                return answer
            url = answer
        raise Refused(f"it leads on and on: more than {MAX_REDIRECTS} redirects")

    def _ask(
        self,
        url: httpx.URL,
        headers: Mapping[str, str],
        media_types: frozenset[str],
        deadline: float,
    ) -> Fetched | str:
        """The answer, or the URL that the server redirects to."""
        self._client.cookies.clear()
        try:
            with self._client.stream("GET", url, headers=headers) as response:
                if response.status_code in _REDIRECTS and _LOCATION in response.extensions:
                    return _joined(url, response.extensions[_LOCATION])
                _check_status(response)
                return self._received(response, media_types, deadline)
        except httpx.TimeoutException as error:
            raise Unavailable("the server did not answer in time") from error
        except (httpx.HTTPError, httpx.InvalidURL, httpx.StreamError) as error:
            raise Unavailable(f"the server cannot be reached ({_reason(error)})") from error

    def _received(
        self, response: httpx.Response, media_types: frozenset[str], deadline: float
    ) -> Fetched:
        media_type, charset = _content_type(response)
        seen = Seen(response.headers.get("etag", ""), response.headers.get("last-modified", ""))
        content = None
        if response.status_code != HTTPStatus.NOT_MODIFIED:
            if media_types and media_type and media_type not in media_types:
                raise Refused(f"it is “{media_type}”, which is no text to read")
            content = self._masked(response.url, self._content(response, deadline))
        return Fetched(str(response.url), content, media_type, charset, seen)

    def _masked(self, url: httpx.URL, content: bytes) -> bytes:
        endpoint = endpoint_of(url.scheme, url.host, url.port, url.userinfo)
        return self._credentials.get(endpoint, NONE).masked(content)

    def _content(self, response: httpx.Response, deadline: float) -> bytes:
        encoding = response.headers.get("content-encoding", "")
        content = bytearray()
        for piece in decompressed(self._raw(response, deadline), encoding):
            content += piece
            self._check_size(len(content))
        return bytes(content)

    def _raw(self, response: httpx.Response, deadline: float) -> Iterator[bytes]:
        n_bytes = 0
        for chunk in response.iter_raw():
            n_bytes += len(chunk)
            self._check_size(n_bytes)
            if time.monotonic() > deadline:
                raise Unavailable(f"it is still sending after {self._limits.total_s:.0f} s")
            yield chunk

    def _check_size(self, n_bytes: int) -> None:
        if n_bytes > self._limits.max_bytes:
            raise Refused(f"it is larger than {self._limits.max_bytes >> 20} MiB")


class _CheckedTransport(httpx.BaseTransport):
    """Sends each request to an address that was checked, under the name that the URL has."""

    def __init__(
        self,
        policy: NetworkPolicy,
        resolver: Resolver,
        credentials: Mapping[Endpoint, Credentials],
    ) -> None:
        self._policy, self._resolver, self._credentials = policy, resolver, credentials
        # One for each name: a connection that was made for one is never used for another.
        self._transports: dict[Endpoint, httpx.HTTPTransport] = {}

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        url = request.url
        endpoint = endpoint_of(url.scheme, url.host, url.port, url.userinfo)
        addresses = checked_addresses(endpoint, self._policy, self._resolver)
        transport = self._transports.setdefault(endpoint, httpx.HTTPTransport(trust_env=False))
        own = self._credentials.get(endpoint, NONE)
        failure: httpx.TransportError = httpx.ConnectError("it has no address")
        for address in addresses:
            try:
                answer = transport.handle_request(_pinned(request, address, own))
                return _without_location(answer, own)
            except (httpx.ConnectError, httpx.ConnectTimeout) as error:
                failure = error
        raise failure

    def close(self) -> None:
        for transport in self._transports.values():
            transport.close()


def _without_location(response: httpx.Response, own: Credentials) -> httpx.Response:
    """Hide where a redirect leads from the client, which knows fewer rules for it than we do."""
    location = response.headers.get("location")
    if location is not None:
        del response.headers["location"]
        response.extensions[_LOCATION] = own.masked(location.encode()).decode()
    return response


def _pinned(request: httpx.Request, address: str, own: Credentials) -> httpx.Request:
    """The request as it goes to `address`; certificates are still those of the URL's host.

    Only here it gets its secrets: the client tells its URL to its log.
    """
    path = own.sent_path(request.url.raw_path)
    headers = request.headers.copy()  # with the Host of the URL
    headers.update(own.sent_headers())
    return httpx.Request(
        request.method,
        request.url.copy_with(host=address, raw_path=path),
        headers=headers,
        stream=request.stream,
        extensions={**request.extensions, "sni_hostname": request.url.host},
    )


def _parsed(url: str) -> httpx.URL:
    """Raises Refused if no server can be known from it."""
    try:
        parsed = httpx.URL(url.strip())
    except (httpx.InvalidURL, ValueError) as error:
        raise Refused(f"this is no address of a web page ({error})") from error
    endpoint_of(parsed.scheme, parsed.host, parsed.port, parsed.userinfo)
    return parsed.copy_with(fragment=None)


def _joined(url: httpx.URL, location: str) -> str:
    """Raises Refused if no address can be made of them."""
    try:
        return urljoin(str(url), location.strip())
    except ValueError as error:
        raise Refused(f"it redirects to no address ({error})") from error


def _conditions(seen: Seen | None) -> dict[str, str]:
    if seen is None:
        return {}
    pairs = {"If-None-Match": seen.etag, "If-Modified-Since": seen.last_modified}
    return {name: value for name, value in pairs.items() if value}


def _check_status(response: httpx.Response) -> None:
    """Raise NotThere or Unavailable unless the answer has content, or says that it is unchanged."""
    status = response.status_code
    if response.is_success or status == HTTPStatus.NOT_MODIFIED:
        return
    told = f"{status} {response.reason_phrase}".strip()
    if status in _TEMPORARY:
        raise Unavailable(f"the server answers “{told}”", _retry_after_s(response))
    if status in _LOCKED:
        raise NotThere(f"the server does not let us read it (“{told}”)")
    raise NotThere(f"the server answers “{told}”")


def _retry_after_s(response: httpx.Response) -> float:
    """From now on, as told in seconds or as a date (RFC 9110, 10.2.3); 0 if nothing is told."""
    told = response.headers.get("retry-after", "").strip()
    if told.isdecimal():
        return min(float(told), _LONGEST_WAIT_S)
    try:
        wait_s = parsedate_to_datetime(told).timestamp() - time.time()
    except ValueError:
        return 0.0
    return min(max(wait_s, 0.0), _LONGEST_WAIT_S)


def _content_type(response: httpx.Response) -> tuple[str, str]:
    told = response.headers.get("content-type", "")
    media_type = told.partition(";")[0].strip().lower()
    return media_type, (response.charset_encoding or "").lower()


def _reason(error: Exception) -> str:
    return str(error).partition("\n")[0] or type(error).__name__
