"""The package builds, installs by every common tool, and runs beside folders of the same names."""

import json
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from support.documents import documented
from support.paths import ROOT, SAMPLES

pytestmark = [pytest.mark.prove, pytest.mark.longest]

TOOLS = Path(sys.executable).parent
CONSTRAINTS = ROOT / "constraints.txt"
GENERATED = shutil.ignore_patterns(
    ".git", ".venv", ".python", "build", "*.egg-info", "__pycache__", ".*_cache"
)
# A user's own folders and files that have the names of ours, and break whoever imports them.
NOT_INHERITED = ("PYTHONPATH", "VIRTUAL_ENV")
OWN_NAMES = ("flows", "inputs", "outputs", "renderers", "tests", "kokoro")
CHAPTER = ("render", SAMPLES / "the-lighthouse-mill.epub", "--engine", "tone", "--chapters", "1")


def run(*command: object, **environment: object) -> str:
    """The output of a command that must succeed."""
    kept = {name: value for name, value in os.environ.items() if name not in NOT_INHERITED}
    result = subprocess.run(
        list(map(str, command)), env=kept | {name: str(one) for name, one in environment.items()},
        cwd=environment.get("PWD"), capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


def not_source(folder: str, names: list[str]) -> set[str]:
    """What of a folder is no source: what is generated, and the finished files at the root."""
    finished = {"library"} if Path(folder) == ROOT else set()
    return GENERATED(folder, names) | finished


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    """The wheel that `python -m build` makes of a copy of the sources, by way of an sdist."""
    folder = tmp_path_factory.mktemp("packaging")
    shutil.copytree(ROOT, folder / "source", ignore=not_source)
    run(
        sys.executable, "-m", "build", "--installer", "uv", "--outdir", folder / "dist",
        folder / "source", PATH=f"{TOOLS}{os.pathsep}{os.environ['PATH']}",
    )  # fmt: skip
    (built,) = (folder / "dist").glob("*.whl")
    return built


def checkout(wheel: Path) -> Path:
    """The copy of the sources that the wheel is built from."""
    return wheel.parent.with_name("source")


def test_the_source_distribution_has_what_a_set_up_needs(wheel):
    (source,) = wheel.parent.glob("*.tar.gz")
    with tarfile.open(source) as archive:
        held = {name.partition("/")[2] for name in archive.getnames()}
    needed = {
        "Makefile",
        "find_python.sh",
        "install_packages.sh",
        "constraints.txt",
        "demo_voice.txt",
        "prefect.yaml",
        "README.md",
        "LICENSE",
    }
    assert needed | {"Dockerfile", "docs/python.md", "tests/conftest.py"} <= held


def test_the_wheel_has_its_licence_and_tells_type_checkers_of_its_types(wheel):
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        (licence,) = (name for name in names if name.endswith("/licenses/LICENSE"))
        assert archive.read(licence) == (ROOT / "LICENSE").read_bytes()
    assert "audiomill/py.typed" in names


def test_the_wheel_has_every_module_of_the_checkout_and_no_other(wheel):
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if name.endswith(".py")}
    rooms = ("inputs", "renderers", "outputs", "flows")
    modules = {path for room in rooms for path in (ROOT / room).rglob("*.py")}
    modules |= {ROOT / "__init__.py", ROOT / "__main__.py"}
    assert names == {f"audiomill/{path.relative_to(ROOT)}" for path in modules}


def check(program: Path, folder: Path, adds_kokoro: str) -> None:
    """The installed program renders a chapter where a user has folders named as ours.

    It knows the command that adds Kokoro to this installation.
    """
    for name in OWN_NAMES:
        (folder / name).mkdir(parents=True)
        (folder / name / "__init__.py").write_text("raise SystemExit('not this one')\n")
    home = {"HOME": folder / "home", "PYTHONPATH": folder, "PWD": folder}
    out = run(program, *CHAPTER, "--out", folder / "library", "--json", "--no-prefect", **home)
    summary = json.loads(out.splitlines()[-1])
    assert [file["format"] for file in summary["files"]] == ["m4b"]
    assert Path(summary["files"][0]["path"]).stat().st_size > 10_000
    assert summary["audio_s"] > 1
    assert adds_kokoro in run(program, "doctor", **home)


@pytest.fixture(scope="module")
def tools_of_uv(wheel, tmp_path_factory) -> Path:
    """Where uv has installed the wheel as a tool, with all that it needs."""
    folder = tmp_path_factory.mktemp("uv")
    run(
        TOOLS / "uv", "tool", "install", "--quiet", "--python", sys.executable,
        "--constraints", CONSTRAINTS, checkout(wheel),
        UV_TOOL_DIR=folder / "tools", UV_TOOL_BIN_DIR=folder / "bin",
    )  # fmt: skip
    return folder


def lend_packages(environment: Path, lender: Path) -> None:
    """Let an environment find what another one has, after what it has itself."""
    (own,), (lent,) = (folder.rglob("site-packages") for folder in (environment, lender))
    (own / "lent.pth").write_text(str(lent))


def test_pip_installs_a_checkout_in_a_clean_environment(wheel, tools_of_uv, tmp_path):
    """Without its dependencies it can be imported. With them, it is a program.

    They are those that uv has found. pip finds them, too, whenever the tests are set up.
    """
    run(sys.executable, "-m", "venv", tmp_path / "env")
    python = tmp_path / "env" / "bin" / "python"
    _, *bare = documented("python -m pip install --no-deps -e .")
    run(python, *bare, PWD=checkout(wheel))
    found = run(python, "-c", "import audiomill.flows as it; print(it.__file__)", PWD=tmp_path)
    assert Path(found.strip()).parents[1] == checkout(wheel)
    briefly = ("--quiet", "--no-compile", "--no-deps")
    run(python, "-m", *documented("pip install ."), *briefly, PWD=checkout(wheel))
    lend_packages(tmp_path / "env", tools_of_uv / "tools")
    added = f"{python} -m pip install '{checkout(wheel)}[kokoro]'"
    check(python.with_name("audiomill"), tmp_path / "work", added)
    files = run(python, "-m", "pip", "show", "--files", "audiomill")
    names = {line.split("/")[0].strip() for line in files.split("Files:\n")[1].splitlines()}
    assert {name for name in names if not name.startswith(("audiomill-", ".."))} == {"audiomill"}


def test_uv_installs_the_tool(wheel, tools_of_uv, tmp_path):
    added = f"uv tool install --force '{checkout(wheel)}[kokoro]'"
    check(tools_of_uv / "bin" / "audiomill", tmp_path / "work", added)


@pytest.mark.prove_long
def test_pipx_installs_the_tool(wheel, tmp_path):
    _, *words, _ = documented("pipx install .")
    run(
        TOOLS / "pipx", *words, "--python", sys.executable,
        "--pip-args", f"--quiet -c {CONSTRAINTS}", wheel,
        PIPX_HOME=tmp_path / "pipx", PIPX_BIN_DIR=tmp_path / "bin",
        PIPX_MAN_DIR=tmp_path / "man",
    )  # fmt: skip
    added = f"pipx install --force 'audiomill[kokoro] @ {wheel.as_uri()}'"
    check(tmp_path / "bin" / "audiomill", tmp_path / "work", added)
