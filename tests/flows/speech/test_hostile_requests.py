"""Requests that no program of good will sends: one clear error each, and the server goes on."""

import json
import logging
import socket
from http import HTTPStatus
from http.client import HTTPResponse

import pytest

from audiomill.flows.execution.run_context import RunContext
from audiomill.flows.settings import Settings
from audiomill.flows.speech import answers
from audiomill.flows.speech.answers import AnswerLimit
from audiomill.flows.speech.server import SpeechLimits, speech_app
from audiomill.flows.speech.speaking import TextSpeaker
from audiomill.flows.speech.wire import RequestError
from audiomill.flows.web_server.connections import ConnectionLimits
from audiomill.flows.web_server.listening import serving
from support import patient_http
from support.case_files import each_row
from support.process_data import TIMEOUT_S

KEY = "a-key-that-nobody-guesses"
BEARER = b"Authorization: Bearer " + KEY.encode()
SPEECH = b"POST /v1/audio/speech"


@pytest.fixture(scope="module")
def app(tmp_path_factory):
    folder = tmp_path_factory.mktemp("hostile")
    settings = Settings(engine="tone", store=str(folder / "store"), library=folder / "library")
    with TextSpeaker(settings, RunContext(), 4) as speaker:
        yield speech_app(speaker, KEY, SpeechLimits())


@pytest.fixture(scope="module")
def port(app):
    """That of a server for all cases, whose time ends none of them on a busy machine."""
    with serving(app, "127.0.0.1", 0, ConnectionLimits(header_s=TIMEOUT_S)) as port:
        yield port


def sent(
    raw=b"", start=SPEECH, headers=(), host=b"Host: localhost", key=BEARER, length=None,
    body=b'{"input": "Hi."}',
):  # fmt: skip
    """The bytes of a request, without the lines that are b"", or those that are given raw."""
    length = b"Content-Length: %d" % len(body) if length is None else length
    lines = (start + b" HTTP/1.1", host, key, b"Connection: close", *headers, length)
    return raw or b"\r\n".join(filter(None, lines)) + b"\r\n\r\n" + body


@each_row
def test_each_hostile_request_has_one_clear_error(
    port, caplog, monkeypatch, name, parts, status, words
):
    caplog.clear()
    monkeypatch.setattr(answers, "BODY_S", 0.2 if status == HTTPStatus.REQUEST_TIMEOUT else 600.0)
    with caplog.at_level(logging.WARNING), socket.create_connection(("127.0.0.1", port)) as sender:
        sender.settimeout(TIMEOUT_S)
        sender.sendall(sent(**parts))
        answer = HTTPResponse(sender)
        answer.begin()
        error = json.loads(answer.read())["error"]
    assert (answer.status, error["type"]) == (status, "invalid_request_error"), name
    assert answer.getheader("Access-Control-Allow-Origin") is None
    assert words in error["message"]
    assert len(error["message"]) < 2_000
    assert caplog.text == ""
    assert patient_http.get(f"http://127.0.0.1:{port}/health").json()["texts"] == 0


def test_a_header_that_never_ends_is_waited_for_no_longer_than_others(app):
    limits = ConnectionLimits(header_s=0.3)
    with (
        serving(app, "127.0.0.1", 0, limits) as port,
        socket.create_connection(("127.0.0.1", port), TIMEOUT_S) as sender,
        pytest.raises(ConnectionError),
    ):
        sender.sendall(SPEECH + b" HTTP/1.1\r\nHost: localhost\r\nX: ")
        sender.recv(1)


def test_the_answer_after_the_last_is_refused_until_one_has_ended():
    limit = AnswerLimit(2, "Too many here.")
    with limit.one_more():
        with limit.one_more(), pytest.raises(RequestError, match="Too many here") as refused:
            limit.one_more().__enter__()
        assert refused.value.status == HTTPStatus.TOO_MANY_REQUESTS
        assert int(refused.value.headers["Retry-After"]) > 0
        with limit.one_more():
            pass
