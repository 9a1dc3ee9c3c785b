"""The measurement of several cards measures, whatever it finds: every segment by every number."""

import json
import subprocess
import sys

import pytest

from support.home import ROOT


@pytest.mark.prove
def test_every_number_of_cards_renders_the_whole_book():
    command = [sys.executable, "tests/bench_gpus.py", "0.2", "200"]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    cards = json.loads(run.stdout)["cards"]
    assert list(cards) == ["1", "2", "4", "8"]
    assert len({figures["segments"] for figures in cards.values()}) == 1
    assert all(figures["wall_s"] > 0 for figures in cards.values())
    assert cards["1"]["of_linear"] == 1
