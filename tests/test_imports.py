"""The arrows of the house: who may import whom, and what must not be loaded at start-up."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from support.home import ROOT

ROOMS = ("inputs", "renderers", "outputs", "flows")  # imports point to the left
FILES = [path for room in ROOMS for path in sorted((ROOT / room).rglob("*.py"))]


def imported(path: Path) -> set[str]:
    """Every module that `path` imports, anywhere in it."""
    modules = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            modules.update(alias.name for alias in node.names)
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: a relative import hides its arrow"
            modules.add(node.module)
    return modules


def importers(package: str) -> set[str]:
    """The files that import `package` or anything in it."""
    return {
        str(path.relative_to(ROOT))
        for path in FILES
        if any(module.split(".")[0] == package for module in imported(path))
    }


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_point_upstream(path):
    room = ROOMS.index(path.relative_to(ROOT).parts[0])
    downstream = ROOMS[room + 1 :]
    assert not {module for module in imported(path) if module.split(".")[0] in downstream}


def test_the_walk_finds_imports():
    assert "audiomill.inputs.book" in imported(ROOT / "inputs" / "segments.py")
    assert len(FILES) > 30


def test_only_flows_knows_prefect():
    assert {path.split("/")[0] for path in importers("prefect")} == {"flows"}


def test_only_kokoro_knows_torch():
    assert all(path.startswith("renderers/kokoro/") for path in importers("torch"))


def test_only_one_file_starts_ffmpeg():
    assert importers("imageio_ffmpeg") == {"outputs/encoding/ffmpeg.py"}
    # One starts Prefect's server, one our own processes; one only knows the error of a compiler
    # that Triton has started.
    others = {
        "flows/prefect_server.py",
        "renderers/host/child_process.py",
        "renderers/kokoro/gpu/self_test.py",
    }
    assert importers("subprocess") - others == {"outputs/encoding/ffmpeg.py"}


def test_only_settings_reads_the_environment():
    readers = {
        str(path.relative_to(ROOT))
        for path in FILES
        if any(word in path.read_text() for word in ("os.environ", "os.getenv", "environ["))
    }
    # One reads nothing there: it passes all on to a process of ours.
    assert readers - {"renderers/host/child_process.py"} == {"flows/settings.py"}


def test_packages_are_empty_inside():
    assert [path for path in FILES if path.name == "__init__.py" and path.read_text()] == []


def loaded_by(code: str) -> set[str]:
    """The modules that a fresh interpreter has loaded after `code`."""
    program = f"import sys\n{code}\nprint(*sys.modules)"
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=ROOT
    )
    return {name.split(".")[0] for name in run.stdout.split()}


def test_help_loads_nothing_heavy():
    code = "import audiomill.flows.__main__ as m\nm.build_parser().format_help()"
    heavy = {"torch", "prefect", "spacy", "kokoro", "numpy", "scipy", "lxml", "pydantic", "rich"}
    assert not loaded_by(code) & heavy


def test_rendering_without_prefect_does_not_load_it():
    assert not loaded_by("import audiomill.flows.cli.render") & {
        "torch",
        "prefect",
        "spacy",
        "kokoro",
    }


def test_a_model_is_made_without_pytorchs_compiler():
    """It takes a second and a half to load; SymPy comes with it."""
    code = (
        "import torch\n"
        "from audiomill.renderers.kokoro.config import parse_config\n"
        "from audiomill.renderers.kokoro.model import Kokoro\n"
        "from audiomill.renderers.kokoro.bench.random_weights import OFFICIAL\n"
        "with torch.device('meta'):\n"
        "    Kokoro(parse_config(OFFICIAL))"
    )
    assert "sympy" not in loaded_by(code)
