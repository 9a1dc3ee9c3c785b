"""What profiles deliver, by other meters: `python tests/benchmarks/bench_delivery.py [BOOK …]`.

Three books (a dialogue novel with chapters of one sentence, a long novel, an article) or the ones
that are given are rendered by espeak-ng for every profile, with the names of an author and a
narrator, as ACX asks. Each file, as it was encoded, is then measured by ffmpeg (ebur128, astats)
and by pyloudnorm, neither of which is ours, and judged by `audiomill check`. Prints a table in
Markdown, a row for each profile and book:

    LUFS      integrated loudness: lowest and highest of the files, by ffmpeg and by pyloudnorm
    dBTP      the highest true peak, by ffmpeg
    RMS       the lowest and the highest of whole files, in dB
    floor     the highest RMS of a file's quietest half second, in dB
    head      the shortest and the longest quiet before the first word, in seconds; then the tail
    check     files that pass

Not a test: nothing passes or fails here. Files go to a temporary folder in BENCH_DIR.
"""

import json
import math
import os
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyloudnorm
from imageio_ffmpeg import get_ffmpeg_exe

sys.path.insert(0, str(Path(__file__).parents[1]))  # for `support`

from support.benchmark_arguments import arguments
from support.book_data import write_book
from support.novel_data import write_novel

PROFILES = ("audiobookshelf", "acx", "podcast", "apple", "archive")
COLUMNS = (
    *("profile", "book", "files", "LUFS ffmpeg", "LUFS pyloudnorm", "dBTP", "RMS", "floor"),
    *("head", "tail", "check"),
)
AUDIO = {".m4b", ".mp3", ".flac"}
QUIET_DB = -50.0  # what lies below it in windows of WINDOW_S counts as quiet
WINDOW_S, FLOOR_S = 0.02, 0.5
# pyloudnorm holds a file in memory, several times. A longer one is resampled for it, to the rate of
# the voice, or not measured by it at all.
LONG_S, LONG_HZ = 3600.0, 24000
MAX_S = 6 * 3600.0

Samples = np.ndarray


@dataclass(frozen=True)
class Figures:
    """What other programs measure of one file."""

    ffmpeg_lufs: float
    pyloudnorm_lufs: float
    true_peak_dbtp: float
    rms_db: float
    floor_db: float
    head_s: float
    tail_s: float


def main() -> None:
    (named,) = arguments(__doc__, books=[])
    with tempfile.TemporaryDirectory(dir=os.environ.get("BENCH_DIR")) as temporary:
        folder = Path(temporary)
        books = named or write_books(folder)
        print(f"| {' | '.join(COLUMNS)} |\n|{'---|' * len(COLUMNS)}", flush=True)
        for profile in PROFILES:
            for book in books:
                files = render(book, profile, folder)
                print(row(profile, book, files, n_passed(files, profile)), flush=True)


def write_books(folder: Path) -> list[Path]:
    """A dialogue novel of chapters of one sentence, a long novel, and an article."""
    lines = ["# Whose Turn It Was"]
    for number, spoken in enumerate(DIALOGUE, 1):
        lines += [f"## {number}", spoken]
    dialogue = folder / "dialogue.md"
    dialogue.write_text("\n\n".join(lines), "utf-8")
    novel = write_novel(folder / "novel.md", 40_000)
    return [dialogue, novel, write_book(folder / "article.md", 1, 60)]


DIALOGUE = (
    "“Who left the gate open?”",
    "“I did.”",
    "“You might have said so yesterday, when all of us were out in the rain looking for her.”",
    "Nobody answered.",
    "“Well?”",
    "He said that he had been asleep, that the dog had been asleep, and that the goat had not.",
    "“Goats never sleep,” said the aunt.",
    "“Then let her keep the gate.”",
)


def render(book: Path, profile: str, folder: Path) -> list[Path]:
    """Every audio file of the book, made for the profile."""
    out = folder / profile / book.stem
    command = [sys.executable, "-m", "audiomill", "render", str(book), "--for", profile]
    command += ["--set", "author=Ada Marsh", "--set", "narrator=Ben Field"]
    command += ["--engine", "espeak", "--out", str(out), "--store", str(folder / "store"), "--json"]
    finished = subprocess.run(command, stdout=subprocess.PIPE, check=True)
    files = json.loads(finished.stdout.splitlines()[-1])["files"]
    return [path for path in (Path(one["path"]) for one in files) if path.suffix in AUDIO]


