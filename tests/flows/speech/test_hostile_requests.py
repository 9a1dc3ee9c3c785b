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
from audiomill.flows.speech.server import SpeechLimits, speech_app
from audiomill.flows.speech.speaking import TextSpeaker
from audiomill.flows.web_server.connections import ConnectionLimits
from audiomill.flows.web_server.listening import serving
from support import patient_http
from support.process_data import TIMEOUT_S

KEY = "a-key-that-nobody-guesses"
BEARER = b"Authorization: Bearer " + KEY.encode()
SPEECH = b"POST /v1/audio/speech"
DEEP = b"[" * 100_000 + b"]" * 100_000


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
    start=SPEECH,
    *headers,
    body=b'{"input": "Hi."}',
    version=b"HTTP/1.1",
    host=b"Host: localhost",
    key=BEARER,
    length=None,
):
    """The bytes of a request, without the lines that are b""."""
    length = b"Content-Length: %d" % len(body) if length is None else length
    lines = (start + b" " + version, host, key, b"Connection: close", *headers, length)
    return b"\r\n".join(filter(None, lines)) + b"\r\n\r\n" + body


def spoken(text):
    """A request to say a text, as JSON has it."""
    return sent(body=b'{"input": %b}' % text)


def chosen(name, value):
    """A request with a field that is wrong."""
    return sent(body=json.dumps({"input": "Hi.", name: value}).encode())


