"""What a benchmark has spoken: passages of a text, cut in several ways, and slices of them.

Pure, but for reading the prepared phonemes of the corpus. Knows no engine.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path

from audiomill.inputs import samples
from audiomill.renderers.benchmarking import BenchLine

CORPUS = Path(samples.__file__).parent / "bench-corpus.md"
PREPARED = CORPUS.with_suffix(".phonemes.json")


@dataclass(frozen=True, slots=True)
class BenchPassage:
    """A block of the text, and what is said of it, by the way it is cut."""

    chapter: int
    block: int
    n_words: int
    lines: Mapping[str, tuple[BenchLine, ...]]


@dataclass(frozen=True, slots=True)
class BenchText:
    """A text to be spoken, or a slice of one."""

    title: str
    sha256: str  # of the source, in hexadecimal
    voice: str
    passages: tuple[BenchPassage, ...]

    @property
    def n_words(self) -> int:
        """Of all passages."""
        return sum(passage.n_words for passage in self.passages)

    def lines(self, chunking: str) -> tuple[BenchLine, ...]:
        """Everything, in order, cut in one of the ways of `CHUNKINGS`."""
        return tuple(line for passage in self.passages for line in passage.lines[chunking])

    def slice(self, n_words: int) -> BenchText:
        """About `n_words` of it, with something of every chapter; 0: all of it."""
        return replace(self, passages=tuple(sliced(self.passages, n_words)))


def sliced(passages: Sequence[BenchPassage], n_words: int) -> Iterator[BenchPassage]:
    """Whole passages, in order: of each chapter about an equal share, and one at least.

    Where a share is less than a passage may have, it is the one passage that is nearest to it;
    else passages from the chapter's beginning on, each taken if it brings us nearer.
    """
    chapters = [list(group) for _, group in groupby(passages, key=lambda one: one.chapter)]
    share = n_words / max(1, len(chapters))
    for chapter in chapters:
        if n_words == 0:
            yield from chapter
        elif share <= max(passage.n_words for passage in chapter):
            yield min(chapter, key=lambda one: abs(one.n_words - share))
        else:
            yield from _from_the_start(chapter, share)


def _from_the_start(chapter: Sequence[BenchPassage], share: float) -> Iterator[BenchPassage]:
    left = share
    for passage in chapter:
        if passage.n_words < 2 * left:
            yield passage
            left -= passage.n_words


def prepared_corpus() -> BenchText:
    """The corpus as phonemes, made beforehand: it needs neither misaki nor a reader.

    The same on every machine, whatever reads text there. `prepare.py` makes the file.
    """
    written = json.loads(PREPARED.read_text("utf-8"))
    return BenchText(
        title=written["title"],
        sha256=written["source_sha256"],
        voice=written["voice"],
        passages=tuple(
            BenchPassage(
                one["chapter"],
                one["block"],
                one["words"],
                {
                    chunking: tuple(BenchLine(said, n_chars) for n_chars, said in lines)
                    for chunkings, lines in one["lines"].items()
                    for chunking in chunkings.split()
                },
            )
            for one in written["passages"]
        ),
    )


def written(subject: BenchText, g2p: str) -> str:
    """The prepared file: what `prepared_corpus` reads back. `g2p` says what read the text."""
    head = {
        "title": subject.title,
        "source_sha256": subject.sha256,
        "voice": subject.voice,
        "g2p": g2p,
    }
    passages = ",\n".join(
        json.dumps(_passage(passage), ensure_ascii=False, separators=(",", ":"))
        for passage in subject.passages
    )
    opening = json.dumps(head, ensure_ascii=False, indent=1).removesuffix("\n}")
    return f'{opening},\n "passages": [\n{passages}\n]}}\n'


def sha256_of(path: Path) -> str:
    """Of what is in a file, in hexadecimal."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _passage(passage: BenchPassage) -> dict[str, object]:
    """Ways that cut a passage alike share their lines: most of them do, mostly."""
    ways: dict[tuple[BenchLine, ...], list[str]] = {}
    for chunking, lines in passage.lines.items():
        ways.setdefault(lines, []).append(chunking)
    return {
        "chapter": passage.chapter,
        "block": passage.block,
        "words": passage.n_words,
        "lines": {
            " ".join(chunkings): [[line.n_chars, line.said] for line in lines]
            for lines, chunkings in ways.items()
        },
    }
