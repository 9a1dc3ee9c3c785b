"""The text that a benchmark speaks: passages, cut into lines in several ways, and slices of them.

Pure, except for reading the prepared corpus. Knows no engine.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path

from audiomill.inputs import samples
from audiomill.renderers.engine.benchmarking import BenchLine

CORPUS = Path(samples.__file__).parent / "bench-corpus.md"


@dataclass(frozen=True, slots=True)
class BenchPassage:
    """A block of the text, with its lines by chunking."""

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
        """The words of all passages."""
        return sum(passage.n_words for passage in self.passages)

    def lines(self, chunking: str) -> tuple[BenchLine, ...]:
        """All lines in order, for one of `CHUNKINGS`."""
        return tuple(line for passage in self.passages for line in passage.lines[chunking])

    def slice(self, n_words: int) -> BenchText:
        """About `n_words` of the text, with something of every chapter; 0: all of it."""
        return replace(self, passages=tuple(sliced(self.passages, n_words)))


def sliced(passages: Sequence[BenchPassage], n_words: int) -> Iterator[BenchPassage]:
    """Whole passages, in order: about an equal share of each chapter, and at least one passage.

    If the share is smaller than the longest passage of a chapter, the chapter gives the one
    passage whose length is nearest. Otherwise it gives passages from its beginning on, each if it
    brings the total nearer to the share.
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


def prepared_corpus(path: Path) -> BenchText:
    """The corpus as a model's input, from the file of a `PreparedCorpus`, which `prepare` writes.

    It takes neither a reader nor what makes that input.
    """
    document = json.loads(path.read_text("utf-8"))
    return BenchText(
        title=document["title"],
        sha256=document["source_sha256"],
        voice=document["voice"],
        passages=tuple(
            BenchPassage(
                passage["chapter"],
                passage["block"],
                passage["words"],
                {
                    chunking: tuple(BenchLine(said, n_chars) for n_chars, said in lines)
                    for chunkings, lines in passage["lines"].items()
                    for chunking in chunkings.split()
                },
            )
            for passage in document["passages"]
        ),
    )


def dump_prepared(text: BenchText, g2p: str) -> str:
    """The content of the file that `prepared_corpus` reads. `g2p` identifies what made it."""
    head = {
        "title": text.title,
        "source_sha256": text.sha256,
        "voice": text.voice,
        "g2p": g2p,
    }
    passages = ",\n".join(
        json.dumps(_passage_json(passage), ensure_ascii=False, separators=(",", ":"))
        for passage in text.passages
    )
    opening = json.dumps(head, ensure_ascii=False, indent=1).removesuffix("\n}")
    return f'{opening},\n "passages": [\n{passages}\n]}}\n'


def _from_the_start(chapter: Sequence[BenchPassage], share: float) -> Iterator[BenchPassage]:
    left = share
    for passage in chapter:
        if passage.n_words < 2 * left:
            yield passage
            left -= passage.n_words


def _passage_json(passage: BenchPassage) -> dict[str, object]:
    """Chunkings with equal lines share one entry: most of them do for most passages."""
    chunkings_of: dict[tuple[BenchLine, ...], list[str]] = {}
    for chunking, lines in passage.lines.items():
        chunkings_of.setdefault(lines, []).append(chunking)
    return {
        "chapter": passage.chapter,
        "block": passage.block,
        "words": passage.n_words,
        "lines": {
            " ".join(chunkings): [[line.n_chars, line.text] for line in lines]
            for lines, chunkings in chunkings_of.items()
        },
    }
