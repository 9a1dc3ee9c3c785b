"""Connects to servers for one fetch: to addresses that were checked, until its time is over.

A timeout for each read alone never ends with a server that sends a byte now and then, or one answer
“continue” after the other. So each wait is cut to the time that is left for the whole.
"""

from __future__ import annotations

import ssl
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import httpcore
import httpx

from audiomill.inputs.articles.addresses import (
    NetworkPolicy,
    Resolver,
    checked_addresses,
    endpoint_of,
)

_MAX_ADDRESSES = 8  # of one name that are tried


@dataclass(frozen=True, slots=True)
class Deadline:
    """When a fetch ends, by `time.monotonic()`."""

    at_s: float

    @property
    def is_over(self) -> bool:
        """Whether no time is left."""
        return time.monotonic() >= self.at_s

    def within(self, timeout_s: float | None) -> float:
        """The seconds that one operation may take, of those that are left."""
        left_s = max(self.at_s - time.monotonic(), 0.0)
        return left_s if timeout_s is None else min(timeout_s, left_s)


class CheckedTransport(httpx.BaseTransport):
    """Sends the requests of one fetch. `context` has the certificates that are trusted.

    Raises Refused and Unavailable as `checked_addresses` does, and the errors of httpcore.
    """

    def __init__(
        self, policy: NetworkPolicy, resolver: Resolver, deadline: Deadline, context: ssl.SSLContext
    ) -> None:
        backend = _CheckedBackend(policy, resolver, deadline)
        self._pool = httpcore.ConnectionPool(ssl_context=context, network_backend=backend)

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """The answer, whose body is read as it is asked for."""
        url = request.url
        answer = self._pool.handle_request(
            httpcore.Request(
                request.method,
                httpcore.URL(
                    scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path
                ),
                headers=request.headers.raw,
                content=request.stream,
                extensions=request.extensions,
            )
        )
        return httpx.Response(
            answer.status,
            headers=answer.headers,
            stream=_Body(answer),
            extensions=answer.extensions,
        )

    def close(self) -> None:
        """Close all connections."""
        self._pool.close()


class _Body(httpx.SyncByteStream):
    def __init__(self, answer: httpcore.Response) -> None:
        self._answer = answer

    def __iter__(self) -> Iterator[bytes]:
        yield from self._answer.iter_stream()

    def close(self) -> None:
        self._answer.close()


class _CheckedBackend(httpcore.NetworkBackend):
    """Certificates and the Host header stay those of the URL: only here it becomes an address."""

    def __init__(self, policy: NetworkPolicy, resolver: Resolver, deadline: Deadline) -> None:
        self._policy, self._resolver, self._deadline = policy, resolver, deadline
        self._backend = httpcore.SyncBackend()

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.NetworkStream:
        """Connect to the first address that answers. Raises as `CheckedTransport` says."""
        endpoint = endpoint_of("http", host, port, b"")
        failure: Exception = httpcore.ConnectError("it has no address")
        for address in checked_addresses(endpoint, self._policy, self._resolver)[:_MAX_ADDRESSES]:
            try:
                stream = self._backend.connect_tcp(
                    address, port, self._deadline.within(timeout), local_address, socket_options
                )
                return _TimedStream(stream, self._deadline)
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                failure = error
            if self._deadline.is_over:
                break
        raise failure


class _TimedStream(httpcore.NetworkStream):
    """A connection that is given no more time than is left."""

    def __init__(self, stream: httpcore.NetworkStream, deadline: Deadline) -> None:
        self._stream, self._deadline = stream, deadline

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        if self._deadline.is_over:
            raise httpcore.ReadTimeout
        return self._stream.read(max_bytes, self._deadline.within(timeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        if self._deadline.is_over:
            raise httpcore.WriteTimeout
        self._stream.write(buffer, self._deadline.within(timeout))

    def close(self) -> None:
        self._stream.close()

    def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,
    ) -> httpcore.NetworkStream:
        if self._deadline.is_over:
            raise httpcore.ConnectTimeout
        within_s = self._deadline.within(timeout)
        stream = self._stream.start_tls(ssl_context, server_hostname, within_s)
        return _TimedStream(stream, self._deadline)

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)