BODIES = {
    "nothing": (sent(body=b""), "no JSON"),
    "no JSON": (sent(body=b"hello"), "no JSON"),
    "a list": (sent(body=b"[]"), "an object"),
    "a number": (sent(body=b"7"), "an object"),
    "half of it": (sent(body=b'{"input": "half'), "no JSON"),
    "no UTF-8": (spoken(b'"\xff\xfe"'), "unicode"),
    "UTF-16": (sent(body='{"input": "Hi."}'.encode("utf-16")), "no JSON"),
    "half of a surrogate pair": (spoken(b'"\\ud800"'), "no JSON"),
    "a NUL": (spoken(b'"Hi\0."'), "control character"),
    "only a NUL": (spoken(b'"\\u0000"'), "no words"),
    "only control characters": (spoken(b'"\\u0001\\u200b\\u2028"'), "no words"),
    "deep lists as the text": (spoken(DEEP), "recursion limit"),
    "deep lists elsewhere": (sent(body=b'{"input": "Hi.", "x": %b}' % DEEP), "recursion limit"),
    "two texts": (sent(body=b'{"input": "Hi.", "input": 7}'), "input"),
    "a text of hours": (spoken(b'"%b"' % (b"a " * 60_000)), "at most 100000"),
    "a number of 5,000 digits": (sent(body=b'{"input": "Hi.", "speed": %b}' % (b"9" * 5000)), ""),
    "no finite number": (sent(body=b'{"input": "Hi.", "speed": 1e999}'), "speed"),
    "a voice that is a path": (chosen("voice", "../../etc/passwd"), "no voice"),
    "a voice with a NUL": (chosen("voice", "a\0b"), "no voice"),
    "a voice of 200,000 characters": (chosen("voice", "v" * 200_000), "at most 1000"),
    "a model of 200,000 characters": (chosen("model", "v" * 200_000), "at most 1000"),
    "a language of 100,000 characters": (chosen("language", "x" * 100_000), "at most 1000"),
    "a format for terminals": (chosen("response_format", "\x1b[2J"), "choose one of"),
    "compressed": (sent(SPEECH, b"Content-Encoding: gzip", body=b"\x1f\x8b\x08"), "no JSON"),
    "deep rows": (sent(b"POST /rows", body=DEEP), "no rows"),
}
OTHERS = {
    # Hardly more, so that all of it is read: what is left would reset the connection.
    "a body of more than a MiB": (spoken(b'"%b"' % (b"a " * (1 << 19))), 413, "in parts"),
    "a body that never ends": (sent(length=b"Content-Length: " + b"9" * 20), 408, "not whole"),
    "a body of two lengths": (sent(SPEECH, b"Content-Length: 3"), 400, "no request"),
    "a body of less than nothing": (sent(length=b"Content-Length: -1"), 400, "no request"),
    "a length, and chunks": (sent(SPEECH, b"Transfer-Encoding: chunked"), 408, "not whole"),
    "chunks that are none": (
        sent(body=b"zz\r\n", length=b"Transfer-Encoding: chunked"),
        400,
        "no request",
    ),
    "coded in a way of its own": (sent(length=b"Transfer-Encoding: gzip"), 400, "no request"),
    "another path": (sent(b"POST /v1/audio/speeches"), 404, "this server has"),
    "a path that leads out": (sent(b"GET /../../etc/passwd"), 404, "this server has"),
    "a path with a NUL": (sent(b"POST /v1/audio/speech%00"), 404, "this server has"),
    "an address that was guessed": (sent(b"GET /play/..%2f..%2fv1"), 404, ""),
    "a model with a NUL": (sent(b"GET /v1/audio/voices?model=%00"), 404, "Unknown engine"),
    "a proxy's target": (sent(b"CONNECT localhost:22", body=b""), 404, ""),
    "all of the server": (sent(b"OPTIONS *", body=b""), 404, ""),
    "another method": (sent(b"GET /v1/audio/speech"), 405, "POST /v1/audio/speech"),
    "a method of its own": (sent(b"BREW /v1/audio/speech"), 405, "POST /v1/audio/speech"),
    "TRACE": (sent(b"TRACE /"), 405, ""),
    "another machine's absolute target": (
        sent(b"POST http://evil.example/v1/audio/speech", host=b"Host: evil.example"),
        421,
        "evil.example",
    ),
    "another machine": (sent(host=b"Host: evil.example"), 421, "evil.example"),
    "a host that is none": (sent(host=b"Host: [::1"), 421, "not a name"),
    "no host": (sent(host=b""), 400, "no request"),
    "two hosts": (sent(SPEECH, b"Host: evil.example"), 400, "no request"),
    "another site's page": (sent(SPEECH, b"Origin: http://evil.example"), 403, "other sites"),
    "a page of nowhere": (sent(SPEECH, b"Origin: null"), 403, "other sites"),
    "an origin that is none": (sent(SPEECH, b"Origin: http://[::1"), 403, "other sites"),
    "two origins": (
        sent(SPEECH, b"Origin: http://localhost", b"Origin: http://evil.example"),
        403,
        "other sites",
    ),
    "no key": (sent(key=b""), 401, "Bearer KEY"),
    "another key": (sent(key=b"Authorization: Bearer wrong"), 401, "Bearer KEY"),
    "a key of no characters": (sent(key=b"Authorization: Bearer \xff\xfe"), 401, "Bearer KEY"),
    "a wrong key before the right one": (
        sent(SPEECH, BEARER, key=b"Authorization: Bearer wrong"),
        401,
        "Bearer KEY",
    ),
    "a header without a name": (sent(SPEECH, b"no colon here"), 400, "no request"),
    "a header with a NUL": (sent(SPEECH, b"X: a\0b"), 400, "no request"),
    "the first HTTP": (b"GET /\r\n\r\n", 400, "no request"),
    "TLS": (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(64), 400, "no request"),
    "HTTP/2": (b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 401, ""),
    "a web socket": (
        sent(b"GET /v1/audio/speech", b"Upgrade: websocket", b"Connection: Upgrade", body=b""),
        405,
        "",
    ),
}
CASES = {name: (request, 400, words) for name, (request, words) in BODIES.items()} | OTHERS


@pytest.mark.parametrize(("request_bytes", "status", "words"), CASES.values(), ids=CASES)
def test_each_hostile_request_has_one_clear_error(
    port, caplog, monkeypatch, request_bytes, status, words
):
    monkeypatch.setattr(answers, "BODY_S", 0.2 if status == HTTPStatus.REQUEST_TIMEOUT else 600.0)
    with caplog.at_level(logging.WARNING), socket.create_connection(("127.0.0.1", port)) as sender:
        sender.settimeout(TIMEOUT_S)
        sender.sendall(request_bytes)
        answer = HTTPResponse(sender)
        answer.begin()
        error = json.loads(answer.read())["error"]
    assert (answer.status, error["type"]) == (status, "invalid_request_error")
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
