"""The commands of docs/benchmark.md, and `make demo`, as they are written there.

Commands without `--random-weights` take a small model from a setting, so that they end soon. The
others compute with the full size; where that takes minutes, fewer words and passes are added.
"""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import torch

from audiomill.renderers.kokoro.gpu.self_test import MAX_DISTANCE_DB
from audiomill.renderers.kokoro.weights.random_weights import write_random_model
from audiomill.renderers.kokoro.weights.releases import DEFAULT_VOICES
from benchmarks.gpu.stages import STAGES
from support.documents import documented, each_documented, process_of
from support.epub_data import three_chapters
from support.kokoro_home import with_kokoro
from support.kokoro_reference import REDUCED
from support.paths import ROOT, SAMPLES
from support.piper_voices import add_voice

pytestmark = pytest.mark.longest
BIN = Path(sys.executable).parent
BRIEFLY = ("--words=1", "--repeat=1")
with_gpu = pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a GPU")


@pytest.fixture
def kokoro(home):
    """A home whose settings name a small model with the voices of every language."""
    weights = home.path / "weights"
    write_random_model(weights, DEFAULT_VOICES, config=REDUCED)
    return with_kokoro(home).with_variables(AUDIOMILL_KOKORO__WEIGHTS=weights)


def one_word(home) -> str:
    """A text of one word: a model of full size needs a minute for a sentence of each chapter."""
    path = home.path / "one.md"
    path.write_text("One.")
    return str(path)


@pytest.mark.prove
def test_two_results_are_compared(home):
    measure = home.run("bench", "--engine=tone", "--words=60", "--repeat=2", "--out", "measured")
    assert measure.returncode == 0, measure.stderr
    for words in (
        documented("audiomill bench --compare before.json after.json"),
        documented("audiomill bench --compare A.json B.json"),
    ):
        for name in words[-2:]:
            shutil.copy(home.path / "measured" / "bench.json", home.path / name)
        run = home.run(*words[1:])
        assert run.returncode == 0, run.stderr
        assert "1.000 ±" in run.stdout


@pytest.mark.prove
@each_documented(
    "audiomill bench --engine espeak --engine tone",
    "audiomill bench --engine espeak --in-flight 1,2",
)
def test_any_engines_have_one_table(home, words):
    run = home.run(*words[1:], "--words=60", "--repeat=1")
    assert run.returncode == 0, run.stderr
    for engine in {"espeak", *words} & {"espeak", "tone"}:
        assert f"\n{engine}, cpu, planned " in run.stdout


@pytest.mark.prove_long
@each_documented(
    "audiomill bench",
    "audiomill bench book.epub",
    "audiomill bench --end-to-end",
)
def test_kokoro_is_measured(kokoro, words):
    three_chapters().write(kokoro.path)
    bounds = BRIEFLY[1:] if "book.epub" in words else BRIEFLY
    result = kokoro.json(*words[1:], *bounds)
    found = {(one["mode"], one["engine"]) for one in result["variants"]}
    assert ("synthesis only", "kokoro") in found
    assert (("end to end", "kokoro") in found) == ("--end-to-end" in words)
    assert result["text"]["title"] == (
        "The Mill" if "book.epub" in words else "Ten Ways over the River"
    )


@pytest.mark.prove_long
def test_kokoro_is_measured_beside_its_rivals(kokoro):
    words = documented("PYTHONPATH=tests python -m benchmarks.rivals")
    weights = kokoro.environment["AUDIOMILL_KOKORO__WEIGHTS"]
    more = (*BRIEFLY, "--weights", weights, "--end-to-end", "--json")
    result = json.loads(run_process(kokoro, [*words, *more]).stdout)
    found = {(one["mode"], one["engine"]) for one in result["variants"]}
    assert {("synthesis only", engine) for engine in ("kokoro", "upstream", "onnx")} <= found
    assert ("end to end", "kokoro") in found


@pytest.mark.prove
def test_the_default_is_tuned(kokoro):
    """The small model says nothing about the official one, so its choice is not kept."""
    bounds = ("--repeat=3", "--seconds=900")  # it ends before, also on a busy machine
    words = documented("audiomill bench --tune")[1:]
    result = kokoro.json(*words, *bounds, one_word(kokoro))
    # "float32" where the default is bf16, which is no faster for a small model.
    assert result["choice"]["auto_precision"] in (None, "float32")
    assert {one["batch_frames"] for one in result["tried"]} == {0, 300}
    assert result["characters_read_per_s"] > 0
    assert "another size" in result["kept"]
    assert not (kokoro.path / "cache" / "audiomill" / "tuned.json").exists()


