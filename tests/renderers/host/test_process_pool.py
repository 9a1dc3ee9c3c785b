"""Tasks run in child processes where they can, and in this process where they cannot."""

import copy
import os
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import psutil
import pytest

from audiomill.outputs.formats import thread_group
from audiomill.outputs.formats.thread_group import EncodeContext, ThreadGroup
from audiomill.outputs.types import EncoderFailed
from audiomill.renderers.host.process_pool import MAX_DEATHS, ProcessPool
from support import pool_tasks
from support.process_data import TIMEOUT_S, children, start_python, wait_until


class Cancelled(Exception):
    """Raised by a check."""


def never() -> None:
    """Cancel nothing."""


def test_a_task_runs_in_a_child_that_a_terminals_ctrl_c_does_not_reach():
    with ProcessPool(1) as pool:
        pid, group, total = pool.do(pool_tasks.where, None, never)
        assert pool.do(pool_tasks.where, None, never)[0] == pid  # the child stays
        assert [child.pid for child in children()] == [pid]
    assert (pid != os.getpid(), group, total) == (True, pid, 45)
    assert not children()


def test_a_pool_of_no_processes_runs_tasks_here():
    with ProcessPool(0) as pool:
        assert pool.do(pool_tasks.where, None, never) == (os.getpid(), os.getpgid(0), 45)


def test_a_pickled_pool_has_no_processes():
    with ProcessPool(2) as pool:
        copied = copy.copy(pool)  # as pickle would make it
        assert copied.do(pool_tasks.where, None, never)[0] == os.getpid()


def test_as_many_tasks_run_at_a_time_as_there_are_processes(tmp_path):
    with ProcessPool(4) as pool, ThreadPoolExecutor(4) as executor:
        tasks = [
            executor.submit(pool.do, pool_tasks.wait_for_others, (tmp_path, 4), never)
            for _ in range(4)
        ]
        assert len({task.result(timeout=TIMEOUT_S) for task in tasks} - {os.getpid()}) == 4


def test_more_threads_than_processes_take_turns():
    with ProcessPool(2) as pool, ThreadPoolExecutor(9) as executor:
        results = executor.map(lambda _: pool.do(pool_tasks.where, None, never), range(40))
        assert len({pid for pid, _, _ in results} - {os.getpid()}) == 2


def test_a_child_that_is_stopped_while_it_imports_prints_nothing(capfd):
    with ProcessPool(1, ["support.stopped_import"]) as pool:
        assert pool.do(pool_tasks.where, None, never)[0] == os.getpid()
    assert capfd.readouterr().err == ""


def test_an_error_arrives_as_it_was_raised_with_its_traceback():
    with ProcessPool(1) as pool:
        with pytest.raises(EncoderFailed, match="ffmpeg gave up") as raised:
            pool.do(pool_tasks.fail, "ffmpeg gave up", never)
        assert "pool_tasks.py" in raised.value.__notes__[0]
        assert pool.do(pool_tasks.where, None, never)[0] != os.getpid()


def test_a_task_that_a_child_cannot_do_runs_here():
    with ProcessPool(1) as pool:
        assert pool.do(pool_tasks.only_in_parent, os.getpid(), never)[0] == os.getpid()
        assert pool.do(pool_tasks.where, None, never)[0] != os.getpid()


def test_a_task_that_a_child_dies_of_runs_here_and_the_child_is_replaced(caplog):
    with ProcessPool(1) as pool:
        first, *_ = pool.do(pool_tasks.where, None, never)
        assert pool.do(pool_tasks.die_in_child, os.getpid(), never)[0] == os.getpid()
        assert "(its process was ended by signal 9 (Killed)). Its task is done" in caplog.text
        second, *_ = pool.do(pool_tasks.where, None, never)
    assert len({first, second, os.getpid()}) == 3


def test_a_child_that_dies_while_idle_is_replaced(caplog):
    with ProcessPool(1) as pool:
        first, *_ = pool.do(pool_tasks.where, None, never)
        psutil.Process(first).kill()
        # The first task may come too early to notice.
        pids = [pool.do(pool_tasks.where, None, never)[0] for _ in range(2)]
    assert pids[1] not in (first, os.getpid())


def test_where_no_process_can_be_started_tasks_run_here(monkeypatch, caplog):
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    with ProcessPool(2) as pool:
        assert pool.do(pool_tasks.where, None, never)[0] == os.getpid()
    assert "No such file or directory: '/nowhere/python'" in caplog.text


def test_where_every_child_dies_no_more_are_started(caplog):
    with ProcessPool(1) as pool:
        for _ in range(MAX_DEATHS + 2):
            assert pool.do(pool_tasks.die_in_child, os.getpid(), never)[0] == os.getpid()
        assert pool.do(pool_tasks.where, None, never)[0] == os.getpid()
    assert caplog.text.count("was lost") == MAX_DEATHS


def test_an_argument_that_cannot_be_unpickled_in_the_child_is_an_error():
    with ProcessPool(1) as pool:
        with pytest.raises(pool_tasks.UnpickledElsewhere, match="not in here"):
            pool.do(pool_tasks.where, pool_tasks.OnlyIn(os.getpid()), never)
        assert pool.do(pool_tasks.where, None, never)[0] != os.getpid()


