"""A store on the network that fails, hangs or lies: what can heal is waited for, the rest told."""

import pytest

from audiomill.renderers.engine.errors import StoreError
from audiomill.renderers.host.waiting import OUTAGE_S
from audiomill.renderers.store.remote import FsspecBackend
from audiomill.renderers.store.remote_files import (
    ATTEMPT_S,
    LONGEST_DELAY_S,
    TELL_AFTER_S,
)
from audiomill.renderers.store.shard_format import MissReason
from audiomill.renderers.store.shard_layout import MAX_BYTES
from audiomill.renderers.store.store import Miss, ShardStore, open_store
from support.hasty_waiter import VirtualWaiter
from support.store_faults import holds, key_of, put

MINUTE_S = 60.0


@pytest.fixture
def waiter(cloud):
    return cloud.waiter


@pytest.fixture
def store(cloud, waiter):
    return open_store(cloud.url, waiter)


class Unavailable(Exception):
    """An error of a client, with the status that the server sent."""

    def __init__(self, status):
        super().__init__(f"HTTP {status}")
        self.status = status


class NoCredentialsError(Exception):
    """Named as S3's client names it."""


def down(waiter, until_s, error=ConnectionRefusedError):
    """A fault: nothing answers until that time."""

    def fault(_call, _path):
        if waiter.time_s < until_s:
            raise error("nobody there")

    return fault


def test_a_store_that_is_there_is_probed_and_nobody_told(cloud, store, waiter):
    with store.session() as session:
        put(session, 1)
        assert holds(session, 1)
    assert [call for call, _ in cloud.calls] == ["put", "get", "get", "put", "get"]
    assert (waiter.told, waiter.slept_s) == ([], [])


def test_a_file_system_with_real_folders_holds_shards(tmp_path):
    store = ShardStore(FsspecBackend(f"local://{tmp_path}/deep"))
    assert store.get(key_of(1)).reason is MissReason.ABSENT
    put(store, 1)
    assert holds(store, 1)


def test_four_minutes_of_outage_are_waited_for_and_told(cloud, store, waiter):
    cloud.fault = down(waiter, 4 * MINUTE_S)
    put(store, 1)
    assert holds(store, 1)
    assert 4 * MINUTE_S <= waiter.time_s < 4 * MINUTE_S + LONGEST_DELAY_S
    *waiting, answered = waiter.told
    assert 3 <= len(waiting) <= 4  # once a minute
    assert all("nobody there" in line and cloud.url in line for line in waiting)
    assert "answers again" in answered


def test_waits_grow_and_no_two_stores_wait_alike(cloud, store, waiter):
    others = cloud.waiter
    cloud.fault = down(waiter, MINUTE_S)
    put(store, 1)
    cloud.fault = down(others, MINUTE_S)
    put(open_store(cloud.url, others), 1)
    assert waiter.slept_s[0] < 0.5 < 4 < waiter.slept_s[5] <= LONGEST_DELAY_S
    assert waiter.slept_s != others.slept_s


def test_an_outage_of_more_than_five_minutes_is_one_line(cloud, store, waiter):
    cloud.fault = down(waiter, 10 * OUTAGE_S)
    with pytest.raises(StoreError, match=r"5 minutes.*nobody there.*--store"):
        put(store, 1)
    assert OUTAGE_S <= waiter.time_s < OUTAGE_S + LONGEST_DELAY_S
    assert "\n" not in "".join(waiter.told)


def test_what_begins_late_in_an_outage_does_not_wait_all_over_again(cloud, store, waiter):
    """Else the writes that are queued when a run fails would take an hour to fail."""
    cloud.fault = down(waiter, 10 * OUTAGE_S)
    with pytest.raises(StoreError):
        put(store, 1)
    for hangs in (False, True):
        if hangs:
            cloud.fault = lambda _call, _path: cloud.hang()
        start_s = waiter.time_s
        with pytest.raises(StoreError, match="5 minutes"):
            put(store, 2)
        assert waiter.time_s - start_s <= TELL_AFTER_S
    cloud.fault = lambda _call, _path: None
    put(store, 2)
    start_s = waiter.time_s
    cloud.fault = down(waiter, start_s + 4 * MINUTE_S)
    put(store, 3)
    assert waiter.time_s - start_s >= 4 * MINUTE_S


def test_failures_far_apart_are_no_outage(cloud, store, waiter):
    """That a shard is absent is an answer too."""
    for _ in range(5):
        cloud.fault = down(waiter, waiter.time_s + 1)
        assert store.get(key_of(1)).reason is MissReason.ABSENT
        waiter.sleep(OUTAGE_S)


def test_a_read_during_an_outage_is_no_missing_shard(cloud, store, waiter):
    put(store, 1)
    cloud.fault = down(waiter, 10 * OUTAGE_S)
    with pytest.raises(StoreError, match="5 minutes"):
        store.check(key_of(1))


def hanging_once(cloud):
    """A fault: the first call hangs."""
    return lambda *_: cloud.hang() if len(cloud.calls) == 1 else None