@pytest.mark.prove_long
def test_without_settings_nothing_is_kept(home):
    """That it is so is proved without a model, too: tests/flows/bench/test_tune.py."""
    words = documented("python -m audiomill.flows.bench --tune")
    bounds = ("--random-weights", "--repeat=3", "--seconds=21")
    run = run_process(home, [*words, *bounds, one_word(home)])
    assert "Kept nowhere: settings are read by audiomill bench --tune only." in run.stdout
    assert not (home.path / "cache" / "audiomill" / "tuned.json").exists()


@pytest.mark.prove
def test_random_weights_are_named_in_every_line(home):
    words = documented("audiomill bench --random-weights")[1:]
    run = home.run(*words, *BRIEFLY, one_word(home))
    assert run.returncode == 0, run.stderr
    for line in (run.stdout + run.stderr).splitlines():
        assert line.startswith("[random weights]")


@pytest.mark.prove_long
def test_the_figures_of_a_cpu_come_from_one_command(home):
    """README names it; a design note has what it has measured."""
    words = documented(
        "PYTHONPATH=tests python -m benchmarks.rivals --random-weights --words 150 --repeat 3"
    )
    assert " ".join(words) in (ROOT / "docs/design/kokoro.md").read_text("utf-8")
    run = run_process(home, [*words, *BRIEFLY, "--rivals=upstream", "--json"])
    result = json.loads(run.stdout)
    assert [one["name"] for one in result["variants"] if one["speed"] > 0] == [
        "kokoro, cpu, planned",
        "upstream, cpu, sentence",
        "upstream, cpu, adaptive",
    ]


@pytest.mark.prove_long
def test_kokoro_onnx_is_measured_beside_kokoro(home):
    words = documented("python tests/benchmarks/bench_kokoro_onnx.py")
    result = json.loads(run_process(home, [*words, "--rows", "1", "--rounds", "1"]).stdout)
    assert list(result["engines"]) == ["kokoro", "float32", "float16", "int8"]
    assert all(one["speed"] > 0 for one in result["engines"].values())
    assert result["engines"]["kokoro"]["audio_s"] == result["engines"]["float32"]["audio_s"]
    # Each process holds its model, of which int8's is the smallest, with 109 MiB.
    assert all(one["peak_mib"] > 109 for one in result["engines"].values())
    found = result["distances"]
    for engine in ("kokoro", "float32"):
        floor = found[f"{engine} - {engine}, other noise"]
        assert (floor["n_rows"], floor["n_left_out"]) == (1, 0)
        assert 0 < floor["log_mel_db"] < 20
        assert floor["log_stft_db"] > 0
    assert found["kokoro - float32"]["log_mel_db"] > 0


@pytest.mark.prove
def test_every_number_of_gpus_renders_the_whole_book(home):
    *words, _hours, _pace = documented("python tests/benchmarks/bench_gpus.py HOURS PACE")
    runs = json.loads(run_process(home, [*words, "0.05", "200"]).stdout)["cards"]
    assert list(runs) == ["1", "2", "4", "8"]
    assert len({figures["segments"] for figures in runs.values()}) == 1
    assert all(figures["wall_s"] > 0 for figures in runs.values())
    assert runs["1"]["of_linear"] == 1


@pytest.mark.prove_long
def test_everything_except_synthesis_is_measured(home):
    *words, _hours = documented("python tests/benchmarks/bench_cost.py HOURS")
    result = json.loads(run_process(home, [*words, "0.1", "600"]).stdout)  # of real time
    assert result["audio_s"] > 100
    assert 0 < result["encoding_share"] < 1
    assert result["segments"] > 50
    assert result["ratio"] > 0


@pytest.mark.prove
def test_listeners_wait_as_long_as_the_design_notes_say(home):
    words = documented("python tests/benchmarks/bench_speech_queue.py")
    page = (ROOT / "docs/design/speech-server.md").read_text("utf-8")
    assert run_process(home, words).stdout in page


@pytest.mark.prove
def test_reading_is_measured(home):
    *words, _book = documented("python tests/benchmarks/bench_text.py BOOK")
    sample = SAMPLES / "the-lighthouse-mill.md"
    figures = json.loads(run_process(home, [*words, str(sample)]).stdout)["books"][sample.name]
    n_words = len(sample.read_text("utf-8").split())
    for engine in ("espeak", "kokoro"):
        # Marks such as # are no words, and a cut at a dash makes one more.
        assert figures[engine]["words"] == pytest.approx(n_words, rel=0.05)
        assert figures[engine]["total_words_per_s"] > 0
        assert figures[engine]["mib_per_million_words"] > 0


