"""The cost of everything except synthesis: `bench_cost.py [HOURS [PACE]]`.

Renders books of one hour and of HOURS (10). Synthesis is free: an engine returns clips that espeak
has spoken before (`bench_cost_process.py`). With a PACE it waits as long as an engine that is so
many times as fast as real time: that shows what is done meanwhile, and what after it. The store is
empty, the output an M4B. Then the encoder alone gets the input that it had for the long book, from
a file, in the same regions, on all cores. Both are measured in five rounds, which alternate.
Prints one JSON object:

    ratio             time of the encoder alone / time of the render: the median of the rounds
    cpu_ratio         the same for processor time, for machines with other load
    encoding_share    of the render by the clock, the part after all is measured: the median
    rounds            both times of each round: their variation shows how reliable the ratios are
    phases            the render by phase: reading, rendering (stored, joined, measured),
                      encoding (joined, mastered, measured, encoded); children separately
    parts_cpu_s       processor time of single functions, from a run in a single process
    peak_rss_mib      for both books: of the render, and of its largest child process

Not a test: nothing passes or fails. Files go to a temporary folder in BENCH_DIR; a book of ten
hours takes about 10 GB.
"""

import hashlib
import json
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

import numpy as np
import scipy.signal

from audiomill.renderers.engine.protocol import Batch, Request
from audiomill.renderers.espeak.renderer import EspeakRenderer

sys.path.insert(0, str(Path(__file__).parents[1]))  # for `support`

from support.benchmark_arguments import arguments
from support.book_data import WORDS, write_book

SENTENCES_PER_HOUR = 900  # of the test book, for an hour of speech and pauses
CLIPS_PER_LENGTH = 4  # a length is a number of words
N_ROUNDS = 5


def main() -> None:
    hours, pace = arguments(__doc__, hours=10.0, pace=0.0)
    paced = [f"--pace={pace}"] if pace else []
    with tempfile.TemporaryDirectory(dir=os.environ.get("BENCH_DIR")) as temporary:
        short, long = Path(temporary) / "short", Path(temporary) / "long"
        prepare(short, 1.0)
        prepare(long, hours)
        short_run, first = measure("run", short, *paced), measure("run", long, *paced)
        measure("record", long)
        rounds = [(measure("encode", long), first)]
        rounds += [(measure("encode", long), run_again(long, *paced)) for _ in range(N_ROUNDS - 1)]
        parts = run_again(long, "--parts")["parts_cpu_s"]
    by_ratio = sorted(rounds, key=lambda pair: pair[0]["wall_s"] / pair[1]["wall_s"])
    encoder_alone, run = by_ratio[N_ROUNDS // 2]
    result = {
        "cores": os.cpu_count(),
        "audio_s": run["audio_s"],
        "segments": run["segments"],
        "wall_s": run["wall_s"],
        "encoder_alone": encoder_alone,
        "ratio": round(encoder_alone["wall_s"] / run["wall_s"], 3),
        "cpu_ratio": round(median(cpu_s(one) / run_cpu_s(two) for one, two in rounds), 3),
        "encoding_share": round(median(encoding_share(run) for _, run in rounds), 3),
        "rounds": [
            {
                "encoder": {"wall_s": one["wall_s"], "cpu_s": round(cpu_s(one), 2)},
                "mill": {"wall_s": two["wall_s"], "cpu_s": round(run_cpu_s(two), 2)},
            }
            for one, two in rounds
        ],
        "phases": run["phases"],
        "parts_cpu_s": parts,
        "peak_rss_mib": {"1 h": peaks(short_run), f"{hours:g} h": peaks(run)},
        "peak_rss_ratio": round(run["peak_mib"] / short_run["peak_mib"], 3),
    }
    print(json.dumps(result, indent=1))


def peaks(run: dict) -> list[int]:
    return [run["peak_mib"], run["largest_child_mib"]]


def cpu_s(times: dict) -> float:
    return times["cpu_s"] + times["children_cpu_s"]


def run_cpu_s(run: dict) -> float:
    return sum(map(cpu_s, run["phases"].values()))


def encoding_share(run: dict) -> float:
    return run["phases"]["encoding"]["wall_s"] / run["wall_s"]


def run_again(folder: Path, *options: str) -> dict:
    """A run with an empty store.

    The store of the run before is moved away, not removed: for minutes after files are removed,
    some file systems (ext4) take half a millisecond longer to create each new one.
    """
    aside = Path(tempfile.mkdtemp(dir=folder))
    for name in ("store", "library"):
        (folder / name).rename(aside / name)
    return measure("run", folder, *options)


def measure(*arguments: object) -> dict:
    """The output of `bench_cost_process.py`."""
    script = Path(__file__).with_name("bench_cost_process.py")
    command = [sys.executable, str(script), *map(str, arguments)]
    return json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)


def prepare(folder: Path, hours: float) -> None:
    """A book of about `hours` in `folder`, and the clips for its sentences."""
    folder.mkdir()
    write_book(folder / "book.md", round(12 * hours), round(SENTENCES_PER_HOUR / 12))
    rng = random.Random(2)
    engine = EspeakRenderer()
    clips: list[tuple[int, int, int]] = []  # n_chars, first byte, n_samples
    with (folder / "clips.f32").open("wb") as file:
        for n_words in [n for n in range(3, 26) for _ in range(CLIPS_PER_LENGTH)]:
            text = " ".join(rng.choices(WORDS, k=n_words)).capitalize() + "."
            key = hashlib.sha256(text.encode()).hexdigest()
            (rendered,) = engine.render(Batch((Request(key, text, "en-us", 1.0),)))
            at_24_khz = scipy.signal.resample_poly(rendered.samples, 160, 147) * 0.8
            exact = (np.rint(at_24_khz * 32768) / 32768).astype("<f4")  # exact in 16 bits
            clips.append((len(text), file.tell(), exact.size))
            file.write(exact.tobytes())
    (folder / "clips.json").write_text(json.dumps(sorted(clips)))


if __name__ == "__main__":
    main()
