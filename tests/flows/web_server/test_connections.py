"""What the connections of a server are closed for, and what not."""

import asyncio
import http.client
import logging
import socket
from contextlib import contextmanager

import pytest

from audiomill.flows.web_server.connections import CUT, ConnectionLimits
from audiomill.flows.web_server.listening import serving
from support.process_data import TIMEOUT_S

LIMITS = ConnectionLimits(header_s=0.2, stalled_s=0.1)


class TwoParts:
    """An application whose answers have two parts; that of /held waits for /go between them."""

    def __init__(self):
        self.go = asyncio.Event()

    async def __call__(self, scope, _receive, send):
        if scope["path"] == "/go":
            self.go.set()
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"one ", "more_body": True})
        if scope["path"] == "/cut":
            scope["extensions"][CUT]()
            return
        if scope["path"] == "/held":
            await self.go.wait()
        await send({"type": "http.response.body", "body": b"two"})


@pytest.fixture
def port():
    with serving(TwoParts(), "127.0.0.1", 0, LIMITS) as port:
        yield port


@contextmanager
def connected(port):
    client = http.client.HTTPConnection("127.0.0.1", port, timeout=TIMEOUT_S)
    try:
        yield client
    finally:
        client.close()


def asked(client, path):
    client.request("GET", path)
    return client.getresponse()


def wait_until_silent_clients_are_closed(port):
    """One connects now, and so is closed after all limits of connections from before."""
    address = ("127.0.0.1", port)
    with (
        socket.create_connection(address, TIMEOUT_S) as silent,
        pytest.raises(ConnectionResetError),
    ):
        silent.recv(1)


def test_a_client_may_ask_again_long_after_its_answer(port):
    with connected(port) as client:
        assert asked(client, "/").read() == b"one two"
        own = client.sock
        wait_until_silent_clients_are_closed(port)
        assert asked(client, "/").read() == b"one two"
        assert client.sock is own


def test_a_client_that_has_taken_all_there_is_does_not_stand_still(port):
    with connected(port) as listener, connected(port) as other:
        answer = asked(listener, "/held")
        assert answer.read(4) == b"one "
        wait_until_silent_clients_are_closed(port)
        asked(other, "/go").read()
        assert answer.read() == b"two"


def test_an_answer_that_is_cut_is_noticed_by_its_client_and_logged_nowhere(port, caplog):
    with caplog.at_level(logging.WARNING), connected(port) as client:
        answer = asked(client, "/cut")
        with pytest.raises(http.client.IncompleteRead) as found:
            answer.read()
        assert found.value.partial == b"one "
    assert caplog.text == ""
