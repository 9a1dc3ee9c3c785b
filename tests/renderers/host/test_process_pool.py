"""Work is done beside this process where it can be, and here where it cannot; none is lost."""

import copy
import os
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import psutil
import pytest

from audiomill.outputs.types import EncoderFailed
from audiomill.renderers.host import threads as hands
from audiomill.renderers.host.child_process import MOST_DEATHS
from audiomill.renderers.host.process_pool import ProcessPool
from support import annex_data
from support.home import TESTS_PATH
from support.process_data import PATIENCE_S, children

HERE = os.getpid()


class Unwanted(Exception):
    """Raised by a check."""


def always() -> None:
    """Whatever is done is wanted."""


def test_work_is_done_by_another_process_which_ctrl_c_does_not_meet():
    with ProcessPool(1) as annex:
        pid, group, total = annex.do(annex_data.where, None, always)
        assert annex.do(annex_data.where, None, always)[0] == pid  # and that stays
        assert [child.pid for child in children()] == [pid]
    assert (pid != HERE, group, total) == (True, pid, 45)
    assert not children()


def test_without_processes_it_is_done_here():
    with ProcessPool(0) as annex:
        assert annex.do(annex_data.where, None, always) == (HERE, os.getpgid(0), 45)


def test_elsewhere_an_annex_has_no_processes():
    with ProcessPool(2) as annex:
        elsewhere = copy.copy(annex)  # as pickle would make it
        assert elsewhere.do(annex_data.where, None, always)[0] == HERE


def test_as_many_work_at_a_time_as_there_are_processes(tmp_path):
    with ProcessPool(4) as annex, ThreadPoolExecutor(4) as threads:
        work = [
            threads.submit(annex.do, annex_data.wait_for_the_others, (tmp_path, 4), always)
            for _ in range(4)
        ]
        assert len({one.result(timeout=PATIENCE_S) for one in work} - {HERE}) == 4


def test_more_threads_than_processes_take_turns():
    with ProcessPool(2) as annex, ThreadPoolExecutor(9) as threads:
        done = threads.map(lambda _: annex.do(annex_data.where, None, always), range(40))
        assert len({pid for pid, _, _ in done} - {HERE}) == 2


def test_an_error_arrives_as_it_was_raised_and_says_where():
    with ProcessPool(1) as annex:
        with pytest.raises(EncoderFailed, match="ffmpeg gave up") as raised:
            annex.do(annex_data.fail, "ffmpeg gave up", always)
        assert "annex_data.py" in raised.value.__notes__[0]
        assert annex.do(annex_data.where, None, always)[0] != HERE


def test_what_cannot_be_done_there_is_done_here():
    with ProcessPool(1) as annex:
        assert annex.do(annex_data.lack_there, HERE, always)[0] == HERE
        assert annex.do(annex_data.where, None, always)[0] != HERE


def test_what_a_process_dies_of_is_done_here_and_the_next_has_a_new_one(caplog):
    with ProcessPool(1) as annex:
        first, *_ = annex.do(annex_data.where, None, always)
        assert annex.do(annex_data.die_there, HERE, always)[0] == HERE
        assert "is lost (exit status -9); its work is done here" in caplog.text
        second, *_ = annex.do(annex_data.where, None, always)
    assert len({first, second, HERE}) == 3


def test_a_process_that_died_while_it_had_nothing_to_do_is_replaced(caplog):
    with ProcessPool(1) as annex:
        first, *_ = annex.do(annex_data.where, None, always)
        psutil.Process(first).kill()
        # The first to ask may find out too late.
        found = [annex.do(annex_data.where, None, always)[0] for _ in range(2)]
    assert found[1] not in (first, HERE)


def test_where_no_process_can_be_started_all_is_done_here(monkeypatch, caplog):
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    with ProcessPool(2) as annex:
        assert annex.do(annex_data.where, None, always)[0] == HERE
    assert "No such file or directory: '/nowhere/python'" in caplog.text


def test_where_processes_die_of_everything_no_more_are_started(caplog):
    with ProcessPool(1) as annex:
        for _ in range(MOST_DEATHS + 2):
            assert annex.do(annex_data.die_there, HERE, always)[0] == HERE
        assert annex.do(annex_data.where, None, always)[0] == HERE
    assert caplog.text.count("is lost") == MOST_DEATHS


def test_an_order_that_cannot_be_read_there_is_told():
    with ProcessPool(1) as annex:
        with pytest.raises(annex_data.Unreadable, match="not in here"):
            annex.do(annex_data.where, annex_data.OnlyAt(HERE), always)
        assert annex.do(annex_data.where, None, always)[0] != HERE


def test_what_cannot_be_sent_back_is_made_here():
    with ProcessPool(1) as annex:
        with pytest.raises(annex_data.Wordy, match="a and b"):
            annex.do(annex_data.fail_in_two_words, None, always)
        assert annex.do(annex_data.where, None, always)[0] != HERE


