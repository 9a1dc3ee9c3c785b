"""A text as long as a novel and shaped like one, the same for the same seed. It says nothing.

Its words are the corpus's, as often as they come there. Paragraphs of narrative, whose sentences
are of a few words up to sixty, take turns with dialogue, a line or two at a time.
"""

import random
import re
from pathlib import Path

from audiomill.flows.bench.corpus import CORPUS

CHAPTER_WORDS = 4_000
DIALOGUE = 0.65  # of all paragraphs
LONGEST = 60  # words of a sentence


def write_novel(path: Path, n_words: int, seed: int = 1) -> Path:
    """About `n_words` of it as Markdown."""
    dice = random.Random(seed)
    words = re.findall(r"[A-Za-z]+", CORPUS.read_text("utf-8"))
    lines, written = ["# A Novel"], 0
    while written < n_words:
        if written >= CHAPTER_WORDS * (sum(line.startswith("## ") for line in lines)):
            lines.append(f"## {' '.join(dice.choices(words, k=dice.randint(1, 6)))}")
        lines.append(_paragraph(dice, words))
        written += len(lines[-1].split())
    path.write_text("\n\n".join(lines), "utf-8")
    return path


def _paragraph(dice: random.Random, words: list[str]) -> str:
    if dice.random() >= DIALOGUE:
        n_sentences = 1 + round(dice.gammavariate(2, 2))
        return " ".join(_sentence(dice, words, 15) for _ in range(n_sentences))
    said = " ".join(_sentence(dice, words, 6) for _ in range(dice.choice((1, 1, 1, 2, 3))))
    told = ["", f" {_sentence(dice, words, 4)}", f" {_sentence(dice, words, 15)}"]
    return f"“{said}”{dice.choices(told, (5, 3, 2))[0]}"


def _sentence(dice: random.Random, words: list[str], typical: int) -> str:
    """Lengths scatter by a factor of two about `typical`, as they do in prose."""
    n_words = min(LONGEST, max(1, round(typical * dice.lognormvariate(0, 0.65))))
    chosen = [word.lower() for word in dice.choices(words, k=n_words)]
    for place in range(dice.randint(6, 12), n_words - 3, 9):
        chosen[place] += ","
    return f"{' '.join(chosen).capitalize()}{dice.choices('.?!', (8, 1, 1))[0]}"
