"""How far rivals and precisions sound from float32: `python tests/bench_likeness.py [ROWS]`.

Random weights of the official size, ROWS (12) rows of the benchmark's corpus. Prints one JSON
object: distances as in `renderers/likeness.py` between two runs of each, and between one and
another. ONNX Runtime draws its own noise, the same in each session, so what it is off by from ours
includes the floor; rows whose durations came out otherwise are counted and left out. Not a test: it
judges nothing.
"""

import json
import sys
import tempfile
from dataclasses import asdict
from pathlib import Path

from audiomill.flows.bench.texts import bench_text_for
from audiomill.renderers.base import Request
from audiomill.renderers.kokoro.bench.onnx import OnnxEngine, export, quantise
from audiomill.renderers.kokoro.bench.ours import RowsEngine
from audiomill.renderers.kokoro.bench.random_weights import write_random_model
from audiomill.renderers.kokoro.gpu.self_test import distance, mean_distance
from audiomill.renderers.kokoro.inference.runner import row_of
from audiomill.renderers.options import KokoroOptions
from support.bench_data import order

VOICE = "af_heart"


def main() -> None:
    n_rows = int(sys.argv[1]) if len(sys.argv) > 1 else 12
    with tempfile.TemporaryDirectory() as folder:
        made = spoken(Path(folder), n_rows)
    print(json.dumps({f"{a} - {b}": compared(made[a], made[b]) for a, b in PAIRS}, indent=1))


PAIRS = (
    ("ours", "ours, other noise"),
    ("ours", "onnx"),
    ("onnx", "onnx again"),
    ("onnx", "int8"),
    ("ours", "int8"),
)


def spoken(folder: Path, n_rows: int) -> dict:
    """Samples of each row, by who spoke."""
    write_random_model(folder, [VOICE])
    options = KokoroOptions(weights=folder, device="cpu")
    lines = bench_text_for(order(words=0), options, 0).lines("planned")[:: max(1, 200 // n_rows)]
    phonemes = [line.said for line in lines[:n_rows]]
    export(options, folder / "float32.onnx")
    quantise(folder / "float32.onnx", folder / "int8.onnx")
    runs = {}
    for name, file in (("onnx", "float32"), ("onnx again", "float32"), ("int8", "int8")):
        trial = OnnxEngine(options, VOICE, folder / f"{file}.onnx")
        runs[name] = [trial.samples(said) for said in phonemes]
    ours = RowsEngine(options, VOICE)
    for name, seed in (("ours", "a"), ("ours, other noise", "b")):
        rows = [
            row_of(said, ours._pack, ours._config, Request(f"{seed}{n}", said, VOICE, 1.0))
            for n, said in enumerate(phonemes)
        ]
        runs[name] = [one.samples for one in ours._speaker.run(rows)]
    return runs


def compared(some: list, others: list) -> dict:
    """Mean distance of rows of the same length, and how many are not."""
    pairs = [(a, b) for a, b in zip(some, others, strict=True) if a.shape == b.shape]
    found = asdict(mean_distance([distance(a, b, 24_000) for a, b in pairs])) if pairs else None
    return {"rows": len(some), "of another length": len(some) - len(pairs), "distance": found}


if __name__ == "__main__":
    main()
