"""Which requests the guard of a local server passes on: those of no page but its own."""

import asyncio

import pytest

from audiomill.flows.prefect_server.server import OwnPagesOnly

HOST = {"host": "127.0.0.1:4200"}
LINK = {"sec-fetch-mode": "navigate", "sec-fetch-dest": "document"}
OWN = [
    HOST,
    {"host": "localhost:4200"},
    {"host": "LOCALHOST:4200"},
    {**HOST, "origin": "http://127.0.0.1:4200"},
    {**HOST, "origin": "http://localhost:4200", "sec-fetch-site": "cross-site"},
    {**HOST, "sec-fetch-site": "same-origin"},
    {**HOST, "sec-fetch-site": "none", **LINK},
    {**HOST, "sec-fetch-site": "cross-site", **LINK},
]
FOREIGN = [
    {},
    {"host": ""},
    {"host": "127.0.0.1"},
    {"host": "127.0.0.1:4201"},
    {"host": "evil.example"},
    {"host": "evil.example:4200"},
    {"host": "127.0.0.1:4200.evil.example"},
    {"host": "evil.example:4200", "origin": "http://evil.example:4200"},
    {**HOST, "origin": "null"},
    {**HOST, "origin": ""},
    {**HOST, "origin": "http://evil.example"},
    {**HOST, "origin": "https://127.0.0.1:4200"},
    {**HOST, "origin": "http://127.0.0.1:8080"},
    {**HOST, "origin": "http://127.0.0.1"},
    {**HOST, "origin": "http://evil.example", "sec-fetch-site": "same-origin"},
    {**HOST, "sec-fetch-site": "cross-site"},
    {**HOST, "sec-fetch-site": "same-site", "sec-fetch-mode": "no-cors"},
    {**HOST, "sec-fetch-site": "cross-site", **LINK, "sec-fetch-dest": "iframe"},
]


def answer(headers: list[tuple[bytes, bytes]], kind: str = "http", method: str = "GET"):
    """What the guard sends for a request, and whether the app behind it has seen it."""
    sent, seen = [], []

    async def app(scope, receive, send):
        seen.append(scope)
        await send({"type": "http.response.start", "status": 200, "headers": []})

    async def send(message):
        sent.append(message)

    scope = {"type": kind, "headers": headers}
    if kind == "http":
        scope["method"] = method
    asyncio.run(OwnPagesOnly(app, 4200)(scope, None, send))
    return sent, bool(seen)


def encoded(headers: dict[str, str]) -> list[tuple[bytes, bytes]]:
    return [(name.encode(), value.encode()) for name, value in headers.items()]


@pytest.mark.parametrize("headers", OWN)
def test_own_pages_and_programs_are_answered(headers):
    sent, seen = answer(encoded(headers))
    assert seen
    assert (b"x-frame-options", b"DENY") in sent[0]["headers"]


@pytest.mark.parametrize("headers", FOREIGN)
@pytest.mark.parametrize(("kind", "refusal"), [("http", 403), ("websocket", 1008)])
def test_pages_of_other_sites_are_refused(headers, kind, refusal):
    sent, seen = answer(encoded(headers), kind)
    assert not seen
    assert refusal in (sent[0].get("status"), sent[0].get("code"))


def test_only_get_is_a_link_and_no_header_comes_twice():
    link = encoded({**HOST, "sec-fetch-site": "cross-site", **LINK})
    for request in (
        answer(link, method="POST"),
        answer([*encoded(HOST), (b"host", b"evil.example")]),
        answer([*encoded(HOST), (b"origin", b"http://127.0.0.1:4200"), (b"origin", b"null")]),
    ):
        assert not request[1]
