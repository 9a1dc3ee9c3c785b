"""Listens at an address of this machine, from a thread, and tells whose name a request asks for."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager
from ipaddress import ip_address
from math import ceil
from urllib.parse import urlsplit

import uvicorn
from starlette.types import ASGIApp

from audiomill.flows.errors import UsageError
from audiomill.flows.web_server.connections import ConnectionLimits, protocol_class

STOP_S = 2.0  # that a client has to take the rest
POLL_S = 0.02
# RFC 6762, 8375; the others are common, and for sale to nobody.
_LOCAL = (".local", ".home.arpa", ".internal", ".lan", ".home")


def is_own_name(host: str, own: str | None = None) -> bool:
    """Whether a Host (RFC 9110, 7.2) can be this machine's, or is `own`.

    Any page may have its own name point here (DNS rebinding), and would count as ours. No stranger
    owns an address, or a name of a local network. Programs may leave it out.
    """
    try:
        name = urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return False
    return name == own or "." not in name or name.endswith(_LOCAL) or _is_address(name)


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


@contextmanager
def serving(app: ASGIApp, host: str, port: int, limits: ConnectionLimits) -> Generator[int]:
    """Serve an application in the block, from a thread; the value is its port.

    Raises UsageError if nobody can listen there.
    """
    listening = _bound(host, port)
    config = uvicorn.Config(
        app,
        log_config=None,
        log_level="error",
        access_log=False,  # it would have tokens
        server_header=False,
        proxy_headers=False,
        lifespan="off",
        ws="none",
        http=protocol_class(limits),
        timeout_keep_alive=ceil(limits.idle_s),
        timeout_graceful_shutdown=int(STOP_S),
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, args=([listening],), name="server", daemon=True)
    thread.start()
    while thread.is_alive() and not server.started:
        time.sleep(POLL_S)
    try:
        yield listening.getsockname()[1]
    finally:
        server.should_exit = True
        thread.join()


def _bound(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
    except OSError as error:
        listening.close()
        raise UsageError(
            f"--listen {host}:{port}: {error.strerror}. Choose an address of this machine, such as"
            " 0.0.0.0 for all of them, and a port that is free."
        ) from error
    return listening
