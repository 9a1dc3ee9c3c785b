"""The phoneme cache: memory, and a file that survives kills, sharing and damage."""

import multiprocessing
import os
import random
import signal
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from threading import Barrier

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audiomill.renderers.engine.protocol import Remark
from audiomill.renderers.kokoro.g2p.cache import PhonemeCache
from audiomill.renderers.kokoro.g2p.phonemes import Damaged, Phonemes, PhonemeWord, pack, unpack
from support.g2p_children import N_TEXTS, PHONEMES, fill, fill_forever, texts
from support.process_data import TIMEOUT_S

numbers = st.integers(0, 10_000)
any_phonemes = st.builds(
    Phonemes,
    st.text(),
    st.lists(st.builds(PhonemeWord, numbers, numbers, numbers, numbers)).map(tuple),
    st.lists(st.builds(Remark, numbers, numbers, st.text())).map(tuple),
)


def stored_texts(path, name="text"):
    with PhonemeCache(path) as cache:
        return [text for text in texts(name) if cache.get("one", text) == PHONEMES]


@given(any_phonemes)
def test_unpacking_restores_phonemes(phonemes):
    assert unpack(pack(phonemes)) == phonemes


@given(any_phonemes, st.data())
def test_a_flipped_bit_is_detected(phonemes, data):
    packed = bytearray(pack(phonemes))
    place = data.draw(st.integers(0, 8 * len(packed) - 1))
    packed[place // 8] ^= 1 << place % 8
    # Two bits of the zlib header only state the compression level.
    with suppress(Damaged):
        assert unpack(bytes(packed)) == phonemes


@pytest.mark.parametrize("packed", [b"", b"x", pack(PHONEMES)[:-1], b"\0" * 100])
def test_unpacking_other_bytes_raises_damaged(packed):
    with pytest.raises(Damaged):
        unpack(packed)


@pytest.mark.parametrize("on_disk", [False, True])
def test_phonemes_are_stored_by_fingerprint_and_text(tmp_path, on_disk):
    with PhonemeCache(tmp_path / "new" / "phonemes" if on_disk else None) as cache:
        cache.put("one", "text \ud800", PHONEMES)
        assert cache.get("one", "text \ud800") == PHONEMES
        assert cache.get("two", "text \ud800") is None
        assert cache.get("one", "text") is None
        assert cache.get("onetext ", "\ud800") is None


def test_a_file_can_be_reopened(tmp_path):
    fill(tmp_path / "phonemes", "text")
    assert stored_texts(tmp_path / "phonemes") == texts()


def test_memory_keeps_the_most_recent():
    cache = PhonemeCache(max_in_memory=3)
    for text in "abc":
        cache.put("one", text, PHONEMES)
    assert cache.get("one", "a")
    cache.put("one", "d", PHONEMES)
    assert [text for text in "abcd" if cache.get("one", text)] == ["a", "c", "d"]


def test_many_processes_share_a_file(tmp_path):
    spawn = multiprocessing.get_context("spawn")
    path = tmp_path / "phonemes"
    names = ["a", "b", "c"]
    processes = [spawn.Process(target=fill, args=(path, name)) for name in names]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
        assert process.exitcode == 0
    assert [len(stored_texts(path, name)) for name in names] == [N_TEXTS] * 3


@pytest.mark.parametrize("number", range(30))
def test_threads_that_open_and_close_a_file_at_once_all_share_it(tmp_path, number):
    n_threads = 4
    barrier = Barrier(n_threads)

    def put(name):
        barrier.wait()
        with PhonemeCache(tmp_path / "phonemes") as cache:
            cache.put("one", name, PHONEMES)

    with ThreadPoolExecutor(n_threads) as executor:
        list(executor.map(put, "abcd"))
    with PhonemeCache(tmp_path / "phonemes") as cache:
        assert [name for name in "abcd" if cache.get("one", name)] == list("abcd")


def test_a_kill_loses_nothing_that_was_stored(tmp_path):
    spawn = multiprocessing.get_context("spawn")
    ready = spawn.Event()
    process = spawn.Process(target=fill_forever, args=(tmp_path / "phonemes", ready))
    process.start()
    assert ready.wait(TIMEOUT_S)
    os.kill(process.pid, signal.SIGKILL)
    process.join()
    assert stored_texts(tmp_path / "phonemes") == texts()
    assert not (tmp_path / "phonemes.damaged").exists()


@pytest.mark.parametrize("seed", range(8))
def test_a_damaged_file_raises_nothing_and_never_gives_wrong_phonemes(tmp_path, seed):
    path = tmp_path / "phonemes"
    fill(path, "text")
    rng = random.Random(seed)
    data = bytearray(path.read_bytes())
    for _ in range(rng.choice([1, 30, 3000])):
        data[rng.randrange(len(data))] = rng.randrange(256)
    path.write_bytes(data[: rng.choice([len(data), len(data) // 2, 700])])
    with PhonemeCache(path, max_in_memory=0) as cache:
        for text in texts():
            assert cache.get("one", text) in (None, PHONEMES)
            cache.put("one", text, PHONEMES)
    fill(path, "text")  # texts stored before the damage was detected are lost
    assert len(stored_texts(path)) > 0.9 * N_TEXTS  # damaged keys may remain, and are misses


@pytest.mark.parametrize("data", [b"not a database", b"\0" * 5000])
def test_a_file_that_is_no_database_is_set_aside(tmp_path, data):
    path = tmp_path / "phonemes"
    path.write_bytes(data)
    fill(path, "text")
    assert stored_texts(path) == texts()
    assert path.with_name("phonemes.damaged").read_bytes() == data


def test_a_file_that_another_process_replaced_is_kept(tmp_path):
    path = tmp_path / "phonemes"
    fill(path, "text")
    with PhonemeCache(path, max_in_memory=0) as cache:
        path.write_bytes(b"spoilt" * 1000)
        assert cache.get("one", "text 0") in (None, PHONEMES)
        fill(path, "text")
        assert cache.get("one", "text 1") in (None, PHONEMES)
    assert stored_texts(path) == texts()


@pytest.mark.parametrize("obstacle", ["folder", "no folder", "locked"])
def test_memory_works_without_a_usable_file(tmp_path, obstacle, monkeypatch):
    monkeypatch.setattr("audiomill.renderers.kokoro.g2p.cache.BUSY_S", 0.01)
    path = tmp_path / "phonemes"
    other = sqlite3.connect(path if obstacle == "locked" else tmp_path / "other")
    if obstacle == "folder":
        path.mkdir()
    if obstacle == "no folder":
        (tmp_path / "file").write_text("")
        path = tmp_path / "file" / "phonemes"
    if obstacle == "locked":
        other.execute("BEGIN EXCLUSIVE")
    with PhonemeCache(path) as cache:
        cache.put("one", "text", PHONEMES)
        assert cache.get("one", "text") == PHONEMES
        assert cache.get("one", "other") is None
    other.close()
