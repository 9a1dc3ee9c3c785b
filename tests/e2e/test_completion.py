"""A real bash completes our command line; zsh and fish, where installed, take their scripts."""

import os
import pty
import shutil
import subprocess
import threading
from pathlib import Path

import pytest

from audiomill.renderers.engine.registry import engine_names
from support.case_files import each_row
from support.documents import documented
from support.home import Home
from support.process_data import TIMEOUT_S


@pytest.fixture(scope="module")
def script(tmp_path_factory) -> Path:
    home = Home(tmp_path_factory.mktemp("home"), {})
    path = home.path / "completion.bash"
    run = home.run(*documented("audiomill completion bash")[1:])
    assert (run.returncode, run.stderr) == (0, "")
    path.write_text(run.stdout)
    return path


def offered(script: Path, line: str) -> list[str]:
    """What bash offers for the last word of `line`."""
    words = line.split(" ")
    program = (
        f'source {script}; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _audiomill;'
        ' printf "%s\\n" "${COMPREPLY[@]}"'
    )
    run = subprocess.run(
        ["bash", "-c", program, "bash", *words],
        capture_output=True, text=True, check=True, timeout=TIMEOUT_S,
    )  # fmt: skip
    assert run.stderr == ""
    return run.stdout.split()


@each_row
def test_bash_offers_what_fits(script, line, expected):
    assert offered(script, line) == expected


def test_every_option_and_command_is_offered(script):
    assert offered(script, "audiomill bench --engine ") == list(engine_names())
    options = offered(script, "audiomill render --")
    assert {"--voice", "--speed", "--split", "--json", "--store"} <= set(options)
    assert set(offered(script, "audiomill ")) >= {"render", "inspect", "voices", "bench", "doctor"}


def test_the_tab_key_completes_in_an_interactive_bash(script, tmp_path):
    """Typed into a terminal; a function of our name shows the words that bash has made of it."""
    (tmp_path / "my book.epub").touch()
    typed = [
        f"source {script}",
        "audiomill() { printf '<%s>' \"$@\"; echo; }",
        "audiomill ren\tmy\t--form\tm4b,op\t--voice bf_e\t",
        "exit",
    ]
    master, terminal = pty.openpty()
    environment = os.environ | {"PS1": "", "TERM": "dumb", "INPUTRC": os.devnull}
    with subprocess.Popen(
        ["bash", "--norc", "--noprofile", "-i"],
        cwd=tmp_path, env=environment, stdin=terminal, stdout=terminal, stderr=terminal,
        start_new_session=True,
    ) as bash:  # fmt: skip
        os.close(terminal)
        limit = threading.Timer(TIMEOUT_S, bash.kill)
        limit.start()
        os.write(master, "".join(f"{line}\n" for line in typed).encode())
        shown = b""
        try:
            while some := os.read(master, 4096):
                shown += some
        except OSError:  # the terminal was closed: bash has ended
            pass
        bash.wait()
        limit.cancel()
    os.close(master)
    expected = "<render><my book.epub><--format><m4b,opus><--voice><bf_emma>"
    assert expected in shown.decode(errors="replace")


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_another_shell_takes_its_script(home, shell):
    run = home.run("completion", shell)
    assert run.returncode == 0
    if shell == "fish":
        assert documented("audiomill completion fish | source")[2] == shell
        lines = run.stdout.splitlines()
        assert all(line.startswith("complete -c audiomill -n ") for line in lines)
        assert any("-l engine" in line and "espeak" in line for line in lines)
    if program := shutil.which(shell):
        check = [program, "--no-execute"] if shell == "fish" else [program, "-n"]
        subprocess.run(check, input=run.stdout, text=True, check=True, timeout=TIMEOUT_S)


def test_an_unknown_shell_is_refused(home):
    assert "bash" in home.refused(2, "completion", "tcsh")