def test_a_store_that_hangs_is_told_at_once_and_waited_for(cloud, store, waiter):
    cloud.fault = hanging_once(cloud)
    waiter_wait = waiter.wait

    def wait(done, timeout_s):
        if waiter.time_s >= 2 * MINUTE_S:
            cloud.ends.set()
        waiter_wait(done, timeout_s)

    waiter.wait = wait
    put(store, 1)
    assert holds(store, 1)
    assert f"for {TELL_AFTER_S:.0f} s (no answer)" in waiter.told[0]
    assert "answers again" in waiter.told[-1]


def test_a_call_that_hangs_for_ever_is_given_up_and_made_again(cloud, store, waiter):
    cloud.fault = hanging_once(cloud)
    waiter_sleep = waiter.sleep

    def sleep(duration_s):
        cloud.n_hanging = 0  # the hanging call stays: nobody waits for it any more
        waiter_sleep(duration_s)

    waiter.sleep = sleep
    put(store, 1)
    assert ATTEMPT_S <= waiter.time_s < ATTEMPT_S + 1
    assert len(cloud.calls) == 2


class Stopped(Exception):
    pass


@pytest.mark.parametrize("hangs", [True, False])
def test_stopping_the_run_ends_the_wait_at_once(cloud, hangs):
    def check():
        raise Stopped

    waiter = VirtualWaiter(lambda: cloud.n_hanging, check=check)
    cloud.fault = (lambda _call, _path: cloud.hang()) if hangs else down(waiter, OUTAGE_S)
    with pytest.raises(Stopped):
        put(open_store(cloud.url, waiter), 1)
    assert waiter.time_s == 0


def test_a_mistyped_bucket_is_named_and_not_created(cloud, waiter):
    store = open_store(f"{cloud.protocol}://bokos/shards", waiter)
    with pytest.raises(StoreError, match=r"“bokos”.*create it"), store.session():
        pytest.fail("the session began")
    with pytest.raises(StoreError, match="“bokos”"):
        put(store, 1)
    assert cloud.buckets == {"books"}
    assert waiter.slept_s == []


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (NoCredentialsError("none found"), "credentials.*none found.*AWS_ACCESS_KEY_ID"),
        (Unavailable(400), "HTTP 400"),
        (OSError(28, "No space left on device"), "No space left.*disk is full"),
        (ValueError("no such option"), "no such option"),
    ],
)
def test_what_cannot_heal_is_told_at_once(cloud, store, waiter, error, words):
    def fault(_call, _path):
        raise error

    cloud.fault = fault
    with pytest.raises(StoreError, match=words), store.session():
        pytest.fail("the session began")
    assert (waiter.slept_s, len(cloud.calls)) == ([], 1)


def test_a_read_that_the_client_refuses_is_a_miss(cloud, store):
    cloud.fault = down(cloud.waiter, 1, lambda _words: Unavailable(400))
    miss = store.get(key_of(1))
    assert miss.reason is MissReason.UNREADABLE
    assert "HTTP 400" in miss.detail


@pytest.mark.parametrize("status", [408, 429, 500, 503])
def test_what_the_server_says_of_its_load_is_waited_for(cloud, store, waiter, status):
    cloud.fault = down(waiter, 20, lambda _words: Unavailable(status))
    put(store, 1)
    assert holds(store, 1)


def test_an_object_that_is_too_large_is_not_read_whole(cloud, store, monkeypatch):
    path = f"books/shards/{key_of(1)[:2]}/{key_of(1)}.shard"
    cloud.objects[path] = bytes(MAX_BYTES + 1000)
    miss = store.get(key_of(1))
    assert isinstance(miss, Miss)
    assert miss.reason is MissReason.UNREADABLE
    put(store, 1)
    assert holds(store, 1)


def test_what_is_absent_may_be_denied_to_those_who_may_not_list(cloud, store, waiter):
    def fault(call, path):
        if call == "get" and path not in cloud.objects:
            raise PermissionError("Access Denied")

    cloud.fault = fault
    assert store.get(key_of(1)).reason is MissReason.UNREADABLE
    with store.session() as session:
        assert session.get(key_of(1)).reason is MissReason.ABSENT
        put(session, 1)
        assert holds(session, 1)
    # A worker begins no session of its own.
    assert open_store(cloud.url, waiter).get(key_of(2)).reason is MissReason.ABSENT
    cloud.fault = lambda _call, _path: deny()
    assert open_store(cloud.url, waiter).get(key_of(2)).reason is MissReason.UNREADABLE


def deny():
    raise PermissionError("Access Denied")


def test_a_bucket_that_may_only_be_read_says_so_when_it_is_written(cloud, store, waiter):
    put(store, 1)

    def fault(call, _path):
        if call == "put":
            raise PermissionError("Access Denied")

    cloud.fault = fault
    with store.session() as session:
        assert holds(session, 1)
        for _ in range(2):
            with pytest.raises(StoreError, match=r"Cannot write.*Access Denied.*--store"):
                put(session, 2)
    assert waiter.slept_s == []
