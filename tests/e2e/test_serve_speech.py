"""`audiomill serve --speech`: texts of other programs, said at once."""

import json
import re
import signal
import subprocess
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import repeat

import pytest

from support import patient_http
from support.case_files import each_row_apart
from support.documents import documented
from support.home import HEARING
from support.killed_processes import kill_a_card
from support.kokoro_home import with_kokoro
from support.prefect_api import free_port
from support.process_data import TIMEOUT_S, wait_until

KEY = "a-key-that-nobody-guesses"
SERVE_ALL = documented("audiomill serve --speech --listen 0.0.0.0:8880 --key-file speech.key")[1:]
ONE = documented("audiomill bench --serve http://127.0.0.1:8880")[1:]
TWO = documented(
    "audiomill bench --serve http://127.0.0.1:8880/v1 --serve http://127.0.0.1:8881/v1"
    " --in-flight 1,4"
)[1:]


@contextmanager
def serving(home, *words):
    """The port of the server that a command starts, until Ctrl-C."""
    port, log = free_port(), home.path / "serve.log"
    listen = ("--listen", f"127.0.0.1:{port}")
    with log.open("w") as errors, home.start(*words, *listen, stderr=errors) as process:
        wait_until(lambda: "Serving speech" in log.read_text(), process)
        try:
            yield port
        finally:
            process.send_signal(signal.SIGINT)
        assert process.wait(TIMEOUT_S) == 0, log.read_text()


@pytest.mark.prove
def test_a_program_hears_what_it_sends_and_a_book_of_it_is_there(home):
    import openai  # which takes a second, for this proof

    words = documented("audiomill serve --speech")[1:]
    home.variables["AUDIOMILL_ENGINE"] = "espeak"
    with serving(home, *words) as port:
        url = f"http://127.0.0.1:{port}/v1"
        with openai.OpenAI(base_url=url, api_key="any") as client:
            sound = client.audio.speech.create(
                model="tts-1", voice="alloy", input="The mill stood by the water."
            ).content
    path = home.path / "hello.mp3"
    path.write_bytes(sound)
    asked = ("ffprobe", "-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0", path)
    duration_s = float(subprocess.check_output(asked))
    assert 1 < duration_s < 4
    (home.path / "book.md").write_text("# Mill\n\nThe mill stood by the water.\n")
    run = home.run("render", "book.md", "--engine", "espeak", "--no-credits")
    assert "1 from the store" in run.stdout + run.stderr


@pytest.mark.prove
def test_a_book_is_rendered_by_the_server(home):
    words = documented("audiomill serve --speech")[1:]
    home.variables["AUDIOMILL_ENGINE"] = "espeak"
    (home.path / "book.md").write_text("# Mill\n\nThe mill stood by the water. It went.\n")
    book = ("render", "book.md", "--no-credits", "--format", "wav", "--no-prefect")
    with serving(home, *words) as port:
        home.variables["AUDIOMILL_SPEECH_SERVER"] = f"http://127.0.0.1:{port}"
        executor = documented("audiomill render book.epub --executor server")[3:]
        run = home.run(*book, *executor)
        assert "3 segments rendered" in run.stdout + run.stderr
    (there,) = home.library.rglob("*.wav")
    home.run(*book, "--out", "here", "--store", "other")
    (here,) = (home.path / "here").rglob("*.wav")
    assert there.read_bytes() == here.read_bytes()


def said(port, text):
    body = {"input": text, "response_format": "pcm"}
    url = f"http://127.0.0.1:{port}/v1/audio/speech"
    return patient_http.post(url, json=body).raise_for_status().content


