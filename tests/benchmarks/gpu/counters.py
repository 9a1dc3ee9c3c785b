"""Hardware counters of the convolutions of a batch, by Nsight Compute: caches, occupancy, stalls.

This module is what `ncu` runs, too: `python -m benchmarks.gpu.stages counters` inside of it decodes
one batch.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys

from audiomill.renderers.kokoro.model.precision import Precision
from benchmarks.gpu.models import batch_frames, decoded, fast_model, kernels, one_batch, rows_of
from benchmarks.gpu.stages import StageRun

INSIDE = "AUDIOMILL_BENCH_INSIDE_NCU"
PRECISION: Precision = "fp16"
N_SKIPPED, N_MEASURED = 300, 6  # launches: those of the generator come late
SECTIONS = (
    *("SpeedOfLight", "MemoryWorkloadAnalysis", "Occupancy"),
    *("LaunchStats", "WarpStateStats", "ComputeWorkloadAnalysis"),
)
SHOWN = re.compile(
    r"conv_kernel|Hit Rate|Throughput|Achieved Occ|Registers Per|Shared Memory Config"
)


def measure(run: StageRun) -> None:
    """Implement `StageModule.measure`."""
    if os.environ.get(INSIDE) or not run.is_gpu:
        with kernels(run):
            _decode_twice(run)
        return
    ncu = shutil.which("ncu")
    if not ncu:
        run.keep("ncu", {"left out": "it is not installed"})
        return
    sections = [argument for name in SECTIONS for argument in ("--section", name)]
    command = [
        *(ncu, "--clock-control", "none", "-k", "regex:conv_kernel"),
        *("-s", str(N_SKIPPED), "-c", str(N_MEASURED), *sections),
        *(sys.executable, "-m", *sys.orig_argv[sys.orig_argv.index("-m") + 1 :]),
    ]
    found = subprocess.run(
        command, env={**os.environ, INSIDE: "1"}, capture_output=True, text=True, check=False
    )
    text = found.stdout + found.stderr
    (run.out / "ncu.txt").write_text(text, "utf-8")
    print("\n".join(line for line in text.splitlines() if SHOWN.search(line)))
    run.keep("ncu", {"exit": found.returncode})


def _decode_twice(run: StageRun) -> None:
    model = fast_model(run, PRECISION).model
    batch = one_batch(model, rows_of(run, model), batch_frames(run))
    for _ in range(2):
        decoded(model, batch)
