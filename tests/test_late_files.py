"""No test is lost, and no error, where each worker collects the files that it runs."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from support.paths import TESTS_PATH

CONFTEST = """
from support.late_files import collect_late

def pytest_configure(config):
    config.addinivalue_line("markers", "slow")
    collect_late(config)
"""
GOOD = """
import pytest

@pytest.fixture(scope="module")
def shared():
    yield 1
    print("ended once", flush=True)

@pytest.mark.parametrize("n", range(3))
def test_good(shared, n):
    pass

@pytest.mark.slow
def test_slow():
    pass
"""
SLOW = "import pytest\n@pytest.mark.slow\ndef test_slow():\n    pass\n"
BAD = "def test_bad():\n    assert 1 == 2\n"
SKIPPED = "import pytest\npytest.skip('not here', allow_module_level=True)\n"
BROKEN = "import nowhere\ndef test_broken():\n    pass\n"
WARNS = "import warnings\nwarnings.warn('at import')\ndef test_warns():\n    pass\n"
DEADLY = "import os\ndef test_first():\n    pass\ndef test_deadly():\n    os._exit(3)\n"

pytestmark = pytest.mark.prove


def run(folder: Path, files: dict[str, str], *options: str) -> tuple[int, str]:
    """The exit code of pytest for these files, and what it wrote."""
    for name, content in ({"conftest.py": CONFTEST} | files).items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(content)
    words = [sys.executable, "-m", "pytest", "-ra", "-p", "no:cacheprovider", "-n", "2"]
    words += ["-c", os.devnull, "--rootdir", str(folder), "-W", "error", *options]
    environment = os.environ | {"PYTHONPATH": TESTS_PATH}
    words += ["--dist", "loadfile", str(folder)]
    done = subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def test_all_tests_of_all_files_run(tmp_path):
    code, told = run(tmp_path, {f"test_{letter}.py": GOOD for letter in "abcde"})
    assert code == 0, told
    assert "20 passed" in told


def test_whatever_is_wrong_with_a_file_is_an_error(tmp_path):
    files = {"bad": BAD, "broken": BROKEN, "good": GOOD, "skipped": SKIPPED, "warns": WARNS}
    code, told = run(tmp_path, {f"test_{name}.py": text for name, text in files.items()})
    assert code == 1, told
    assert "1 failed, 4 passed, 1 skipped, 2 errors" in told
    for one in ("FAILED test_bad.py::test_bad", "ERROR test_broken.py", "ERROR test_warns.py"):
        assert one in told


def test_tests_are_chosen_by_their_marks(tmp_path):
    files = {"test_bad.py": BAD, "test_good.py": GOOD}
    code, told = run(tmp_path, files, "-m", "slow")
    assert (code, "1 passed" in told) == (0, True), told
    code, told = run(tmp_path, files, "-m", "nothing")
    assert code == pytest.ExitCode.NO_TESTS_COLLECTED, told


def test_a_file_may_hold_no_test_that_is_chosen(tmp_path):
    """What was begun for the test before it has ended when that of another folder begins."""
    files = {f"{name}/test_{name}.py": SLOW if name in "bd" else GOOD for name in "abcde"}
    code, told = run(tmp_path, files, "-m", "not slow", "-n", "1")
    assert (code, "9 passed" in told) == (0, True), told


def test_the_test_that_ends_a_worker_is_named(tmp_path):
    code, told = run(tmp_path, {"test_deadly.py": DEADLY}, "--max-worker-restart", "0")
    assert code == 1, told
    assert "crashed while running 'test_deadly.py::test_deadly'" in told
