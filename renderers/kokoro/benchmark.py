"""Benchmarks our model. Phonemes are prepared beforehand, so that only the model is measured.

Needs neither misaki nor spaCy. Windows, batches and memory budgets are the same as in a render.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

import torch

from audiomill.inputs.segmentation.lengths import n_characters
from audiomill.renderers.engine.benchmarking import BenchLine, BenchStep, StepStats
from audiomill.renderers.engine.planning import plan_windows
from audiomill.renderers.engine.protocol import Batch, EngineLimits, Request
from audiomill.renderers.kokoro.inference.batching import computed
from audiomill.renderers.kokoro.inference.runner import row_of
from audiomill.renderers.kokoro.loading import chosen_device, load_runner
from audiomill.renderers.kokoro.model.config import (
    OFFICIAL,
    SAMPLE_RATE,
    KokoroConfig,
    parse_config,
    read_config,
)
from audiomill.renderers.kokoro.options import KokoroOptions
from audiomill.renderers.kokoro.renderer import limits_for
from audiomill.renderers.kokoro.weights.checkpoint import load_voice
from audiomill.renderers.kokoro.weights.files import find_files
from audiomill.renderers.kokoro.weights.releases import release_named
from audiomill.renderers.kokoro.weights.voices import KokoroVoices

PHONEMES_PER_CHAR = 1.09  # measured on the benchmark's corpus


class TorchDevice:
    """The part of `BenchEngine` that all engines on PyTorch share: facts and memory of a device."""

    def __init__(self, device: torch.device) -> None:
        self._device = device

    def facts(self) -> Mapping[str, object]:
        """Implement `BenchEngine.facts`."""
        facts = {
            "device": str(self._device),
            "torch_threads": torch.get_num_threads(),
            "cpu_capability": torch.backends.cpu.get_cpu_capability(),  # that PyTorch uses
        }
        if self._device.type != "cuda":
            return facts
        properties = torch.cuda.get_device_properties(self._device)
        return facts | {
            "gpu": properties.name,
            "gpu_memory_bytes": properties.total_memory,
            "compute_capability": f"{properties.major}.{properties.minor}",
            "multiprocessors": properties.multi_processor_count,
            "cuda": torch.version.cuda,  # that PyTorch was built for
            "cudnn": torch.backends.cudnn.version(),
        }

    def release_cached_memory(self) -> None:
        """Return cached memory to the device. The next pass allocates again, some milliseconds."""
        if self._device.type == "cuda":
            torch.cuda.empty_cache()

    def reset_gpu_peak(self) -> None:
        """Implement `BenchEngine.reset_gpu_peak`."""
        if self._device.type == "cuda":
            torch.cuda.reset_peak_memory_stats(self._device)

    def gpu_peak_bytes(self) -> int | None:
        """Implement `BenchEngine.gpu_peak_bytes`: PyTorch's tensors, without CUDA's own context."""
        if self._device.type != "cuda":
            return None
        return torch.cuda.max_memory_allocated(self._device)


class RowsEngine(TorchDevice):
    """Implement `BenchEngine` with our model on one device. A line is the phonemes of one row."""

    sample_rate = SAMPLE_RATE

    def __init__(self, options: KokoroOptions, voice: str) -> None:
        """Raises EngineMissing, WeightsUnfit, UnknownVoice."""
        release = release_named(options.release)
        files = find_files(options.weights, release)
        device = chosen_device(options.device)
        super().__init__(device)
        self._weights_sha256 = files.weights_sha256
        self._config = read_config(files.config)
        self._runner = load_runner(files.weights, self._config, options)
        # Requested to actual frames of a batch: a runner lowers its budget when memory runs out.
        self._budgets = {0: self._runner.batch_frames}
        self._voice = voice
        self._pack = load_voice(KokoroVoices(options.weights, release), voice)
        self._options = replace(options, device=str(device))

    def facts(self) -> Mapping[str, object]:
        """Implement `BenchEngine.facts`."""
        return {
            **super().facts(),
            "weights_sha256": self._weights_sha256,
            "costs_as_official": costs_as_official(self._config),
        }

    def steps(self, lines: Sequence[BenchLine], batch_frames: int) -> Sequence[BenchStep]:
        """Implement `BenchEngine.steps`: the batches that a render would plan."""
        # The key is the index of the line, so that equal lines are rendered again, as by the other
        # engines.
        requests = [Request(str(n), line.text, self._voice, 1.0) for n, line in enumerate(lines)]
        options = replace(self._options, batch_frames=batch_frames)
        limits = limits_of_rows(options, self._config.max_phonemes)
        return [
            BenchStep(_line_indices(batch), partial(self._speak, batch_frames, batch))
            for window in plan_windows(requests, limits)
            for batch in window.batches
        ]

    def _speak(self, batch_frames: int, batch: Batch) -> StepStats:
        self._runner.batch_frames = self._budgets.get(batch_frames, batch_frames)
        rows = self._runner.run(
            [
                row_of(request.spoken, self._pack, self._config, request)
                for request in batch.requests
            ]
        )
        self._budgets[batch_frames] = budget = self._runner.batch_frames
        frames = [row.samples.size // self._config.samples_per_frame for row in rows]
        return StepStats(
            n_samples=sum(row.samples.size for row in rows),
            real=sum(frames),
            computed=computed(frames, budget, self._runner.policy),
            n_batches=len(list(self._runner.policy.batches(frames, budget))),
            budget=budget,
        )


def limits_of_rows(options: KokoroOptions, max_phonemes: int) -> EngineLimits:
    """The limits of a render with `options`, for lines that are already phonemes."""
    limits = limits_for(options)
    return replace(
        limits,
        max_length=max_phonemes,
        chars_per_s=PHONEMES_PER_CHAR * limits.chars_per_s,
        length=n_characters,
    )


def costs_as_official(config: KokoroConfig) -> bool:
    """True if a model has the sizes of the official one; phonemes may have other numbers."""
    return replace(config, vocab={}) == replace(parse_config(OFFICIAL), vocab={})


def _line_indices(batch: Batch) -> tuple[int, ...]:
    return tuple(int(request.key) for request in batch.requests)
