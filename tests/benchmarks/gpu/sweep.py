"""Speed by precision and size of batches, by step of the model; upstream's in the same process."""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import partial
from statistics import median
from typing import Any

import torch

from audiomill.flows.bench.corpus import prepared_corpus
from audiomill.renderers.kokoro.bench_model import PREPARED
from audiomill.renderers.kokoro.inference.runner import Row
from audiomill.renderers.kokoro.loading import set_precision
from audiomill.renderers.kokoro.model.config import SAMPLE_RATE
from audiomill.renderers.kokoro.model.model import Kokoro
from audiomill.renderers.kokoro.model.precision import Precision
from benchmarks.gpu.clock import free_memory, host_s, peak_mib, reset_peak
from benchmarks.gpu.models import (
    ROWS_OF_A_CALL,
    Stepwise,
    fast_model,
    frames_of,
    kernels,
    precisions,
    rows_of,
    runner_of,
    voice_pack,
    weights_folder,
)
from benchmarks.gpu.stages import WEIGHTS_FILE, StageRun
from benchmarks.rivals.roofline import BYTES_PER_VALUE, cost_of
from benchmarks.rivals.upstream import load_kmodel

# Frames of a batch at most; 0: as many as fit.
ALL_BUDGETS = (0, 512, 1024, 2048, 4096, 8192, 16384, 32768)
SOME_BUDGETS = (0, 4096, 16384)
DRY_BUDGETS = (64, 200)
ALL_BUDGETS_IN = "fp16"
N_TURNS = 3
LEAST_S = 10.0  # with less left, no other budget is begun
UPSTREAM_PRECISIONS = ("tf32", "default", "float32")
UPSTREAM_S = 7.0  # of each of its precisions
N_UPSTREAM_WARM_UPS = 12


def measure(run: StageRun) -> None:
    """Implement `StageModule.measure`. Upstream comes last, and 30 s are left for it."""
    for precision in precisions(run):
        with run.step(precision), kernels(run):
            _by_budget(run, precision)
        free_memory(torch.device(run.device))
    # Upstream's decoder cannot be made small: a dry run has it only with weights of its own.
    dry = UPSTREAM_PRECISIONS[-1:] if run.weights else ()
    for name in UPSTREAM_PRECISIONS if run.is_gpu else dry:
        with run.step(f"upstream {name}"):
            _upstream(run, name)
        free_memory(torch.device(run.device))


def _by_budget(run: StageRun, precision: Precision) -> None:
    model = fast_model(run, precision).model
    rows = rows_of(run, model)
    budgets = ALL_BUDGETS if precision == ALL_BUDGETS_IN else SOME_BUDGETS
    for budget in budgets if run.is_gpu else DRY_BUDGETS:
        if run.is_gpu and run.left_s < LEAST_S + UPSTREAM_S * len(UPSTREAM_PRECISIONS):
            run.keep(f"{precision} {budget}", {"left out": "no time"})
            continue
        with run.step(f"{precision} {budget}"):
            _measure(run, precision, model, rows, budget)


def _measure(
    run: StageRun, precision: Precision, model: Kokoro, rows: Sequence[Row], budget: int
) -> None:
    runner = runner_of(run, model, budget)
    calls = [rows[n : n + ROWS_OF_A_CALL] for n in range(0, len(rows), ROWS_OF_A_CALL)]
    runner.run(calls[-1])
    reset_peak(model.device)
    n_samples = sum(one.samples.size for call in calls for one in runner.run(call))
    turns = N_TURNS if run.is_gpu else 1
    walls_s = [
        host_s(lambda: [runner.run(one) for one in calls], model.device) for _ in range(turns)
    ]
    audio_s, wall_s = n_samples / SAMPLE_RATE, median(walls_s)
    cost, speed = cost_of(model.config), audio_s / wall_s
    run.keep(
        f"{precision} {budget}",
        {
            "x_real_time": speed,
            "batch_frames": runner.batch_frames,
            "wall_s": wall_s,
            "spread_s": max(walls_s) - min(walls_s),
            "audio_s": audio_s,
            "tflops": speed * cost.flop / 1e12,
            "gb_per_s": speed * cost.values * BYTES_PER_VALUE[precision] / 1e9,
            "peak_mib": peak_mib(model.device),
            **_by_step(model, calls[0], runner.batch_frames),
        },
    )


def _by_step(model: Kokoro, rows: Sequence[Row], batch_frames: int) -> dict[str, float]:
    """Microseconds of each step for a second of audio, the device idle before each."""
    steps, device = Stepwise(model, batch_frames), model.device
    texts = steps.encode(rows)
    prosodies = steps.prosody(texts)
    audio_s = frames_of(prosodies) * model.config.samples_per_frame / SAMPLE_RATE
    works = {
        "encode": partial(steps.encode, rows),
        "prosody": partial(steps.prosody, texts),
        "decode": partial(steps.decode, prosodies),
    }
    return {
        f"{name}_us_per_audio_s": 1e6 * host_s(work, device) / audio_s
        for name, work in works.items()
    }


def _upstream(run: StageRun, name: str) -> None:
    """Upstream's model, sentence by sentence, as it has no batches."""
    if name == "default":
        torch.backends.cudnn.allow_tf32, torch.backends.cuda.matmul.allow_tf32 = True, False
    else:
        set_precision("float32" if name == "float32" else "tf32")
    folder = weights_folder(run)
    model = load_kmodel(folder / "config.json", folder / WEIGHTS_FILE).to(run.device)
    pack = voice_pack(run).to(run.device)
    texts = [line.text for line in prepared_corpus(PREPARED).lines("sentence")]
    for text in texts[: N_UPSTREAM_WARM_UPS if run.is_gpu else 0]:
        model(text, pack[len(text) - 1], 1.0)
    reset_peak(torch.device(run.device))
    n_samples, wall_s, n_rows = _spoken(run, model, pack, texts)
    figures = {
        "x_real_time": n_samples / SAMPLE_RATE / wall_s,
        "rows": n_rows,
        "audio_s": n_samples / SAMPLE_RATE,
        "peak_mib": peak_mib(torch.device(run.device)),
    }
    run.keep(f"upstream {name}", figures)


def _spoken(
    run: StageRun, model: Any, pack: torch.Tensor, texts: Sequence[str]
) -> tuple[int, float, int]:
    """Samples, seconds and rows, until the time of a precision is over; one row on a dry run."""
    begun_s = time.perf_counter()
    n_samples = n_rows = 0
    for text in texts:
        n_samples += int(model(text, pack[len(text) - 1], 1.0).numel())
        n_rows += 1
        if not run.is_gpu or time.perf_counter() - begun_s > UPSTREAM_S:
            break
    return n_samples, time.perf_counter() - begun_s, n_rows
