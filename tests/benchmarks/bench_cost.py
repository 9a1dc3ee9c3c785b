"""What the mill costs beside synthesis: `python tests/bench_cost.py [HOURS]`, in one run.

Renders books of an hour and of HOURS (10) with synthesis made free: an engine that returns speech
which espeak has spoken before (`bench_mill.py`). The store is cold, the outcome an M4B. Then the
encoder alone is given the very samples that it had in the long book, from a file, in the same
pieces, on all cores. Both have five turns, one after the other. Prints one JSON object:

    ratio             the encoder alone / the mill, by the clock: the median of the turns'
    cpu_ratio         the same by processor time, for machines on which others are at work
    rounds            both of each turn: how far they scatter is how far to trust the ratios
    phases            where the mill's time went: reading, rendering (stored, joined, measured),
                      encoding (joined, mastered, measured, encoded); that of children apart
    parts_cpu_s       processor time of single parts, in a run of its own, in a single process
    peak_rss_mib      of both books: of the mill, and of the largest process beside it

Not a test: it judges nothing. BENCH_DIR is where it works; a book of ten hours takes some 10 GB.
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

from audiomill.renderers.base import Batch, Request
from audiomill.renderers.espeak.renderer import EspeakRenderer
from support.book_data import WORDS, write_book
from support.home import ROOT, TESTS_PATH

# Sentences of the test book that make an hour of speech and pauses.
SENTENCES_PER_HOUR = 900
CLIPS_OF_A_LENGTH = 4  # in words
ROUNDS = 5


def main() -> None:
    hours = float(sys.argv[1]) if len(sys.argv) > 1 else 10.0
    with tempfile.TemporaryDirectory(dir=os.environ.get("BENCH_DIR")) as made:
        short, long = Path(made) / "short", Path(made) / "long"
        prepare(short, 1.0)
        prepare(long, hours)
        short_run, first = mill("run", short), mill("run", long)
        mill("tape", long)
        rounds = [(mill("encode", long), first)]
        rounds += [(mill("encode", long), again(long)) for _ in range(ROUNDS - 1)]
        parts = again(long, "--parts")["parts_cpu_s"]
    alone, run = sorted(rounds, key=lambda pair: pair[0]["wall_s"] / pair[1]["wall_s"])[ROUNDS // 2]
    result = {
        "cores": os.cpu_count(),
        "audio_s": run["audio_s"],
        "segments": run["segments"],
        "wall_s": run["wall_s"],
        "encoder_alone": alone,
        "ratio": round(alone["wall_s"] / run["wall_s"], 3),
        "cpu_ratio": round(median(cpu_s(one) / mill_cpu_s(two) for one, two in rounds), 3),
        "rounds": [
            {
                "encoder": {"wall_s": one["wall_s"], "cpu_s": round(cpu_s(one), 2)},
                "mill": {"wall_s": two["wall_s"], "cpu_s": round(mill_cpu_s(two), 2)},
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


def mill_cpu_s(run: dict) -> float:
    return sum(map(cpu_s, run["phases"].values()))


def again(folder: Path, *options: str) -> dict:
    """A run with a cold store.

    The one before is put aside: for minutes after files are removed, some file systems (ext4) take
    half a millisecond longer to make each new one.
    """
    aside = Path(tempfile.mkdtemp(dir=folder))
    for name in ("store", "library"):
        (folder / name).rename(aside / name)
    return mill("run", folder, *options)


def mill(*arguments: object) -> dict:
    """What `bench_mill.py` prints."""
    command = [
        sys.executable,
        str(ROOT / "tests" / "benchmarks" / "bench_mill.py"),
        *map(str, arguments),
    ]
    environment = os.environ | {"PYTHONPATH": TESTS_PATH}
    run = subprocess.run(command, env=environment, stdout=subprocess.PIPE, check=True)
    return json.loads(run.stdout)


def prepare(folder: Path, hours: float) -> None:
    """A book of about `hours` in `folder`, and the clips that its sentences are spoken with."""
    folder.mkdir()
    write_book(folder / "book.md", round(12 * hours), round(SENTENCES_PER_HOUR / 12))
    dice = random.Random(2)
    engine = EspeakRenderer()
    clips: list[tuple[int, int, int]] = []  # n_chars, first byte, n_samples
    with (folder / "clips.f32").open("wb") as file:
        for n_words in [n for n in range(3, 26) for _ in range(CLIPS_OF_A_LENGTH)]:
            text = " ".join(dice.choices(WORDS, k=n_words)).capitalize() + "."
            key = hashlib.sha256(text.encode()).hexdigest()
            (spoken,) = engine.render(Batch((Request(key, text, "en-us", 1.0),)))
            at_24_khz = scipy.signal.resample_poly(spoken.samples, 160, 147) * 0.8
            exact = (np.rint(at_24_khz * 32768) / 32768).astype("<f4")  # as 16 bits keep it
            clips.append((len(text), file.tell(), exact.size))
            file.write(exact.tobytes())
    (folder / "clips.json").write_text(json.dumps(sorted(clips)))


if __name__ == "__main__":
    main()
