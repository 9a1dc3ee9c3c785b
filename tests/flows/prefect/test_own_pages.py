"""Which requests the guard of a local server passes on: those of no page but its own."""

import asyncio

from audiomill.flows.prefect_server.server import OwnPagesOnly
from support.case_files import each_row

HOST = {"host": "127.0.0.1:4200"}
LINK = {
    "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document"
}  # fmt: skip
REFUSALS = (("http", 403), ("websocket", 1008))


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


@each_row
def test_own_pages_and_programs_are_answered(headers):
    sent, seen = answer(encoded(headers))
    assert seen
    assert (b"x-frame-options", b"DENY") in sent[0]["headers"]


@each_row
def test_pages_of_other_sites_are_refused(headers):
    for kind, refusal in REFUSALS:
        sent, seen = answer(encoded(headers), kind)
        assert not seen, kind
        assert refusal in (sent[0].get("status"), sent[0].get("code"))


def test_only_get_is_a_link_and_no_header_comes_twice():
    link = encoded(HOST | LINK)
    for request in (
        answer(link, method="POST"),
        answer([*encoded(HOST), (b"host", b"evil.example")]),
        answer([*encoded(HOST), (b"origin", b"http://127.0.0.1:4200"), (b"origin", b"null")]),
    ):
        assert not request[1]
