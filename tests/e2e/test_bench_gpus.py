"""The benchmark of several GPUs renders every segment with every number of GPUs."""

import json
import subprocess
import sys

import pytest

from support.home import ROOT


@pytest.mark.prove
def test_every_number_of_gpus_renders_the_whole_book():
    command = [sys.executable, "tests/benchmarks/bench_gpus.py", "0.2", "200"]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    runs = json.loads(run.stdout)["cards"]
    assert list(runs) == ["1", "2", "4", "8"]
    assert len({figures["segments"] for figures in runs.values()}) == 1
    assert all(figures["wall_s"] > 0 for figures in runs.values())
    assert runs["1"]["of_linear"] == 1
