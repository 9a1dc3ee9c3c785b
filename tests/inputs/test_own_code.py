"""A change of our code is seen, and the same code has the same digest on each machine."""

import os

import pytest

from audiomill.inputs import own_code
from audiomill.inputs.own_code import PACKAGES, code_states, digest_of, environment_states
from support.paths import ROOT


def test_all_packages_of_the_code_are_digested():
    assert sorted(PACKAGES) == sorted(
        one.parent.name for one in ROOT.glob("*/__init__.py") if one.parent.name != "tests"
    )


def made_at(folder):
    for name in PACKAGES:
        (folder / name / "inner").mkdir(parents=True)
        (folder / name / "__init__.py").write_text("")
        (folder / name / "inner" / "module.py").write_text(f"# of {name}")
    return folder


@pytest.fixture
def root(tmp_path):
    return made_at(tmp_path / "here")


def test_the_same_code_has_the_same_digest_elsewhere(root, tmp_path):
    elsewhere = made_at(tmp_path / "elsewhere")
    for path in elsewhere.rglob("*.py"):
        os.utime(path, (1, 1))
    (elsewhere / "flows" / "notes.txt").write_text("no code")
    assert digest_of(elsewhere) == digest_of(root)


def states_of(root, package):
    """As a process that begins now has them."""
    environment_states.cache_clear()
    return digest_of(root), [*code_states(package)], environment_states()


@pytest.fixture(autouse=True)
def _forgotten_states():
    yield
    environment_states.cache_clear()


CHANGES = {
    "its content": lambda path: path.write_text("# of another"),
    "its name": lambda path: path.rename(path.with_name("other.py")),
    "its folder": lambda path: path.rename(path.parents[1] / path.name),
    "its absence": lambda path: path.unlink(),
}


@pytest.mark.parametrize("package", PACKAGES)
@pytest.mark.parametrize("change", CHANGES)
def test_each_change_of_a_file_is_seen(root, monkeypatch, package, change):
    monkeypatch.setattr(own_code, "_ROOT", root)
    before = states_of(root, package)
    CHANGES[change](root / package / "inner" / "module.py")
    after = states_of(root, package)
    assert [one == other for one, other in zip(before, after, strict=True)] == [False] * 3
