"""An object in a child process: its methods, its progress, its errors and its death."""

import os

import pytest

from audiomill.renderers.host.child_object import ChildObject, ChildObjectError
from support.bench_data import Calculator, no_calculator


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
