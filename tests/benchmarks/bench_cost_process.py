"""The measurements of `bench_cost.py`, which runs each in a process of its own. Prints JSON.

`bench_cost_process.py run FOLDER [--parts] [--pace=PACE]`: renders FOLDER/book.md to an M4B with an
    empty store. Synthesis is free: every segment is a clip of real speech from FOLDER/clips.f32.
    With a PACE the engine sleeps: it is so many times as fast as real time.
`bench_cost_process.py record FOLDER`: the same with the store of the run before, but the input of
    the encoder goes to FOLDER/encoder.pcm, and the lengths of its regions to FOLDER/encoder.json.
`bench_cost_process.py encode FOLDER`: encodes that input on all cores, and does nothing else.
"""

import json
import math
import os
import sys
import time
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage
from threading import Lock

import numpy as np

from audiomill.flows.execution.executor import ThreadExecutor
from audiomill.flows.execution.run_context import SHORT_STEPS, RunContext, Step
from audiomill.flows.job import Job
from audiomill.flows.pipeline import encode_recordings, pipeline
from audiomill.outputs.audio import file_sound, joining, limiter
from audiomill.outputs.audio.loudness import LoudnessMeter
from audiomill.outputs.audio.mastering import LevelMeter, apply
from audiomill.outputs.ffmpeg.ffmpeg import Encoder
from audiomill.outputs.formats import aac_regions, encoder
from audiomill.outputs.formats.aac_levels import RegionLog
from audiomill.outputs.formats.pending_file import Target
from audiomill.outputs.metadata.tags import Tags
from audiomill.outputs.types import EncodedOutput, FileLevels, Levels, OutputFile
from audiomill.renderers.engine import registry
from audiomill.renderers.engine.declaration import Engine
from audiomill.renderers.engine.protocol import Batch, EngineLimits, Rendered
from audiomill.renderers.host.waiting import UNATTENDED, Waiter
from audiomill.renderers.store import shard_format
from audiomill.renderers.store.local import LocalBackend
from audiomill.renderers.tone.renderer import ToneRenderer

SAMPLE_RATE = 24_000  # of Kokoro
BLOCK = 1 << 15  # samples

# Each part is a function, by its place and name. The time of a part includes all that it calls.
PARTS = {
    "store: pack": (shard_format, "pack"),
    "store: write": (LocalBackend, "write"),
    "store: unpack": (shard_format, "unpack"),
    "join: place": (joining, "_placed"),
    "join: trim": (joining, "voiced_pieces"),
    "check: traits": (joining, "measured_traits"),
    "measure: loudness": (LoudnessMeter, "add"),
    "master: limit": (limiter, "_limited"),
    "encode: to PCM": (aac_regions, "to_pcm16"),
    "encode: pipe": (Encoder, "write"),
    "encode: note levels": (RegionLog, "add"),
    "encode: decode, measure": (RegionLog, "measured"),
}


