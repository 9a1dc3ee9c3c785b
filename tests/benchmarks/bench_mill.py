"""The mill with synthesis made free, in a process of its own; `bench_cost.py` starts it.

`python tests/bench_mill.py run FOLDER [--parts]`: FOLDER/book.md to an M4B with a cold store, every
segment spoken by a clip of real speech from FOLDER/clips.f32. Prints what it took as JSON.
`python tests/bench_mill.py tape FOLDER`: the same from the store that is there now, but what the
encoder would be given goes to FOLDER/tape.pcm, with the lengths of its pieces.
`python tests/bench_mill.py encode FOLDER`: that tape encoded, on all cores, and nothing else.
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

import numpy as np

from audiomill.flows.job import Job
from audiomill.flows.pipeline import pipeline as mill_room
from audiomill.flows.pipeline.pipeline import run_pipeline
from audiomill.flows.pipeline.run_context import RunContext, Step, ThreadExecutor
from audiomill.outputs.audio import joining, limiter
from audiomill.outputs.audio.loudness import LoudnessMeter
from audiomill.outputs.audio.mastering import LevelMeter
from audiomill.outputs.encoding import (
    encoder as encoding,
)
from audiomill.outputs.encoding import (
    encoder as passes,
)
from audiomill.outputs.encoding import (
    encoder as recording,
)
from audiomill.outputs.encoding import (
    parallel_aac as pieces,
)
from audiomill.outputs.encoding.encoder import Target
from audiomill.outputs.encoding.ffmpeg import Encoder
from audiomill.outputs.metadata.tags import Tags
from audiomill.outputs.types import OutputFile, Recorded
from audiomill.renderers import registry
from audiomill.renderers.base import Batch, EngineLimits, Rendered
from audiomill.renderers.store import shard_format as shard_file
from audiomill.renderers.store.local import LocalBackend
from audiomill.renderers.tone import ToneRenderer

SAMPLE_RATE = 24_000  # Kokoro's
BLOCK = 1 << 15

# What a part is called, and where its work is done. A part holds all that it calls.
PARTS = {
    "store: pack": (shard_file, "pack"),
    "store: write": (LocalBackend, "write"),
    "store: unpack": (shard_file, "unpack"),
    "join: place": (joining, "_placed"),
    "join: trim": (joining, "_take"),
    "measure: loudness": (LoudnessMeter, "add"),
    "master: limit": (limiter, "_limited"),
    "encode: to PCM": (pieces, "to_pcm16"),
    "encode: pipe": (Encoder, "write"),
}


class ClipRenderer(ToneRenderer):
    """An engine that costs nothing: it returns the clip that is as long as the text."""

    name = "clips"
    sample_rate = SAMPLE_RATE
    # As espeak's, so that a sentence is a segment: more of them than Kokoro's.
    limits = EngineLimits(
        max_length=500, max_rows=8, chars_per_s=18.0, exact_bits=16, speeds=(0.5, 2.0)
    )

    def __init__(self, folder: Path) -> None:
        # As pages of the file: to copy them would be a cost of the engine's. They count as memory
        # of the mill, the same 30 MB in a book of any length.
        self._audio = np.asarray(np.memmap(folder / "clips.f32", "<f4", "r"))
        # [n_chars, first byte, n_samples], by the number of characters
        self._clips = json.loads((folder / "clips.json").read_text())

    def render(self, batch: Batch) -> list[Rendered]:
        return [Rendered(self._clip(len(one.spoken))) for one in batch.requests]

    def _clip(self, n_chars: int) -> np.ndarray:
        at = min(bisect_left(self._clips, n_chars, key=lambda clip: clip[0]), len(self._clips) - 1)
        _, first, n_samples = self._clips[at]
        start = first // self._audio.itemsize
        return self._audio[start : start + n_samples]


class Deaf(LevelMeter):
    """Measures nothing."""

    def add(self, samples: np.ndarray) -> None:
        pass


class Phases:
    """Processor time and the clock when a run's phases begin.

    Children are ffmpeg and the annex; they are counted once they have ended, so the annex as a
    part of encoding.
    """

    def __init__(self) -> None:
        self.at = {"reading": _times()}

    def begin(self, step: Step, _total_s: float) -> None:
        self.at[str(step)] = _times()

    def advance(self, _step: Step, _audio_s: float) -> None:
        pass

    def told(self) -> dict:
        names, times = list(self.at), [*self.at.values(), _times()]
        return {
            name: {key: round(after[key] - before[key], 2) for key in before}
            for name, before, after in zip(names, times, times[1:], strict=False)
        }


def _times() -> dict[str, float]:
    now = os.times()
    return {
        "wall_s": time.perf_counter(),
        "cpu_s": now.user + now.system,
        "children_cpu_s": now.children_user + now.children_system,
    }


def clock_parts() -> dict[str, float]:
    """Have every part add the processor time that it takes; seconds by part, growing.

    All of them are then done in this process: what is done beside it nobody clocks.
    """
    mill_room.PROCESSES_FROM_S = math.inf
    taken_s: dict[str, float] = defaultdict(float)
    for name, (place, function) in PARTS.items():
        setattr(place, function, _clocked(getattr(place, function), name, taken_s))
    # Imported by name before this.
    passes.to_pcm16 = pieces.to_pcm16
    return taken_s


def _clocked(work: Callable, name: str, taken_s: dict[str, float]) -> Callable:
    def clocked(*args: object, **kwargs: object) -> object:
        began = time.thread_time()
        try:
            return work(*args, **kwargs)
        finally:
            taken_s[name] += time.thread_time() - began

    return clocked


def run(folder: Path) -> dict:
    taken_s = clock_parts() if "--parts" in sys.argv else {}
    phases = Phases()
    began = time.perf_counter()
    report = _milled(folder, folder / "library", RunContext(phases))
    wall_s = time.perf_counter() - began
    peaks = [getrusage(of).ru_maxrss // 1024 for of in (RUSAGE_SELF, RUSAGE_CHILDREN)]
    return {
        "wall_s": round(wall_s, 2),
        "audio_s": round(report.audio_s, 1),
        "segments": report.segments,
        "peak_mib": peaks[0],
        "largest_child_mib": peaks[1],
        "phases": phases.told(),
        "parts_cpu_s": {name: round(s, 2) for name, s in sorted(taken_s.items())},
    }


def _milled(folder: Path, library: Path, watch: RunContext):
    registry.LOADERS["clips"] = lambda _options: ClipRenderer(folder)
    job = Job(folder / "book.md", library, str(folder / "store"), "clips")
    with ThreadExecutor() as crew:
        return run_pipeline(job, crew, watch)


def tape(folder: Path) -> dict:
    lengths: list[int] = []

    def taped(stretches, sample_rate, targets, *_ignored, **_options) -> Recorded:
        with (folder / "tape.pcm").open("wb") as file:
            for stretch in stretches:
                lengths.append(stretch.n_samples)
                for block in stretch.blocks():
                    file.write(pieces.to_pcm16(block))
        files = tuple(OutputFile(one.path, one.format, 0.0, 0, "") for one in targets)
        return Recorded(files, ())

    recording.encode = taped
    _milled(folder, folder / "taped", RunContext())
    (folder / "tape.json").write_text(json.dumps(lengths))
    return {"pieces": len(lengths)}


def encode(folder: Path) -> dict:
    lengths = json.loads((folder / "tape.json").read_text())
    samples = np.memmap(folder / "tape.pcm", "<i2", "r")
    ends = np.cumsum([0, *lengths])
    stretches = [
        pieces.AudioChunk(
            length, lambda at=int(at), length=length: _blocks(samples[at : at + length])
        )
        for at, length in zip(ends, lengths, strict=False)
    ]
    pieces.to_pcm16 = lambda block: block  # that was done before
    pieces.LevelMeter = Deaf
    before = _times()
    target = Target("m4b", folder / "alone.m4b")
    encoding.encode(stretches, SAMPLE_RATE, [target], [], Tags("Alone", "Alone"))
    after = _times()
    return {name: round(after[name] - before[name], 2) for name in before}


def _blocks(samples: np.ndarray) -> list[np.ndarray]:
    return [samples[at : at + BLOCK] for at in range(0, samples.size, BLOCK)]


if __name__ == "__main__":
    work = {"run": run, "tape": tape, "encode": encode}[sys.argv[1]]
    print(json.dumps(work(Path(sys.argv[2]))))
