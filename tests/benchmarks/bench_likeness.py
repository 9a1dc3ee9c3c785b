"""Distances of rivals and of int8 from float32: `python tests/benchmarks/bench_likeness.py [ROWS]`.

Random weights of the official size, ROWS (12) rows of the benchmark's corpus. Prints one JSON
object: distances (`renderers/kokoro/gpu/self_test.py`) between two runs of one engine, and
between different ones. ONNX Runtime draws its own noise, the same in each session, so that its
distance from ours includes the floor. Rows whose durations differ are counted and left out. Not a
test: nothing passes or fails.
"""

import json
import sys
import tempfile
from dataclasses import asdict
from pathlib import Path

from audiomill.flows.bench.kokoro import kokoro_text
from audiomill.renderers.engine.protocol import Request
from audiomill.renderers.kokoro.benchmark import RowsEngine
from audiomill.renderers.kokoro.gpu.self_test import distance, mean_distance
from audiomill.renderers.kokoro.inference.runner import row_of
from audiomill.renderers.kokoro.options import KokoroOptions
from audiomill.renderers.kokoro.weights.random_weights import write_random_model
from benchmarks.rivals.onnx import OnnxEngine, export, quantise

sys.path.insert(0, str(Path(__file__).parents[1]))  # for `support`

from support.bench_data import bench_options
from support.benchmark_arguments import arguments

VOICE = "af_heart"
PAIRS = (
    ("ours", "ours, other noise"),
    ("ours", "onnx"),
    ("onnx", "onnx again"),
    ("onnx", "int8"),
    ("ours", "int8"),
)


def main() -> None:
    (n_rows,) = arguments(__doc__, n_rows=12)
    with tempfile.TemporaryDirectory() as folder:
        samples = synthesize(Path(folder), n_rows)
    distances = {f"{a} - {b}": distances_of(samples[a], samples[b]) for a, b in PAIRS}
    print(json.dumps(distances, indent=1))


def synthesize(folder: Path, n_rows: int) -> dict:
    """The samples of each row, by engine."""
    write_random_model(folder, [VOICE])
    options = KokoroOptions(weights=folder, device="cpu")
    text = kokoro_text(bench_options(words=0), options, 0)
    lines = text.lines("planned")[:: max(1, 200 // n_rows)]
    rows = [line.text for line in lines[:n_rows]]
    export(options, folder / "float32.onnx")
    quantise(folder / "float32.onnx", folder / "int8.onnx")
    samples = {}
    for name, file in (("onnx", "float32"), ("onnx again", "float32"), ("int8", "int8")):
        engine = OnnxEngine(options, VOICE, folder / f"{file}.onnx")
        samples[name] = [engine.samples(row) for row in rows]
    ours = RowsEngine(options, VOICE)
    for name, seed in (("ours", "a"), ("ours, other noise", "b")):
        requests = [Request(f"{seed}{n}", row, VOICE, 1.0) for n, row in enumerate(rows)]
        packed = [row_of(one.spoken, ours._pack, ours._config, one) for one in requests]
        samples[name] = [one.samples for one in ours._runner.run(packed)]
    return samples


def distances_of(some: list, others: list) -> dict:
    """The mean distance of rows with the same length, and the number of the other rows."""
    pairs = [(a, b) for a, b in zip(some, others, strict=True) if a.shape == b.shape]
    mean = asdict(mean_distance([distance(a, b, 24_000) for a, b in pairs])) if pairs else None
    return {"rows": len(some), "of another length": len(some) - len(pairs), "distance": mean}


if __name__ == "__main__":
    main()
