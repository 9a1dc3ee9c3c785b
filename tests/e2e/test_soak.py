"""`make soak` for some seconds, so that it works when somebody wants hours of it."""

import json
import os
import subprocess
import sys

import pytest

from support.paths import ROOT, TESTS_PATH
from support.process_data import TIMEOUT_S


@pytest.mark.prove_long
def test_a_short_soak_finds_nothing():
    run = subprocess.run(
        [sys.executable, "-m", "soak", "--hours", "0.005"],
        cwd=ROOT, env=os.environ | {"PYTHONPATH": TESTS_PATH}, timeout=TIMEOUT_S,
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert run.returncode == 0, run.stdout + run.stderr
    result = json.loads(run.stdout)
    assert result["left"] == []
    assert all(sum(task["rounds"].values()) > task["rounds"]["failed"] for task in result["tasks"])
