"""The commands of docs/cluster.md and of the README, as they are written there."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from support.documents import documented
from support.epub_data import three_chapters
from support.process_data import wait_until

BIN = Path(sys.executable).parent


@pytest.fixture
def start(home):
    """Starts a program of this environment; its words are in a log."""
    processes = []

    def start(words):
        with (home.path / f"{words[0]}.log").open("w") as log:
            processes.append(
                subprocess.Popen(
                    [BIN / words[0], *words[1:]],
                    cwd=home.path,
                    env=home.environment,
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=log,
                )
            )
        return lambda text: wait_until(
            lambda: text in (home.path / f"{words[0]}.log").read_text(), processes[-1]
        )

    yield start
    for process in reversed(processes):
        process.send_signal(signal.SIGINT)
        process.wait()


@pytest.mark.prove  # two servers: the dispatch is proved in tests/flows/cluster without one
def test_a_scheduler_a_worker_and_a_book(home, start):
    book = home.path / "inputs" / "samples" / "the-lighthouse-mill.epub"  # a shorter one
    book.parent.mkdir(parents=True)
    three_chapters().write(home.path).rename(book)
    start(documented("dask scheduler"))("Scheduler at")
    start(documented("audiomill worker --scheduler tcp://127.0.0.1:8786 --engine espeak"))(
        "has joined"
    )
    address, _, *words = documented(
        "AUDIOMILL_DASK_SCHEDULER=tcp://127.0.0.1:8786 audiomill render"
        " inputs/samples/the-lighthouse-mill.epub --executor dask --engine espeak --speed 1.1"
    )
    variable, _, value = address.partition("=")
    run = home.with_variables(**{variable: value}).run(*words, "--no-prefect")
    assert run.returncode == 0, run.stderr
    assert "segments rendered, 0 from the store" in run.stderr
    _, _, *words = documented(
        "AUDIOMILL_DASK_SCHEDULER=tcp://127.0.0.1:8786 audiomill doctor --cluster"
        " --store library/shards"
    )
    run = home.with_variables(**{variable: value, "AUDIOMILL_ENGINE": "espeak"}).run(*words)
    assert run.returncode == 0, run.stdout
    assert "1 of 1 workers can render espeak" in run.stdout
