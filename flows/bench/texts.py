"""The text of a benchmark in the form that each engine takes: a file cut into passages and back.

The corpus comes as prepared phonemes if Kokoro speaks it. Anything else is read from a file, which
needs the full installation: readers, sentence splitters and, for Kokoro, misaki.
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
from audiomill.inputs.model.book import Block, BlockKind, Book, Limits, Segment
from audiomill.inputs.segmentation.segments import SegmentRules, segment_book
from audiomill.renderers.base import EngineLimits
from audiomill.renderers.engine.benchmarking import BenchLine
from audiomill.renderers.host.installation import this_installation
from audiomill.renderers.kokoro.config import KokoroConfig, read_config
from audiomill.renderers.kokoro.g2p.g2p import open_g2p
from audiomill.renderers.kokoro.g2p.phonemes import split
from audiomill.renderers.kokoro.g2p.requirements import Alphabet
from audiomill.renderers.kokoro.options import KokoroOptions
from audiomill.renderers.kokoro.renderer import KokoroRenderer
from audiomill.renderers.kokoro.weights.files import find_files
from audiomill.renderers.kokoro.weights.mixes import parse_mix
from audiomill.renderers.kokoro.weights.releases import release_named

UNLIMITED_CHARS = 1_000_000  # longer than any sentence
# Spoken text of a segment to the engine's input: the text itself, or phonemes in one or more rows.
ToRows = Callable[[str], Sequence[str]]


def bench_text_for(options: BenchOptions, kokoro: KokoroOptions, n_words: int) -> BenchText:
    """Kokoro's text for synthesis only, as phonemes.

    Raises SourceError, EngineMissing, WrongOptions.
    """
    if options.source is None:
        return prepared_corpus().slice(n_words)
    book = read_source(options)
    renderer = KokoroRenderer(kokoro)
    voice = renderer.default_voice(book.language)
    chunkings = tuple(dict.fromkeys((*options.chunkings, *UPSTREAM_CHUNKINGS)))
    to_rows = phonemizer(voice, kokoro)
    return bench_text_of(book, chunkings, renderer.limits, voice, to_rows).slice(n_words)


def as_text(options: BenchOptions, text: BenchText) -> BenchText:
    """The same passages in the form of upstream's pipeline: sentences, and whole paragraphs.

    Raises SourceError, WrongOptions.
    """
    sentences = sentences_of(read_source(options))

    def passage_as_text(passage: BenchPassage) -> BenchPassage:
        own_sentences = sentences[passage.chapter, passage.block]
        paragraph = " ".join(own_sentences)
        lines = {
            "sentence": tuple(BenchLine(sentence, len(sentence)) for sentence in own_sentences),
            "adaptive": (BenchLine(paragraph, len(paragraph)),),
        }
        return replace(passage, lines=lines)

    return replace(text, passages=tuple(map(passage_as_text, text.passages)))


def write_source(options: BenchOptions, text: BenchText, folder: Path) -> Path:
    """Write the same passages as a file for the pipeline. Raises SourceError, WrongOptions."""
    path = folder / "source.html"
    write_slice(read_source(options), text, path)
    return path


def check_source(options: BenchOptions) -> None:
    """Raise SourceError or WrongOptions if the text of the benchmark cannot be read here."""
    if options.source is not None or not options.is_kokoro:
        read_source(options)


def read_source(options: BenchOptions) -> Book:
    """The book that the options name, or the corpus. Raises SourceError, WrongOptions."""
    try:
        return read(options.source or CORPUS)
    except ImportError as error:
        raise WrongOptions(
            f"Reading text takes the full installation ({error}). Without it there is Kokoro's"
            f" synthesis of the corpus only. {this_installation().hint()}"
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


def phonemizer(voice: str, options: KokoroOptions) -> Callable[[str], tuple[str, ...]]:
    """A function from spoken text to rows of phonemes, for the model that `options` name.

    Raises EngineMissing, WeightsUnfit.
    """
    release = release_named(options.release)
    return phonemizer_for(voice, read_config(find_files(options.weights, release).config), options)


def phonemizer_for(
    voice: str, config: KokoroConfig, options: KokoroOptions
) -> Callable[[str], tuple[str, ...]]:
    """A function from spoken text to rows of phonemes for a model. Loads the G2P now.

    Raises EngineMissing.
    """
    alphabet = Alphabet(frozenset(config.vocab), options.release)
    g2p = open_g2p(parse_mix(voice).language, alphabet)
    g2p.phonemes("Wake up.")

    @cache  # several chunkings have segments in common
    def to_rows(spoken: str) -> tuple[str, ...]:
        parts = split(g2p.phonemes(spoken), config.max_phonemes)
        return tuple(part.text for part in parts if part.text)

    return to_rows


def _tag(block: Block) -> str:
    return f"h{min(max(block.level, 1), 6)}" if block.kind is BlockKind.HEADING else "p"


def _rules(limits: EngineLimits, voice: str, chunking: str) -> SegmentRules:
    return SegmentRules(
        lambda _language: voice,
        limits.max_length,
        length=limits.length,
        best_length=limits.best_length,
        runs_on=limits.runs_on,
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
