"""The address of a show, which may hold a secret: "http://192.168.1.5:8080/{token}/".

The file of the show has the mark `{token}`; what it stands for comes from the environment only.
Whatever is told or logged has the mark. The token itself is in the feed, in its pages, and in the
requests of those who have them.
"""

from __future__ import annotations

import re
import socket
from urllib.parse import urlsplit

from audiomill.flows.job import UsageError
from audiomill.flows.setting_sources import TOKEN_VARIABLE, podcast_token

TOKEN_MARK = "{token}"  # noqa: S105  it stands for a secret, and is none
_TOKEN = re.compile("[A-Za-z0-9_-]{16,128}")
_LOOPBACK = re.compile(r"localhost|127\..*|::1")
_PORTS = {"http": 80, "https": 443}
_ELSEWHERE = ("192.0.2.1", 9)  # RFC 5737: of nobody


def filled_address(address: str) -> str:
    """The address with the token of the environment. Raises UsageError if that is unfit."""
    token = podcast_token()
    if TOKEN_MARK not in address:
        return address
    if not _TOKEN.fullmatch(token):
        problem = "is too short, or has other characters" if token else "is not set"
        raise UsageError(
            f"The address of the podcast has {TOKEN_MARK}, and {TOKEN_VARIABLE} {problem}. Set it"
            " to 16 or more letters, digits, “-” and “_” that nobody can guess."
        )
    return address.replace(TOKEN_MARK, token)


def require_secrecy(address: str) -> None:
    """Raise UsageError if a token is set that the address has no place for."""
    if podcast_token() and TOKEN_MARK not in address:
        raise UsageError(
            f"{TOKEN_VARIABLE} is set, and the podcast's address has no place for it. Write"
            f' address = "{address}{TOKEN_MARK}/", or unset it to serve everybody.'
        )


def address_warnings(address: str, host: str, port: int) -> list[str]:
    """What may keep players from reaching a show of this address, served at host and port."""
    parts = urlsplit(address)
    told: list[str] = []
    if _LOOPBACK.fullmatch(parts.hostname or "") and not _LOOPBACK.fullmatch(host):
        better = f"{parts.scheme}://{_own_address()}:{port}{parts.path}"
        told.append(
            f"Other devices cannot reach {address}, with which each URL of the feed begins. Write"
            f' address = "{better}" in the podcast\'s file.'
        )
    if (parts.port or _PORTS.get(parts.scheme)) != port:
        told.append(
            f"Each URL of the feed begins with {address}, and the feed is served at port {port}."
            " That is right only behind a proxy."
        )
    return told


def _own_address() -> str:
    """The address of this machine in its network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(_ELSEWHERE)  # chooses the network, and sends nothing
            return str(probe.getsockname()[0])
        except OSError:
            return "192.168.1.5"
