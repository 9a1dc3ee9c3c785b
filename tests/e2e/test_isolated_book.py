"""A book by an engine in a process of its own. Its kills are in `test_engine_kills.py`."""

import signal
from dataclasses import replace

import pytest

from support.isolated_data import PROGRAM
from support.process_data import outlived, wait_until


@pytest.fixture
def tones_home(home):
    """A user who has the engine "tones"."""
    source = PROGRAM.replace("sys.argv.pop(1)", repr(str(home.path / "tones")))
    return replace(home, program=("-c", source), imports=())


def test_a_sentence_that_cannot_be_spoken_is_one_clear_error(tones_home):
    book = tones_home.path / "book.md"
    book.write_text("# A\n\nFirst things first.\n\nKilled it was, at once.\n\nLast words.\n")
    said = tones_home.refused(4, "render", book, "--engine", "tones", "--no-prefect")
    assert "tones cannot speak “Killed it was, at once.”" in said
    assert "the engine says goodbye" in said


@pytest.mark.prove
def test_ctrl_c_ends_a_hanging_engine_at_once(tones_home):
    book = tones_home.path / "book.md"
    book.write_text("# A\n\nHangs here.\n")
    log = tones_home.path / "tones" / "log"
    process = tones_home.start("render", book, "--engine", "tones", "--no-prefect")
    wait_until(lambda: log.exists() and "HANGING" in log.read_text(), process)
    process.send_signal(signal.SIGINT)
    _, words = process.communicate()
    assert process.returncode == 130, words
    assert outlived(tones_home.path) == []
