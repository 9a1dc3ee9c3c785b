"""A book of any length for tests and benchmarks: random sentences, the same for the same seed."""

import random
from pathlib import Path

WORDS = (
    *("the", "mill", "turned", "slowly", "all", "night", "and", "nobody", "in", "the", "village"),
    *("heard", "it", "but", "the", "owl"),
)


def write_book(path: Path, n_chapters: int, n_sentences: int, seed: int = 1) -> Path:
    """A Markdown book of random sentences, the same for the same seed."""
    dice = random.Random(seed)
    lines = ["# A Book"]
    for number in range(n_chapters):
        lines.append(f"## Chapter the {number + 1}th")
        for _ in range(n_sentences // 4):
            sentences = (
                " ".join(dice.choices(WORDS, k=dice.randint(3, 25))).capitalize() + "."
                for _ in range(4)
            )
            lines.append(" ".join(sentences))
    path.write_text("\n\n".join(lines))
    return path
