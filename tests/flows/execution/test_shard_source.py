"""Segments of a GPU's process are stored some at a time, and each has its own result."""

import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from dataclasses import replace
from types import SimpleNamespace

import pytest

from audiomill.flows.execution.run_context import RunContext
from audiomill.flows.execution.shard_source import ShardSource, StoreLookup
from audiomill.renderers.engine.errors import EngineFailed
from audiomill.renderers.engine.protocol import Remark, Request
from audiomill.renderers.store.store import StoredShard, open_store
from support.process_data import wait_until
from support.shared_audio import in_shared_memory
from support.store_faults import SAMPLE_RATE, key_of, rendered

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")
N = 40
REQUESTS = tuple(Request(key_of(number), "text", "voice", 1.0) for number in range(N))


def engine(audio):
    """Its audio lies in shared memory."""
    shared = in_shared_memory(audio)
    return SimpleNamespace(
        name="gpu",
        sample_rate=SAMPLE_RATE,
        limits=SimpleNamespace(exact_bits=16),
        render=lambda *_: shared,
    )


def writes_of(audio, store):
    source = ShardSource(engine(audio), store, RunContext())
    with ThreadPoolExecutor(2) as writers:
        return source.render_missing(StoreLookup((), REQUESTS, ()), writers).writes


@pytest.mark.parametrize("has_child", [True, False])
def test_all_are_stored_with_a_child_or_without(tmp_path, has_child):
    store = open_store(str(tmp_path))
    with store.session() if has_child else nullcontext(store) as store:
        if has_child:
            store.prepare_writer()
            wait_until(store.has_writer)
        infos = [write.result() for write in writes_of(map(rendered, range(N)), store)]
    found = [open_store(str(tmp_path)).get(request.key) for request in REQUESTS]
    assert all(isinstance(one, StoredShard) for one in found)
    assert [one.info for one in found] == infos
    assert [one.info.digest for one in found] == [info.digest for info in infos]
    for number, one in enumerate(found):
        assert (one.samples == rendered(number).samples).all()


def test_audio_that_cannot_be_stored_fails_alone(tmp_path):
    audio = [rendered(number) for number in range(N)]
    audio[5] = replace(audio[5], remarks=(Remark(0, 1, "x" * 2000),))
    with open_store(str(tmp_path)).session() as store:
        store.prepare_writer()
        wait_until(store.has_writer)
        writes = writes_of(audio, store)
    failed = [number for number, write in enumerate(writes) if write.exception()]
    assert failed == [5]
    with pytest.raises(EngineFailed, match="remarks"):
        writes[5].result()


def test_a_child_that_starts_meanwhile_gets_the_rest(tmp_path, monkeypatch):
    with open_store(str(tmp_path)).session() as store:
        store.prepare_writer()
        wait_until(store.has_writer)
        answers, by_child, write_shared = iter([False] * 3), [], store.write_shared
        monkeypatch.setattr(store, "has_writer", lambda: next(answers, True))
        monkeypatch.setattr(
            store, "write_shared", lambda shards: by_child.extend(shards) or write_shared(shards)
        )
        infos = [write.result() for write in writes_of(map(rendered, range(N)), store)]
    assert [info.key for info in infos] == [request.key for request in REQUESTS]
    assert {shard.info.key for shard in by_child} < {request.key for request in REQUESTS}
    assert len(by_child) == N - 3
    assert len([*tmp_path.rglob("*.shard")]) == N
