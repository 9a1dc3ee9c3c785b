"""A book spoken by Kokoro's ONNX files: the command line, without PyTorch, killed on the way."""

import signal
from pathlib import Path

import pytest
import soundfile

from support.book_data import write_book
from support.kokoro_onnx_files import onnx_folder
from support.stopped_runs import StoppedRuns, assert_whole, shards

pytestmark = pytest.mark.prove


@pytest.fixture
def speaking(home):
    # Tests run in parallel processes: several threads each would be slower than one.
    return home.with_variables(
        AUDIOMILL_KOKORO_ONNX__MODEL=onnx_folder(),
        AUDIOMILL_KOKORO_ONNX__WORKERS=0,
        AUDIOMILL_KOKORO_ONNX__THREADS=1,
    )


def test_a_book_becomes_m4b_and_the_second_run_takes_all_from_the_store(speaking):
    book = write_book(speaking.path / "book.md", 2, 4)
    arguments = (book, "--engine", "kokoro-onnx", "--no-prefect")
    report = speaking.render(*arguments, "--format", "m4b", "--format", "flac")
    paths = {Path(one["path"]).suffix: Path(one["path"]) for one in report["files"]}
    audio, sample_rate = soundfile.read(paths[".flac"])
    assert sample_rate == 24_000
    assert audio.size > 5 * sample_rate
    assert paths[".m4b"].stat().st_size > 10_000
    stored = shards(speaking)
    paths[".flac"].unlink()
    assert speaking.render(*arguments, "--format", "flac")["rendered"] == 0
    assert shards(speaking) == stored
    assert (soundfile.read(paths[".flac"])[0] == audio).all()


def test_ten_kills_change_nothing(speaking):
    book = write_book(speaking.path / "book.md", 2, 12)
    runs = StoppedRuns(speaking, "kokoro-onnx", book, signal.SIGKILL, 5, "m4b")
    runs.stop_until(10)
    assert_whole(runs.report)
    assert -signal.SIGKILL in runs.codes <= {0, -signal.SIGKILL}
