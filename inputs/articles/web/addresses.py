"""Decides which servers may be reached: those of the public internet, and those that are allowed.

A page names other pages, and a name may lead anywhere: to a router's page, to a cloud's metadata
service, to this machine. So a name is resolved once, every address is checked, and the connection
goes to an address that was checked.

Sources: RFC 6890 and the IANA special-purpose registries (by `ipaddress`); RFC 4291, 2.5.5 and
RFC 6052 for IPv4 addresses within IPv6 ones.
"""

from __future__ import annotations

import re
import socket
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address

from audiomill.inputs.articles.web.errors import Refused, Unavailable

Resolver = Callable[[str, int], Sequence[str]]

_SCHEMES = {"http": 80, "https": 443}
_FIRST_FREE_PORT = 1024  # below are mail, shells and the like
_LAST_PORT = (1 << 16) - 1
# Public by their registry, but not of one machine of the internet.
_NOT_PUBLIC = (
    IPv4Network("168.63.129.16/32"),  # what a machine of Azure asks about itself
    IPv4Network("192.88.99.0/24"),  # the nearest relay of 6to4 (RFC 7526)
)
_HOST = re.compile(r"[\w.-]{1,253}|[0-9a-fA-F:.]{2,45}")
_GLOBAL_UNICAST = IPv6Network("2000::/3")
_NAT64 = IPv6Network("64:ff9b::/96")
_LOW_32_BITS = 0xFFFF_FFFF


@dataclass(frozen=True, slots=True)
class Endpoint:
    """What a URL leads to. `host` is in lower case; an IPv6 address has no brackets."""

    scheme: str
    host: str
    port: int


@dataclass(frozen=True, slots=True)
class NetworkPolicy:
    """Hosts that may be reached although they are not public, named as their URLs name them."""

    allowed_hosts: frozenset[str] = frozenset()


def resolve(host: str, port: int) -> Sequence[str]:
    """The addresses of a host, by the system's resolver. Raises OSError, UnicodeError."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(address[0]) for *_, address in found))


def endpoint_of(scheme: str, host: str, port: int | None, userinfo: bytes) -> Endpoint:
    """What the parts of a URL lead to. Raises Refused for what no article has."""
    if scheme not in _SCHEMES:
        raise Refused(f"only http and https are fetched, not “{scheme or '(none)'}”")
    if userinfo:
        raise Refused("a name or password in an address is not sent")
    if not host:
        raise Refused("the address names no server")
    if not _HOST.fullmatch(host):
        raise Refused(f"“{host}” is no name of a server")
    port = _SCHEMES[scheme] if port is None else port
    if not _FIRST_FREE_PORT <= port <= _LAST_PORT and port not in _SCHEMES.values():
        raise Refused(f"port {port} is not one of the web")
    return Endpoint(scheme, host.lower().rstrip("."), port)


def checked_addresses(
    endpoint: Endpoint, policy: NetworkPolicy, resolver: Resolver = resolve
) -> Sequence[str]:
    """The addresses of an endpoint, all of which may be reached.

    Raises Refused if one may not, and Unavailable if the name has none.
    """
    try:
        addresses = resolver(endpoint.host, endpoint.port)
    except (OSError, UnicodeError) as error:
        raise Unavailable(f"the name “{endpoint.host}” is not known here ({error})") from error
    if endpoint.host not in policy.allowed_hosts:
        for address in addresses:
            if not is_public(address):
                raise Refused(
                    f"“{endpoint.host}” leads to {address}, which is not of the public internet;"
                    f" if that is meant, allow the host (setting articles.allowed_hosts)"
                )
    return addresses


def is_public(address: str) -> bool:
    """True for an address of the public internet that belongs to one machine."""
    plain = ip_address(address.partition("%")[0])
    if isinstance(plain, IPv4Address):
        return _is_public_v4(plain)
    inner = _addresses_within(plain)
    return (plain in _GLOBAL_UNICAST or bool(inner)) and _is_unicast(plain, inner)


def _is_unicast(address: IPv6Address, inner: Sequence[IPv4Address]) -> bool:
    if inner:
        return all(map(_is_public_v4, inner))
    return address.is_global and not address.is_multicast


def _is_public_v4(address: IPv4Address) -> bool:
    is_special = any(address in network for network in _NOT_PUBLIC)
    is_of_one = not (address.is_multicast or address.is_reserved or is_special)
    return address.is_global and is_of_one


def _addresses_within(address: IPv6Address) -> Sequence[IPv4Address]:
    """The IPv4 addresses that packets to an IPv6 address are handed on to."""
    if address.ipv4_mapped:
        return [address.ipv4_mapped]
    if address.sixtofour:
        return [address.sixtofour]
    if address.teredo:
        return list(address.teredo)
    if address in _NAT64:
        return [IPv4Address(int(address) & _LOW_32_BITS)]
    return []
