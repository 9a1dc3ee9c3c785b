"""`audiomill engines`, and what doctor and render say of engines that are not installed."""

import json
import re
import shutil

import pytest

from audiomill.flows.cli import engines
from audiomill.flows.cli.engines import engine_states
from audiomill.flows.file_lock import FileLock
from audiomill.renderers.engine.declaration import Engine
from audiomill.renderers.engine.options import EngineOptions
from audiomill.renderers.engine.registry import ENGINES, engine_names, quick_engine_names
from audiomill.renderers.isolated.catalogue import isolated_specs
from audiomill.renderers.piper import voices as piper_voices
from audiomill.renderers.piper.options import PiperOptions
from support.book_data import write_book
from support.case_files import each_row_apart
from support.documents import blocks, documented
from support.paths import ROOT
from support.piper_voices import config_of

GIB = 1 << 30


def listed(home):
    run = home.run("engines", "--json")
    assert run.returncode == 0, run.stderr
    return {one["name"]: one for one in json.loads(run.stdout)["engines"]}


def test_all_engines_are_listed_with_licence_and_state(home):
    engines = listed(home)
    assert list(engines) == list(engine_names())
    assert {name for name, one in engines.items() if one["runs"] == "here"} == {
        *quick_engine_names()
    }
    assert (engines["espeak"]["state"], engines["espeak"]["missing"]) == ("ready", "")
    assert engines["chatterbox"]["state"] == "not installed"
    assert "audiomill engines install chatterbox" in engines["chatterbox"]["missing"]
    assert all(one["code_licence"] and one["weights_licence"] for one in engines.values())


def test_the_licence_of_each_engine_of_this_process_is_known():
    for name in quick_engine_names():
        assert ENGINES[name].licences(EngineOptions()).code != "unknown"


def test_an_engine_without_a_licence_line_is_listed_as_unknown(monkeypatch):
    monkeypatch.setitem(ENGINES, "third", Engine("third", ENGINES["tone"].open))
    (third,) = (one for one in engine_states(EngineOptions()) if one.name == "third")
    assert (third.code_licence, third.is_commercial, third.state) == ("unknown", False, "ready")


@each_row_apart
def test_of_piper_is_told_whether_the_package_or_the_voice_is_missing(
    tmp_path, monkeypatch, has_package, has_voice, state, told
):
    for module in (engines, piper_voices):
        monkeypatch.setattr(module, "find_spec", lambda _name: object() if has_package else None)
    if has_voice:
        config = tmp_path / "en_US-a-low.onnx.json"
        config.write_text(json.dumps(config_of("en_US-a-low")))
        config.with_suffix("").write_bytes(b"")
    options = EngineOptions((PiperOptions(voices=tmp_path),))
    (piper,) = (one for one in engine_states(options) if one.name == "piper")
    assert piper.state == state
    assert re.search(told, piper.missing)


def test_a_licence_that_is_not_commercial_is_said_aloud(home):
    run = home.run("engines")
    lines = {line.split()[0]: line for line in run.stdout.splitlines()}
    forbidden = {name for name, spec in isolated_specs().items() if not spec.is_commercial}
    assert forbidden == {"fish-s2", "f5-tts", "spark-tts", "xtts", "vits"}
    assert {name for name, line in lines.items() if "NOT for commercial use" in line} == forbidden


def test_an_engine_with_its_own_python_and_model_is_ready(home):
    model = home.path / "model"
    model.mkdir()
    (model / "config.json").write_text("{}")
    (home.path / "audiomill.toml").write_text(
        f'[engines.vits]\nmodel = "{model}"\npython = "/bin/sh"\nnoise_scale = 1\n'
    )
    assert listed(home)["vits"]["state"] == "ready"


@each_row_apart
def test_wrong_usage_says_what_is_right(home, words, code, said):
    run = home.run(*words)
    assert run.returncode == code
    assert said in run.stderr


def test_what_is_not_installed_is_removed_without_an_error(home):
    run = home.run("engines", "install", "vits", "--remove")
    assert (run.returncode, run.stdout) == (0, "vits was not installed\n")


