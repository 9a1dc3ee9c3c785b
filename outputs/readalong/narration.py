"""A book's documents with spans around what is spoken, and when each span sounds. Pure.

    documents of the book        spoken sentences             narrated documents
    p1.xhtml: He said <em>…      [He said no.] 1.2 to 2.9 s    p1.xhtml: <span id="s1">He said …
    p2.xhtml: …                  [And left.]   3.4 to 4.1 s    s1 sounds from 1.1 to 3.2 s

A clip lasts until shortly before the next one, pauses and all, so that a player that plays clip
after clip plays the whole recording without a gap.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise

from audiomill.inputs.model.book import BlockKind, Book
from audiomill.outputs.readalong.documents.alignment import NOWHERE, aligned, spoken_pictures
from audiomill.outputs.readalong.documents.formulas import with_formula_words
from audiomill.outputs.readalong.documents.source_reader import NotWellFormed, read_source_text
from audiomill.outputs.readalong.documents.source_text import SourceElement, SourceText
from audiomill.outputs.readalong.documents.spans import (
    MarkedRange,
    PlacedSpan,
    with_spans,
    without_overlaps,
)
from audiomill.outputs.readalong.source_books import SourceBook
from audiomill.outputs.readalong.timed_sentences import SpokenRange, TimedSentence

CLIP_LEAD_S = 0.1  # a clip begins so long before its sound, if there is silence
ID_PREFIX = "am"


@dataclass(frozen=True, slots=True)
class SpokenRecording:
    """The sentences of a recording, and its stretches [start, end) that belong to the book's text.

    Opening and closing credits do not, and neither does what sounds before or after them.
    """

    sentences: tuple[TimedSentence, ...]
    stretches: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class ClipWord:
    """Characters [first, last) of a clip's text sound from sample `start` of its recording on."""

    first: int
    last: int
    start: int


@dataclass(frozen=True, slots=True)
class NarratedClip:
    """The text in `span` of a document sounds at samples [start, end) of a recording.

    `words`, in order and without overlap, are ranges of what the span prints.
    """

    span: str  # its id; of a picture or formula its own
    chapter: int  # of the book
    kind: BlockKind
    block: int  # counted in the document: clips of one block have the same
    recording: int
    start: int
    end: int
    n_chars: int  # that the span prints
    words: tuple[ClipWord, ...]
    is_continued: bool = False  # it goes on with the sentence of the clip before


@dataclass(frozen=True, slots=True)
class NarratedDocument:
    """A document with its spans, and the clips of them in the order in which they sound."""

    path: str
    content: bytes
    clips: tuple[NarratedClip, ...]
    style_sheets: tuple[str, ...] = ()  # the links to them
    n_unplaced: int = 0  # sentences whose text is not found in it


def narrated_documents(
    book: Book,
    recordings: Sequence[SpokenRecording],
    sample_rate: int,
    source: SourceBook,
    *,
    by_word: bool = False,
) -> tuple[NarratedDocument, ...]:
    """The documents that are spoken, in the order of the book.

    With `by_word` each word has a clip, otherwise each sentence. Raises SourceError, and
    NotWellFormed, of which the message names the document.
    """
    by_document = dict[str, list[_Unit]]()
    for number, recording in enumerate(recordings):
        for unit in _units(number, recording, by_word=by_word):
            chapter, block = unit.block
            if path := source.paths[chapter][block]:
                by_document.setdefault(path, []).append(unit)
    marked = [
        _marked_document(book, path, units, source.entries.read(path))
        for path, units in by_document.items()
    ]
    return tuple(_with_ends(marked, recordings, sample_rate))


def _marked_document(
    book: Book, path: str, units: Sequence[_Unit], content: bytes
) -> NarratedDocument:
    """The document with spans; its clips last as long as their sounds."""
    try:
        source = with_formula_words(read_source_text(content), content, book.language)
    except NotWellFormed as error:
        raise NotWellFormed(f"{path}: {error}") from error
    found = _found_blocks(book, units, source)
    prefix = _free_prefix(source.ids)
    by_id = {f"{prefix}{number}": unit for number, unit in enumerate(units)}
    ranges = (
        MarkedRange(name, *place)
        for name, unit in by_id.items()
        if (place := _range_in(found[unit.block].characters, unit.place))
    )
    pictures = {
        name: picture for name, unit in by_id.items() if (picture := found[unit.block].picture)
    }

    def sounding(name: str, spans: tuple[PlacedSpan, ...]) -> tuple[PlacedSpan, ...]:
        unit = by_id[name]
        return tuple(span for span, _ in _times(unit, found[unit.block], spans))

    ranges = list(without_overlaps(ranges))
    content, spans = with_spans(content, source, ranges, pictures, sounding)
    clips = tuple(
        clip
        for name, unit in by_id.items()
        for clip in _clips(unit, found[unit.block], spans.get(name, ()))
    )
    clips = tuple(_joined(clips))
    n_unplaced = sum(not spans.get(name) for name in by_id)
    return NarratedDocument(path, content, clips, source.style_sheets, n_unplaced)


@dataclass(frozen=True, slots=True)
class _FoundBlock:
    """A block, its number in the document, and where each of its characters stands there.

    A block of the words for a picture has that picture instead.
    """

    kind: BlockKind
    number: int
    characters: array[int]
    picture: SourceElement | None