def n_passed(files: list[Path], profile: str) -> int:
    """How many files `audiomill check` passes, each by itself."""
    command = [sys.executable, "-m", "audiomill", "check", "--for", profile]
    return sum(
        subprocess.run([*command, str(path)], capture_output=True, check=False).returncode == 0
        for path in files
    )


def row(profile: str, book: Path, files: list[Path], n_good: int) -> str:
    """A row of the table."""
    all_figures = [figures_of(path) for path in files]

    def span(name: str, digits: int = 2) -> str:
        values = sorted(getattr(one, name) for one in all_figures)
        lowest, highest = (f"{value:.{digits}f}" for value in (values[0], values[-1]))
        return lowest if lowest == highest else f"{lowest} to {highest}"

    cells = (
        *(profile, book.stem, str(len(files)), span("ffmpeg_lufs"), span("pyloudnorm_lufs")),
        *(span("true_peak_dbtp"), span("rms_db"), span("floor_db", 1), span("head_s")),
        *(span("tail_s"), f"{n_good} of {len(files)}"),
    )
    return f"| {' | '.join(cells)} |"


def figures_of(path: Path) -> Figures:
    """Measure a file, decoded by ffmpeg."""
    told = ffmpeg(
        "-i", str(path), "-map", "0:a", "-af", "ebur128=peak=true,astats", "-f", "null", "-"
    )
    duration_s = clock_s(re.findall(r"Duration: ([\d:.]+)", told)[0])
    rate = int(re.findall(r"(\d+) Hz", told)[0])
    rate = rate if duration_s <= LONG_S else min(rate, LONG_HZ)
    samples = decoded(path, rate) if duration_s <= MAX_S else np.zeros(0, np.float32)
    floor_db, head_s, tail_s = quiet_of(samples, rate)
    return Figures(
        ffmpeg_lufs=float(re.findall(r"I:\s+(-?[\d.]+) LUFS", told)[-1]),
        pyloudnorm_lufs=loudness(samples, rate),
        true_peak_dbtp=float(re.findall(r"Peak:\s+(-?[\d.]+) dBFS", told)[-1]),
        rms_db=float(re.findall(r"RMS level dB: (-?[\d.]+)", told)[-1]),
        floor_db=floor_db,
        head_s=head_s,
        tail_s=tail_s,
    )


def loudness(samples: Samples, rate: int) -> float:
    """LUFS by pyloudnorm; NaN for audio that is shorter than one of its blocks, or not read."""
    if samples.size < 0.4 * rate:
        return math.nan
    return float(pyloudnorm.Meter(rate).integrated_loudness(samples.astype(np.float64)))


def quiet_of(samples: Samples, rate: int) -> tuple[float, float, float]:
    """(RMS in dB of the quietest half second, quiet at the head in seconds, at the tail)."""
    if not samples.size:
        return math.nan, math.nan, math.nan
    short, long = round(WINDOW_S * rate), round(FLOOR_S * rate)
    loud = (window_rms_db(samples, short, short) > QUIET_DB).nonzero()[0]
    n = samples.size // short
    head, tail = (int(loud[0]), n - 1 - int(loud[-1])) if loud.size else (n, n)
    floor_db = float(window_rms_db(samples, long, short).min())
    return floor_db, head * WINDOW_S, tail * WINDOW_S


def window_rms_db(samples: Samples, width: int, step: int) -> Samples:
    """The RMS of windows of `width` samples, `step` apart; -200 dB for digital silence."""
    energy = np.concatenate(([0.0], np.cumsum(samples.astype(np.float64) ** 2)))
    starts = np.arange(0, max(1, samples.size - width + 1), step)
    power = (energy[np.minimum(starts + width, samples.size)] - energy[starts]) / width
    return 10 * np.log10(np.maximum(power, 1e-20))


def decoded(path: Path, rate: int) -> Samples:
    """The samples of the first channel."""
    command = [get_ffmpeg_exe(), "-v", "error", "-i", str(path), "-map", "0:a", "-f", "f32le"]
    command += ["-af", "pan=mono|c0=c0", "-ar", str(rate), "pipe:1"]
    return np.frombuffer(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout, "<f4")


def ffmpeg(*arguments: str) -> str:
    """What ffmpeg says."""
    command = [get_ffmpeg_exe(), "-hide_banner", "-nostats", *arguments]
    return subprocess.run(command, capture_output=True, check=True, text=True).stderr


def clock_s(text: str) -> float:
    """The seconds of "01:02:03.45"."""
    hours, minutes, seconds = text.split(":")
    return int(hours) * 3600 + int(minutes) * 60 + float(seconds)


if __name__ == "__main__":
    main()
