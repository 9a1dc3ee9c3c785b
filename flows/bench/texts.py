"""From a file to passages cut in several ways, and from passages back to a file. Knows no engine.

Needs the full installation: readers and sentence splitters.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from html import escape
from itertools import groupby
from pathlib import Path

from flows.bench.subject import Passage, Subject
from inputs.book import Block, BlockKind, Book, Segment
from inputs.limits import Limits
from inputs.reading import read_book
from inputs.segments import SegmentRules, cut
from renderers.base import EngineTraits
from renderers.trial import Line

LONGEST_CHARS = 1_000_000  # of a sentence: no limit
# What a segment is to the engine: its own text, or phonemes in one row or several.
Say = Callable[[str], Sequence[str]]


def subject_of(
    book: Book, chunkings: Sequence[str], traits: EngineTraits, voice: str, say: Say
) -> Subject:
    """All of `book` that is spoken, cut in each of `chunkings`."""
    by_chunking = {
        chunking: _by_block(book, _rules(traits, voice, chunking)) for chunking in chunkings
    }
    places = next(iter(by_chunking.values()))
    passages = (
        Passage(
            chapter,
            block,
            len(book.chapters[chapter].blocks[block].text.split()),
            {
                chunking: tuple(_lines(blocks[chapter, block], say))
                for chunking, blocks in by_chunking.items()
            },
        )
        for chapter, block in places
    )
    return Subject(book.title, book.source_id, voice, tuple(passages))


def read(path: Path) -> Book:
    """The book in a file. Raises SourceError."""
    return read_book(path, Limits())


def sentences_of(book: Book) -> dict[tuple[int, int], tuple[str, ...]]:
    """What is said of each block, sentence by sentence, by (chapter, block)."""
    rules = SegmentRules(lambda _language: "", max_length=LONGEST_CHARS, chunking="sentence")
    return {
        place: tuple(segment.spoken for segment in segments)
        for place, segments in _by_block(book, rules).items()
    }


def write_slice(book: Book, subject: Subject, path: Path) -> None:
    """The passages of `subject` as a web page, and nothing else that is spoken. Raises OSError.

    Verse, lists and tables become paragraphs.
    """
    blocks = (book.chapters[one.chapter].blocks[one.block] for one in subject.passages)
    body = "".join(f"<{_tag(block)}>{escape(block.text)}</{_tag(block)}>\n" for block in blocks)
    path.write_text(
        f'<html lang="{escape(book.language)}"><head><title>{escape(book.title)}</title></head>'
        f"<body>\n{body}</body></html>\n",
        "utf-8",
    )


def _tag(block: Block) -> str:
    return f"h{min(max(block.level, 1), 6)}" if block.kind is BlockKind.HEADING else "p"


def _rules(traits: EngineTraits, voice: str, chunking: str) -> SegmentRules:
    rules = SegmentRules(lambda _language: voice, traits.max_length, length=traits.length)
    return replace(rules, best_length=traits.best_length, chunking=chunking)


def _by_block(book: Book, rules: SegmentRules) -> dict[tuple[int, int], list[Segment]]:
    segments = cut(book, rules).segments
    return {
        place: list(group)
        for place, group in groupby(segments, key=lambda one: (one.chapter, one.span.block))
    }


def _lines(segments: Sequence[Segment], say: Say) -> Iterator[Line]:
    """A segment's characters are counted once, with the first of its rows."""
    for segment in segments:
        for number, said in enumerate(say(segment.spoken)):
            yield Line(said, 0 if number else len(segment.spoken))
