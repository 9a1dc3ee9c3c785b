"""Several GPU processes compute the same samples as one, and none that dies takes a row along."""

import gc
import logging
import os
import re
import signal
import subprocess
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import cycle
from pathlib import Path

import numpy as np
import psutil
import pytest
import torch

from audiomill.renderers.engine.errors import EngineFailed, EngineMissing, WeightsUnfit
from audiomill.renderers.engine.protocol import Rendered
from audiomill.renderers.kokoro import multi_gpu
from audiomill.renderers.kokoro.inference import gpu_queue
from audiomill.renderers.kokoro.inference.gpu_process import GpuFailed, GpuProcess
from audiomill.renderers.kokoro.inference.runner import Runner
from audiomill.renderers.kokoro.model.config import read_config
from audiomill.renderers.kokoro.multi_gpu import GpuPool
from audiomill.renderers.kokoro.options import KokoroOptions
from audiomill.renderers.kokoro.single_device import VoicePacks
from audiomill.renderers.kokoro.synthesizer import Synthesizer
from audiomill.renderers.store.shard_format import pack
from audiomill.renderers.store.shard_header import Codec
from support.fake_gpus import (
    DEADLY,
    N_DEATHS,
    NO_NUMBER,
    OUT_OF_MEMORY,
    POISON,
    UNFIT,
    FakeGpu,
    OverlappingGpu,
    broken_gpu,
    expected_audio,
    load_narrow_model,
    load_narrow_model_on_cpu,
    missing_gpu,
    row_of,
)
from support.kokoro_reference import built, folder, random_lines, tuned, utterance
from support.process_data import TIMEOUT_S, children, start_python, wait_for_end, wait_until

pytestmark = pytest.mark.prove


@pytest.fixture(autouse=True)
def small_items(monkeypatch):
    """So that few rows are enough for several GPUs."""
    monkeypatch.setattr(gpu_queue, "MIN_PHONEMES", 20)


def pool_of(*gpus):
    return GpuPool([(f"cuda:{number}", load) for number, load in enumerate(gpus)])


def assert_same(audio, expected):
    for row, expected_row in zip(audio, expected, strict=True):
        np.testing.assert_array_equal(row.samples, expected_row.samples)
        assert (row.durations, row.frame_s) == (expected_row.durations, expected_row.frame_s)


def test_two_processes_compute_what_one_runner_does_to_the_last_bit():
    """A process that is killed meanwhile is replaced, and nothing is lost."""
    model = tuned("narrow", torch.float32)
    lines = random_lines(np.random.default_rng(0), 24, 30)
    rows = [
        (utterance(line, model).tokens, voice, line.speed, line.seed)
        for line, voice in zip(lines, cycle(["af_heart", "bm_george+af_heart"]))
    ]
    config = read_config(folder("narrow") / "config.json")
    weights = folder("narrow") / "kokoro-v1_0.pth"
    options = KokoroOptions(weights=folder("narrow"), device="cpu", precision="float32")
    packs = VoicePacks(options)
    expected = Runner(model).run([packs.row(row) for row in rows])
    load = partial(load_narrow_model, weights, config, options)
    others = children()  # of tests before this one
    with pool_of(load, load) as pool:
        assert_same(pool.run(rows), expected)
        first, second = (child for child in children() if child not in others)
        killer = threading.Timer(0.05, os.kill, (first.pid, signal.SIGKILL))
        killer.start()
        assert_same(pool.run(rows), expected)
        killer.join()
        assert_same(pool.run(rows), expected)
        assert second in children()
    assert [child for child in children() if child not in others] == []


def test_calls_from_several_threads_get_their_own_rows():
    calls = [[row_of(100 * call + n, 5 + n) for n in range(12)] for call in range(6)]
    with ThreadPoolExecutor(len(calls)) as threads, pool_of(FakeGpu(), FakeGpu()) as pool:
        results = [*threads.map(pool.run, calls, timeout=TIMEOUT_S)]
        assert pool.run([]) == []
    for found, rows in zip(results, calls, strict=True):
        assert_same(found, map(expected_audio, rows))


@pytest.mark.parametrize("n_deaths", [1, 2])
def test_rows_that_a_gpu_has_died_of_are_run_by_another(tmp_path, caplog, n_deaths):
    (tmp_path / N_DEATHS).write_bytes(b"x" * n_deaths)
    rows = [row_of(1, 9, DEADLY), *(row_of(n, 9) for n in range(2, 9))]
    with caplog.at_level(logging.WARNING), pool_of(*[FakeGpu(folder=tmp_path)] * 2) as pool:
        assert_same(pool.run(rows), map(expected_audio, rows))
    assert [one.getMessage() for one in caplog.records if "signal 9 (Killed)" in one.getMessage()]
    assert len(caplog.records) == n_deaths


