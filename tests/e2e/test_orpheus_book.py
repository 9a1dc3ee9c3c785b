"""Books spoken by Orpheus through a stand-in for llama-server: the command line, end to end."""

import json
from dataclasses import replace

import pytest

from support.book_data import write_book
from support.llama_stand_in import llama_stand_in, text_of
from support.orpheus_data import tiny_snac
from support.stopped_runs import shards

pytestmark = pytest.mark.prove  # PyTorch is imported


@pytest.fixture
def server():
    with llama_stand_in() as running:
        yield running


@pytest.fixture
def speaking(home, server):
    return replace(home, imports=("torch", "snac")).with_variables(
        AUDIOMILL_ORPHEUS__URL=server[1],
        AUDIOMILL_ORPHEUS__SNAC=tiny_snac(home.path / "snac"),
        AUDIOMILL_RETAKES=0,  # what random weights say is no speech in any take
    )


def render(home, *arguments):
    return home.run("render", *arguments, "--engine", "orpheus", "--no-prefect", "--json")


def test_what_is_finished_is_kept_when_one_text_cannot_be_said(speaking, server):
    state, _ = server
    book = write_book(speaking.path / "book.md", 1, 6)
    elsewhere = speaking.with_variables(AUDIOMILL_STORE=speaking.path / "elsewhere")
    n_all = json.loads(render(elsewhere, book, "--out", "elsewhere").stdout)["rendered"]
    state.cursed = tuple(text_of(state.completions()[-1]["prompt"]).split()[-1:])
    failed = render(speaking, book)
    assert failed.returncode == 4
    assert "Orpheus does not say" in json.loads(failed.stdout)["error"]["message"]
    n_kept = len(shards(speaking))
    state.cursed = ()
    assert json.loads(render(speaking, book).stdout)["rendered"] == n_all - n_kept
    assert 0 < n_kept < n_all


def test_doctor_tells_of_the_server_and_of_the_codec(speaking):
    assert "SNAC is here; its server was not asked" in speaking.run("doctor").stdout
    wanted = speaking.with_variables(AUDIOMILL_ENGINE="orpheus")
    assert "ok       orpheus     orpheus-3b-0.1-ft-q4_k_m.gguf at" in wanted.run("doctor").stdout
    down = wanted.with_variables(AUDIOMILL_ORPHEUS__URL="http://127.0.0.1:9").run("doctor")
    assert "MISSING  orpheus     not ready. llama-server at http://127.0.0.1:9" in down.stdout
    assert down.returncode == 4
    bare = speaking.with_variables(AUDIOMILL_ORPHEUS__SNAC="/nowhere").run("doctor")
    assert "optional orpheus     not ready, but you can add it: /nowhere/config.json" in bare.stdout
