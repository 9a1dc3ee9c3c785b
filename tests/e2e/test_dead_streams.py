"""Every command with a standard stream that is closed or full: the same exit code, no traceback."""

import json
from pathlib import Path

import pytest
import soundfile

from audiomill.flows.cli.parser import COMMANDS
from audiomill.flows.console import EXIT_OUTPUT
from support.case_files import rows_of
from support.forked_run import run_forked
from support.signals_data import RATE, voice

CASES = Path(__file__).with_name("cases")
WORDS = {name: words.split() for name, words in rows_of(CASES / "dead_streams.txt", "commands")}
STREAMS = (">&-", "2>&-", ">/dev/full", "2>/dev/full")
PAIRS = (">&- 2>/dev/full", ">/dev/full 2>&-")  # where both are dead, only the code tells
SHOW = """
title = "T"
address = "http://127.0.0.1:1/"
folder = "out"
[[sources]]
page = "http://127.0.0.1:1/"
[speech]
engine = "tone"
[fetching]
wait_s = 0
"""
# Runs each case in a fork: as a program, but for the imports, which all share.
PROGRAM = """
import gc, json, os, sys
from importlib import import_module
from pathlib import Path
from audiomill.flows.cli.main import main

def run(words, redirect):
    Path("said.wav").unlink(missing_ok=True)
    if pid := os.fork():
        code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        return words, redirect, code, *(Path(name).read_text() for name in ("out", "err"))
    full = os.open("/dev/full", os.O_WRONLY)  # before its number could be that of a closed one
    for number, name in enumerate(("out", "err"), 1):
        os.dup2(os.open(name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), number)
        setattr(sys, f"std{name}", open(number, "w", closefd=False))
    for one in redirect.split():
        number, name = (2, "stderr") if one.startswith("2") else (1, "stdout")
        if one.endswith("full"):
            os.dup2(full, number)
        else:
            os.close(number)
            setattr(sys, name, None)
    sys.argv = ["audiomill", *words]
    code = main()
    try:
        for stream in filter(None, (sys.stdout, sys.stderr)):
            stream.flush()
    except OSError:
        code = 120  # Python's own, where it cannot do this at its end
    os._exit(code)

cases = json.loads(sys.argv[1])
for words, _ in cases:
    import_module(f"audiomill.flows.cli.{words[0]}")
gc.freeze()
Path("results").write_text(json.dumps([run(*case) for case in cases]))
"""


@pytest.mark.prove
def test_no_command_fails_of_a_dead_stream(home):
    """A result that cannot be written is an error, but not for a closed stdout."""
    assert set(WORDS) == set(COMMANDS)
    (home.path / "book.md").write_text("# One\n\nText.\n")
    (home.path / "show.toml").write_text(SHOW)
    soundfile.write(home.path / "sound.wav", voice(1.0), RATE)
    calls = [(name, *words) for name, words in WORDS.items()]
    cases = [(call, redirect) for call in calls for redirect in ("", *PAIRS)]
    one_by_one = (("inspect", "book.md", "--engine", "tone", "--json"), ("bench", "--help"))
    one_by_one += (("bench", "--no-such-option"), ("inspect", "gone.md", "--json"))
    cases += [(call, redirect) for call in one_by_one for redirect in ("", *STREAMS)]
    buffered = home.environment | {"AUDIOMILL_ARTICLES__ALLOWED_HOSTS": "127.0.0.1"}
    run = run_forked([json.dumps(cases)], home.path, buffered, PROGRAM)
    assert run.returncode == 0, run.stderr
    results = json.loads((home.path / "results").read_text())
    codes = {tuple(words): (code, bool(out)) for words, to, code, out, _ in results if not to}
    wrong = []
    for words, redirect, code, out, err in results:
        expected, has_result = codes[tuple(words)]
        if ">/dev/full" in redirect.split() and has_result:
            expected = expected or EXIT_OUTPUT
        is_usage_in_out = "usage:" in out and "--help" not in words
        if code != expected or code not in range(7) or "Traceback" in err or is_usage_in_out:
            wrong.append((words, redirect, code, expected, err))
    assert not wrong
