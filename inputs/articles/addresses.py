"""Decides which servers may be reached: those of the public internet, and those that are allowed.

A page names other pages, and a name may lead anywhere: to a router's page, to a cloud's metadata
service, to this machine. So a name is resolved once, every address is checked, and the connection
goes to an address that was checked.

Sources: the IANA special-purpose address registries for IPv4 and IPv6 of 2026 (RFC 6890), written
out here because `ipaddress` of each Python has a table of another year; RFC 4291, 2.5.5 and
RFC 6052 for IPv4 addresses within IPv6 ones.
"""

from __future__ import annotations

import re
import socket
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address

from audiomill.inputs.articles.page import Refused, Unavailable

Resolver = Callable[[str, int], Sequence[str]]

PORTS = {"http": 80, "https": 443}
_FIRST_FREE_PORT = 1024  # below are mail, shells and the like
_LAST_PORT = (1 << 16) - 1
# No address of these is one of a single public machine. The registries call a few of them globally
# reachable: those are services that answer from the nearest of many machines.
_SPECIAL_V4 = tuple(
    IPv4Network(network)
    for network in (
        "0.0.0.0/8",  # this network (RFC 791)
        "10.0.0.0/8",  # private (RFC 1918)
        "100.64.0.0/10",  # shared by customers of a provider (RFC 6598)
        "127.0.0.0/8",  # this machine (RFC 1122)
        "168.63.129.16/32",  # not of the registry: what a machine of Azure asks about itself
        "169.254.0.0/16",  # of one link (RFC 3927), with the metadata services of clouds
        "172.16.0.0/12",  # private (RFC 1918)
        "192.0.0.0/24",  # protocol assignments (RFC 6890); clouds have services there, too
        "192.0.2.0/24",  # documentation (RFC 5737)
        "192.31.196.0/24",  # AS112 (RFC 7535)
        "192.52.193.0/24",  # AMT (RFC 7450)
        "192.88.99.0/24",  # the nearest relay of 6to4 (RFC 7526)
        "192.168.0.0/16",  # private (RFC 1918)
        "192.175.48.0/24",  # AS112, direct delegation (RFC 7534)
        "198.18.0.0/15",  # benchmarks (RFC 2544)
        "198.51.100.0/24",  # documentation (RFC 5737)
        "203.0.113.0/24",  # documentation (RFC 5737)
        "224.0.0.0/4",  # multicast (RFC 5771)
        "240.0.0.0/4",  # reserved (RFC 1112), and the broadcast address (RFC 919)
    )
)
# Of global unicast (RFC 4291): whatever is outside it is not public, so it needs no line here.
_SPECIAL_V6 = tuple(
    IPv6Network(network)
    for network in (
        "2001::/23",  # protocol assignments (RFC 2928), with ORCHID, AMT, AS112, drone tags
        "2001:db8::/32",  # documentation (RFC 3849)
        "2620:4f:8000::/48",  # AS112, direct delegation (RFC 7534)
        "3fff::/20",  # documentation (RFC 9637)
    )
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
    if scheme not in PORTS:
        raise Refused(f"only http and https are fetched, not “{scheme or '(none)'}”")
    if userinfo:
        raise Refused("a name or password in an address is not sent")
    if not host:
        raise Refused("the address names no server")
    if not _HOST.fullmatch(host):
        raise Refused(f"“{host}” is no name of a server")
    port = PORTS[scheme] if port is None else port
    if not _FIRST_FREE_PORT <= port <= _LAST_PORT and port not in PORTS.values():
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
    if inner := _addresses_within(plain):
        return all(map(_is_public_v4, inner))
    return plain in _GLOBAL_UNICAST and not any(plain in network for network in _SPECIAL_V6)


def _is_public_v4(address: IPv4Address) -> bool:
    return not any(address in network for network in _SPECIAL_V4)


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
