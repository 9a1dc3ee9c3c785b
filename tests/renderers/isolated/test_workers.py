"""Workers that die, hang, send rubbish or run out of memory: real processes of this interpreter."""

import os
import pickle
import signal
import time
from contextlib import suppress
from pathlib import Path

import numpy as np
import psutil
import pytest

from audiomill.renderers.engine import errors
from audiomill.renderers.engine.errors import EngineFailed, EngineMissing, WeightsUnfit
from audiomill.renderers.host.waiting import UNATTENDED, RunWaiter
from audiomill.renderers.isolated import engine_process
from audiomill.renderers.isolated.workers import SharedRows
from support.case_files import each_of, each_row_apart, rows_of
from support.isolated_data import WatchingWaiter, calls, last_pid, row, seeds, tones_workers
from support.process_data import children, wait_until

pytestmark = [pytest.mark.prove, pytest.mark.longest]

TEXTS = ("one", "two", "three", "four", "five")
FAULTS = dict(rows_of(Path(__file__).parent / "cases" / "workers.txt", "faults"))


class Cancelled(Exception):
    """What stops a run."""


@pytest.fixture
def groups(monkeypatch):
    """The groups of processes that workers were started with."""
    found = []

    def start_noted(*arguments):
        process = start_worker(*arguments)
        found.append(process.pid)
        return process

    start_worker = engine_process.start_worker
    monkeypatch.setattr(engine_process, "start_worker", start_noted)
    return found


@pytest.fixture
def start(groups):
    """Starts workers, which the test's end stops; then nothing of theirs is left.

    Nor is anything that they have started: init adopts it, so it is found by its group.
    """
    started = []

    def start_workers(*arguments, **options):
        started.append(tones_workers(*arguments, **options))
        return started[-1]

    yield start_workers
    for workers in started:
        workers.stop()
    assert not children()
    wait_until(lambda: not any(map(group_of, groups)))


def group_of(pid):
    """The processes of a worker's group that still run."""
    found = []
    for process in psutil.process_iter(["status"]):
        with suppress(ProcessLookupError):
            is_dead = process.info["status"] == psutil.STATUS_ZOMBIE
            found += [process.pid] if os.getpgid(process.pid) == pid and not is_dead else []
    return found


def spoken(workers, texts, waiter=UNATTENDED):
    return workers.speak([row(text) for text in texts], waiter)


def test_rows_come_in_order_and_as_long_as_their_texts(start):
    workers = start()
    assert [samples.size for samples in spoken(workers, TEXTS)] == [80 * len(one) for one in TEXTS]
    low, high = workers.speak([row("pitch", "low"), row("pitch", seed=8)], UNATTENDED)
    assert np.abs(low).max() == pytest.approx(0.1, abs=0.01)
    assert not np.array_equal(low * 3, high)


def test_one_process_speaks_batch_after_batch(start, tmp_path):
    workers = start(log=str(tmp_path / "log"))
    for text in TEXTS:
        spoken(workers, [text])
    assert len({line.split()[0] for line in (tmp_path / "log").read_text().splitlines()}) == 1


def test_what_an_engine_prints_is_never_taken_for_its_answer(start):
    workers = start()
    before, after = spoken(workers, ["before", "PRINTS a lot"])
    assert (before.size, after.size) == (80 * 6, 80 * 12)
    assert [samples.size for samples in spoken(workers, TEXTS)] == [80 * len(one) for one in TEXTS]


@pytest.fixture
def faulty(start, tmp_path):
    """A worker whose engine has a fault as long as the file `once` exists; its log is beside it."""
    return start(once=str(tmp_path / "once"), log=str(tmp_path / "log"))


@each_of([(fault,) for fault in FAULTS])
def test_a_fault_that_passes_costs_a_worker_and_no_audio(faulty, tmp_path, fault):
    """In the middle of a batch. The others sound as if nothing had happened."""
    texts = ("one", fault, "three", "four", "five")
    expected = spoken(faulty, texts)
    before = faulty.pids()
    (tmp_path / "once").touch()
    (tmp_path / "log").unlink()
    found = spoken(faulty, texts)
    assert not (tmp_path / "once").exists()
    for mine, theirs in zip(found, expected, strict=True):
        assert np.array_equal(mine, theirs)
    assert sum(texts == ["one"] for texts in calls(tmp_path / "log")) == 1  # it stays done
    (pid,) = faulty.pids()
    assert pid not in before


@pytest.fixture
def workers(start):
    return start()


@each_of([*FAULTS.items()])
def test_a_row_that_always_fails_is_named_with_the_reason(workers, fault, words):
    with pytest.raises(EngineFailed) as failed:
        spoken(workers, (f"{fault} it",))
    assert f"tones cannot speak “{fault} it”" in str(failed.value)
    assert words in str(failed.value)
    assert [one.size for one in spoken(workers, ("after",))] == [400]


