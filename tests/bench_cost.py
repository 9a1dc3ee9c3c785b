"""What the mill costs beside synthesis and encoding: `python tests/bench_cost.py [HOURS]`.

Renders synthetic books of an hour and of HOURS (10) with the `tone` engine, then has ffmpeg alone
encode the same audio, all in one run, and prints one JSON object: wall times, their ratio, and peak
memory of both books. Not a test: it judges nothing.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from book_data import write_book

from outputs.commands import encode_command
from outputs.ffmpeg import decode, find_ffmpeg
from outputs.formats import FORMATS

ROOT = Path(__file__).parent.parent
# Sentences of the test book that make an hour of tones and pauses.
SENTENCES_PER_HOUR = 700


def main() -> None:
    hours = float(sys.argv[1]) if len(sys.argv) > 1 else 10.0
    with tempfile.TemporaryDirectory(dir=os.environ.get("BENCH_DIR")) as folder:
        short = measure(Path(folder) / "short", 1.0)
        long = measure(Path(folder) / "long", hours)
        alone_s = encode_alone(Path(folder) / "long")
    result = {
        "cores": os.cpu_count(),
        "audio_s": long["audio_s"],
        "wall_s": long["wall_s"],
        "ffmpeg_alone_s": round(alone_s, 2),
        # With synthesis: the tone engine takes some 2 s for an hour, beside the rest.
        "ratio": round(long["wall_s"] / alone_s, 3),
        "peak_rss_mib": {"1 h": short["peak_mib"], f"{hours:g} h": long["peak_mib"]},
        "peak_rss_ratio": round(long["peak_mib"] / short["peak_mib"], 3),
    }
    print(json.dumps(result, indent=1))


def measure(folder: Path, hours: float) -> dict:
    """Render a book of about `hours`; the run's report, with the largest resident size it had."""
    folder.mkdir()
    write_book(folder / "book.md", round(12 * hours), round(SENTENCES_PER_HOUR / 12))
    return render(folder, "m4b")


def render(folder: Path, format_name: str) -> dict:
    """Render the folder's book; the run's report, with the largest resident size it had."""
    library = folder / format_name
    command = [sys.executable, "-m", "flows", "render", str(folder / "book.md")]
    command += ["--engine", "tone", "--no-prefect", "--format", format_name]
    command += ["--out", str(library), "--store", str(folder / "store")]
    pid = os.posix_spawn(sys.executable, command, os.environ | {"PYTHONPATH": str(ROOT)})
    _, status, usage = os.wait4(pid, 0)
    if status:
        sys.exit(f"render ended with status {status}")
    (report,) = library.rglob("report.json")
    return json.loads(report.read_text()) | {"peak_mib": usage.ru_maxrss // 1024}


def encode_alone(folder: Path) -> float:
    """Seconds that ffmpeg takes for the very samples that the mill gave it, with its options.

    They come from a FLAC: what an AAC file decodes to is easier to encode again, by a fifth.
    """
    (lossless,) = (Path(file["path"]) for file in render(folder, "flac")["files"])
    pcm = folder / "alone.pcm"
    with pcm.open("wb") as raw:
        for block in decode(lossless):
            raw.write(np.rint(block * 32768).astype("<i2").tobytes())
    options = dict(FORMATS["m4b"].encoding + FORMATS["m4b"].muxing)
    command = encode_command(find_ffmpeg(), 24_000, folder / "alone.m4b", options)
    began = time.perf_counter()
    with pcm.open("rb") as raw:
        subprocess.run(command, stdin=raw, check=True)
    return time.perf_counter() - began


if __name__ == "__main__":
    main()