@pytest.mark.prove
def test_texts_on_several_devices_are_exact_though_one_is_killed(home):
    one = with_kokoro(home, "narrow").with_variables(AUDIOMILL_ENGINE="kokoro")
    two = one.with_variables(AUDIOMILL_KOKORO__DEVICE="cpu,cpu", AUDIOMILL_STORE=home.path / "two")
    texts = [f"Here is number {n}. It is followed by number {n + 1}." for n in range(24)]
    with serving(two, "serve", "--speech") as port, ThreadPoolExecutor(8) as clients:
        said(port, "The first one.")
        heard = clients.map(said, repeat(port), texts)
        sounds = [next(heard)]
        assert kill_a_card(home.path)
        sounds += heard
    assert "its process was ended by signal 9" in (home.path / "serve.log").read_text()
    with serving(one, "serve", "--speech") as port:
        assert [said(port, text) for text in texts] == sounds


@pytest.mark.prove
def test_a_book_is_heard_by_the_engine_of_the_server(home):
    home.variables["AUDIOMILL_ENGINE"] = "tone"
    book = home.path / "books" / "book.md"  # what is written beside it would make it unknown
    book.parent.mkdir()
    book.write_text("# Mill\n\nThe mill stood by the water. It went.\n")
    executor = documented("audiomill listen book.epub --executor server")[3:]
    with serving(home, "serve", "--speech") as port:
        asking = home.with_variables(AUDIOMILL_SPEECH_SERVER=f"http://127.0.0.1:{port}")
        hearing = asking.with_player(HEARING)
        assert hearing.run("listen", book, "--play", *executor).returncode == 0
        first = (home.path / "heard.wav").read_bytes()
        assert [*home.path.rglob("beginnings/*")]
        assert hearing.run("listen", book, "--play", *executor).returncode == 0
        assert (home.path / "heard.wav").read_bytes() == first
        metrics = patient_http.get(f"http://127.0.0.1:{port}/metrics").text
    assert (home.path / "heard.wav").stat().st_size > 48_000
    assert 'audiomill_speech_rows_total{engine="tone",outcome="rendered"} 3.0' in metrics
    run = home.run("render", book, "--no-credits", "--no-prefect")
    assert " 0 segments rendered" in run.stdout + run.stderr


@pytest.mark.prove
def test_other_machines_need_the_key(home):
    (home.path / "speech.key").write_text(f"{KEY}\n")
    words = [one for one in SERVE_ALL if one not in ("--listen", "0.0.0.0:8880")]
    with serving(home, *words) as port:
        url = f"http://127.0.0.1:{port}/v1/models"
        assert patient_http.get(url).status_code == 401
        assert patient_http.get(url, headers={"Authorization": f"Bearer {KEY}"}).status_code == 200


@each_row_apart
def test_what_cannot_be_served_is_told_at_once(home, key, arguments, message):
    if key:
        (home.path / "speech.key").write_text(key)
    run = home.run("serve", "--speech", *arguments)
    assert run.returncode == 2
    assert message in run.stderr


@pytest.mark.prove
def test_servers_are_measured_side_by_side(home):
    home.variables["AUDIOMILL_ENGINE"] = "tone"
    (home.path / "speech.key").write_text(f"{KEY}\n")
    keyed = ("serve", "--speech", "--key-file", "speech.key")
    with serving(home, *keyed) as port:
        words = [re.sub("888[01]", str(port), one) for one in TWO]
        keys = ("--key-file", "speech.key", "--key-file", "speech.key")
        run = home.run("bench", *words[1:], *keys, "--out", home.path / "out")
        assert run.returncode == 0, run.stderr
        assert run.stdout == (home.path / "out" / "bench.txt").read_text()
        result = json.loads((home.path / "out" / "bench.json").read_text())
        assert [one["in_flight"] for one in result["servers"][1]["levels"]] == [1, 4]
        assert all(
            level["n_texts"] == 8 and not level["errors"]
            for server in result["servers"]
            for level in (*server["levels"], server["again"])
        )
        one = [re.sub("8880", str(port), word) for word in ONE]
        refused = home.run("bench", *one[1:], "--in-flight", "1")
        assert refused.returncode == 4
        assert "status 401" in refused.stdout


@each_row_apart
def test_what_cannot_be_measured_is_told_at_once(home, arguments, message):
    run = home.run("bench", *arguments)
    assert run.returncode == 2
    assert message in run.stderr
