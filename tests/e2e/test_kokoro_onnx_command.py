"""The command line with kokoro-onnx where PyTorch is missing; doctor, voices, wrong settings."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from audiomill.flows.console import EXIT_RENDER
from audiomill.renderers.store.store import open_store
from support.book_data import write_book
from support.kokoro_onnx_files import onnx_folder
from support.stopped_runs import decoded, shards

# The export of a model takes ten seconds.
pytestmark = pytest.mark.prove

# The command line where PyTorch is not installed.
WITHOUT_TORCH = """
import sys
for name in ("torch", "kokoro", "spacy_curated_transformers", "transformers", "onnx"):
    sys.modules[name] = None
from audiomill.flows.cli.main import main
sys.exit(main())
"""


@pytest.fixture
def speaking(home):
    return home.with_variables(
        AUDIOMILL_KOKORO_ONNX__MODEL=onnx_folder(), AUDIOMILL_KOKORO_ONNX__WORKERS=0
    )


def test_a_book_without_pytorch(speaking):
    book = write_book(speaking.path / "book.md", 2, 8)
    without = replace(speaking, program=("-c", WITHOUT_TORCH))
    wanted = ("--format", "flac", "--no-prefect")
    report = without.render(book, *wanted)  # with the default engine, which is "auto"
    assert json.loads(Path(report["report"]).read_text())["engine"] == "kokoro-onnx"
    assert report["rendered"] == report["segments"] > 4
    assert report["audio_s"] > 10
    spoken = [open_store(str(speaking.store)).get(path.stem) for path in shards(speaking)]
    assert all(np.sqrt(np.mean(one.samples.astype(float) ** 2)) > 0.003 for one in spoken)
    assert all(one.info.timings for one in spoken)
    # The same engine, with PyTorch: nothing is rendered again.
    again = speaking.render(book, *wanted, "--engine", "kokoro-onnx")
    assert (again["rendered"], decoded(again)) == (0, decoded(report))


def test_doctor_and_voices_know_it(speaking, home):
    checked = speaking.run("doctor")
    assert f"ok       kokoro-onnx {onnx_folder()}/kokoro-v1.0.onnx" in checked.stdout
    listed = speaking.run("voices", "--engine", "kokoro-onnx", "--language", "en-GB")
    assert "bf_emma" in listed.stdout
    assert "ff_siwis" not in listed.stdout
    absent = home.with_variables(
        AUDIOMILL_KOKORO_ONNX__MODEL=home.path / "absent", AUDIOMILL_ENGINE="kokoro-onnx"
    ).run("doctor")
    assert absent.returncode == EXIT_RENDER
    assert "MISSING  kokoro-onnx not ready" in absent.stdout


def test_a_wrong_setting_is_refused(home):
    for name, wrong in (("THREADS", "-1"), ("PRECISION", "int9")):
        user = home.with_variables(**{f"AUDIOMILL_KOKORO_ONNX__{name}": wrong})
        words = user.refused(2, "doctor")
        assert f"kokoro_onnx.{name.lower()}" in words or "threads is -1" in words


def test_the_engine_is_offered(home):
    assert "kokoro-onnx" in home.run("render", "--help").stdout
