"""An object in a process of its own: asked, heard, failing, dying."""

import os

import pytest

from audiomill.renderers.host.child_process import RemoteError, RemoteObject
from support.bench_data import Calculator, no_calculator


@pytest.fixture
def worker():
    with RemoteObject(Calculator, 40) as worker:
        yield worker


def test_it_keeps_what_it_is_told_elsewhere(worker):
    assert worker.ask("add", 1) == 41
    assert worker.ask("add", 1) == 42
    assert worker.ask("process") != os.getpid()


def test_it_is_heard_while_it_works(worker):
    heard = []
    assert worker.ask("add_slowly", 4, heard=heard.append) == 44
    assert heard == [0.25, 0.5, 0.75, 1.0]


def test_what_goes_wrong_is_told_in_a_line(worker):
    with pytest.raises(RemoteError, match=r"^nobody divides by 0$"):
        worker.ask("divide", 0)
    with pytest.raises(RemoteError, match="ended"):
        worker.ask("add", 1)


def test_a_process_that_dies_is_told(worker):
    with pytest.raises(RemoteError, match="7"):
        worker.ask("die")


def test_what_cannot_be_made_is_told_at_once():
    with pytest.raises(RemoteError, match="no calculator here"):
        RemoteObject(no_calculator)


def test_closing_ends_the_process():
    with RemoteObject(Calculator, 0) as worker:
        process = worker.ask("process")
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)
