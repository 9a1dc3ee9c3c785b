"""A child process and an object in one: messages, progress, and each way in which it ends."""

import os
import signal
import sys
import threading

import psutil
import pytest

from audiomill.renderers.host import child_process
from audiomill.renderers.host.child_object import ChildObject, ChildObjectError
from audiomill.renderers.host.child_process import ChildDied, ChildProcess
from support import child_functions
from support.bench_data import Calculator, no_calculator
from support.case_files import each_row_apart
from support.process_data import children, start_python, wait_for_end


class Cancelled(Exception):
    """Raised by a check."""


@pytest.fixture
def start():
    """Starts children that the test's end kills."""
    started = []

    def start_child(function, *arguments, **options):
        started.append(ChildProcess(function, *arguments, **options))
        return started[-1]

    yield start_child
    for child in started:
        child.kill()
    assert not children()


def test_messages_go_there_and_back_in_order(start):
    child = start(child_functions.echo, 1, "two")
    assert child.receive() == (1, "two")
    for message in ([1, 2], {"key": b"value"}, None):
        child.send(message)
    assert [child.receive() for _ in range(3)] == [[1, 2], {"key": b"value"}, None]


def test_a_wait_can_be_cancelled(start):
    def check():
        raise Cancelled

    child = start(child_functions.sleep)
    child.receive()
    with pytest.raises(Cancelled):
        child.receive(check)
    assert not child.poll(0)


def test_a_child_has_its_own_process_group_and_no_main_module_of_ours(start):
    child = start(child_functions.describe, environment={"OMP_NUM_THREADS": "1"})
    (child_process_of_ours,) = children()
    assert child.receive() == (child_process_of_ours.pid, None)
    assert child.receive() == "1"


def test_a_child_prints_nothing_on_our_standard_output(start, capfd):
    assert start(child_functions.print_and_send).receive() == "done"
    assert capfd.readouterr().out == ""


def test_an_interrupt_does_not_end_a_child(start):
    child = start(child_functions.sleep_after_sigint)
    assert child.receive() == "still here"
    assert not child.poll(0.1)


@each_row_apart
def test_a_death_is_told_by_exit_code_or_signal(start, function, arguments, exit_code, message):
    child = start(getattr(child_functions, function), *arguments)
    with pytest.raises(ChildDied) as raised:
        child.receive()
    assert (raised.value.exit_code, str(raised.value)) == (exit_code, message)
    with pytest.raises(ChildDied):
        child.send("too late")


def test_a_child_that_cannot_be_started_is_an_error_and_leaves_no_pipe(monkeypatch):
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    n_open = psutil.Process().num_fds()
    with pytest.raises(OSError, match="/nowhere/python"):
        ChildProcess(child_functions.echo)
    assert psutil.Process().num_fds() == n_open


def test_arguments_that_cannot_be_pickled_leave_no_process():
    with pytest.raises((AttributeError, TypeError)):
        ChildProcess(child_functions.echo, lambda: None)
    assert not children()


def test_stopping_ends_a_child_that_works(start):
    child = start(child_functions.sleep)
    pid = child.receive()
    assert child.stop() == -signal.SIGTERM
    assert not psutil.pid_exists(pid)


def test_stopping_kills_a_child_that_does_not_end(start, monkeypatch):
    monkeypatch.setattr(child_process, "END_TIMEOUT_S", 0.5)
    child = start(child_functions.never_end)
    pid = child.receive()
    assert child.stop() == -signal.SIGKILL
    assert not psutil.pid_exists(pid)


def test_killing_ends_a_child_at_once(start):
    child = start(child_functions.sleep)
    pid = child.receive()
    assert child.kill() == -signal.SIGKILL
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_a_child_that_dies_before_it_reads_is_reported_by_the_next_call(start, monkeypatch):
    monkeypatch.setattr(child_process, "BOOTSTRAP", "import os; os._exit(3)")
    child = start(child_functions.echo, bytes(10_000_000))
    assert child.poll(60)
    with pytest.raises(ChildDied) as raised:
        child.receive()
    assert raised.value.exit_code == 3


PARENT = """
import time
from audiomill.renderers.host.child_process import ChildProcess
from support import child_functions

child = ChildProcess(child_functions.{function})
print(child.receive(), flush=True)
time.sleep(600)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere native code must end first")
@pytest.mark.parametrize("function", ["sleep", "wait_in_native_code"])
def test_a_child_ends_with_a_parent_that_is_killed_whatever_it_does(function):
    with start_python(PARENT.format(function=function)) as parent:
        child = psutil.Process(int(parent.stdout.readline()))
        parent.kill()
    wait_for_end([child])


def test_a_child_that_missed_the_kernels_signal_ends_all_the_same(monkeypatch, start):
    """Or that gets none, as elsewhere than on Linux."""
    monkeypatch.setattr(child_process, "signal_at_hang_up", lambda *_: None)
    child = start(child_functions.sleep)
    pid = child.receive()
    child.close_pipe()
    wait_for_end([psutil.Process(pid)])


def test_a_child_outlives_the_thread_that_has_started_it(start):
    started = []
    thread = threading.Thread(target=lambda: started.append(start(child_functions.echo)))
    thread.start()
    thread.join()
    (child,) = started
    assert child.receive() == ()
    child.send("still here")
    assert child.receive() == "still here"


@pytest.fixture
def worker():
    with ChildObject(Calculator, 40) as worker:
        yield worker


def test_the_object_keeps_its_state_in_another_process(worker):
    assert worker.call("add", 1) == 41
    assert worker.call("add", 1) == 42
    assert worker.call("process") != os.getpid()


def test_progress_arrives_while_a_method_runs(worker):
    shares = []
    assert worker.call("add_slowly", 4, on_progress=shares.append) == 44
    assert shares == [0.25, 0.5, 0.75, 1.0]


def test_an_error_arrives_as_one_line_with_its_traceback_and_ends_the_child(worker):
    with pytest.raises(ChildObjectError, match=r"^nobody divides by 0$") as raised:
        worker.call("divide", 0)
    assert "bench_data.py" in str(raised.value.__cause__)
    with pytest.raises(ChildObjectError, match="ended"):
        worker.call("add", 1)


def test_a_child_that_dies_is_an_error_with_its_exit_code(worker):
    with pytest.raises(ChildObjectError, match="7"):
        worker.call("die")


def test_an_object_that_cannot_be_made_is_an_error_at_once():
    with pytest.raises(ChildObjectError, match="no calculator here"):
        ChildObject(no_calculator)


def test_closing_ends_the_process():
    with ChildObject(Calculator, 0) as worker:
        process = worker.call("process")
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)
