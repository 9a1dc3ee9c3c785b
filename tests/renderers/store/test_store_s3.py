"""The real client of S3 against a server on loopback that fails in every way that S3 does."""

import pytest

from audiomill.renderers.engine.errors import StoreError
from audiomill.renderers.host.waiting import OUTAGE_S
from audiomill.renderers.store.shard_format import MissReason
from audiomill.renderers.store.store import open_store
from support.case_files import each_row_apart
from support.hasty_waiter import VirtualWaiter
from support.s3_server import BUCKET, client_variables, serving_s3
from support.store_faults import holds, key_of, put

pytestmark = pytest.mark.prove

s3fs = pytest.importorskip("s3fs", reason="the extra s3 is not installed")
URL = f"s3://{BUCKET}/shards"


@pytest.fixture(scope="module")
def shared():
    """One server for all, so that its client, which takes long to make, is one too."""
    s3fs.S3FileSystem.clear_instance_cache()
    with serving_s3() as server:
        yield server
    s3fs.S3FileSystem.clear_instance_cache()


@pytest.fixture
def server(shared, monkeypatch, tmp_path):
    """The server as new."""
    for name, value in client_variables(shared, tmp_path).items():
        monkeypatch.setenv(name, value)
    for found in (shared.objects, shared.headers, shared.requests, shared.created):
        found.clear()
    shared.fault = lambda _request: None
    return shared


@pytest.fixture
def waiter():
    return VirtualWaiter()


def test_a_shard_takes_a_request_to_write_and_one_to_read(server, waiter):
    with open_store(URL, waiter).session() as store:
        put(store, 1)
        assert holds(store, 1)
        assert store.get(key_of(2)).reason is MissReason.ABSENT
    assert [request.partition(" ")[0] for request in server.requests] == [
        *("PUT", "GET", "GET", "PUT", "GET", "GET")
    ]
    # It would be a second round trip.
    assert not any("Expect" in headers for headers in server.headers.values())
    assert waiter.slept_s == []


def test_an_outage_is_waited_for_and_then_told(server, waiter):
    # The client itself waits after “SlowDown”, by the clock.
    server.fault = lambda _request: (500, "InternalError") if waiter.time_s < 200 else None
    store = open_store(URL, waiter)
    put(store, 1)
    assert holds(store, 1)
    assert "answers again" in waiter.told[-1]
    server.fault = lambda _request: (500, "InternalError")
    start_s = waiter.time_s
    with pytest.raises(StoreError, match="5 minutes"):
        put(store, 1)
    assert waiter.time_s - start_s >= OUTAGE_S


def test_a_mistyped_bucket_is_named_and_not_created(server, waiter):
    with pytest.raises(StoreError, match="“bokos”"), open_store("s3://bokos/x", waiter).session():
        pytest.fail("the session began")
    assert server.created == waiter.slept_s == []


def test_missing_credentials_are_told_at_once(server, waiter, monkeypatch):
    monkeypatch.delenv("AWS_ACCESS_KEY_ID")
    monkeypatch.delenv("AWS_SECRET_ACCESS_KEY")
    s3fs.S3FileSystem.clear_instance_cache()
    with pytest.raises(StoreError, match="credentials"), open_store(URL, waiter).session():
        pytest.fail("the session began")
    assert server.requests == waiter.slept_s == []
    s3fs.S3FileSystem.clear_instance_cache()


@each_row_apart
def test_an_upload_that_was_cut_changed_or_crossed_is_made_again(server, waiter, status, code):
    """Their statuses are those of mistakes, which would be the same again."""
    server.fault = lambda _request: (status, code) if len(server.requests) == 1 else None
    store = open_store(URL, waiter)
    put(store, 1)
    assert holds(store, 1)
    assert len(waiter.slept_s) == 1


def test_a_client_error_that_stays_is_told_at_once(server, waiter):
    server.fault = lambda _request: (400, "InvalidRequest")
    with pytest.raises(StoreError, match="InvalidRequest"):
        put(open_store(URL, waiter), 1)
    assert waiter.slept_s == []


@pytest.mark.parametrize("code", ["AccessDenied", "InvalidAccessKeyId", "SignatureDoesNotMatch"])
def test_a_refusal_is_told_at_once(server, waiter, code):
    server.fault = lambda _request: (403, code)
    with open_store(URL, waiter).session() as store:
        assert code in store.unwritable
        with pytest.raises(StoreError, match=code):
            put(store, 1)
        assert store.get(key_of(1)).reason is MissReason.UNREADABLE
    assert waiter.slept_s == []


def test_a_bucket_that_may_only_be_read_is_read(server, waiter):
    put(open_store(URL, waiter), 1)
    server.fault = lambda request: (403, "AccessDenied") if "PUT" in request else None
    with open_store(URL, waiter).session() as store:
        assert "AccessDenied" in store.unwritable
        assert holds(store, 1)


def test_an_object_that_is_empty_is_a_miss(server, waiter):
    store = open_store(URL, waiter)
    put(store, 1)
    (path,) = server.objects
    server.objects[path] = b""
    assert store.get(key_of(1)).reason is MissReason.UNREADABLE
    assert waiter.slept_s == []


def test_an_identity_is_created_by_one_of_two(server, waiter):
    """The second looks before the first has written."""
    first, second = open_store(URL, waiter), open_store(URL, waiter)
    given = []

    def fault(request):
        if "PUT" in request:
            server.fault = lambda _request: None
            given.append(first.give_identity())

    server.fault = fault
    assert [second.give_identity()] == given
    assert [first.identity()] == given


def test_a_place_that_cannot_create_is_written(server, waiter):
    def fault(request):
        if "PUT" not in request:
            return None
        server.fault = lambda _request: None
        return (501, "NotImplemented")

    server.fault = fault
    store = open_store(URL, waiter)
    identity = store.give_identity()
    assert identity
    assert store.identity() == identity