@pytest.mark.parametrize("fault", ["KILLED", "CUDA", "RAISES", "NAN"])
def test_a_row_that_always_fails_is_tried_in_halves_and_alone(start, tmp_path, fault):
    log = tmp_path / "log"
    with pytest.raises(EngineFailed):
        spoken(start(4, log=str(log)), ("one", "two", f"{fault} it", "four"))
    sizes = [len(texts) for texts in calls(log) if f"{fault} it" in texts]
    n_alone = 3 if fault == "RAISES" else 2  # with another seed, if it is the engine's own error
    assert sizes[0] == 4
    assert sizes[1:] in ([2] + [1] * n_alone, [1] * n_alone)


def test_a_seed_that_the_engine_cannot_take_is_followed_by_another(start, tmp_path):
    """As where a model draws speech that ends before its vocoder has enough of it."""
    log = tmp_path / "log"
    workers = start(log=str(log))
    (found,) = workers.speak([row("UNLUCKY it", seed=7)], UNATTENDED)
    (expected,) = workers.speak([row("unlucky it", seed=6)], UNATTENDED)
    assert np.array_equal(found, expected)
    assert seeds(log) == [7, 7, 6, 6]


def test_the_last_lines_of_an_engine_are_told(start):
    with pytest.raises(EngineFailed, match="the engine says goodbye"):
        spoken(start(), ["KILLED"])


def test_a_batch_that_does_not_fit_into_memory_is_tried_smaller(start, tmp_path):
    """A GPU's memory holds two rows at a time; a real process is started for each try."""
    log = tmp_path / "log"
    workers = start(8, log=str(log), most_rows=2)
    found = spoken(workers, [f"row {n}" for n in range(8)])
    assert [samples.size for samples in found] == [80 * 5] * 8
    assert [len(texts) for texts in calls(log)] == [8, 4, 2, 2, 4, 2, 2]


@pytest.fixture
def hurried(monkeypatch):
    """The clock is looked at often."""
    monkeypatch.setattr(engine_process, "READ_S", 0.01)


@pytest.mark.usefixtures("hurried")
@pytest.mark.parametrize("fault", ["HANGS", "SILENT"])
@pytest.mark.parametrize(("n_rows", "n_in_call"), [(1, [1, 1, 1, 1, 1]), (4, [4, 2, 2])])
def test_an_engine_that_hangs_is_replaced_and_gets_fewer_rows(
    start, tmp_path, fault, n_rows, n_in_call
):
    once, log = tmp_path / "once", tmp_path / "log"
    once.touch()
    workers = start(n_rows, once=str(once), log=str(log))
    found = spoken(workers, ("one", fault, "three", "four"), WatchingWaiter(log))
    assert [samples.size for samples in found] == [240, 80 * len(fault), 400, 320]
    assert [len(texts) for texts in calls(log)] == n_in_call
    assert len({line.split()[0] for line in log.read_text().splitlines()}) == 2


@pytest.mark.usefixtures("hurried")
def test_an_engine_that_always_hangs_is_said_to(start, tmp_path):
    log = tmp_path / "log"
    with pytest.raises(EngineFailed, match=r"“HANGS”: it has (done nothing|given no sign)"):
        spoken(start(log=str(log)), ["HANGS"], WatchingWaiter(log))


def test_a_run_that_is_stopped_ends_a_hanging_engine_at_once(start, tmp_path):
    log = tmp_path / "log"

    def check():
        if "HANGS" in (log.read_text() if log.exists() else ""):
            raise Cancelled

    workers = start(log=str(log))
    with pytest.raises(Cancelled):
        spoken(workers, ("one", "HANGS"), RunWaiter(check, print))
    assert workers.pids() == []
    assert not children()


def test_a_run_that_is_stopped_keeps_an_engine_that_stops_too(start, tmp_path):
    log = tmp_path / "log"
    workers = start(log=str(log))
    spoken(workers, ["one"])

    def check():
        raise Cancelled

    with pytest.raises(Cancelled):
        spoken(workers, [f"SLOW {n}" for n in range(200)], RunWaiter(check, print))
    assert [samples.size for samples in spoken(workers, ["after"])] == [400]


def test_a_worker_that_somebody_else_kills_is_replaced(start):
    workers = start()
    spoken(workers, ["one"])
    (pid,) = workers.pids()
    os.kill(pid, signal.SIGKILL)
    wait_until(lambda: psutil.Process(pid).status() == psutil.STATUS_ZOMBIE)
    assert [samples.size for samples in spoken(workers, ["two"])] == [240]
    assert workers.pids() != [pid]


