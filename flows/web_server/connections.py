"""Bounds what clients of a server can hold: how many connections, and for how long.

    a request's header      header_s from the connection, or from its first byte
    the next request        idle_s from the answer before
    an answer               stalled_s without a client taking a part of it
    all connections         n_open; one more closes that which is missed least

An application can end an answer that it cannot finish: see CUT.

The last is one of the client with most connections: first one that asks for nothing, then the one
that has stood still for longest. So nobody who opens hundreds keeps others out, and the address of
a reverse proxy, from which all may come, has as many as there are.
"""

from __future__ import annotations

import asyncio
import socket
import struct
from collections import Counter
from dataclasses import dataclass
from ipaddress import IPv6Address, IPv6Network, ip_address
from typing import Any, cast

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

# An extension of a scope (ASGI, "Extensions"): a function that closes the connection in the middle
# of an answer, which its client notices.
CUT = "audiomill.cut"
_AT_ONCE = struct.pack("ii", 1, 0)
_MALFORMED = (
    b'{"error":{"message":"This is no request of HTTP/1.1: its header is wrong, or has more than'
    b' 64 KiB.","type":"invalid_request_error","param":null,"code":null}}'
)
_MALFORMED_HEADERS = [
    (b"content-type", b"application/json"),
    (b"content-length", b"%d" % len(_MALFORMED)),
    (b"connection", b"close"),
]
_OF_ONE_CLIENT = 64  # bits of an IPv6 address: a household has as many addresses as it likes


@dataclass(frozen=True, slots=True)
class ConnectionLimits:
    """The connections that the clients of a server may hold, all of them together."""

    n_open: int = 200  # each has a connection and a file; systems allow 1,024 of both
    header_s: float = 10.0  # until a request is whole
    # Between two requests. Longer than clients keep a connection, or one would send its next one in
    # the moment in which it is closed. It costs nothing: it makes room first.
    idle_s: float = 75.0
    stalled_s: float = 60.0  # in which a client takes nothing of its answer
    kept_s: float = 10.0  # in which it takes nothing, and keeps its place though others wait


def protocol_class(limits: ConnectionLimits) -> type[H11Protocol]:
    """The class of the connections of one server, which know of each other."""

    class Connection(BoundedConnection):
        siblings = _OpenConnections(limits)

    return Connection


class _OpenConnections:
    """The connections of a server that are open."""

    def __init__(self, limits: ConnectionLimits) -> None:
        self.limits = limits
        self._open: set[BoundedConnection] = set()

    def add(self, new: BoundedConnection) -> None:
        """Note a new connection, and close one if there are too many."""
        if len(self._open) >= self.limits.n_open:
            for one in self._open:
                one.look()
            self._missed_least(new).abort()
        if not new.transport.is_closing():
            self._open.add(new)

    def _missed_least(self, new: BoundedConnection) -> BoundedConnection:
        counts = Counter(one.client_name for one in self._open)
        most = max(counts.values())
        others = [one for one in self._open if counts[one.client_name] == most]
        least = min(others, key=lambda one: (one.is_answered, one.moved_s))
        is_moving = least.is_answered and new.loop.time() - least.moved_s < self.limits.kept_s
        return new if is_moving and counts[new.client_name] + 1 >= most else least

    def remove(self, connection: BoundedConnection) -> None:
        """Note that a connection is closed."""
        self._open.discard(connection)


class BoundedConnection(H11Protocol):
    """One connection. It closes itself when nothing has moved for too long."""

    siblings: _OpenConnections
    client_name = ""  # those of one client count together
    moved_s = 0.0  # on the loop's clock: since when it waits for the client
    _timer: asyncio.TimerHandle | None = None
    _is_idle = False  # an answer is done, and no request has begun
    _n_left_bytes = 0  # of its answer, which the client had not taken when last looked at

    def __init__(self, *arguments: Any, **options: Any) -> None:
        """As uvicorn makes one. Its applications find CUT among the extensions of a scope."""
        super().__init__(*arguments, **options)
        app = self.app

        async def with_cut(scope: Any, receive: Any, send: Any) -> None:
            extensions = {**scope.get("extensions", {}), CUT: self.cut}
            await app({**scope, "extensions": extensions}, receive, send)

        self.app = with_cut

    @property
    def is_answered(self) -> bool:
        """Whether an answer is under way."""
        # None before the first request, which uvicorn's types leave out.
        cycle = cast("object | None", self.cycle)
        return cycle is not None and not self.cycle.response_complete

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to count the time."""
        super().connection_made(transport)
        peer = cast("tuple[str, int] | None", transport.get_extra_info("peername"))
        self.client_name = _client(peer[0]) if peer else ""
        self._moved()
        self._watch()
        self.siblings.add(self)

    def data_received(self, data: bytes) -> None:
        """A header is counted from its beginning, however its bytes drip."""
        was_answered = self.is_answered
        if self._is_idle:
            self._is_idle = False
            self._moved()
        super().data_received(data)
        if self.is_answered and not was_answered:
            self._moved()

    def send_400_response(self, msg: str) -> None:  # noqa: ARG002 - it always says the same
        """Answer what is no request of HTTP as a server of speech answers all that is wrong."""
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            event = h11.Response(status_code=400, headers=_MALFORMED_HEADERS, reason=b"Bad Request")
            for one in (event, h11.Data(data=_MALFORMED), h11.EndOfMessage()):
                self.transport.write(self.conn.send(one) or b"")
        self.transport.close()

    def resume_writing(self) -> None:
        """The client has taken something."""
        super().resume_writing()
        self._moved()

    def on_response_complete(self) -> None:
        """From now on the next request is waited for."""
        super().on_response_complete()
        self._is_idle = True
        self._moved()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop counting."""
        self.siblings.remove(self)
        if self._timer is not None:
            self._timer.cancel()
        super().connection_lost(exc)

    def cut(self) -> None:
        """Close the connection after what is sent, in the middle of an answer."""
        self.cycle.disconnected = True  # so that nobody takes it for forgotten
        self.transport.close()

    def look(self) -> None:
        """Note whether the client has taken something of its answer; or all there is."""
        n_left = self.transport.get_write_buffer_size()
        if self.is_answered and (n_left == 0 or n_left < self._n_left_bytes):
            self._moved()
        self._n_left_bytes = n_left

    def abort(self) -> None:
        """Close the connection at once; what is not sent yet is given up."""
        self.siblings.remove(self)
        own = self.transport.get_extra_info("socket")
        if own is not None:  # or the system would go on to offer what is in its buffers
            own.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _AT_ONCE)
        self.transport.abort()

    def _moved(self) -> None:
        self.moved_s = self.loop.time()

    def _watch(self) -> None:
        """Close the connection if it is time, or look again when it may be."""
        self.look()
        limits = self.siblings.limits
        left_s = self.moved_s + self._limit_s() - self.loop.time()
        if left_s <= 0:
            self.abort()
        else:
            # An answer may begin and stand still meanwhile, but no shorter limit.
            self._timer = self.loop.call_later(min(left_s, limits.header_s), self._watch)

    def _limit_s(self) -> float:
        limits = self.siblings.limits
        if self.is_answered:
            return limits.stalled_s
        return limits.idle_s if self._is_idle else limits.header_s


def _client(address: str) -> str:
    """The name of the client at an address: the network of an IPv6 one."""
    plain = ip_address(address.partition("%")[0])
    if isinstance(plain, IPv6Address) and not plain.ipv4_mapped:
        return str(IPv6Network((plain, _OF_ONE_CLIENT), strict=False))
    return address
