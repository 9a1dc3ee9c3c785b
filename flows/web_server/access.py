"""Tells who may use a server of ours: nobody's pages but its own, and who has its key.

A request that names an origin must come from a page of this server. Its Host must be a name of this
machine, or a stranger's page could reach it under a name of its own (DNS rebinding).
"""

from __future__ import annotations

import hmac
from dataclasses import dataclass
from http import HTTPStatus
from urllib.parse import urlsplit

from starlette.requests import Request

from audiomill.flows.web_server.listening import is_own_name


@dataclass(frozen=True, slots=True)
class Refusal:
    """An answer to a request that may not be made. The message says why."""

    status: HTTPStatus
    message: str


def foreign_refusal(request: Request) -> Refusal | None:
    """The refusal of a request that asks for another machine, or comes from another site's page."""
    host = request.headers.get("host", "")
    if not is_own_name(host):
        return Refusal(HTTPStatus.MISDIRECTED_REQUEST, f"{host} is not a name of this machine.")
    if any(_host_of(origin) != host for origin in request.headers.getlist("origin")):
        return Refusal(HTTPStatus.FORBIDDEN, "Pages of other sites may not use this server.")
    return None


def _host_of(origin: str) -> str:
    """The host and port of an origin; "" for one that is none, such as null."""
    try:
        return urlsplit(origin).netloc
    except ValueError:
        return ""


def is_key(given: str, key: str) -> bool:
    """Whether a key is right; in the same time for each wrong one."""
    return hmac.compare_digest(given.encode(), key.encode())


def has_bearer_key(request: Request, key: str) -> bool:
    """Whether a request brings a key in its header Authorization (RFC 6750, 2.1)."""
    kind, _, given = request.headers.get("authorization", "").partition(" ")
    return kind.lower() == "bearer" and is_key(given, key)