def test_a_broken_gpu_is_given_up_and_the_others_go_on(caplog):
    rows = [row_of(n) for n in range(20)]
    with pool_of(broken_gpu, FakeGpu()) as pool:
        for _ in range(3):
            assert_same(pool.run(rows), map(expected_audio, rows))
    assert {one.getMessage().partition(":")[2] for one in caplog.records} <= {
        "0: CUDA error: no CUDA-capable device is detected."
    }


@pytest.mark.parametrize(
    ("token", "message"),
    [
        (POISON, "illegal memory access was encountered. What is finished is kept"),
        (OUT_OF_MEMORY, r"no memory left for a single segment. Give it less\. What is finished"),
    ],
)
def test_a_row_that_every_gpu_fails_at_is_an_error_and_the_next_rows_are_run(token, message):
    rows = [row_of(n) for n in range(20)]
    with pool_of(FakeGpu(), FakeGpu()) as pool:
        with pytest.raises(EngineFailed, match=message):
            pool.run([row_of(1, 9, token)])
        assert_same(pool.run(rows), map(expected_audio, rows))


def test_what_is_stored_of_a_row_is_made_beside_the_gpu():
    """But for a row that is no audio: it is no fault of the GPU, and the store tells of it."""
    rows = [row_of(n, 9, NO_NUMBER if n == 3 else 1) for n in range(6)]
    with pool_of(FakeGpu(), FakeGpu()) as pool:
        audio = pool.run(rows)
    for row, expected in zip(audio, map(expected_audio, rows), strict=True):
        if np.isnan(expected.samples).any():
            assert row.pcm is None
        else:
            assert row.pcm is not None
            assert shard_of(row.samples, row.pcm) == shard_of(expected.samples)
    with pytest.raises(EngineFailed, match="not numbers"):
        shard_of(audio[3].samples, audio[3].pcm)


def shard_of(samples, pcm=None):
    """The bytes of a shard with these samples."""
    rendered = Rendered(samples, pcm=pcm)
    return b"".join(pack("0" * 64, rendered, sample_rate=24_000, bits=16, codec=Codec.PCM))


def test_where_no_gpu_works_every_call_is_an_error():
    with pool_of(broken_gpu, broken_gpu) as pool:
        for _ in range(2):
            with pytest.raises(EngineFailed, match="no CUDA-capable device"):
                pool.run([row_of(n) for n in range(20)])


def test_an_error_that_every_gpu_would_meet_is_raised_at_once(caplog):
    with pool_of(FakeGpu(), FakeGpu()) as pool, pytest.raises(WeightsUnfit, match="another model"):
        pool.run([row_of(n, 9, UNFIT) for n in range(9)])
    assert caplog.records == []


def test_the_next_rows_start_while_the_last_are_computed(tmp_path):
    """Each time: results are not ready before the next rows have started."""
    process = GpuProcess(OverlappingGpu(tmp_path / "starts", n_that_wait=3))
    try:
        process.send([request(0)])
        process.send([request(1)])
        for n in range(4):
            results = process.receive(TIMEOUT_S)
            assert results, "it waited for the rows that it was computing"
            assert results[0].samples[0] == np.float32(n / 1000)
            if n < 2:
                process.send([request(n + 2)])
    finally:
        process.kill()


def test_results_after_a_failure_are_not_taken_for_those_of_the_failed_rows(tmp_path):
    process = GpuProcess(OverlappingGpu(tmp_path / "starts", n_that_wait=1))
    try:
        process.send([request(0, OUT_OF_MEMORY)])
        process.send([request(1)])
        with pytest.raises(GpuFailed, match="no memory left"):
            process.receive(TIMEOUT_S)
    finally:
        process.kill()


def request(seed, token=1):
    return (token,) * 9, None, 1.0, seed


def test_no_process_starts_before_the_first_rows():
    with pool_of(FakeGpu(), FakeGpu()) as pool:
        assert children() == []
        pool.run([row_of(1, 9)])
        assert len(children()) == 1


def test_a_model_loads_before_there_are_rows_and_its_error_is_the_answer_to_the_first(caplog):
    with pool_of(FakeGpu(), FakeGpu()) as pool:
        pool.load_ahead()
        (loading,) = children()
        assert_same(pool.run([row_of(1, 9)]), [expected_audio(row_of(1, 9))])
        assert loading in children()
    with pool_of(missing_gpu) as pool:
        pool.load_ahead()
        with pytest.raises(EngineMissing, match="no such GPU"):
            pool.run([row_of(1, 9)])
    assert caplog.records == []


