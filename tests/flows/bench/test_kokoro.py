"""The benchmark of Kokoro with small random weights: its figures are true, its needs are few."""

import subprocess
import sys

import pytest

from audiomill.flows.bench.corpus import BenchPassage, BenchText
from audiomill.renderers.engine.benchmarking import BenchLine
from audiomill.renderers.kokoro.benchmark import RowsEngine
from audiomill.renderers.kokoro.model.config import read_config
from audiomill.renderers.kokoro.options import KokoroOptions
from support.kokoro_reference import built, folder
from support.paths import ROOT
from support.process_data import TIMEOUT_S

pytestmark = pytest.mark.prove

VOICE = "af_heart"
ROWS = ("wˈʌn.", "tˈuː ænd ɐ bˈɪt mˈɔːɹ.", "θɹˈiː.", "wˈʌn.", "fˈɔːɹ, ænd sˈʌm.", "fˈIv.")
LINES = tuple(BenchLine(said, len(said)) for said in ROWS)
TEXT = BenchText("T", "", VOICE, (BenchPassage(0, 0, 9, {"planned": LINES}),))
# Modules that a machine with only PyTorch, NumPy and their requirements does not have.
ABSENT = (
    *("lxml", "ebooklib", "nupunkt", "markdown_it", "yaml", "soundfile", "scipy", "pyloudnorm"),
    *("imageio_ffmpeg", "ffmpeg", "mutagen", "pydantic", "pydantic_settings", "platformdirs"),
    *("rich", "prefect", "httpx", "espeakng_loader", "kokoro", "misaki", "spacy", "transformers"),
    *("huggingface_hub", "loguru", "matplotlib", "onnx", "onnxruntime"),
)


@pytest.mark.parametrize("batch_frames", [0, 120])
def test_every_row_is_spoken_once_whatever_the_budget(batch_frames):
    options = KokoroOptions(weights=folder("narrow"), device="cpu")
    with built("narrow"):
        engine = RowsEngine(options, VOICE)
    steps = engine.steps(LINES, batch_frames)
    assert sorted(place for step in steps for place in step.lines) == list(range(len(LINES)))
    stats = [step.run() for step in steps]
    samples_per_frame = read_config(options.weights / "config.json").samples_per_frame
    for one in stats:
        assert 0 < one.real <= one.computed
        assert one.n_samples == one.real * samples_per_frame
    n_batches = sum(one.n_batches for one in stats)
    if batch_frames:
        assert n_batches < len(LINES)
        assert all(one.computed <= one.n_batches * batch_frames for one in stats)
        assert sum(one.real for one in stats) < sum(one.computed for one in stats)
    else:
        assert n_batches == len(LINES)
        assert all(one.computed == one.real for one in stats)


def bare(program):
    """The outcome of `program` in a Python with only PyTorch, NumPy and their requirements."""
    blocker = f"import sys\nfor name in {ABSENT!r}:\n    sys.modules[name] = None\n"
    return subprocess.run(
        [sys.executable, "-c", blocker + program],
        capture_output=True,
        text=True,
        cwd=ROOT,
        timeout=TIMEOUT_S,
    )


def test_it_synthesizes_with_only_pytorch_installed():
    """As on a rented machine with a GPU, where nothing else is installed."""
    run = bare(
        "import audiomill.flows.bench.__main__\n"
        "from audiomill.flows.bench.model_alone import model_run\n"
        "from audiomill.flows.bench.corpus import BenchPassage, BenchText\n"
        "from audiomill.renderers.kokoro.bench_model import KokoroBenchModel\n"
        "from audiomill.renderers.kokoro.options import KokoroOptions\n"
        "from audiomill.renderers.engine.benchmarking import BenchLine\n"
        "from pathlib import Path\n"
        "lines = {'planned': (BenchLine('wˈʌn.', 4),)}\n"
        f"text = BenchText('T', '', {VOICE!r}, (BenchPassage(0, 0, 1, lines),))\n"
        f"options = KokoroOptions(weights=Path({str(folder('reduced'))!r}), device='cpu')\n"
        "print(model_run(KokoroBenchModel(options), text, print).run('planned', 0).audio_s)\n"
    )
    assert run.returncode == 0, run.stderr
    assert float(run.stdout.split()[-1]) > 0


def test_an_engine_that_needs_more_than_pytorch_is_refused():
    run = bare(
        "sys.argv = ['bench', '--engine=tone']\n"
        "from audiomill.flows.bench.__main__ import main\n"
        "sys.exit(main())\n"
    )
    assert run.returncode == 2
    assert "full installation" in run.stderr