def test_an_encoder_ends_with_the_process_that_nobody_wants(tmp_path):
    started = tmp_path / "pid"

    def check() -> None:
        if started.exists():
            raise Unwanted

    with ProcessPool(1) as annex, pytest.raises(Unwanted):
        annex.do(annex_data.encode_for_ever, started, check)
    assert not psutil.pid_exists(int(started.read_text()))


@pytest.mark.parametrize("n", [0, 1])
def test_work_that_nobody_wants_any_more_ends_at_once(tmp_path, n):
    started = tmp_path / "started"

    def check() -> None:
        if started.exists():
            raise Unwanted

    with ProcessPool(n) as annex:
        with pytest.raises(Unwanted):
            annex.do(annex_data.go_on_for_ever, started, check)
        assert not [one for one in children() if one.status() != psutil.STATUS_ZOMBIE]
        assert annex.do(annex_data.where, None, always)[2] == 45


def test_who_waits_for_a_process_can_be_told_to_stop(tmp_path):
    stop = threading.Event()

    def check() -> None:
        if stop.is_set():
            raise Unwanted

    with ProcessPool(1) as annex, ThreadPoolExecutor(2) as threads:
        work = [
            threads.submit(annex.do, annex_data.go_on_for_ever, tmp_path / str(n), check)
            for n in range(2)
        ]
        while not any(tmp_path.iterdir()):
            time.sleep(0.01)
        stop.set()
        for one in work:
            with pytest.raises(Unwanted):
                one.result(timeout=PATIENCE_S)
        assert len(list(tmp_path.iterdir())) == 1


def test_a_hand_that_fails_ends_what_others_have_done_in_the_annex(tmp_path, monkeypatch):
    monkeypatch.setattr(hands, "usable_cores", lambda: 2)
    started = tmp_path / "started"

    def fail() -> None:
        while not started.exists():
            time.sleep(0.01)
        raise EncoderFailed("the disk is gone")

    with (
        ProcessPool(1) as annex,
        pytest.raises(EncoderFailed, match="the disk is gone"),
        hands.ThreadGroup(hands.EncodeContext(annex)) as working,
    ):
        endless = working.start(working.do, annex_data.go_on_for_ever, started)
        working.start(fail)
        endless.result()
    assert not children()


def test_processes_end_when_their_owner_is_killed(tmp_path):
    """At once where they wait, and at the next item where they work."""
    started = tmp_path / "started"
    owner = subprocess.Popen(
        [sys.executable, "-c", OWNER, str(started)], stdout=subprocess.PIPE, env=PATHS
    )
    assert owner.stdout is not None
    pids = [int(pid) for pid in owner.stdout.readline().split()]
    processes = [psutil.Process(pid) for pid in pids if pid != owner.pid]
    for _ in annex_data.ticks():
        if started.exists():
            break
    owner.kill()
    owner.communicate()
    # Sooner than their work would end by itself.
    _, alive = psutil.wait_procs(processes, timeout=PATIENCE_S / 2)
    assert (len(processes), alive) == (2, [])


PATHS = os.environ | {"PYTHONPATH": TESTS_PATH}
OWNER = """
import pathlib, sys
from support import annex_data
from audiomill.renderers.host.child_process import ChildProcess
desks = ChildProcess(), ChildProcess()
print(*(desk.do(annex_data.where, None, lambda: None)[0] for desk in desks), flush=True)
desks[0].do(annex_data.go_on_for_ever, pathlib.Path(sys.argv[1]), lambda: None)
"""


def test_a_process_imports_nothing_from_where_the_user_stands(tmp_path, monkeypatch, caplog):
    (tmp_path / "numpy.py").write_text("raise SystemExit('not this one')\n")
    monkeypatch.chdir(tmp_path)
    with ProcessPool(1) as annex:
        assert annex.do(annex_data.where, None, always)[0] != HERE
    assert not caplog.text


def test_a_process_soon_begins():
    """It imports none of what takes long: no flows of Prefect, no readers of books."""
    with ProcessPool(1) as annex:
        loaded = annex.do(annex_data.modules, None, always)
    assert "audiomill.outputs.encoding.encoder" in loaded
    assert not {"prefect", "torch", "scipy", "ebooklib", "pydantic"} & set(loaded)


def test_a_process_more_than_is_at_work_is_ready(tmp_path):
    with ProcessPool(3, (annex_data.__name__,)) as annex, ThreadPoolExecutor(2) as threads:
        assert len(children()) == 1
        work = [
            threads.submit(annex.do, annex_data.wait_for_the_others, (tmp_path, 2), always)
            for _ in range(2)
        ]
        for one in work:
            one.result(timeout=PATIENCE_S)
        assert len(children()) == 3
    assert not children()


def test_a_process_imports_what_its_work_is_made_of():
    with ProcessPool(1, ("colorsys",)) as annex:
        assert annex.do(annex_data.has_imported, "colorsys", always)
        assert not annex.do(annex_data.has_imported, "chunk", always)