def test_a_lone_gpu_has_its_next_rows_before_it_has_answered(tmp_path):
    """It answers no call before it has those of another."""
    rows = [[row_of(10 * call + n, 9) for n in range(3)] for call in range(2)]
    with pool_of(OverlappingGpu(tmp_path / "starts", n_that_wait=1)) as pool:
        pool.load_ahead()
        with ThreadPoolExecutor(2) as threads:
            results = [*threads.map(pool.run, rows, timeout=TIMEOUT_S)]
    for found, expected in zip(results, rows, strict=True):
        assert_same(found, map(expected_audio, expected))


def test_one_gpu_has_a_process_which_ends_with_its_engine(monkeypatch):
    """It speaks as this process does, to the last bit. A run then needs no PyTorch itself."""
    monkeypatch.setattr(multi_gpu, "load_only_gpu", load_narrow_model_on_cpu)
    lines, voice = ["həlˈO wˈɜɹld", "lˈOɹəm"], "bm_george+af_heart"
    with built("narrow"):
        here = Synthesizer(KokoroOptions(weights=folder("narrow"), device="cpu"))
        expected = [*here.speak_phonemes(lines, voice=voice)]
    others = children()
    synthesizer = Synthesizer(KokoroOptions(weights=folder("narrow"), device="cuda:0"))
    found = [*synthesizer.speak_phonemes(lines, voice=voice)]
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_array_equal(one.samples, other.samples)
        assert one.words == other.words
    (process,) = (child for child in children() if child not in others)
    del synthesizer
    gc.collect()
    wait_for_end([process])


def test_closing_ends_processes_that_work():
    pool = pool_of(*[FakeGpu(pace=0.01)] * 2)

    def run():
        with pytest.raises(EngineFailed, match="was closed"):
            pool.run([row_of(n) for n in range(9)])

    running = threading.Thread(target=run)
    running.start()
    wait_until(lambda: len(children()) == 2)
    pool.close()
    running.join(TIMEOUT_S)
    assert not running.is_alive()
    assert children() == []


# A run that a test stops in the middle of its work. It prints its children's process ids first.
PARENT = """
import signal, sys, threading, time
from contextlib import suppress
from support.fake_gpus import FakeGpu, row_of
from support.process_data import children
from audiomill.renderers.engine.errors import EngineFailed
from audiomill.renderers.kokoro.inference import gpu_queue
from audiomill.renderers.kokoro.multi_gpu import GpuPool

if __name__ == "__main__":
    # The shell that runs the tests may ignore SIGINT, and children inherit that.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    gpu_queue.MIN_PHONEMES = 20
    pool = GpuPool([("cpu", FakeGpu(float(sys.argv[1]))) for _ in range(2)])
    rows = [row_of(n) for n in range(40)]

    def run():
        with suppress(EngineFailed):  # once it is closed
            while True:
                pool.run(rows)

    if "loaded" in sys.argv:
        pool.run(rows)
    threading.Thread(target=run, daemon=True).start()
    while len(children()) < 2:
        time.sleep(0.01)
    print(*(child.pid for child in children()), flush=True)
    time.sleep(600)
"""


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
@pytest.mark.parametrize("state", ["0", "0 loaded", "0.01"])
def test_no_process_outlives_a_parent_that_is_stopped(state, number):
    """While they load, while samples come and go, and in the middle of a batch of 600 seconds."""
    options = {"stderr": subprocess.PIPE, "start_new_session": True}
    with start_python(PARENT, *state.split(), **options) as process:
        pids = [int(number) for number in process.stdout.readline().split()]
        workers = [*map(psutil.Process, pids)]
        assert len(workers) == 2
        time.sleep(0.2)
        names = shared_memory(process.pid, *pids)
        if number == signal.SIGINT:
            os.killpg(process.pid, number)  # as on a terminal
        else:
            process.kill()
        _, err = process.communicate(timeout=TIMEOUT_S)
    wait_for_end(workers)
    wait_until(lambda: not any(path.exists() for path in names))
    assert err.count("Traceback") == (number == signal.SIGINT)
    assert "gpu_process" not in err


def shared_memory(*pids):
    """The files of shared memory that these processes have mapped, with a name or without."""
    maps = (Path(f"/proc/{pid}/maps").read_text() for pid in pids)
    return {Path(name) for text in maps for name in re.findall(r"/dev/shm/\S+", text)}
