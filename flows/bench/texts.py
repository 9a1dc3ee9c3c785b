"""The text of a benchmark: read from a file, cut into passages, and written as a file again.

Needs the full installation: readers and sentence splitters.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from itertools import groupby
from pathlib import Path

from audiomill.flows.bench.corpus import CORPUS, BenchPassage, BenchText
from audiomill.flows.bench.options import BenchOptions, WrongOptions, default_engine, title_of
from audiomill.inputs.model.book import Block, BlockKind, Book, Limits, Segment, SourceEmpty
from audiomill.inputs.segmentation.segments import SegmentRules, segment_book
from audiomill.renderers.engine.benchmarking import BenchLine, ToRows
from audiomill.renderers.engine.protocol import EngineLimits
from audiomill.renderers.host.installation import this_installation

UNLIMITED_CHARS = 1_000_000  # longer than any sentence


def write_source(options: BenchOptions, text: BenchText, folder: Path) -> Path:
    """Write the same passages as a file for the pipeline. Raises SourceError, WrongOptions."""
    path = folder / "source.html"
    write_slice(read_source(options), text, path)
    return path


def check_source(options: BenchOptions) -> None:
    """Raise SourceError or WrongOptions if the text of the benchmark cannot be read here."""
    if options.source is not None or options.prepared is None:
        read_source(options)


def check_spoken(texts: Iterable[BenchText], chunkings: Sequence[str]) -> None:
    """Raise SourceEmpty if there is nothing to speak."""
    for text in texts:
        if not all(map(text.lines, chunkings)):
            raise SourceEmpty(f"There is nothing to speak in “{text.title}”.")


def read_source(options: BenchOptions) -> Book:
    """The book that the options name, or the corpus. Raises SourceError, WrongOptions."""
    try:
        return read(options.source or CORPUS)
    except ImportError as error:
        raise WrongOptions(
            f"Reading text takes the full installation ({error}). Without it there is"
            f" {title_of(default_engine())}'s synthesis of the corpus only."
            f" {this_installation().hint()}"
        ) from error


def read(path: Path) -> Book:
    """The book in a file. Raises SourceError; ImportError without the full installation."""
    # Needs lxml and others, which a benchmark of the prepared corpus does without.
    from audiomill.inputs.readers.sources import read_book

    return read_book(path, Limits())


def bench_text_of(
    book: Book, chunkings: Sequence[str], limits: EngineLimits, voice: str, to_rows: ToRows
) -> BenchText:
    """Everything spoken of `book`, cut in each of `chunkings`."""
    segments_by_chunking = {
        chunking: _by_block(book, _rules(limits, voice, chunking)) for chunking in chunkings
    }
    places = next(iter(segments_by_chunking.values()))
    passages = (
        BenchPassage(
            chapter,
            block,
            len(book.chapters[chapter].blocks[block].text.split()),
            {
                chunking: tuple(_lines(segments[chapter, block], to_rows))
                for chunking, segments in segments_by_chunking.items()
            },
        )
        for chapter, block in places
    )
    return BenchText(book.title, book.source_id, voice, tuple(passages))


def sentences_of(book: Book) -> dict[tuple[int, int], tuple[str, ...]]:
    """The spoken sentences of each block, by (chapter, block)."""
    rules = SegmentRules(lambda _language: "", max_length=UNLIMITED_CHARS, chunking="sentence")
    return {
        place: tuple(segment.spoken for segment in segments)
        for place, segments in _by_block(book, rules).items()
    }


def write_slice(book: Book, text: BenchText, path: Path) -> None:
    """Write the passages of `text`, and nothing else that is spoken, as HTML. Raises OSError.

    Verse, lists and tables become paragraphs.
    """
    blocks = (book.chapters[one.chapter].blocks[one.block] for one in text.passages)
    body = "".join(f"<{_tag(block)}>{escape(block.text)}</{_tag(block)}>\n" for block in blocks)
    path.write_text(
        f'<html lang="{escape(book.language)}"><head><title>{escape(book.title)}</title></head>'
        f"<body>\n{body}</body></html>\n",
        "utf-8",
    )


def _tag(block: Block) -> str:
    return f"h{min(max(block.level, 1), 6)}" if block.kind is BlockKind.HEADING else "p"


def _rules(limits: EngineLimits, voice: str, chunking: str) -> SegmentRules:
    return SegmentRules(
        lambda _language: voice,
        limits.max_length,
        length=limits.length,
        best_length=limits.best_length,
        joins_sentences=limits.joins_sentences,
        chunking=chunking,
    )


def _by_block(book: Book, rules: SegmentRules) -> dict[tuple[int, int], list[Segment]]:
    segments = segment_book(book, rules).segments
    return {
        place: list(group)
        for place, group in groupby(segments, key=lambda one: (one.chapter, one.span.block))
    }


def _lines(segments: Sequence[Segment], to_rows: ToRows) -> Iterator[BenchLine]:
    """The characters of a segment are counted once, with the first of its rows."""
    for segment in segments:
        for number, row in enumerate(to_rows(segment.spoken)):
            yield BenchLine(row, 0 if number else len(segment.spoken))
