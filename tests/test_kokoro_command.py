"""Kokoro on the command line: found, fallen back from, rendered with, and refused."""

import json

import pytest
from book_data import write_book
from kokoro_home import with_kokoro
from kokoro_reference import folder
from mutagen.mp4 import MP4


@pytest.fixture
def speaking(home):
    return with_kokoro(home)


def test_a_book_is_rendered_and_then_is_there(speaking):
    book = write_book(speaking.path / "book.md", 2, 4)
    arguments = (book, "--engine", "kokoro", "--voice", "bm_george", "--speed", "4")
    report = speaking.render(*arguments)
    (file,) = report["files"]
    assert file["chapters"] == 2
    assert report["rendered"] == report["segments"] > 0
    read = MP4(file["path"])
    assert len(read.chapters) == 2
    assert read.info.length == pytest.approx(report["audio_s"], abs=0.1)
    again = speaking.render(*arguments)
    assert again["rendered"] == 0


def test_auto_is_kokoro_where_it_has_weights(speaking):
    run = speaking.run("voices", "--json")
    voices = json.loads(run.stdout)
    assert voices["engine"] == "kokoro"
    assert [one["name"] for one in voices["voices"]] == ["af_heart", "bm_george"]


def test_auto_falls_back_and_says_why_on_the_screen_and_in_the_report(home):
    book = write_book(home.path / "book.md", 1, 2)
    report = home.render(book, "--format", "mp3")
    (warning,) = report["warnings"]
    assert "espeak-ng voice reads" in warning
    assert "weights" in warning
    assert warning in json.loads((home.library / "A Book" / "report.json").read_text())["warnings"]


def test_a_job_that_names_kokoro_never_falls_back(home):
    book = write_book(home.path / "book.md", 1, 2)
    run = home.run("render", book, "--engine", "kokoro")
    assert run.returncode == 4
    assert "kokoro.weights" in run.stderr
    assert "Traceback" not in run.stderr


def test_a_checkpoint_that_is_cut_short_is_one_error(speaking, tmp_path):
    damaged = tmp_path / "weights"
    (damaged / "voices").mkdir(parents=True)
    for name in ("config.json", "voices/af_heart.pt"):
        (damaged / name).write_bytes((folder("reduced") / name).read_bytes())
    whole = (folder("reduced") / "kokoro-v1_0.pth").read_bytes()
    (damaged / "kokoro-v1_0.pth").write_bytes(whole[: len(whole) // 2])
    book = write_book(tmp_path / "book.md", 1, 2)
    run = speaking.with_variables(AUDIOMILL_KOKORO__WEIGHTS=damaged).run(
        "render", book, "--engine", "kokoro"
    )
    assert run.returncode == 4
    assert "kokoro-v1_0.pth" in run.stderr
    assert len(run.stderr.strip().splitlines()) <= 2
