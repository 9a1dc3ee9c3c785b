"""The README's commands are run, and what it claims of the house is so."""

import re
import shlex
import subprocess
from dataclasses import fields

import pytest

from audiomill.flows.cli.parser import COMMANDS, build_parser
from audiomill.renderers.kokoro.weights.releases import V1_1_ZH
from audiomill.renderers.options import KokoroOptions
from support.home import ROOT
from support.process_data import TIMEOUT_S

README = (ROOT / "README.md").read_text()
SHELL = [
    line.split("#")[0].strip()
    for block in re.findall(r"```sh\n(.*?)```", README, re.DOTALL)
    for line in block.splitlines()
    if line.split("#")[0].strip()
]
OURS = [line for line in SHELL if line.startswith("audiomill ")]


@pytest.mark.parametrize("line", OURS)
def test_a_command_of_the_readme_works(home, line):
    run = home.run_program(*shlex.split(line)[1:], cwd=ROOT)
    assert run.returncode == 0, run.stderr
    assert run.stdout.strip()


def test_make_targets_exist():
    for line in SHELL + re.findall(r"`(make [^`]*)`", README):
        if line.startswith("make "):
            run = subprocess.run(
                ["make", "--dry-run", *shlex.split(line)[1:]], cwd=ROOT, timeout=TIMEOUT_S
            )
            assert run.returncode == 0, line


def test_the_schedule_is_set_up_as_the_prefect_tests_do_it():
    """Each of these runs against a real server in test_prefect.py."""
    tests = (ROOT / "tests" / "e2e" / "test_prefect.py").read_text()
    commands = [line for line in SHELL if line.startswith("prefect ")]
    assert len(commands) == 5
    for words in ('"work-pool", "create", "audiomill"', '"deploy", "--name", "nightly"'):
        assert words in tests
    assert '"deployment", "run", "render-audiobook/nightly"' in tests
    assert '"worker", "start", "--pool", "audiomill"' in tests


def test_no_command_is_missing_from_the_readme():
    kinds = [line.split()[0] for line in SHELL]
    assert set(kinds) == {"make", "audiomill", "prefect", "export", "docker"}
    for command in COMMANDS:
        assert re.search(rf"audiomill {command}\b", README), command


def test_every_option_of_the_readme_is_one():
    helps = " ".join(
        subparser.format_help()
        for action in build_parser()._actions
        if isinstance(action.choices, dict)
        for subparser in action.choices.values()
    )
    others = {"--name", "--type", "--pool", "--background"}  # Prefect's
    others |= {"--rm", "--user", "--gpus"}  # Docker's
    for option in set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", README)) - others:
        assert option in helps, option


def test_linked_files_exist():
    for link in re.findall(r"\]\(([^)]+)\)", README):
        if not link.startswith("http"):
            assert (ROOT / link).exists(), link


def test_the_settings_example_loads(home):
    (example,) = re.findall(r"```toml\n(.*?)```", README, re.DOTALL)
    (home.path / "audiomill.toml").write_text(example)
    (home.path / "b.md").write_text("# T\n\nText.\n")
    run = home.run("inspect", "b.md")
    assert run.returncode == 0, run.stderr


def test_every_setting_of_kokoro_is_in_the_readme():
    named = re.findall(r"\| `AUDIOMILL_KOKORO__(\w+)` \|", README)
    assert sorted(named) == sorted(one.name.upper() for one in fields(KokoroOptions))


def test_the_readme_tells_which_voices_are_not_verified():
    voices = V1_1_ZH.voices
    known = [name for name, digest in voices.items() if digest]
    assert f"only\n{' and '.join(f'`{name}`' for name in known)} are checked" in README
    assert f"the hashes of the other {len(voices) - len(known)} are not known" in README


def test_every_room_of_the_tree_is_there():
    tree = re.findall(r"^(\w+)/ ", README, re.MULTILINE)
    assert tree == ["inputs", "renderers", "outputs", "flows", "tests"]
    assert all((ROOT / room).is_dir() for room in tree)
