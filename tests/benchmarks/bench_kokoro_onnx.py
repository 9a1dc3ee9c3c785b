"""kokoro-onnx beside the engine kokoro: `python tests/benchmarks/bench_kokoro_onnx.py [OPTIONS]`.

Random weights of the official size, rows of the benchmark's corpus, each engine in a process of its
own, one after the other, in several rounds. It prints seconds of audio for each second (`speed`)
and for each second of processor time (`per_cpu_s`), which other programs hardly change; the peak of
memory; and distances (`renderers/kokoro/gpu/self_test.py`) of float16 and int8 from float32,
of ours from float32, and between two noises, which is the floor of them all. Rows whose durations
differ are counted and left out. `--package PYTHON` names an interpreter with the package
`kokoro-onnx`, which then runs the same model. Not a test: nothing passes or fails.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from dataclasses import asdict
from pathlib import Path
from statistics import median

import numpy as np

from audiomill.flows.bench.model_alone import model_text
from audiomill.renderers.host.hardware import this_machine
from audiomill.renderers.kokoro.bench_model import bench_model
from audiomill.renderers.kokoro.gpu.self_test import distance, mean_distance
from audiomill.renderers.kokoro.model.config import SAMPLE_RATE
from audiomill.renderers.kokoro.options import KokoroOptions
from audiomill.renderers.kokoro.weights.random_weights import write_random_model
from benchmarks.rivals.onnx import export, halve, quantise, write_voices

sys.path.insert(0, str(Path(__file__).parents[1]))  # for `support`

from support.bench_data import bench_options

VOICE = "af_heart"
ENGINES = ("kokoro", "float32", "float16", "int8")
PAIRS = (
    ("kokoro", "kokoro, other noise"),
    ("float32", "float32, other noise"),
    ("kokoro", "float32"),
    ("float32", "float16"),
    ("float32", "int8"),
)
# What runs in each process: it loads, speaks one row so that all is ready, and then every row.
MEASURED = """
import json, sys, time
from concurrent.futures import ThreadPoolExecutor
import numpy as np

folder, engine, first_key = sys.argv[1], sys.argv[2], int(sys.argv[3])
rows = json.load(open(f"{folder}/rows.json"))
began = time.perf_counter()
PREPARE
speak(rows[:1])
loaded_s = time.perf_counter() - began
began, began_cpu = time.perf_counter(), time.process_time()
samples = speak(rows)
spent_s, cpu_s = time.perf_counter() - began, time.process_time() - began_cpu
np.savez(f"{folder}/{engine} {first_key}.npz", *samples)
audio_s = sum(one.size for one in samples) / 24000
# Not getrusage: its peak is the parent's, if that was higher.
peak = int(open("/proc/self/status").read().split("VmHWM:")[1].split()[0]) / 1024
print(json.dumps({"loaded_s": loaded_s, "speed": audio_s / spent_s, "per_cpu_s": audio_s / cpu_s,
                  "peak_mib": peak, "audio_s": audio_s}))
"""
OURS = """
from pathlib import Path
from audiomill.renderers.engine.protocol import Batch, Request
from audiomill.renderers.kokoro.options import KokoroOnnxOptions
from audiomill.renderers.kokoro.options import KokoroOptions
if engine == "kokoro":
    from audiomill.renderers.kokoro.renderer import KokoroRenderer
    renderer = KokoroRenderer(KokoroOptions(weights=Path(folder), device="cpu", workers=0))
    limit, at_once, render = renderer.limits.max_rows, 1, renderer.render_phonemes
else:
    from audiomill.renderers.kokoro.onnx_renderer import KokoroOnnxRenderer
    from audiomill.renderers.kokoro.g2p.phonemes import from_string
    options = KokoroOnnxOptions(model=Path(folder), precision=engine, workers=0)
    renderer = KokoroOnnxRenderer(options)
    renderer._text.phonemes_of = lambda one: from_string(one.spoken, renderer._vocab)
    renderer._text.prefetch = lambda requests: None
    limit, at_once, render = renderer.limits.max_rows, renderer.limits.n_at_once, renderer.render

def speak(rows):
    requests = [Request(str(first_key + n), row, "af_heart", 1.0) for n, row in enumerate(rows)]
    batches = [Batch(tuple(requests[n : n + limit])) for n in range(0, len(requests), limit)]
    with ThreadPoolExecutor(at_once) as pool:
        return [one.samples for done in pool.map(render, batches) for one in done]
"""
PACKAGE = """
from kokoro_onnx import Kokoro
kokoro = Kokoro(f"{folder}/kokoro-v1.0.onnx", f"{folder}/voices-v1.0.bin")

def speak(rows):
    said = (kokoro.create(row, "af_heart", is_phonemes=True, trim=False, sentence_pause=0,
                          clause_pause=0) for row in rows)
    return [samples for samples, _ in said]
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=12)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--package", help="an interpreter with the package kokoro-onnx")
    options = parser.parse_args()
    engines = [*ENGINES, *(["package"] if options.package else [])]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_models(folder, options.rows)
        runs = {engine: [] for engine in engines}
        for _ in range(options.rounds):
            for engine in engines:
                runs[engine].append(measured(folder, engine, 0, options.package))
        for engine in ("kokoro", "float32"):
            measured(folder, engine, 1000, options.package)
        report = {
            "machine": asdict(this_machine()),
            "engines": {name: medians(found) for name, found in runs.items()},
            "distances": {f"{a} - {b}": distances(folder, a, b) for a, b in PAIRS},
        }
    print(json.dumps(report, indent=1))


def write_models(folder: Path, n_rows: int) -> None:
    write_random_model(folder, [VOICE])
    options = KokoroOptions(weights=folder, device="cpu")
    lines = model_text(bench_options(words=0), bench_model(options), 0).lines("planned")
    rows = [line.text for line in lines[:: max(1, len(lines) // n_rows)][:n_rows]]
    (folder / "rows.json").write_text(json.dumps(rows))
    model = folder / "kokoro-v1.0.onnx"
    export(options, model)
    halve(model, folder / "kokoro-v1.0.fp16.onnx")
    quantise(model, folder / "kokoro-v1.0.int8.onnx")
    write_voices(options, folder / "voices-v1.0.bin")


def measured(folder: Path, engine: str, first_key: int, package: str | None) -> dict:
    """One run of an engine in a process of its own."""
    is_package = engine == "package"
    code = MEASURED.replace("PREPARE", PACKAGE if is_package else OURS)
    program = [package if is_package else sys.executable, "-c", code]
    run = subprocess.run(
        [*program, str(folder), engine, str(first_key)], check=True, stdout=subprocess.PIPE
    )
    return json.loads(run.stdout)


def medians(runs: list[dict]) -> dict:
    return {name: round(median(run[name] for run in runs), 3) for name in runs[0]}


def distances(folder: Path, one: str, other: str) -> dict:
    rows = [samples(folder, name) for name in (one, other)]
    pairs = [(a, b) for a, b in zip(*rows, strict=True) if a.shape == b.shape]
    found = mean_distance([distance(*pair, SAMPLE_RATE) for pair in pairs]) if pairs else None
    return {"n_rows": len(pairs), "n_left_out": len(rows[0]) - len(pairs)} | (
        asdict(found) if found else {}
    )


def samples(folder: Path, name: str) -> list[np.ndarray]:
    engine, _, noise = name.partition(", ")
    with np.load(folder / f"{engine} {1000 if noise else 0}.npz") as archive:
        return [archive[key] for key in archive.files]


if __name__ == "__main__":
    main()
