"""Tells what an address is that people write: one of the web or none, and of which machine."""

from __future__ import annotations

import socket
from http.client import HTTPConnection, HTTPSConnection
from ipaddress import ip_address
from urllib.parse import urlsplit

LOCALHOST = "localhost"
# RFC 5737, 3849: of nobody.
_ELSEWHERE = {socket.AF_INET: "192.0.2.1", socket.AF_INET6: "2001:db8::1"}


def is_web_address(text: str) -> bool:
    """Whether a text is a URL of http or https, with a host and a port that there can be."""
    try:
        parts = urlsplit(text)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:  # the port is no number, or the host no address
        return False


def is_this_machine(host: str) -> bool:
    """Whether a host is an address on loopback, or the name of one."""
    try:
        return host == LOCALHOST or ip_address(host).is_loopback
    except ValueError:  # another name
        return False


def in_url(host: str) -> str:
    """A host as a URL has it: an address of IPv6 in brackets."""
    return f"[{host}]" if ":" in host else host


def connection_to(url: str, timeout_s: float) -> HTTPConnection:
    """A connection to the server of a URL of http or https, which is not open yet.

    By Python's own library: a listener would wait 0.1 s for httpx to be imported and set up.
    """
    place = urlsplit(url)
    of_scheme = HTTPConnection if place.scheme == "http" else HTTPSConnection
    return of_scheme(place.hostname or "", place.port, timeout=timeout_s)


def own_address(family: socket.AddressFamily = socket.AF_INET) -> str:
    """The address of this machine in its network; "" if it is in none."""
    with socket.socket(family, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect((_ELSEWHERE[family], 9))  # chooses the network, and sends nothing
            return str(probe.getsockname()[0])
        except OSError:
            return ""
