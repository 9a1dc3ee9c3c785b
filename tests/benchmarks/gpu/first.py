"""The card's ceilings, and of each precision: self-test, time to compile, first speed."""

from __future__ import annotations

import os
import platform
import subprocess
from unittest import mock

import numpy as np
import torch

from audiomill.renderers.kokoro.benchmark import TorchDevice
from audiomill.renderers.kokoro.model.config import SAMPLE_RATE
from audiomill.renderers.kokoro.model.precision import Precision
from benchmarks.gpu.clock import free_memory, host_s
from benchmarks.gpu.models import (
    DRY_BATCH_FRAMES,
    ROWS_OF_A_CALL,
    fast_model,
    kernels,
    precisions,
    rows_of,
    runner_of,
)
from benchmarks.gpu.stages import StageRun
from benchmarks.rivals import roofline

SMI_FIELDS = "name,driver_version,clocks.sm,clocks.max.sm,power.limit,memory.total"


def measure(run: StageRun) -> None:
    """Implement `StageModule.measure`."""
    device = torch.device(run.device)
    with run.step("machine"):
        run.keep("machine", _machine(run, device))
    # Small matrices on a dry run.
    with run.step("ceilings"), mock.patch.dict(roofline.MATRIX, {} if run.is_gpu else {"cpu": 256}):
        run.keep("ceilings", roofline.ceilings(device))
    for precision in precisions(run):
        with run.step(precision), kernels(run):
            _first_speed(run, precision)
        free_memory(device)


def _machine(run: StageRun, device: torch.device) -> dict[str, object]:
    facts: dict[str, object] = {
        "torch": torch.__version__,
        "python": platform.python_version(),
        "cores": os.cpu_count(),
        "commit": _printed("git", "log", "-1", "--format=%h"),
        **TorchDevice(device).facts(),
    }
    if run.is_gpu:
        fields = f"--query-gpu={SMI_FIELDS}"
        facts["nvidia-smi"] = _printed("nvidia-smi", fields, "--format=csv,noheader")
        facts["triton"] = _printed("python3", "-c", "import triton; print(triton.__version__)")
    return facts


def _printed(*command: str) -> str:
    """What a command prints; why it cannot be run."""
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError) as error:
        return f"unknown: {error}"


def _first_speed(run: StageRun, precision: Precision) -> None:
    fast = fast_model(run, precision)
    runner = runner_of(run, fast.model, 0 if run.is_gpu else DRY_BATCH_FRAMES)
    rows = rows_of(run, fast.model)
    runner.run(rows[-32:])
    audio = runner.run(rows[:ROWS_OF_A_CALL])
    wall_s = host_s(lambda: runner.run(rows[:ROWS_OF_A_CALL]), fast.model.device)
    audio_s = sum(one.samples.size for one in audio) / SAMPLE_RATE
    run.keep(
        precision,
        {
            **fast.figures,
            "x_real_time": audio_s / wall_s,
            "batch_frames": runner.batch_frames,
            "is_finite": all(bool(np.isfinite(one.samples).all()) for one in audio),
        },
    )
