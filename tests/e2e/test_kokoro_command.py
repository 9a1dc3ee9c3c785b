"""Kokoro on the command line: found, fallen back from, rendered with, and refused."""

import json
from pathlib import Path

import pytest

from audiomill.renderers.kokoro.weights.releases import V1_0
from support.book_data import write_book
from support.case_files import each_row_apart
from support.hub_server import Fault, serving
from support.kokoro_home import with_kokoro
from support.kokoro_reference import folder


@pytest.fixture
def speaking(home):
    return with_kokoro(home)


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


@each_row_apart
def test_auto_is_kokoro_where_its_weights_are_or_can_be_fetched(
    home, monkeypatch, tmp_path, weights, status, engine, told
):
    with serving(monkeypatch, tmp_path) as server:
        server.publish(V1_0.repo, V1_0.revision, {V1_0.weights_file: b"weights"})
        server.faults = [Fault(status)] if status != 200 else []
        asking = home.with_variables(
            HF_HUB_OFFLINE=0, HF_ENDPOINT=server.url, HF_HOME=tmp_path / "huggingface"
        )
        if weights:
            asking = asking.with_variables(AUDIOMILL_KOKORO__WEIGHTS=weights)
        run = asking.run("voices", "--json")
    assert json.loads(run.stdout)["engine"] == engine
    assert told in run.stderr
    assert bool(run.stderr) == (engine == "espeak")


def test_the_setting_says_whose_voices_are_listed(home):
    run = home.with_variables(AUDIOMILL_ENGINE="tone").run("voices", "--json")
    assert json.loads(run.stdout)["engine"] == "tone"
    assert run.stderr == ""


def test_doctor_calls_kokoro_optional_unless_the_settings_name_it(home):
    run = home.run("doctor")
    (line,) = (line for line in run.stdout.splitlines() if " kokoro " in line)
    assert (run.returncode, line.split()[0]) == (0, "optional")
    assert "not ready" in line
    assert "you can add" in line
    named = home.with_variables(AUDIOMILL_ENGINE="kokoro").run("doctor", "--json")
    (finding,) = (one for one in json.loads(named.stdout)["findings"] if one["name"] == "kokoro")
    assert (named.returncode, finding["exit_code"], finding["is_optional"]) == (4, 4, False)


def test_a_job_that_names_kokoro_never_falls_back(home):
    book = write_book(home.path / "book.md", 1, 2)
    assert "kokoro.weights" in home.refused(4, "render", book, "--engine", "kokoro")


def test_a_checkpoint_that_is_cut_short_is_one_error(speaking, tmp_path):
    damaged = tmp_path / "weights"
    (damaged / "voices").mkdir(parents=True)
    for name in ("config.json", "voices/af_heart.pt"):
        (damaged / name).write_bytes((folder("reduced") / name).read_bytes())
    whole = (folder("reduced") / "kokoro-v1_0.pth").read_bytes()
    (damaged / "kokoro-v1_0.pth").write_bytes(whole[: len(whole) // 2])
    book = write_book(tmp_path / "book.md", 1, 2)
    words = speaking.with_variables(AUDIOMILL_KOKORO__WEIGHTS=damaged).refused(
        4, "render", book, "--engine", "kokoro"
    )
    assert "kokoro-v1_0.pth" in words
    assert len(words.strip().splitlines()) <= 2


@each_row_apart
def test_what_kokoro_cannot_do_is_told_in_a_line(speaking, asked, code, told):
    book = write_book(speaking.path / "book.md", 1, 4)
    assert told in speaking.refused_in_a_line(code, "render", book, "--engine", "kokoro", *asked)


ODD = """# Book

The miller said مرحبا بالعالم and สวัสดี and 你好 and Привет 🌾 to all.

สวัสดีชาวโลก

🦉🦉🦉

{word}

{sentence}
"""


@pytest.mark.prove
def test_odd_texts_are_spoken_or_told(home):
    book = home.path / "book.md"
    sentence = "the mill turned slowly all night and nobody heard it but the owl " * 150
    book.write_text(ODD.format(word="abcdefghij" * 500, sentence=sentence))
    report = with_kokoro(home, "narrow").render(book, "--engine", "kokoro", "--format", "mp3")
    full = json.loads(Path(report["report"]).read_text())
    done = {remark["text"]: remark["done"] for remark in full["remarks"]}
    assert done == dict.fromkeys(("مرحبا بالعالم", "สวัสดี", "你好", "สวัสดีชาวโลก"), "left out") | {
        "Привет": "transliterated"
    }
    assert {one["text"] for one in full["skipped_text"]} == {"สวัสดีชาวโลก"}
    assert any("left out" in warning for warning in report["warnings"])
    assert report["audio_s"] > (len(sentence) + 5000) / 100  # nobody says 100 letters a second
