"""Shared by tests of the benchmark: objects for child processes, a fake engine, options."""

import os
from dataclasses import replace
from functools import partial
from typing import ClassVar

from audiomill.flows.bench.corpus import BenchPassage, BenchText
from audiomill.flows.bench.options import BenchOptions
from audiomill.flows.bench.statistics import Pass, Stages
from audiomill.renderers.engine.benchmarking import BenchLine, BenchStep, Device, StepStats


class Calculator:
    """An object for a child process."""

    def __init__(self, start, tell):
        self._total = start
        self._tell = tell

    def add(self, number):
        self._total += number
        return self._total

    def add_slowly(self, n_steps):
        for step in range(n_steps):
            self._tell((step + 1) / n_steps)
            self._total += 1
        return self._total

    def divide(self, by):
        if by == 0:
            raise ValueError("nobody divides by 0\nand this line is too much")
        return self._total / by

    def die(self):
        os._exit(7)

    def process(self):
        return os.getpid()


def no_calculator(_tell):
    raise ImportError("no calculator here")


class UpstreamSwitches:
    """PyTorch's switches for rounding on a GPU, after upstream's model was loaded."""

    def __init__(self, options, voice, _tell):
        from benchmarks.rivals.upstream import UpstreamEngine

        UpstreamEngine(options, voice)

    def switches(self):
        import torch

        return torch.backends.cudnn.allow_tf32, torch.backends.cuda.matmul.allow_tf32


class WordEngine:
    """A fake engine: one sample per word, two lines per step. Keeps the lines it has spoken."""

    sample_rate = 10

    def __init__(self):
        self.spoken = []

    def facts(self):
        return {"device": "cpu"}

    def steps(self, lines, batch_frames):  # noqa: ARG002
        pairs = [range(n, min(n + 2, len(lines))) for n in range(0, len(lines), 2)]
        return [
            BenchStep(tuple(pair), partial(self.speak, tuple(lines[n] for n in pair)))
            for pair in reversed(pairs)
        ]

    def speak(self, lines: tuple[BenchLine, ...]) -> StepStats:
        self.spoken += [line.text for line in lines]
        longest = max(len(line.text.split()) for line in lines)
        real = sum(len(line.text.split()) for line in lines)
        return StepStats(real, real=real, computed=longest * len(lines), n_batches=1)

    def release_cached_memory(self):
        pass

    def reset_gpu_peak(self):
        pass

    def gpu_peak_bytes(self):
        return None


LONG_ENOUGH_TEXT = """# Own

This is a text of one's own. It is short.

So is this.
"""

LINES = (BenchLine("a b", 3),)


def bench_options(**changes) -> BenchOptions:
    """The default options with random weights and two passes, and with `changes`."""
    defaults = BenchOptions(
        source=None,
        engines=("kokoro",),
        words=None,
        batch_frames=(0,),
        chunkings=("planned",),
        devices=("auto",),
        precisions=(),
        end_to_end=False,
        random_weights=True,
        repeat=2,
        out=None,
    )
    return replace(defaults, **changes)


CPU = Device("cpu", {one: f"there is no {one} on a CPU" for one in ("tf32", "bf16", "fp16")})
CUDA = Device("cuda", {})
PASSAGE = BenchPassage(0, 0, 1, dict.fromkeys(("planned", "sentence", "adaptive"), LINES))
TEXT = BenchText("T", "", "af_heart", (PASSAGE,))
RESULTS = {"run": Pass(1.0, 1.0, 1.0, (1.0,)), "cancel": 0.0, "facts": {}, "stages": Stages()}


class FakeRemote:
    """Replaces a child process: keeps how it was opened, and returns each result at once."""

    opened: ClassVar[list] = []

    def __init__(self, make, *arguments):
        self.opened.append((make.__name__, arguments))

    def call(self, method, *_, on_progress=None):  # noqa: ARG002
        return RESULTS.get(method)

    def close(self):
        pass
