"""Kokoro on the test stand, with small random weights: what is measured is what is claimed."""

import subprocess
import sys

import pytest

from audiomill.flows.bench import engines as stand
from audiomill.flows.bench.corpus import BenchPassage, BenchText
from audiomill.renderers.benchmarking import BenchLine
from audiomill.renderers.host.child_process import RemoteObject
from audiomill.renderers.kokoro.bench.ours import RowsEngine
from audiomill.renderers.kokoro.config import read_config
from audiomill.renderers.options import KokoroOptions
from support.bench_data import UpstreamSwitches
from support.home import ROOT
from support.kokoro_reference import folder
from support.process_data import PATIENCE_S

VOICE = "af_heart"
ROWS = ("wˈʌn.", "tˈuː ænd ɐ bˈɪt mˈɔːɹ.", "θɹˈiː.", "wˈʌn.", "fˈɔːɹ, ænd sˈʌm.", "fˈIv.")
LINES = tuple(BenchLine(said, len(said)) for said in ROWS)
SUBJECT = BenchText("T", "", VOICE, (BenchPassage(0, 0, 9, {"planned": LINES}),))
# What a machine with PyTorch, NumPy and their needs does not have.
ABSENT = (
    *("lxml", "ebooklib", "nupunkt", "markdown_it", "yaml", "soundfile", "scipy", "pyloudnorm"),
    *("imageio_ffmpeg", "ffmpeg", "mutagen", "pydantic", "pydantic_settings", "platformdirs"),
    *("rich", "prefect", "httpx", "espeakng_loader", "kokoro", "misaki", "spacy", "transformers"),
    *("huggingface_hub", "loguru", "matplotlib", "onnx", "onnxruntime"),
)


@pytest.fixture(scope="module")
def options():
    return KokoroOptions(weights=folder("reduced"), device="cpu")


@pytest.mark.parametrize("batch_frames", [0, 120])
def test_every_row_is_spoken_once_whatever_the_budget(options, batch_frames):
    trial = RowsEngine(options, VOICE)
    turns = trial.steps(LINES, batch_frames)
    assert sorted(place for turn in turns for place in turn.lines) == list(range(len(LINES)))
    made = [turn.run() for turn in turns]
    step = read_config(options.weights / "config.json").samples_per_frame
    for turn in made:
        assert 0 < turn.real <= turn.computed
        assert turn.n_samples == turn.real * step
    n_batches = sum(turn.n_batches for turn in made)
    if batch_frames:
        assert n_batches < len(LINES)
        assert all(turn.computed <= turn.n_batches * batch_frames for turn in made)
        assert sum(turn.real for turn in made) < sum(turn.computed for turn in made)
    else:
        assert n_batches == len(LINES)
        assert all(turn.computed == turn.real for turn in made)


def test_upstream_is_given_the_same_work(options):
    """As many samples: a comparison is of the same audio."""
    ours = RowsEngine(options, VOICE)
    n_samples = sum(turn.run().n_samples for turn in ours.steps(LINES, 0))
    with RemoteObject(stand.upstream_run, options, SUBJECT) as upstream:
        found = upstream.ask("run", "planned", 0)
    assert found.audio_s * ours.sample_rate == pytest.approx(n_samples)
    assert len(found.finished_s) == len(LINES)


def test_what_is_called_float32_is_not_rounded_for_upstream_either(options):
    """PyTorch would, in a GPU's convolutions, unless it is told."""
    with RemoteObject(UpstreamSwitches, options, VOICE) as upstream:
        assert upstream.ask("switches") == (False, False)


def test_what_is_not_installed_is_a_reason():
    run = bare("from audiomill.renderers.kokoro.bench.onnx import require_onnx\nrequire_onnx()\n")
    assert "EngineMissing: not installed: onnx, onnxruntime" in run.stderr


def bare(program):
    """What a Python says that has nothing beside PyTorch, NumPy and their needs."""
    blocker = f"import sys\nfor name in {ABSENT!r}:\n    sys.modules[name] = None\n"
    return subprocess.run(
        [sys.executable, "-c", blocker + program],
        capture_output=True,
        text=True,
        cwd=ROOT,
        timeout=PATIENCE_S,
    )


def test_it_speaks_where_there_is_only_pytorch():
    """On a machine with a GPU and nothing else."""
    run = bare(
        "import audiomill.flows.bench.__main__\n"
        "from audiomill.flows.bench.engines import ArtifactBuilder, kokoro_run\n"
        "from audiomill.flows.bench.corpus import BenchPassage, BenchText\n"
        "from audiomill.renderers.options import KokoroOptions\n"
        "from audiomill.renderers.benchmarking import Line\n"
        "from pathlib import Path\n"
        "lines = {'planned': (Line('wˈʌn.', 4),)}\n"
        f"subject = BenchText('T', '', {VOICE!r}, (BenchPassage(0, 0, 1, lines),))\n"
        f"options = KokoroOptions(weights=Path({str(folder('reduced'))!r}), device='cpu')\n"
        "print(kokoro_run(options, subject, print).run('planned', 0).audio_s)\n"
    )
    assert run.returncode == 0, run.stderr
    assert float(run.stdout.split()[-1]) > 0


def test_what_needs_more_than_pytorch_says_so():
    run = bare(
        "sys.argv = ['bench', '--engine=tone']\n"
        "from audiomill.flows.bench.__main__ import main\n"
        "sys.exit(main())\n"
    )
    assert run.returncode == 2
    assert "full installation" in run.stderr


@pytest.mark.prove
def test_every_line_says_that_weights_are_random(home):
    run = home.run("bench", "--random-weights", "--words=1", "--repeat=1", "--rivals=none")
    assert run.returncode == 0, run.stderr
    for line in (run.stdout + run.stderr).splitlines():
        assert line.startswith("[random weights]")
