"""From a file to passages cut in several ways, and from passages back to a file. Knows no engine.

Needs the full installation: readers and sentence splitters.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from html import escape
from itertools import groupby
from pathlib import Path

from audiomill.flows.bench.corpus import CORPUS, BenchPassage, BenchText, prepared_corpus
from audiomill.flows.bench.options import BenchOptions, WrongOptions
from audiomill.flows.bench.variants import UPSTREAM_CHUNKINGS
from audiomill.inputs.book import Block, BlockKind, Book, Limits, Segment
from audiomill.inputs.reading import read_book
from audiomill.inputs.segmentation.segments import SegmentRules, segment_book
from audiomill.renderers.base import EngineLimits
from audiomill.renderers.benchmarking import BenchLine
from audiomill.renderers.kokoro.config import KokoroConfig, read_config
from audiomill.renderers.kokoro.g2p.g2p import open_g2p
from audiomill.renderers.kokoro.g2p.phonemes import split
from audiomill.renderers.kokoro.g2p.requirements import Alphabet
from audiomill.renderers.kokoro.weights.files import find_files
from audiomill.renderers.kokoro.weights.releases import release_named
from audiomill.renderers.kokoro.weights.voices import parse_mix
from audiomill.renderers.options import KokoroOptions
from audiomill.renderers.registry import open_renderer

LONGEST_CHARS = 1_000_000  # of a sentence: no limit
# What a segment is to the engine: its own text, or phonemes in one row or several.
Say = Callable[[str], Sequence[str]]


def bench_text_of(
    book: Book, chunkings: Sequence[str], limits: EngineLimits, voice: str, say: Say
) -> BenchText:
    """All of `book` that is spoken, cut in each of `chunkings`."""
    by_chunking = {
        chunking: _by_block(book, _rules(limits, voice, chunking)) for chunking in chunkings
    }
    places = next(iter(by_chunking.values()))
    passages = (
        BenchPassage(
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
    return BenchText(book.title, book.source_id, voice, tuple(passages))


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


def write_slice(book: Book, subject: BenchText, path: Path) -> None:
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


def _rules(limits: EngineLimits, voice: str, chunking: str) -> SegmentRules:
    rules = SegmentRules(lambda _language: voice, limits.max_length, length=limits.length)
    return replace(rules, best_length=limits.best_length, chunking=chunking)


def _by_block(book: Book, rules: SegmentRules) -> dict[tuple[int, int], list[Segment]]:
    segments = segment_book(book, rules).segments
    return {
        place: list(group)
        for place, group in groupby(segments, key=lambda one: (one.chapter, one.span.block))
    }


def _lines(segments: Sequence[Segment], say: Say) -> Iterator[BenchLine]:
    """A segment's characters are counted once, with the first of its rows."""
    for segment in segments:
        for number, said in enumerate(say(segment.spoken)):
            yield BenchLine(said, 0 if number else len(segment.spoken))


# How a benchmark turns text into rows of phonemes for Kokoro, in this process.

Phonemise = Callable[[str], tuple[str, ...]]


def phonemiser(voice: str, options: KokoroOptions) -> Phonemise:
    """Spoken text to rows for the model that `options` name. Raises EngineMissing, WeightsUnfit."""
    release = release_named(options.release)
    return phonemiser_for(voice, read_config(find_files(options.weights, release).config), options)


def phonemiser_for(voice: str, config: KokoroConfig, options: KokoroOptions) -> Phonemise:
    """Spoken text to rows for a model. Loads what reads the language. Raises EngineMissing."""
    alphabet = Alphabet(frozenset(config.vocab), options.release)
    g2p = open_g2p(parse_mix(voice).language, alphabet)
    g2p.phonemes("Wake up.")

    @cache  # what one chunking says another says too
    def rows(spoken: str) -> tuple[str, ...]:
        parts = split(g2p.phonemes(spoken), config.max_phonemes)
        return tuple(part.text for part in parts if part.text)

    return rows


# Which text a benchmark has spoken, in the form that each engine takes.


def bench_text_for(order: BenchOptions, options: KokoroOptions, n_words: int) -> BenchText:
    """What is spoken in synthesis only. Raises SourceError, EngineMissing, WrongOptions."""
    if order.engine == "kokoro" and order.source is None:
        return prepared_corpus().slice(n_words)
    book = _read(order)

    if order.engine != "kokoro":
        renderer = open_renderer(order.engine)
        voice = renderer.default_voice(book.language)
        whole = bench_text_of(book, order.chunkings, renderer.limits, voice, _as_it_is)
        return whole.slice(n_words)
    from audiomill.renderers.kokoro.renderer import KokoroRenderer

    renderer = KokoroRenderer(options)
    voice = renderer.default_voice(book.language)
    chunkings = tuple(dict.fromkeys((*order.chunkings, *UPSTREAM_CHUNKINGS)))
    say = phonemiser(voice, options)
    return bench_text_of(book, chunkings, renderer.limits, voice, say).slice(n_words)


def write_source(order: BenchOptions, subject: BenchText, folder: Path) -> Path:
    """The same passages as a file that the mill reads. Raises SourceError, WrongOptions."""
    book = _read(order)

    path = folder / "source.html"
    write_slice(book, subject, path)
    return path


def as_text(order: BenchOptions, subject: BenchText) -> BenchText:
    """The same passages as upstream's pipeline takes them: sentences, and whole paragraphs.

    Raises SourceError, WrongOptions.
    """
    book = _read(order)

    said = sentences_of(book)

    def passage(one: BenchPassage) -> BenchPassage:
        sentences = said[one.chapter, one.block]
        whole = " ".join(sentences)
        lines = {
            "sentence": tuple(BenchLine(text, len(text)) for text in sentences),
            "adaptive": (BenchLine(whole, len(whole)),),
        }
        return replace(one, lines=lines)

    return replace(subject, passages=tuple(map(passage, subject.passages)))


def _as_it_is(spoken: str) -> tuple[str]:
    return (spoken,)


def _read(order: BenchOptions) -> Book:
    """The text that was named, or the corpus. Raises SourceError, WrongOptions."""
    try:
        pass
    except ImportError as error:
        raise WrongOptions(
            f"Reading text takes the full installation ({error}): make setup. Without it there is"
            " Kokoro's synthesis of the corpus only."
        ) from error
    return read(order.source or CORPUS)
