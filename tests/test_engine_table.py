"""The table of systems has every engine and server, and tells what proves each."""

import re

from engines.own_tests import OWN_TESTS

from audiomill.renderers.engine.registry import engine_folders, engine_names
from audiomill.renderers.isolated.catalogue import isolated_specs
from audiomill.renderers.openai.profiles import PROFILES
from support.paths import ROOT

SYSTEMS = (ROOT / "docs" / "systems.md").read_text("utf-8")
ENGINES = (ROOT / "docs" / "engines.md").read_text("utf-8")
HEADER = (
    "| system | how it runs | (a) its own package | (b) a stand-in, and whose client drives it |"
)
TABLE, AFTER_TABLE = SYSTEMS.partition(f"{HEADER}\n|---|---|---|---|\n")[2].split("\n\n", 2)[:2]
ROWS = [[cell.strip() for cell in line.strip("|").split("|")] for line in TABLE.splitlines()]
TINY = {path.stem.replace("_", "-") for path in (ROOT / "tests" / "engines" / "tiny").glob("*.py")}


def engines_in(how):
    return re.findall(r"`--engine ([\w-]+)`", how)


def profiles_in(how):
    return re.findall(r"`([\w-]+)`", how)


def test_every_engine_is_in_it():
    found = {name for _, how, *_ in ROWS for name in engines_in(how)}
    assert found == {*engine_names()} - {"tone"}  # which is a test's


def test_every_server_is_in_it_and_is_driven_by_openais_client():
    """The test of that client has all stand-ins for these profiles."""
    assert {name for _, how, *_ in ROWS for name in profiles_in(how)} == {*PROFILES}
    for system, how, _, clients in ROWS:
        assert ("OpenAI's" in clients) == bool(profiles_in(how)), system
        assert ("Xinference's" in clients) == ("xinference" in profiles_in(how)), system


def test_each_row_has_a_proof_or_says_that_there_is_none():
    for system, _, package, clients in ROWS:
        assert package or clients, system


def test_what_can_be_proven_by_make_is_what_is_said():
    told = {
        name: system for system, _, cell, _ in ROWS for name in re.findall("`ENGINE=(.+?)`", cell)
    }
    assert told.keys() == TINY | OWN_TESTS.keys()
    for system, how, package, _ in ROWS:
        for name in re.findall("`ENGINE=(.+?)`", package):
            assert name in engines_in(how), system
        unproven = {*engines_in(how)} & isolated_specs().keys() - TINY
        assert ("not run" in package) == bool(unproven), system


def test_each_engine_of_an_environment_has_a_row_of_its_own_name():
    names = {name: system for system, how, *_ in ROWS for name in engines_in(how)}
    for name, spec in isolated_specs().items():
        assert names[name] == spec.title
    proven = ENGINES.partition("| engine | run here, on a CPU |")[2].partition("\n\n")[0]
    told = {
        name: run.strip() == "yes"
        for names, run in re.findall(r"^\| (`.+?`) \|([^|]*)\|", proven, re.MULTILINE)
        for name in re.findall("`(.+?)`", names)
    }
    assert told == {name: name in TINY for name in isolated_specs()}


def test_the_tests_that_are_named_are_there():
    found = re.findall(r"`(tests/[\w/]+\.py)`", AFTER_TABLE)
    assert len(found) > 4
    paths = (*found, *(path for paths in OWN_TESTS.values() for path in paths))
    assert [path for path in paths if not (ROOT / path).exists()] == []


def test_the_page_of_engines_begins_with_those_that_need_no_environment():
    lead = ENGINES.partition("```")[0]
    named = {*re.findall(r"`([\w-]+)`", lead)}
    assert named == {*engine_names()} - isolated_specs().keys()


def test_a_folder_that_is_no_package_is_no_engine(tmp_path):
    """A copy that somebody has put aside would stop the list of engines, were it imported."""
    for name in ("fish", "fish.old"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").touch()
        (tmp_path / name / "engine.py").touch()
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "engine.py").touch()
    assert engine_folders(tmp_path) == ["fish"]