def test_a_task_whose_error_cannot_be_pickled_runs_here():
    with ProcessPool(1) as pool:
        with pytest.raises(pool_tasks.UnpicklableError, match="a and b"):
            pool.do(pool_tasks.raise_unpicklable, None, never)
        assert pool.do(pool_tasks.where, None, never)[0] != os.getpid()


def test_a_cancelled_task_ends_with_its_encoder(tmp_path):
    started = tmp_path / "pid"

    def check() -> None:
        if started.exists():
            raise Cancelled

    with ProcessPool(1) as pool, pytest.raises(Cancelled):
        pool.do(pool_tasks.encode_forever, started, check)
    assert not psutil.pid_exists(int(started.read_text()))


@pytest.mark.parametrize("n", [0, 1])
def test_a_cancelled_task_ends_at_once(tmp_path, n):
    started = tmp_path / "started"

    def check() -> None:
        if started.exists():
            raise Cancelled

    with ProcessPool(n) as pool:
        with pytest.raises(Cancelled):
            pool.do(pool_tasks.run_forever, started, check)
        assert not [one for one in children() if one.status() != psutil.STATUS_ZOMBIE]
        assert pool.do(pool_tasks.where, None, never)[2] == 45


def test_a_thread_that_waits_for_a_process_can_be_cancelled(tmp_path):
    stop = threading.Event()

    def check() -> None:
        if stop.is_set():
            raise Cancelled

    with ProcessPool(1) as pool, ThreadPoolExecutor(2) as executor:
        tasks = [
            executor.submit(pool.do, pool_tasks.run_forever, tmp_path / str(n), check)
            for n in range(2)
        ]
        try:
            wait_until(lambda: any(tmp_path.iterdir()))
        finally:
            stop.set()
        for task in tasks:
            with pytest.raises(Cancelled):
                task.result(timeout=TIMEOUT_S)
        assert len(list(tmp_path.iterdir())) == 1


def test_a_thread_that_fails_ends_the_tasks_of_the_others(tmp_path, monkeypatch):
    monkeypatch.setattr(thread_group, "usable_cores", lambda: 2)
    started = tmp_path / "started"

    def fail() -> None:
        wait_until(started.exists)
        raise EncoderFailed("the disk is gone")

    with (
        ProcessPool(1) as pool,
        pytest.raises(EncoderFailed, match="the disk is gone"),
        ThreadGroup(EncodeContext(pool)) as group,
    ):
        endless = group.start(group.do, pool_tasks.run_forever, started)
        group.start(fail)
        endless.result()
    assert not children()


def test_processes_end_when_their_parent_is_killed(tmp_path):
    """At once, while they wait and while they work; a child's encoder ends, too."""
    encoding, running = tmp_path / "encoder", tmp_path / "started"
    parent = start_python(PARENT, encoding, running)
    assert parent.stdout is not None
    pids = [int(pid) for pid in parent.stdout.readline().split()]
    for _ in pool_tasks.ticks():
        if encoding.exists() and running.exists():
            break
    processes = [psutil.Process(pid) for pid in (*pids, int(encoding.read_text()))]
    parent.kill()
    parent.communicate()
    # Sooner than their work would end by itself.
    _, alive = psutil.wait_procs(processes, timeout=TIMEOUT_S / 2)
    assert (len(set(pids) - {parent.pid}), alive) == (3, [])


PARENT = """
import pathlib, sys, threading
from support import pool_tasks
from audiomill.renderers.host.process_pool import TaskProcess

def never(): pass

processes = [TaskProcess() for _ in range(3)]
print(*(one.do(pool_tasks.where, None, never)[0] for one in processes), flush=True)
encoding, running = map(pathlib.Path, sys.argv[1:])
encode = (pool_tasks.encode_forever, encoding, never)
threading.Thread(target=processes[0].do, args=encode, daemon=True).start()
processes[1].do(pool_tasks.run_forever, running, never)
"""


def test_a_child_imports_nothing_from_the_working_directory(tmp_path, monkeypatch, caplog):
    (tmp_path / "numpy.py").write_text("raise SystemExit('not this one')\n")
    monkeypatch.chdir(tmp_path)
    with ProcessPool(1) as pool:
        assert pool.do(pool_tasks.where, None, never)[0] != os.getpid()
    assert not caplog.text


def test_a_child_starts_fast():
    """It imports nothing slow: no flows of Prefect, no readers of books."""
    with ProcessPool(1) as pool:
        loaded = pool.do(pool_tasks.modules, None, never)
    assert "audiomill.outputs.formats.encoder" in loaded
    assert not {"prefect", "torch", "scipy", "ebooklib", "pydantic"} & set(loaded)


def test_one_process_more_than_is_busy_is_ready(tmp_path):
    with ProcessPool(3, (pool_tasks.__name__,)) as pool, ThreadPoolExecutor(2) as executor:
        assert not children()
        pool.prepare()
        assert len(children()) == 1
        tasks = [
            executor.submit(pool.do, pool_tasks.wait_for_others, (tmp_path, 2), never)
            for _ in range(2)
        ]
        for task in tasks:
            task.result(timeout=TIMEOUT_S)
        assert len(children()) == 3
    assert not children()


def test_a_child_imports_the_modules_of_its_pool():
    with ProcessPool(1, ("colorsys",)) as pool:
        assert pool.do(pool_tasks.has_imported, "colorsys", never)
        assert not pool.do(pool_tasks.has_imported, "chunk", never)
