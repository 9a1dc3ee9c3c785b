"""A book cut into what is said in one breath. Knows blocks, sentences and pauses; no audio.

One sentence is one segment, or several that are joined where an engine wants longer ones: an edit
to a sentence changes segments of its paragraph and no others. A sentence that is too long for the
engine becomes several segments, cut at its clauses, with no pause between them. No segment goes
on from one block to the next, nor from a line of verse or a row of a table.

What is printed as a scene break is not said: it becomes a pause, and its "* * *" is listed as
skipped. Code and notes are listed as skipped too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from audiomill.inputs.book import (
    Block,
    BlockKind,
    Book,
    Chapter,
    Manuscript,
    Segment,
    Skipped,
    SkipReason,
    Span,
)
from audiomill.inputs.segmentation.chunking import CHUNKINGS, Passage, chunks
from audiomill.inputs.segmentation.sentences import split
from audiomill.inputs.segmentation.spoken_form import is_speakable, n_characters

_UNSPOKEN = {
    BlockKind.CODE: SkipReason.CODE,
    BlockKind.NOTE: SkipReason.NOTE,
    BlockKind.SCENE_BREAK: SkipReason.NOT_SPEAKABLE,
}
_LINED = frozenset({BlockKind.VERSE, BlockKind.TABLE})


@dataclass(frozen=True, slots=True)
class Pauses:
    """Seconds of silence after a segment, by what comes next."""

    sentence_s: float = 0.4  # also between two items of a list
    clause_s: float = 0.0  # inside a sentence that had to be cut
    line_s: float = 0.3  # of verse, or a row of a table
    paragraph_s: float = 0.8
    heading_s: float = 1.2
    scene_break_s: float = 2.0
    chapter_s: float = 2.5


@dataclass(frozen=True, slots=True)
class SegmentRules:
    """What the engine and the listener ask of segments."""

    voice_for: Callable[[str], str]  # the voice that speaks a language (BCP 47)
    max_length: int  # of one segment, as `length` counts
    pauses: Pauses = Pauses()
    length: Callable[[str, str], int] = n_characters  # of a spoken text in a voice
    best_length: tuple[int, int] | None = None  # (least, most) of a segment; None: a sentence
    chunking: str = "planned"  # one of `CHUNKINGS`

    def __post_init__(self) -> None:
        """Raises ValueError for rules that no segment can keep."""
        if self.max_length < 1:
            raise ValueError(f"max_length is {self.max_length}; it must be at least 1")
        if self.best_length and not 1 <= self.best_length[0] <= self.best_length[1] <= (
            self.max_length
        ):
            raise ValueError(f"best_length is {self.best_length}, of {self.max_length} at most")
        if self.chunking not in CHUNKINGS:
            raise ValueError(f"chunking is {self.chunking!r}, none of {', '.join(CHUNKINGS)}")


@dataclass(frozen=True, slots=True)
class PendingSegment:
    """A segment before its voice and pause are known, and where it stands in its chapter."""

    kind: BlockKind
    span: Span
    text: str
    spoken: str
    sentences: tuple[tuple[int, int], ...]
    printed: tuple[tuple[int, int], ...]
    language: str
    section: int  # how many scene breaks came before it
    line: int
    first: int  # the number in its line of the sentence that it begins in
    last: int  # and of that which it ends in


def segment_book(book: Book, rules: SegmentRules) -> Manuscript:
    """Every block of `book` as segments or as skipped text, in order.

    Raises nothing for odd text; whatever `rules.voice_for` raises comes through.
    """
    rules = replace(rules, voice_for=lru_cache(maxsize=None)(rules.voice_for))
    segments, skipped = list[Segment](), list(book.skipped)
    for number, chapter in enumerate(book.chapters):
        found = list(_chapter(chapter, number, book.language, rules))
        skipped += [piece for piece in found if isinstance(piece, Skipped)]
        spoken = [piece for piece in found if isinstance(piece, PendingSegment)]
        for place, piece in enumerate(spoken):
            following = spoken[place + 1] if place + 1 < len(spoken) else None
            segment = Segment(
                id=f"{number:04}-{place:05}",
                kind=piece.kind,
                text=piece.text,
                spoken=piece.spoken,
                voice=rules.voice_for(piece.language),
                language=piece.language,
                pause_after_s=_pause_s(piece, following, rules.pauses),
                span=piece.span,
                sentences=piece.sentences,
                printed=piece.printed,
            )
            segments.append(segment)
    return Manuscript(book, tuple(segments), tuple(skipped))


def _chapter(
    chapter: Chapter, number: int, language: str, rules: SegmentRules
) -> Iterator[PendingSegment | Skipped]:
    section = 0
    for place, block in enumerate(chapter.blocks):
        section += block.kind is BlockKind.SCENE_BREAK
        if block.kind not in _UNSPOKEN:
            whole = Span(number, place, 0, len(block.text))
            yield from _block(block, whole, block.language or language, section, rules)
        elif block.text.strip():
            yield Skipped(_UNSPOKEN[block.kind], block.text, block.where)


def _block(
    block: Block, whole: Span, language: str, section: int, rules: SegmentRules
) -> Iterator[PendingSegment | Skipped]:
    lines = block.text.split("\n") if block.kind in _LINED else [block.text]
    at = 0
    for line, text in enumerate(lines):
        passage = _passage(text, language, rules)
        for start, end in chunks(passage, rules.chunking):
            spoken, sentences = passage.said(start, end)
            if is_speakable(spoken):
                span = replace(whole, start=at + start, end=at + end)
                printed = passage.printed(start, end)
                said = (text[start:end], spoken, sentences, printed, language)
                place = (section, line, *passage.places(start, end))
                yield PendingSegment(block.kind, span, *said, *place)
            else:
                yield Skipped(SkipReason.NOT_SPEAKABLE, text[start:end], block.where)
        at += len(text) + 1


def _passage(text: str, language: str, rules: SegmentRules) -> Passage:
    # The voice is asked for only when there is something to measure, and so to say.
    return Passage(
        text,
        split(text, language),
        lambda spoken: rules.length(spoken, rules.voice_for(language)),
        rules.max_length,
        rules.best_length,
    )


def _pause_s(piece: PendingSegment, following: PendingSegment | None, pauses: Pauses) -> float:
    """The silence between a piece and the next of its chapter, in seconds."""
    if following is None:
        return pauses.chapter_s
    if piece.span.block != following.span.block:
        after = _after_block_s(piece.kind, following.kind, pauses)
        return after if piece.section == following.section else max(after, pauses.scene_break_s)
    if piece.line != following.line:
        return pauses.line_s
    return pauses.clause_s if piece.last == following.first else pauses.sentence_s


def _after_block_s(kind: BlockKind, following: BlockKind, pauses: Pauses) -> float:
    if kind is following is BlockKind.LIST_ITEM:
        return pauses.sentence_s
    if kind is BlockKind.HEADING and following is not BlockKind.HEADING:
        return pauses.heading_s
    return pauses.paragraph_s
