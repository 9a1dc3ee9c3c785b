"""What a reply means: busy, failing, refused for good, or audio that is none."""

import json
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audiomill.renderers.engine.errors import EngineFailed
from audiomill.renderers.servers.replies import (
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


@each_row
def test_what_no_waiting_heals_is_an_error(status, body, headers, words):
    with pytest.raises(EngineFailed, match=words):
        check(reply(status, body, **headers))


@pytest.mark.parametrize("status", [408, 500, 502, 503, 504, 524, 529])
def test_a_server_that_fails_is_asked_again(status):
    """What a gateway has not waited for may have been done, and billed."""
    with pytest.raises(ServerFailing, match=f"{status} it broke") as raised:
        check(reply(status, b"it broke"))
    assert raised.value.may_be_billed == (status in (504, 524))


@each_row
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


@each_row
def test_a_success_that_is_no_audio_is_seen(body, media_type, words):
    headers = {"content_type": media_type} if media_type else {}
    assert error_in_success(reply(200, body, **headers)) == words


@given(st.integers(100, 599), st.binary(max_size=100), st.text(max_size=20))
def test_every_reply_has_a_meaning(status, content, retry):
    one = Reply(status, {"retry-after": retry, "content-type": "application/json"}, content)
    try:
        check(one)
    except (ServerBusy, ServerFailing, EngineFailed) as error:
        assert str(error)
