"""One store on S3 for many machines: nothing lost and nothing wrong, whatever fails meanwhile.

The writers and readers are processes with S3's real client.
"""

import os
import signal
from itertools import count
from urllib.parse import urlsplit

import pytest

from audiomill.renderers.store.shard_format import MissReason
from audiomill.renderers.store.store import open_store
from support.faulty_s3 import CORRUPT, ERRORS, Faults, FaultyS3
from support.process_data import TIMEOUT_S
from support.s3_server import BUCKET, client_variables, serving_s3
from support.shared_store import FORKS, SharedStore, all_at_once, clients, give_identity
from support.store_faults import holds, key_of, put

pytestmark = pytest.mark.prove

s3fs = pytest.importorskip("s3fs", reason="the extra s3 is not installed")
NUMBERS = count()
SEED = 7
CORRUPT_FOR_SURE = CORRUPT[:3]  # an older one is not there for long


def faults(latency_s, outage_requests):
    """Each kind of fault, and the names of what happens then."""
    parts = {
        "errors": ({"error_share": 0.3}, ERRORS),
        "corrupt reads": ({"corrupt_share": 0.2}, CORRUPT_FOR_SURE),
        "half uploads": ({"torn_share": 0.1}, ["torn"]),
        "half uploads seen": ({"torn_share": 0.1, "shows_torn": True}, ["torn"]),
        "spoiled uploads": ({"spoiled_share": 0.1}, ["spoiled"]),
        "an outage": ({"outage_after": 10, "outage_requests": outage_requests}, ["away"]),
        "latency": ({"latency_s": latency_s}, []),
    }
    everything = {name: value for options, _ in parts.values() for name, value in options.items()}
    names = {name for _, done in parts.values() for name in done}
    return {"nothing": ({}, []), **parts, "everything": (everything, names)}


FULL = faults(latency_s=0.5, outage_requests=200)


@pytest.fixture(scope="module")
def server():
    with serving_s3(FaultyS3()) as server:
        yield server


@pytest.fixture(scope="module")
def variables(server, tmp_path_factory):
    return client_variables(server, tmp_path_factory.mktemp("no_configuration"))


@pytest.fixture(scope="module")
def many():
    """Eight writers and two readers."""
    with clients(10) as started:
        yield started


@pytest.fixture
def url(server, variables, monkeypatch):
    """A store of the test's own."""
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    s3fs.S3FileSystem.clear_instance_cache()
    server.begin(Faults())
    yield f"s3://{BUCKET}/{next(NUMBERS)}"
    server.begin(Faults())
    s3fs.S3FileSystem.clear_instance_cache()


def path_of(url, number):
    key = key_of(number)
    return f"/{BUCKET}{urlsplit(url).path}/{key[:2]}/{key}.shard"


def prove(server, url, writers, readers, options, *, n_keys, n_threads):
    """Write and read with these faults, then read without any. What the server did wrong."""
    store = open_store(url)
    identity = store.give_identity()
    for number in range(0, n_keys, 2):
        server.objects[path_of(url, number)] = b"an older upload, which was cut"
    server.begin(Faults(seed=SEED, **options))
    read = all_at_once(SharedStore(url, identity, n_threads), writers, readers, n_keys)
    done, requests = server.done, [*server.requests]
    server.begin(Faults())
    assert all(holds(store, number) for number in range(n_keys))
    assert store.identity() == identity
    assert all(one >= n_keys for one in read), "too little was read"
    kept = tuple(f"{verb} /{BUCKET}/" for verb in ("PUT", "GET"))
    assert all(one.startswith(kept) for one in requests), "something was listed, or its size asked"
    return set(done)


@pytest.mark.parametrize("kind", FULL)
def test_eight_writers_and_two_readers_share_a_store_that_fails(server, url, many, kind):
    options, names = FULL[kind]
    assert prove(server, url, many[2:], many[:2], options, n_keys=64, n_threads=8) >= set(names)


def test_writers_that_begin_at_once_give_a_store_one_identity(server, url):
    server.begin(Faults(seed=7, error_share=0.3, torn_share=0.2, corrupt_share=0.2))
    with clients(2) as few:
        given = [client.submit(give_identity, url) for client in few]
        answers = [one.result() for one in given]
    server.begin(Faults())
    identity = open_store(url).identity()
    assert identity
    assert answers == [identity] * 2


@pytest.mark.parametrize("shows_torn", [False, True])
def test_a_writer_that_is_killed_in_an_upload_leaves_no_wrong_shard(server, url, shows_torn):
    store = open_store(url)
    put(store, 0)
    writing = SharedStore(url, store.give_identity(), 1)
    writer = FORKS.Process(target=writing.write, args=[[1]])
    server.begin(Faults(torn_share=1, shows_torn=shows_torn))
    server.at_half = lambda: os.kill(writer.pid, signal.SIGKILL)
    writer.start()
    writer.join(TIMEOUT_S)
    assert writer.exitcode == -signal.SIGKILL
    server.at_half = lambda: None
    server.begin(Faults())
    store = open_store(url)
    missing = store.get(key_of(1)).reason
    assert missing is (MissReason.CUT_SHORT if shows_torn else MissReason.ABSENT)
    assert holds(store, 0)
    put(store, 1)
    assert holds(store, 1)