def run(folder: Path) -> dict:
    """Render the book, with the time of each phase and, with `--parts`, of each part."""
    part_s = time_parts() if "--parts" in sys.argv else {}
    phases = Phases()
    start_s = time.perf_counter()
    report = render(folder, folder / "library", RunContext(phases))
    wall_s = time.perf_counter() - start_s
    peaks = [getrusage(who).ru_maxrss // 1024 for who in (RUSAGE_SELF, RUSAGE_CHILDREN)]
    return {
        "wall_s": round(wall_s, 2),
        "audio_s": round(report.audio_s, 1),
        "segments": report.segments,
        "peak_mib": peaks[0],
        "largest_child_mib": peaks[1],
        "phases": phases.durations(),
        "parts_cpu_s": {name: round(cpu_s, 2) for name, cpu_s in sorted(part_s.items())},
    }


def record(folder: Path) -> dict:
    """Render the book, with a function in place of the encoder that writes its input to a file."""
    lengths: list[int] = []

    def write_input(regions, sample_rate, targets, *_args, context, **_named) -> EncodedOutput:
        with (folder / "encoder.pcm").open("wb") as file:
            for region in regions:
                lengths.append(region.n_samples)
                for block in apply(region.blocks(), targets[0].master, sample_rate):
                    file.write(file_sound.to_pcm16(block))
        files = tuple(OutputFile(one.path, one.format, 0.0, 0, "") for one in targets)
        encoded = EncodedOutput(files, (FileLevels((), sample_rate),) * len(files))
        context.announce(encoded)
        return encoded

    encode_recordings.encode = write_input
    render(folder, folder / "recorded", RunContext())
    (folder / "encoder.json").write_text(json.dumps(lengths))
    return {"pieces": len(lengths)}


def encode(folder: Path) -> dict:
    """Encode the recorded input, in the same regions."""
    lengths = json.loads((folder / "encoder.json").read_text())
    samples = np.memmap(folder / "encoder.pcm", "<i2", "r")
    starts = np.cumsum([0, *lengths])
    regions = [
        file_sound.AudioRegion(
            length, lambda start=int(start), length=length: blocks(samples[start : start + length])
        )
        for start, length in zip(starts, lengths, strict=False)
    ]
    aac_regions.to_pcm16 = lambda block, _channels: block.astype("<i2")  # the input is PCM already
    aac_regions.RegionLog = NullLog
    before = times()
    target = Target("m4b", folder / "alone.m4b")
    encoder.encode(regions, SAMPLE_RATE, [target], [], Tags("Alone", "Alone"))
    after = times()
    return {name: round(after[name] - before[name], 2) for name in before}


def render(folder: Path, library: Path, context: RunContext):
    registry.ENGINES["clips"] = Engine("clips", lambda _options: ClipRenderer(folder))
    job = Job(folder / "book.md", library, str(folder / "store"), "clips")
    with ThreadExecutor() as executor:
        return pipeline.run_pipeline(job, executor, context)


class ClipRenderer(ToneRenderer):
    """An engine without cost: it returns the clip whose text is about as long as the segment."""

    name = "clips"
    sample_rate = SAMPLE_RATE
    # Those of espeak, so that a sentence is a segment: there are more of them than with Kokoro.
    limits = EngineLimits(
        max_length=500, max_rows=8, chars_per_s=18.0, exact_bits=16, speeds=(0.5, 2.0)
    )

    def __init__(self, folder: Path) -> None:
        self._pace = next((float(one[7:]) for one in sys.argv if one.startswith("--pace=")), 0.0)
        self._rendering = Lock()
        # Mapped, because copies would be a cost of the engine. The pages count as memory of the
        # pipeline: the same 30 MB for a book of any length.
        self._audio = np.asarray(np.memmap(folder / "clips.f32", "<f4", "r"))
        # [n_chars, first byte, n_samples], by the number of characters
        self._clips = json.loads((folder / "clips.json").read_text())

    def render(self, batch: Batch, waiter: Waiter = UNATTENDED) -> list[Rendered]:  # noqa: ARG002
        rendered = [Rendered(self._clip(len(one.spoken))) for one in batch.requests]
        if self._pace:
            with self._rendering:
                n_samples = sum(one.samples.size for one in rendered)
                time.sleep(n_samples / self.sample_rate / self._pace)
        return rendered

    def _clip(self, n_chars: int) -> np.ndarray:
        index = bisect_left(self._clips, n_chars, key=lambda clip: clip[0])
        _, first_byte, n_samples = self._clips[min(index, len(self._clips) - 1)]
        start = first_byte // self._audio.itemsize
        return self._audio[start : start + n_samples]


class NullLog(RegionLog):
    """Measures nothing."""

    def add_before(self, samples: np.ndarray) -> None:
        pass

    def add(self, samples: np.ndarray) -> None:
        pass

    def measured(self, _flv: bytes, _ceiling: float) -> Levels:
        return LevelMeter(SAMPLE_RATE).measured()


class Phases:
    """Implements `Progress`: the clock and processor time at the start of each phase of a run.

    Children are ffmpeg and the processes of the pool. They are counted once they have ended, so
    that the pool is a part of encoding.
    """

    def __init__(self) -> None:
        self._started = {"reading": times()}

    def begin(self, step: Step, _total_s: float) -> None:
        if step not in SHORT_STEPS:  # they begin with those before them
            self._started[str(step)] = times()

    def advance(self, _step: Step, _audio_s: float) -> None:
        pass

    def extend(self, _step: Step, _more: float) -> None:
        pass

    def durations(self) -> dict:
        """The times of each phase, the last one until now."""
        started = [*self._started.values(), times()]
        return {
            name: {key: round(after[key] - before[key], 2) for key in before}
            for name, before, after in zip(self._started, started, started[1:], strict=False)
        }


def times() -> dict[str, float]:
    now = os.times()
    return {
        "wall_s": time.perf_counter(),
        "cpu_s": now.user + now.system,
        "children_cpu_s": now.children_user + now.children_system,
    }


def time_parts() -> dict[str, float]:
    """Time all parts from now on: seconds of processor time by part, which grow.

    All parts then run in this process: the time of other processes is not measured.
    """
    pipeline.PROCESSES_FROM_S = math.inf
    part_s: dict[str, float] = defaultdict(float)
    for name, (place, function) in PARTS.items():
        setattr(place, function, timed(getattr(place, function), name, part_s))
    return part_s


def timed(function: Callable, name: str, part_s: dict[str, float]) -> Callable:
    def wrapper(*args: object, **kwargs: object) -> object:
        start_s = time.thread_time()
        try:
            return function(*args, **kwargs)
        finally:
            part_s[name] += time.thread_time() - start_s

    return wrapper


def blocks(samples: np.ndarray) -> list[np.ndarray]:
    return [samples[start : start + BLOCK] for start in range(0, samples.size, BLOCK)]


if __name__ == "__main__":
    command = {"run": run, "record": record, "encode": encode}[sys.argv[1]]
    print(json.dumps(command(Path(sys.argv[2]))))
