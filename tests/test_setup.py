"""Set-up on other people's machines: which Python is taken, and what is said when there is none."""

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from support.paths import ROOT
from support.process_data import TIMEOUT_S


def stand_in(folder: Path, name: str, version: tuple[int, int] | None) -> Path:
    """An executable called `name` that says it is Python `version`; None: it does not run."""
    path = folder / name
    if version is None:
        path.write_text("#!/bin/sh\necho 'not found in this version manager' >&2\nexit 127\n")
    else:
        suits = (3, 11) <= version < (3, 13)
        path.write_text(
            "#!/bin/sh\n"
            f'case "$2" in *sys.exit*) exit {0 if suits else 1};; *) echo "{path}";; esac\n'
        )
    path.chmod(0o755)
    return path


def find_python(path: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    environment = {"PATH": f"{path}:/usr/bin:/bin", "HOME": str(path), **variables}
    # Only what lies in `path` counts as Python: the system's own are shadowed by the stand-ins.
    for name in ("python3.12", "python3.11", "python3", "python", "uv"):
        if not (path / name).exists():
            stand_in(path, name, None)
    return subprocess.run(
        ["/bin/sh", "find_python.sh"],
        capture_output=True, text=True, cwd=ROOT, env=environment, timeout=TIMEOUT_S,
    )  # fmt: skip


@pytest.mark.parametrize("version", [(3, 11), (3, 12)])
def test_a_plain_python3_that_suits_is_taken(tmp_path, version):
    stand_in(tmp_path, "python3", version)
    assert find_python(tmp_path).stdout.strip() == str(tmp_path / "python3")


def test_a_python_that_is_too_new_is_passed_over(tmp_path):
    stand_in(tmp_path, "python3", (3, 14))
    stand_in(tmp_path, "python3.11", (3, 11))
    assert find_python(tmp_path).stdout.strip() == str(tmp_path / "python3.11")


def test_a_version_managers_stub_that_does_not_run_is_passed_over(tmp_path):
    stand_in(tmp_path, "python3.12", None)
    stand_in(tmp_path, "python3", (3, 12))
    assert find_python(tmp_path).stdout.strip() == str(tmp_path / "python3")


def test_a_version_managers_folder_is_searched(tmp_path):
    binaries = tmp_path / ".pyenv" / "versions" / "3.12.9" / "bin"
    binaries.mkdir(parents=True)
    stand_in(binaries, "python", (3, 12))
    assert find_python(tmp_path).stdout.strip() == str(binaries / "python")


def test_without_any_the_message_says_what_to_install(tmp_path):
    stand_in(tmp_path, "python3", (3, 13))
    run = find_python(tmp_path)
    assert run.returncode == 1
    assert run.stdout == ""
    assert "needs Python 3.11 or 3.12" in run.stderr
    assert "make PYTHON=" in run.stderr


def test_uv_fetches_one_when_there_is_none(tmp_path):
    stand_in(tmp_path, "python3", (3, 13))
    fetched = stand_in(tmp_path, "fetched", (3, 12))
    uv = tmp_path / "uv"
    uv.write_text(f'#!/bin/sh\ncase "$2" in find) echo {fetched};; esac\n')
    uv.chmod(0o755)
    assert find_python(tmp_path).stdout.strip() == str(fetched)


def test_a_named_python_is_taken_or_refused(tmp_path):
    named = stand_in(tmp_path, "mine", (3, 12))
    assert find_python(tmp_path, PYTHON=str(named)).stdout.strip() == str(named)
    too_new = stand_in(tmp_path, "new", (3, 13))
    run = find_python(tmp_path, PYTHON=str(too_new))
    assert run.returncode == 1
    assert str(too_new) in run.stderr


def test_this_interpreter_is_found():
    run = subprocess.run(
        ["/bin/sh", "find_python.sh"], capture_output=True, text=True, cwd=ROOT,
        env={**os.environ, "PYTHON": sys.executable}, check=True,
    )  # fmt: skip
    assert run.stdout.strip() == sys.executable


# Stands for pip: it takes two packages, and goes on once it is told to, or ends by itself.
PIP = """#!/bin/sh
echo "Collecting one"; echo "Collecting two"
n=0; while [ ! -e "$0.go" ] && [ "$n" -lt 600 ]; do sleep 0.1; n=$((n + 1)); done
echo "ERROR: no wheel for two"
[ -e "$0.go" ] && exit "$(cat "$0.go")"
exit 9
"""


@pytest.mark.parametrize("code", [0, 1])
def test_the_set_up_shows_its_progress_and_why_it_failed(tmp_path, code):
    pip = tmp_path / "pip"
    pip.write_text(PIP)
    pip.chmod(0o755)
    ours, terminal = pty.openpty()
    command = ["/bin/sh", "install_packages.sh", tmp_path / "log", pip, "-e", "."]
    with subprocess.Popen(
        command, cwd=ROOT, stdout=terminal, stderr=subprocess.PIPE, text=True
    ) as process:
        os.close(terminal)
        shown = ""
        while "2 packages so far, 1 s" not in shown:
            shown += os.read(ours, 1000).decode()  # ends with an error if the set-up has ended
        Path(f"{pip}.go").write_text(str(code))
        _, told = process.communicate(timeout=TIMEOUT_S)
    os.close(ours)
    assert process.returncode == code
    assert ("no wheel for two" in told) == ("The same command goes on" in told) == bool(code)
