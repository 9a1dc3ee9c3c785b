"""How fast books become segments: `python tests/benchmarks/bench_text.py [BOOK ...]`.

One core, without phonemes: reading the file (markup, choices, chapters), then cutting it into
segments with their spoken forms, once with limits as espeak-ng's and once with Kokoro's. Prints one
JSON object; for each book

    words                        of all its segments, as printed
    reading_words_per_s          from the file to a book, and
    segmenting_words_per_s       from the book to segments, by processor time: the best of ROUNDS
    total_words_per_s            both
    mib_per_million_words        what the book and its segments take in memory

Not a test: nothing passes or fails.
"""

import json
import os
import sys
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from audiomill.inputs.model.book import Book, Limits, Manuscript
from audiomill.inputs.readers.sources import read_book
from audiomill.inputs.segmentation.segments import SegmentRules, segment_book

sys.path.insert(0, str(Path(__file__).parents[1]))  # for `support`

from support.benchmark_arguments import arguments

SAMPLE = Path(__file__).parents[2] / "inputs" / "samples" / "the-lighthouse-mill.epub"
ROUNDS = 3
ENGINES = {
    "espeak": SegmentRules(lambda _language: "voice", 400),
    "kokoro": SegmentRules(lambda _language: "voice", 400, best_length=(100, 200)),
}
T = TypeVar("T")


def main() -> None:
    (books,) = arguments(__doc__, books=[SAMPLE])
    result = {
        "cores": os.cpu_count(),
        "rounds": ROUNDS,
        "books": {path.name: {name: measured(path, rules) for name, rules in ENGINES.items()}
                  for path in books},
    }  # fmt: skip
    print(json.dumps(result, indent=2))


def measured(path: Path, rules: SegmentRules) -> dict:
    """The figures of one book."""
    reading_s, book = best(lambda: read_book(path, Limits()))
    segmenting_s, manuscript = best(lambda: segment_book(book, rules))
    n_words = sum(len(segment.text.split()) for segment in manuscript.segments)
    return {
        "words": n_words,
        "reading_words_per_s": round(n_words / reading_s),
        "segmenting_words_per_s": round(n_words / segmenting_s),
        "total_words_per_s": round(n_words / (reading_s + segmenting_s)),
        "mib_per_million_words": round(held_mib(path, rules) / n_words * 1e6),
    }


def best(work: Callable[[], T]) -> tuple[float, T]:
    """(the least processor time of the rounds, the last result)."""
    times_s: list[float] = []
    for _ in range(ROUNDS):
        start_s = time.process_time()
        done = work()
        times_s.append(time.process_time() - start_s)
    return min(times_s), done


def held_mib(path: Path, rules: SegmentRules) -> float:
    """The memory that a book and its segments keep. Traced, which takes several times as long."""
    tracemalloc.start()
    try:
        held = both(path, rules)
        n_bytes, _peak = tracemalloc.get_traced_memory()
        return n_bytes / 2**20 if held else 0.0
    finally:
        tracemalloc.stop()


def both(path: Path, rules: SegmentRules) -> tuple[Book, Manuscript]:
    book = read_book(path, Limits())
    return book, segment_book(book, rules)


if __name__ == "__main__":
    main()
