"""The tests of exactness on the device, by pytest, in parallel processes."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

from benchmarks.gpu.stages import StageRun

ROOT = Path(__file__).resolve().parents[3]
FOLDER = Path("tests/renderers/kokoro")
ON_DEVICE = (
    *("gpu/test_kernels.py", "gpu/test_decoder.py", "gpu/test_runner.py"),
    *("model/test_upstream.py", "model/test_independence.py", "model/test_masks.py"),
    *("model/test_noise.py", "inference/test_runner.py"),
)
N_PROCESSES = 6
ENDS = re.compile(r"^(FAILED|ERROR|=+ .*(passed|failed|error))")


def measure(run: StageRun) -> None:
    """Implement `StageModule.measure`. Warnings of other releases than ours are no failures."""
    if not run.is_gpu:
        run.keep("tests", {"left out": "`make test` runs them on a CPU"})
        return
    in_parallel = ["-n", str(N_PROCESSES), "--dist", "worksteal"] if find_spec("xdist") else []
    command = [
        *(sys.executable, "-m", "pytest", "--noconftest", "-p", "benchmarks.gpu.pytest_plugin"),
        *("-p", "no:cacheprovider", "-W", "default"),
        *("-q", "-rP", "--tb=short", *in_parallel),
        *(str(FOLDER / name) for name in ON_DEVICE),
    ]
    path = run.out / "tests.txt"
    with path.open("w", encoding="utf-8") as out:
        code = subprocess.run(
            command,
            cwd=ROOT,
            env={**os.environ, "AUDIOMILL_TEST_DEVICE": run.device},
            stdout=out,
            stderr=subprocess.STDOUT,
            check=False,
        ).returncode
    lines = path.read_text("utf-8").splitlines()
    print("\n".join(line for line in lines if ENDS.match(line)))
    run.keep("tests", {"exit": code, "last line": lines[-1] if lines else ""})
