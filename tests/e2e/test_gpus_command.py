"""A run on several devices: it makes what one makes, and can be stopped at any moment."""

import json
import signal

import pytest

from audiomill.flows.cli import doctor as doctor_command
from audiomill.flows.settings import Settings
from audiomill.renderers.engine.registry import ENGINES
from audiomill.renderers.kokoro.options import KokoroOptions
from audiomill.renderers.kokoro.weights import files
from support.book_data import write_book
from support.examples import first_often
from support.killed_processes import kill_a_card
from support.kokoro_home import with_kokoro
from support.process_data import TIMEOUT_S, outlived, wait_until
from support.stopped_runs import StoppedRuns, decoded, shards


@pytest.fixture
def several(home):
    return with_kokoro(home, "narrow").with_variables(AUDIOMILL_KOKORO__DEVICE="cpu,cpu")


@pytest.mark.prove
def test_two_devices_make_what_one_makes(several):
    book = write_book(several.path / "book.md", 2, 8)
    arguments = (book, "--engine", "kokoro", "--format", "flac", "--no-prefect")
    together = several.render(*arguments)
    assert outlived(several.path) == []
    alone = several.with_variables(
        AUDIOMILL_KOKORO__DEVICE="cpu", AUDIOMILL_STORE=several.path / "alone"
    )
    assert decoded(alone.render(*arguments, "--out", several.path / "alone-library")) == decoded(
        together
    )


@pytest.mark.parametrize(
    ("number", "n_times"), first_often([(signal.SIGKILL, 3), (signal.SIGINT, 1)], 1)
)
def test_many_stops_of_several_devices_change_nothing(several, number, n_times):
    book = write_book(several.path / "book.md", 2, 16)
    StoppedRuns(several, "kokoro", book, number, 3).stop_until(n_times)
    assert list((several.path / "tmp").iterdir()) == []


@pytest.mark.prove
def test_a_killed_worker_costs_a_run_nothing_but_time(several):
    book = write_book(several.path / "book.md", 2, 48)
    words = ("--engine", "kokoro", "--format", "flac", "--no-prefect", "--json")
    with several.start("render", book, *words) as process:
        wait_until(lambda: shards(several), process)
        killed = kill_a_card(several.path)
        out, err = process.communicate(timeout=TIMEOUT_S)
    assert killed
    assert process.returncode == 0, err
    assert "Kokoro has failed on cpu: its process was ended by signal 9" in err
    report = json.loads(out.splitlines()[-1])
    assert report["rendered"] == report["segments"] == len(shards(several))


def test_doctor_says_where_kokoro_would_speak(monkeypatch, tmp_path):
    monkeypatch.setattr(files, "check_available", lambda *_: None)
    settings = Settings(kokoro=KokoroOptions(device="cuda:0,cuda:3"))
    finding = doctor_command._engine(ENGINES["kokoro"], settings, is_wanted=False)
    assert finding.words.endswith("Kokoro-82M v1.0, device cuda:0, cuda:3")