def _found_blocks(
    book: Book, units: Sequence[_Unit], source: SourceText
) -> dict[tuple[int, int], _FoundBlock]:
    """The blocks of the units, by their places in the book."""
    places = list(dict.fromkeys(unit.block for unit in units))
    blocks = [book.chapters[chapter].blocks[block] for chapter, block in places]
    pictures = spoken_pictures(blocks, source)
    texts = ["" if picture else block.text for block, picture in zip(blocks, pictures, strict=True)]
    characters = aligned(source, texts)
    return {
        place: _FoundBlock(blocks[number].kind, number, characters[number], pictures[number])
        for number, place in enumerate(places)
    }


def _joined(clips: Iterable[NarratedClip]) -> Iterator[NarratedClip]:
    """The clips, of which those are one that follow each other with the same element."""
    for _, group in groupby(clips, key=lambda one: (one.span, one.recording)):
        first, *rest = group
        yield replace(first, end=rest[-1].end) if rest else first


def _clips(unit: _Unit, block: _FoundBlock, spans: Sequence[PlacedSpan]) -> Iterator[NarratedClip]:
    """The clips of a unit."""
    for number, (span, (start, end)) in enumerate(_times(unit, block, spans)):
        yield NarratedClip(
            span.id,
            unit.block[0],
            block.kind,
            block.number,
            unit.recording,
            start,
            end,
            span.last - span.first,
            tuple(_words_in(span, unit, block.characters)),
            is_continued=number > 0,
        )


def _times(
    unit: _Unit, block: _FoundBlock, spans: Sequence[PlacedSpan]
) -> list[tuple[PlacedSpan, tuple[int, int]]]:
    """The spans of a unit that sound, and when: each until the next one begins."""
    times = pairwise((*_starts(spans, unit, block.characters), unit.place.end))
    return [one for one in zip(spans, times, strict=True) if one[1][0] < one[1][1]]


def _words_in(span: PlacedSpan, unit: _Unit, characters: array[int]) -> Iterator[ClipWord]:
    """The words of a unit, or their parts, that stand in a span."""
    at = span.first
    for word in unit.words:
        first, last = _range_in(characters, word) or (0, 0)
        first, last = max(first, at), min(last, span.last)
        if first < last:
            yield ClipWord(first - span.first, last - span.first, word.start)
            at = last


@dataclass(frozen=True, slots=True)
class _Unit:
    """What has a clip of its own: a sentence, or a word. `block` are a chapter and its block."""

    block: tuple[int, int]
    recording: int
    place: SpokenRange
    words: tuple[SpokenRange, ...]


def _units(number: int, recording: SpokenRecording, *, by_word: bool) -> Iterator[_Unit]:
    for one in recording.sentences:
        block = one.chapter, one.block
        if by_word and one.words:
            for word in one.words:
                yield _Unit(block, number, word, (word,))
        else:
            yield _Unit(block, number, one.place, one.words)


def _starts(spans: Sequence[PlacedSpan], unit: _Unit, characters: array[int]) -> Iterator[int]:
    """When each of the spans of a unit begins to sound: with the first word that begins in it.

    One without such, as a dash in a table, begins when the word before it has ended.
    """
    begun = unit.place.start
    placed = [(place, word) for word in unit.words if (place := _range_in(characters, word))]
    for number, span in enumerate(spans):
        if number:
            before = [word.end for (first, _), word in placed if first < span.first]
            own = (word.start for (at, _), word in placed if span.first <= at < span.last)
            begun = max(begun, next(own, before[-1] if before else begun))
        yield begun


def _free_prefix(ids: frozenset[str]) -> str:
    """A beginning of ids that no id of the document has."""
    prefix = ID_PREFIX
    while any(one.startswith(prefix) for one in ids):
        prefix += "-"
    return prefix


def _range_in(characters: array[int], place: SpokenRange) -> tuple[int, int] | None:
    """The characters of the document that a range of a block's text is; None if it has none."""
    found = [one for one in characters[place.first : place.last] if one != NOWHERE]
    return (found[0], found[-1] + 1) if found and found[0] <= found[-1] else None


def _with_ends(
    documents: Sequence[NarratedDocument],
    recordings: Sequence[SpokenRecording],
    sample_rate: int,
) -> Iterator[NarratedDocument]:
    """The documents, of which each clip lasts until the next one of its stretch begins."""
    lead = round(CLIP_LEAD_S * sample_rate)
    by_recording: list[list[tuple[int, NarratedClip]]] = [[] for _ in recordings]
    for number, document in enumerate(documents):
        for clip in document.clips:
            by_recording[clip.recording].append((number, clip))
    stretched: list[list[NarratedClip]] = [[] for _ in documents]
    for recording, clips in zip(recordings, by_recording, strict=True):
        clips.sort(key=lambda one: (one[1].start, one[1].end))
        for stretch in recording.stretches:
            first, last = (bisect_left(clips, at, key=_start_of) for at in stretch)
            inside = clips[first:last]
            for at, clip in _stretched(inside, stretch, lead) if inside else ():
                stretched[at].append(clip)
    for document, own in zip(documents, stretched, strict=True):
        yield replace(document, clips=tuple(own))


def _start_of(numbered: tuple[int, NarratedClip]) -> int:
    return numbered[1].start


def _stretched(
    clips: Sequence[tuple[int, NarratedClip]], stretch: tuple[int, int], lead: int
) -> Iterator[tuple[int, NarratedClip]]:
    """The clips of a stretch, which together are all of it. None is empty."""
    edges = [stretch[0]]
    for (_, clip), (_, following) in pairwise(clips):
        middle = (min(clip.end, following.start) + following.start + 1) // 2
        edges.append(max(edges[-1] + 1, middle, following.start - lead))
    edges.append(stretch[1])
    for (number, clip), (start, end) in zip(clips, pairwise(edges), strict=True):
        yield number, replace(clip, start=start, end=end)
