"""Time and calls of each kernel of one batch, the host's part, and a trace of a whole call."""

from __future__ import annotations

import gzip
import shutil
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import torch
from torch.profiler import ProfilerActivity
from torch.profiler import profile as torch_profile

from audiomill.renderers.kokoro.model.config import SAMPLE_RATE
from audiomill.renderers.kokoro.model.precision import Precision
from benchmarks.gpu.clock import device_s, free_memory, wait_for
from benchmarks.gpu.models import (
    ROWS_OF_A_CALL,
    batch_frames,
    decoded,
    fast_model,
    frames_of,
    kernels,
    one_batch,
    rows_of,
    runner_of,
)
from benchmarks.gpu.stages import StageRun

N_SHOWN = 25  # kernels in the summary
N_ROWS_OF_TABLE, MAX_NAME_CHARS = 50, 70
MAX_TRACE_BYTES = 15 << 20  # a longer one is not kept


def measure(run: StageRun) -> None:
    """Implement `StageModule.measure`."""
    precisions: tuple[Precision, ...] = ("fp16", "tf32") if run.is_gpu else ("fp16",)
    for number, precision in enumerate(precisions):
        with run.step(precision), kernels(run):
            _profile(run, precision, keeps_trace=number == 0)
        free_memory(torch.device(run.device))


def _profile(run: StageRun, precision: Precision, *, keeps_trace: bool) -> None:
    model = fast_model(run, precision).model
    n_frames = batch_frames(run)
    rows = rows_of(run, model)
    batch = one_batch(model, rows, n_frames)
    audio_s = frames_of(batch) * model.config.samples_per_frame / SAMPLE_RATE
    decode = partial(decoded, model, batch)
    decode_s = device_s(decode, model.device, 0.5)
    begun_s = time.perf_counter()
    decode()
    launch_s = time.perf_counter() - begun_s
    found = _profiled(run, decode, model.device)
    kernels_us = _kernels_us(found)
    busy_us = sum(kernels_us.values())
    most = sorted(kernels_us.items(), key=lambda item: -item[1])[:N_SHOWN]
    run.keep(
        precision,
        {
            "decode_ms": 1e3 * decode_s,
            "launch_ms": 1e3 * launch_s,
            "gpu_busy_ms": busy_us / 1e3,
            "decode_x_real_time": audio_s / decode_s,
            "rows": len(batch),
            "frames": frames_of(batch),
            "convolutions_of_busy": _share(kernels_us, "conv_kernel"),
            "activations_of_busy": _share(kernels_us, "norm_activation"),
            "kernels_us_per_audio_s": {name[:60]: us / audio_s for name, us in most},
        },
    )
    runner = runner_of(run, model, n_frames)
    call = _profiled(run, lambda: runner.run(rows[:ROWS_OF_A_CALL]), model.device)
    for name, one in (("decode", found), ("call", call)):
        path = run.out / f"profile-{precision}-{name}.txt"
        path.write_text(_table(run, one), "utf-8")
    if keeps_trace:
        _keep_trace(run, call)


def _profiled(run: StageRun, work: Callable[[], object], device: torch.device) -> torch_profile:
    activities = [ProfilerActivity.CPU, *([ProfilerActivity.CUDA] if run.is_gpu else [])]
    with torch_profile(activities=activities) as found:
        work()
        wait_for(device)
    return found


def _kernels_us(found: torch_profile) -> dict[str, float]:
    """Microseconds of each kernel on the device; on a CPU of each operation."""
    on_gpu = {one.key: float(one.self_device_time_total) for one in found.key_averages()}
    return {key: us for key, us in on_gpu.items() if us} or {
        one.key: float(one.self_cpu_time_total) for one in found.key_averages()
    }


def _share(kernels_us: dict[str, float], name: str) -> float:
    return sum(us for key, us in kernels_us.items() if name in key) / sum(kernels_us.values())


def _table(run: StageRun, found: torch_profile) -> str:
    clock = "self_cuda_time_total" if run.is_gpu else "self_cpu_time_total"
    return found.key_averages().table(
        sort_by=clock, row_limit=N_ROWS_OF_TABLE, max_name_column_width=MAX_NAME_CHARS
    )


def _keep_trace(run: StageRun, found: torch_profile) -> None:
    raw, packed = run.work / "trace.json", run.out / "trace.json.gz"
    found.export_chrome_trace(str(raw))
    with raw.open("rb") as trace, gzip.open(packed, "wb", 6) as out:
        shutil.copyfileobj(trace, out)
    Path(raw).unlink()
    if packed.stat().st_size > MAX_TRACE_BYTES:
        packed.unlink()