def test_two_installations_of_an_engine_exclude_each_other(home):
    lock = home.path / ".local" / "share" / "audiomill" / "engines" / "vits.lock"
    with FileLock(lock) as held:
        assert held.try_acquire()
        run = home.run("engines", "install", "vits")
    assert run.returncode == 2
    assert "is being installed by another process" in run.stderr


def test_rendering_with_an_engine_that_is_not_installed_is_one_line_and_exit_4(home):
    book = write_book(home.path / "book.md", 1, 4)
    run = home.run("render", book, "--engine", "dia", "--no-prefect")
    assert run.returncode == 4
    assert run.stderr.splitlines()[-1] == (
        "audiomill: Dia is not installed: audiomill engines install dia."
    )


def test_doctor_tells_of_begun_engines_and_needs_only_the_chosen_one(home):
    begun = home.path / ".local" / "share" / "audiomill" / "engines" / "xtts" / "venv"
    begun.mkdir(parents=True)
    run = home.run("doctor")
    (line,) = (line for line in run.stdout.splitlines() if "xtts" in line)
    assert line.startswith("optional")
    assert "is not fully installed: audiomill engines install xtts" in line
    assert "chatterbox" not in run.stdout
    chosen = home.with_variables(AUDIOMILL_ENGINE="xtts").run("doctor")
    assert chosen.returncode == 4
    assert any(line.startswith("MISSING  xtts") for line in chosen.stdout.splitlines())


@each_row_apart
def test_a_wrong_setting_of_an_engine_is_named(home, table, said):
    (home.path / "audiomill.toml").write_text(table)
    run = home.run("engines")
    assert run.returncode == 2
    assert said in run.stderr


def test_settings_of_an_engine_come_from_the_environment_too(home):
    (home.path / "model.bin").write_bytes(b"weights")
    home = home.with_variables(
        AUDIOMILL_ENGINES__F5_TTS__PYTHON="/bin/sh",
        AUDIOMILL_ENGINES__F5_TTS__NFE_STEP="16",
        AUDIOMILL_ENGINES__F5_TTS__MODEL=home.path,
    )
    assert listed(home)["f5-tts"]["state"] == "ready"


def test_an_engine_of_the_documents_is_installed_or_says_why_not(home):
    """Nothing can be downloaded here, and on a full disk nothing is begun."""
    words = documented("audiomill engines install chatterbox")
    home = home.with_variables(UV_OFFLINE=1, PIP_NO_INDEX=1, UV_CACHE_DIR=home.path / "uv")
    run = home.run(*words[1:])
    assert run.returncode == 4
    if shutil.disk_usage(home.path).free < isolated_specs()["chatterbox"].disk_gib * GIB:
        assert "Chatterbox needs 8 GiB" in run.stderr
    else:
        assert "Chatterbox could not be installed" in run.stderr
        assert "The same command goes on from there." in run.stderr


def test_an_engine_of_the_documents_is_removed(home):
    words = documented("audiomill engines install chatterbox --remove")
    assert home.run(*words[1:]).returncode == 0


def test_the_settings_of_the_documents_are_understood(home):
    isolated, orpheus, *_ = blocks("toml", (ROOT / "docs" / "engines.md").read_text("utf-8"))
    (home.path / "audiomill.toml").write_text(isolated)
    assert listed(home)["chatterbox"]["state"] == "not installed"
    (home.path / "audiomill.toml").write_text(orpheus)
    assert "hf download hubertsiuzdak/snac_24khz" in listed(home)["orpheus"]["missing"]


@pytest.mark.parametrize("spec", isolated_specs().values(), ids=lambda spec: spec.name)
def test_the_documents_tell_of_each_engine_what_the_catalogue_has(spec):
    text = (ROOT / "docs" / "engines.md").read_text("utf-8")
    rows = [row for row in text.splitlines() if row.startswith(f"| `{spec.name}` |")]
    cells = [cell.strip() for cell in rows[0].strip("|").split("|")]
    assert cells[1] == spec.code_licence
    assert (cells[3] == "yes") == spec.is_commercial
    assert (int(cells[5]), int(cells[6])) == (spec.rows_per_call, spec.max_length)
    slowest, fastest = spec.speeds
    assert cells[7] == (f"{slowest:g} to {fastest:g}" if slowest < fastest else "1")
    assert [f"`{name}`" in rows[1] for name, _ in spec.settings] == [True] * len(spec.settings)
