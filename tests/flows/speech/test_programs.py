"""What programs send, with their headers, as their code has it: the tables tell whose."""

import shutil
import subprocess

import pytest

from support import patient_http
from support.case_files import each_row
from support.documents import documented
from support.process_data import TIMEOUT_S

KEY = "a-key-that-nobody-guesses"
CURL = documented(
    "curl -sS http://127.0.0.1:8880/v1/audio/speech"
    """ -d '{"input": "Hello, world."}' -o hello.mp3"""
)


@pytest.fixture
def keyed_url(served):
    return served(KEY)


def with_key(headers):
    return {name: value.replace("KEY", KEY) for name, value in headers.items()}


@each_row
def test_what_programs_send_is_said(keyed_url, program, headers, body, media_type):
    answer = patient_http.post(f"{keyed_url}/v1/audio/speech", headers=with_key(headers), json=body)
    assert answer.status_code == 200, (program, answer.text)
    assert answer.headers["content-type"] == media_type
    assert len(answer.content) > 1000


@each_row
def test_what_programs_ask_first_is_told(url, path, headers, field, name):
    listed = patient_http.get(url + path, headers=headers).json()[field]
    wanted = {"model" if field != "voices" else "voice": listed[0][name]}
    body = {"input": "Hello, Ada.", **wanted}
    answer = patient_http.post(f"{url}/v1/audio/speech", json=body)
    assert answer.status_code == 200


def test_voices_are_names_for_those_who_ask_for_the_older_form(url):
    voices = patient_http.get(f"{url}/v1/audio/voices?legacy=true").json()["voices"]
    assert "sine" in voices


@pytest.mark.skipif(not shutil.which("curl"), reason="needs curl")
def test_curl_gets_a_file(url, tmp_path):
    command = [one.replace("http://127.0.0.1:8880", url) for one in CURL]
    subprocess.run(command, cwd=tmp_path, check=True, timeout=TIMEOUT_S)
    asked = ("ffprobe", "-v", "error", "-show_entries", "format=format_name", "-of", "csv=p=0")
    assert subprocess.check_output([*asked, tmp_path / "hello.mp3"], text=True).strip() == "mp3"