def test_what_an_engine_has_started_ends_with_it(start):
    workers = start()
    spoken(workers, ["CHILD of an engine"])
    (pid,) = workers.pids()
    assert len(group_of(pid)) == 2
    workers.stop()
    wait_until(lambda: not group_of(pid))


@pytest.mark.usefixtures("hurried")
@pytest.mark.parametrize("fault", ["KILLED", "EXITS", "RUBBISH", "SILENT"])
def test_what_an_engine_has_started_ends_when_it_fails(start, groups, tmp_path, fault):
    """Its own end is no help: what it has started goes on without it."""
    once, log = tmp_path / "once", tmp_path / "log"
    workers = start(once=str(once), log=str(log))
    spoken(workers, ["CHILD of an engine"])
    once.touch()
    spoken(workers, [fault], WatchingWaiter(log))
    first, second = groups
    wait_until(lambda: not group_of(first))
    assert workers.pids() == [second]


def test_several_devices_share_the_rows_of_a_batch(start, tmp_path):
    log = tmp_path / "log"
    workers = start(2, ("cpu", "cpu", "cpu"), log=str(log))
    texts = [f"row {n:02}" for n in range(30)]
    found = workers.speak([row(text, seed=n) for n, text in enumerate(texts)], UNATTENDED)
    alone = start()
    for n, samples in enumerate(found):
        (expected,) = alone.speak([row(texts[n], seed=n)], UNATTENDED)
        assert np.array_equal(samples, expected)
    assert sorted(text for call in calls(log) for text in call) == texts
    assert len(workers.pids()) == 3


@pytest.mark.usefixtures("hurried")
@pytest.mark.parametrize("fault", ["KILLED", "RUBBISH", "HANGS", "SILENT", "MEMORY", "CUDA"])
def test_a_fault_on_one_device_leaves_the_others_alone(start, tmp_path, monkeypatch, fault):
    once, log = tmp_path / "once", tmp_path / "log"
    workers = start(1, ("cpu", "cpu"), once=str(once), log=str(log))
    spoken(workers, ["both", "start"])
    pids = workers.pids()
    once.touch()
    texts = [fault, *(f"row {n}" for n in range(12))]
    kept, keep = [], SharedRows.keep
    monkeypatch.setattr(SharedRows, "keep", lambda *one: (keep(*one), kept.append(one[1])))
    found = spoken(workers, texts, WatchingWaiter(log, lambda: len(kept) >= len(texts) - 1))
    assert [samples.size for samples in found] == [80 * len(one) for one in texts]
    spoken_once = [text for call in calls(log) for text in call if text.startswith("row")]
    assert sorted(spoken_once) == sorted(texts[1:])
    if fault not in ("HANGS", "SILENT"):  # of which the clock that runs away may end both
        assert len({*pids} & {*workers.pids()}) == 1


@each_row_apart
def test_a_model_that_cannot_be_loaded_is_told(start, fault, kind, words):
    with pytest.raises(getattr(errors, kind), match=words):
        spoken(start(load_fault=fault), ["one"])


class Program:
    """What a hostile model has for weights: it makes a folder as it is loaded."""

    def __init__(self, folder):
        self.folder = folder

    def __reduce__(self):
        return os.mkdir, (str(self.folder),)


def test_code_in_a_model_is_not_run_even_for_a_package_that_would(start, tmp_path, monkeypatch):
    (tmp_path / "model.pt").write_bytes(pickle.dumps(Program(tmp_path / "harm")))
    monkeypatch.setenv("AUDIOMILL_TEST_MODEL", str(tmp_path / "model.pt"))
    with pytest.raises(WeightsUnfit, match="Weights only load failed"):
        spoken(start(load_fault="code"), ["one"])
    assert not (tmp_path / "harm").exists()


def test_a_python_that_is_not_there_is_told(start, tmp_path):
    workers = start()
    for worker in workers._workers:
        worker._launch = type(worker._launch)(tmp_path / "python", tmp_path, "", "cpu")
    with pytest.raises(EngineMissing, match="cannot be started"):
        spoken(workers, ["one"])


def test_a_worker_ends_with_the_process_that_started_it(tmp_path):
    """Killed, it can tell its workers nothing: the kernel does."""
    log = tmp_path / "log"
    reader, writer = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(reader)
        try:
            workers = tones_workers(log=str(log))
            spoken(workers, ["CHILD of an engine"])
            os.write(writer, str(workers.pids()[0]).encode())
            time.sleep(600)
        finally:
            os._exit(0)
    os.close(writer)
    worker = psutil.Process(int(os.read(reader, 20)))
    assert last_pid(log) == worker.pid
    assert len(group_of(worker.pid)) == 2
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    os.close(reader)
    wait_until(lambda: not group_of(worker.pid))
