"""Random text with the length and the shape of a novel, the same for the same seed.

Words are drawn from the benchmark corpus, with their frequencies there. Paragraphs of narrative,
with sentences of a few words up to sixty, alternate with short lines of dialogue.
"""

import random
import re
from pathlib import Path

from audiomill.flows.bench.corpus import CORPUS

CHAPTER_WORDS = 4_000
DIALOGUE_SHARE = 0.65  # of all paragraphs
MAX_SENTENCE_WORDS = 60


def write_novel(path: Path, n_words: int, seed: int = 1) -> Path:
    """Write a novel of about `n_words` words as Markdown."""
    generator = random.Random(seed)
    words = re.findall(r"[A-Za-z]+", CORPUS.read_text("utf-8"))
    lines, n_written = ["# A Novel"], 0
    while n_written < n_words:
        if n_written >= CHAPTER_WORDS * (sum(line.startswith("## ") for line in lines)):
            lines.append(f"## {' '.join(generator.choices(words, k=generator.randint(1, 6)))}")
        lines.append(_paragraph(generator, words))
        n_written += len(lines[-1].split())
    path.write_text("\n\n".join(lines), "utf-8")
    return path


def _paragraph(generator: random.Random, words: list[str]) -> str:
    if generator.random() >= DIALOGUE_SHARE:
        n_sentences = 1 + round(generator.gammavariate(2, 2))
        return " ".join(_sentence(generator, words, 15) for _ in range(n_sentences))
    speech = " ".join(
        _sentence(generator, words, 6) for _ in range(generator.choice((1, 1, 1, 2, 3)))
    )
    narration = ["", f" {_sentence(generator, words, 4)}", f" {_sentence(generator, words, 15)}"]
    return f"“{speech}”{generator.choices(narration, (5, 3, 2))[0]}"


def _sentence(generator: random.Random, words: list[str], typical: int) -> str:
    """A sentence of about `typical` words; lengths vary by a factor of two, as in prose."""
    n_words = min(MAX_SENTENCE_WORDS, max(1, round(typical * generator.lognormvariate(0, 0.65))))
    words_drawn = [word.lower() for word in generator.choices(words, k=n_words)]
    for index in range(generator.randint(6, 12), n_words - 3, 9):
        words_drawn[index] += ","
    return f"{' '.join(words_drawn).capitalize()}{generator.choices('.?!', (8, 1, 1))[0]}"
