"""Stopped at any moment, Kokoro goes on where it was, to the sample, and leaves nothing running."""

import os
import signal
import time

import pytest

from support.book_data import write_book
from support.examples import first_often
from support.kokoro_home import with_kokoro
from support.process_data import TIMEOUT_S, outlived, started_in, wait_until
from support.stopped_runs import StoppedRuns, shards


@pytest.fixture
def speaking(home):
    return with_kokoro(home)


@pytest.mark.parametrize(
    ("number", "n_times"), first_often([(signal.SIGKILL, 4), (signal.SIGINT, 2)], 1)
)
def test_many_stops_change_nothing(home, number, n_times):
    speaking = with_kokoro(home, "narrow")
    book = write_book(speaking.path / "book.md", 2, 12)
    runs = StoppedRuns(speaking, "kokoro", book, number, 11)
    runs.stop_until(n_times)
    # 0 where the run was as good as done when it was stopped.
    assert runs.codes <= {0, 130 if number == signal.SIGINT else -number}
    assert list((speaking.path / "tmp").iterdir()) == []


# What is imported when a run comes to this.
IMPORTED = {
    "the engine is imported": "audiomill.renderers.kokoro.g2p.workers",
    "PyTorch is loaded": "torch._C",
    "weights are loaded": "audiomill.renderers.kokoro.loading",
}


@pytest.mark.prove
@pytest.mark.parametrize("moment", [*IMPORTED, "the worker loads", "a long batch is spoken"])
def test_ctrl_c_ends_it_whatever_it_does(speaking, moment):
    """It reaches the whole group of processes, as on a terminal."""
    book = speaking.path / "book.md"
    book.write_text("\n\n".join(f"Mill {n} turned all night, " * 20 + "and on." for n in range(8)))
    telling = {"PYTHONPROFILEIMPORTTIME": 1} if moment in IMPORTED else {}
    with speaking.with_variables(**telling).start(
        "render", book, "--engine", "kokoro", "--no-prefect", start_new_session=True
    ) as process:
        wait_for(moment, process, speaking)
        time.sleep(0.1)
        os.killpg(process.pid, signal.SIGINT)
        _, words = process.communicate(timeout=TIMEOUT_S)
    assert process.returncode == 130
    assert "goes on from there" in words
    assert "Traceback" not in words
    assert outlived(speaking.path) == []
    assert list((speaking.path / "tmp").iterdir()) == []


def wait_for(moment, process, home):
    if moment in IMPORTED:
        assert any(line.split()[-1:] == [IMPORTED[moment]] for line in process.stderr)
    elif moment == "the worker loads":
        wait_until(lambda: has_worker(home), process)
    else:
        wait_until(lambda: shards(home), process)


def has_worker(home):
    return any("host.child_process" in "".join(words) for words in started_in(home.path))
