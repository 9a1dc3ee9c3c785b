"""`--forks N`, by which `make test` runs: no test is lost, and what fails is told."""

import os
import subprocess
import sys

import pytest

from support.paths import TESTS_PATH

FILES = {
    "test_one.py": """
        import os, pytest

        @pytest.fixture(scope="module")
        def process():
            return os.getpid()

        @pytest.mark.parametrize("row", range(20))
        def test_rows(process, row, tmp_path):
            assert process == os.getpid() and row != 7
        """,
    "test_two.py": """
        import pytest

        def test_printed(capfd):
            print("seen by this test alone")
            assert capfd.readouterr().out == "seen by this test alone\\n"

        @pytest.fixture
        def broken():
            raise KeyError("of a fixture")

        def test_set_up(broken):
            pass

        def test_skipped():
            pytest.skip("for a reason")
        """,
}


def run(folder, files, *options):
    for name, text in files.items():
        lines = [line.removeprefix(" " * 8) for line in text.splitlines()]
        (folder / name).write_text("\n".join(lines))
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "support.forks", "-p", "no:xdist", "-rs", *options],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": TESTS_PATH, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        capture_output=True,
        text=True,
        check=False,
    )


def test_each_test_runs_once_and_what_fails_is_told(tmp_path):
    ended = run(tmp_path, FILES, "--forks", "3")
    assert ended.returncode == 1, ended.stderr
    assert "1 failed, 20 passed, 1 skipped, 1 error" in ended.stdout
    for told in ("row != 7", "KeyError: 'of a fixture'", "for a reason", "test_one.py:10"):
        assert told in ended.stdout, ended.stdout


def test_a_process_that_ends_is_told_with_its_test(tmp_path):
    killing = "import os\n\ndef test_kills():\n    os._exit(0)\n\ndef test_after():\n    pass\n"
    ended = run(tmp_path, FILES | {"test_one.py": killing}, "--forks", "2")
    assert ended.returncode == pytest.ExitCode.INTERRUPTED
    assert "ended, in test_one.py::test_kills" in ended.stdout


def test_the_first_failure_ends_all_if_wanted(tmp_path):
    ended = run(tmp_path, FILES, "--forks", "1", "-x")
    assert ended.returncode == 1
    assert "1 failed, 7 passed" in ended.stdout
