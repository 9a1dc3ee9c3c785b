"""What a reply means: busy, failing, refused for good, or audio that is none."""

import json
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audiomill.renderers.engine.errors import EngineFailed
from audiomill.renderers.servers.replies import (
    LONGEST_RETRY_AFTER_S,
    Reply,
    ServerBusy,
    ServerFailing,
    check_reply,
    error_in_success,
    reason_in,
    retry_after_s,
)
from support.case_files import each_row


def reply(status, body=b"", **headers):
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    kind = {} if isinstance(body, bytes) else {"content-type": "application/json"}
    told = {name.replace("_", "-"): value for name, value in headers.items()}
    return Reply(status, kind | told, content)


def check(one):
    check_reply(one, "OpenAI", "OPENAI_API_KEY")


def test_a_success_is_passed_on():
    check(reply(200, b"RIFF"))


@each_row
def test_the_reason_is_found_in_every_form(body, reason):
    assert reason_in(reply(400, body)) == reason


@pytest.mark.parametrize(
    ("one", "words"),
    [
        (reply(401, {"error": {"message": "bad key"}}), "does not accept the key .bad key.. Put"),
        (reply(403, b"no"), "into OPENAI_API_KEY"),
        (reply(402, b"pay"), "has no credit left .pay."),
        (reply(429, {"error": {"message": "pay", "code": "insufficient_quota"}}), "no credit left"),
        (reply(429, {"detail": {"status": "quota_exceeded", "message": "x"}}), "no credit left"),
        (reply(404, {"detail": "Not Found"}), "url, profile and model"),
        (reply(400, {"error": {"message": "No such voice."}}), "refuses the request: 400 No such"),
        (reply(422, {"detail": [{"msg": "Field required"}]}), "422 Field required"),
        (reply(302, b"", location="https://b.example/v1"), "sends to https://b.example/v1 .302.,"),
        (reply(304, b"elsewhere"), "sends to another address .304., which is not asked"),
    ],
)
def test_what_no_waiting_heals_is_an_error(one, words):
    with pytest.raises(EngineFailed, match=words):
        check(one)


@pytest.mark.parametrize("status", [408, 500, 502, 503, 504, 524, 529])
def test_a_server_that_fails_is_asked_again(status):
    """What a gateway has not waited for may have been done, and billed."""
    with pytest.raises(ServerFailing, match=f"{status} it broke") as raised:
        check(reply(status, b"it broke"))
    assert raised.value.may_be_billed == (status in (504, 524))


@pytest.mark.parametrize(
    ("headers", "expected_s"),
    [
        ({}, None),
        ({"retry_after": "3"}, 3.0),
        ({"retry_after": "0.5"}, 0.5),
        ({"retry_after_ms": "250"}, 0.25),
        ({"retry_after": "9999"}, LONGEST_RETRY_AFTER_S),
        ({"retry_after": "soon"}, None),
        ({"retry_after": "-1"}, None),
        ({"retry_after": "nan"}, None),
    ],
)
def test_a_busy_server_says_how_long_to_wait(headers, expected_s):
    with pytest.raises(ServerBusy) as raised:
        check(reply(429, {"error": {"message": "too many"}}, **headers))
    assert raised.value.retry_after_s == expected_s


def test_a_date_to_wait_for():
    date = format_datetime(datetime.now(UTC) + timedelta(seconds=60), usegmt=True)
    waited_s = retry_after_s({"retry-after": date})
    assert waited_s is not None
    assert 0 < waited_s <= 60


def test_503_with_a_time_is_busy():
    with pytest.raises(ServerBusy):
        check(reply(503, b"loading", retry_after="5"))


@pytest.mark.parametrize(
    ("one", "words"),
    [
        (
            reply(200, b"<!DOCTYPE html><html>", content_type="text/html; charset=utf-8"),
            "a web page",
        ),
        (reply(200, b"\n <HTML><body>Log in", content_type="audio/wav"), "a web page"),
        (reply(200, {"error": {"message": "No."}}), "No"),
        (reply(200, b""), "nothing"),
        (reply(200, b"<p>", content_type="text/html"), "a web page"),
        (reply(200, b"RIFF", content_type="text/html"), ""),  # as of Piper's server
        (reply(200, b"RIFF", content_type="audio/wav"), ""),
        (reply(200, {"voices": ["a"]}), ""),
    ],
)
def test_a_success_that_is_no_audio_is_seen(one, words):
    assert error_in_success(one) == words


@given(st.integers(100, 599), st.binary(max_size=100), st.text(max_size=20))
def test_every_reply_has_a_meaning(status, content, retry):
    one = Reply(status, {"retry-after": retry, "content-type": "application/json"}, content)
    try:
        check(one)
    except (ServerBusy, ServerFailing, EngineFailed) as error:
        assert str(error)