@pytest.mark.prove
@with_gpu
@each_documented(
    "audiomill bench --device cuda --batch-frames 0,4096,16384,65536 --chunking planned,sentence",
    "audiomill bench --device cpu,cuda --precision float32",
    "python -m audiomill.flows.bench --random-weights --device cuda",
)
def test_kokoro_is_measured_on_a_gpu(kokoro, words):
    is_program = words[0] == "audiomill"
    command = ["python", "-m", *words] if is_program else words
    run = run_process(kokoro.with_variables(TRITON_INTERPRET=0), [*command, *BRIEFLY, "--json"])
    result = json.loads(run.stdout)
    devices = {one["device"] for one in result["variants"] if one["engine"] == "kokoro"}
    assert devices == ({"cpu", "cuda"} if "cpu,cuda" in words else {"cuda"})


@pytest.mark.prove
def test_one_file_of_tests_is_run_as_it_is_written(home):
    _, path = documented(".venv/bin/pytest tests/inputs/model/test_ledger.py")
    words = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", path]
    assert " passed" in run_process(home, words).stdout


@each_documented(
    "audiomill inspect book.epub",
    "audiomill lexicon suggest book.epub",
    "audiomill render book.epub",
    "audiomill render book.epub --engine espeak --voice en-gb",
    "audiomill render book.epub --format m4b,html",
    "audiomill render book.epub --for acx",
)
def test_the_commands_of_the_readme_work(home, words):
    three_chapters().write(home.path).rename(home.path / "book.epub")
    (home.path / "audiomill.toml").write_text('engine = "tone"\n')
    run = home.run(*words[1:])
    assert run.returncode == 0, run.stderr
    assert run.stdout.strip()
    assert bool(list(home.path.rglob("report.html"))) == ("render" in words)


def demo(home, *variables):
    """Run the demo. What it installs is here already."""
    words = [*documented("make demo"), "--old-file=.venv/.ready-", f"BIN={BIN}", *variables]
    return run_process(home, words)


@pytest.mark.prove
def test_the_demo_makes_an_audiobook_where_no_voice_can_be_fetched(home):
    home = home.with_variables(AUDIOMILL_SPEED=4)  # most of the time would go to its sound
    run = demo(home, f"DEMO_VOICES={home.path}/voices", "INSTALL=false")
    made = {
        path.suffix for path in home.library.glob("[!.]*/**/*") if path.stat().st_size > 100_000
    }
    assert made == {".m4b"}
    assert str(home.library) in run.stdout
    assert "Warning" not in run.stderr
    reads = "They cannot be had here (.venv/set-up.log says why), so the built-in espeak-ng reads."
    for said in (
        reads,
        "open the .m4b in a player",
        "report.html beside it",
        "--prefect in place of",
    ):
        assert said in run.stdout
    (page,) = home.library.rglob("report.html")
    assert f"Report with players: {page}" in run.stderr


@pytest.mark.prove
def test_the_demo_reads_with_the_voice_that_was_fetched(home):
    voices = home.path / "voices"
    add_voice(voices, "en_US-joe-medium")
    (voices / ".ready").touch()
    book = three_chapters().write(home.path)
    demo(home, f"DEMO_VOICES={voices}", f"DEMO_BOOK={book}", f"--old-file={voices}/.ready")
    (report,) = home.library.rglob("report.json")
    (voice,) = json.loads(report.read_text())["voices"]
    assert "en_US-joe-medium" in str(voice)


@pytest.mark.prove
def test_one_command_proves_and_measures_a_gpu(home):
    on_card, dry = documented("make prove-device"), documented("make prove-device DEVICE=cpu")
    ready = ("--old-file=.venv/.tested-ready", f"BIN={BIN}", "PYTHON=")
    run_process(home, [*(on_card if torch.cuda.is_available() else dry), *ready])
    summary = json.loads((ROOT / "build" / "device" / "summary.json").read_text("utf-8"))
    assert [*summary] == [stage.name for stage in STAGES if stage.name in summary]
    assert {"first", "sweep", "layers", "profile", "books", "compiled"} <= set(summary)
    steps = [(stage, name, one) for stage, parts in summary.items() for name, one in parts.items()]
    assert not [step for step in steps if "failed" in step[2]]
    assert summary["first"]["fp16"]["self_test_db"] < MAX_DISTANCE_DB
    assert summary["books"]["cold"]["audio_s"] == summary["books"]["again"]["audio_s"] > 0


def run_process(home, words):
    """The command in the root of the checkout, with the settings of `home`; it must succeed."""
    run = subprocess.run(
        process_of(words), cwd=ROOT, env=home.environment, capture_output=True, text=True
    )
    assert run.returncode == 0, run.stderr
    return run
