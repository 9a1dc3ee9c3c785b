"""A book cut into what is said in one breath. Knows blocks, sentences and pauses; no audio.

One sentence is one segment, and in verse and tables one line: an edit to a sentence changes that
segment and no other. A sentence that is too long for the engine becomes several, cut at its
clauses, with no pause between them.

What is printed as a scene break is not said: it becomes a pause, and its "* * *" is listed as
skipped. Code and notes are listed as skipped too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from inputs.book import (
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
from inputs.clauses import pieces
from inputs.sentences import split
from inputs.spoken import is_speakable, spoken_form

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
    max_chars: int  # of spoken text in one segment
    pauses: Pauses = Pauses()


@dataclass(frozen=True, slots=True)
class _Piece:
    """A segment before its voice and pause are known, and where it stands in its chapter."""

    kind: BlockKind
    start: int
    end: int
    spoken: str
    language: str
    section: int  # how many scene breaks came before it
    block: int
    line: int
    sentence: int


def cut(book: Book, rules: SegmentRules) -> Manuscript:
    """Every block of `book` as segments or as skipped text, in order.

    Raises nothing for odd text; whatever `rules.voice_for` raises comes through. Raises
    ValueError if `rules.max_chars` < 1.
    """
    voice_for = lru_cache(maxsize=None)(rules.voice_for)
    segments, skipped = list[Segment](), list(book.skipped)
    for number, chapter in enumerate(book.chapters):
        found = list(_chapter(chapter, book.language, rules.max_chars))
        skipped += [piece for piece in found if isinstance(piece, Skipped)]
        spoken = [piece for piece in found if isinstance(piece, _Piece)]
        for place, piece in enumerate(spoken):
            following = spoken[place + 1] if place + 1 < len(spoken) else None
            segment = Segment(
                id=f"{number:04}-{place:05}",
                kind=piece.kind,
                text=chapter.blocks[piece.block].text[piece.start : piece.end],
                spoken=piece.spoken,
                voice=voice_for(piece.language),
                language=piece.language,
                pause_after_s=_pause_s(piece, following, rules.pauses),
                span=Span(number, piece.block, piece.start, piece.end),
            )
            segments.append(segment)
    return Manuscript(book, tuple(segments), tuple(skipped))


def _chapter(chapter: Chapter, language: str, max_chars: int) -> Iterator[_Piece | Skipped]:
    section = 0
    for number, block in enumerate(chapter.blocks):
        section += block.kind is BlockKind.SCENE_BREAK
        if block.kind not in _UNSPOKEN:
            yield from _block(block, block.language or language, max_chars, section, number)
        elif block.text.strip():
            yield Skipped(_UNSPOKEN[block.kind], block.text, block.where)


def _block(
    block: Block, language: str, max_chars: int, section: int, number: int
) -> Iterator[_Piece | Skipped]:
    for line, sentence, start, end in _places(block, language, max_chars):
        spoken = spoken_form(block.text[start:end])
        if is_speakable(spoken):
            place = (section, number, line, sentence)
            yield _Piece(block.kind, start, end, spoken, language, *place)
        else:
            yield Skipped(SkipReason.NOT_SPEAKABLE, block.text[start:end], block.where)


def _places(block: Block, language: str, max_chars: int) -> Iterator[tuple[int, int, int, int]]:
    """(line, sentence, start, end) of every piece of a block, in order."""
    lines = block.text.split("\n") if block.kind in _LINED else [block.text]
    at = 0
    for line, text in enumerate(lines):
        for sentence, (start, end) in enumerate(split(text, language)):
            worded = is_speakable(spoken_form(text[start:end]))
            spans = pieces(text, start, end, max_chars) if worded else [(start, end)]
            for first, last in spans:
                yield line, sentence, at + first, at + last
        at += len(text) + 1


def _pause_s(piece: _Piece, following: _Piece | None, pauses: Pauses) -> float:
    """The silence between a piece and the next of its chapter, in seconds."""
    if following is None:
        return pauses.chapter_s
    if piece.block != following.block:
        after = _after_block_s(piece.kind, following.kind, pauses)
        return after if piece.section == following.section else max(after, pauses.scene_break_s)
    if piece.line != following.line:
        return pauses.line_s
    return pauses.clause_s if piece.sentence == following.sentence else pauses.sentence_s


def _after_block_s(kind: BlockKind, following: BlockKind, pauses: Pauses) -> float:
    if kind is following is BlockKind.LIST_ITEM:
        return pauses.sentence_s
    if kind is BlockKind.HEADING and following is not BlockKind.HEADING:
        return pauses.heading_s
    return pauses.paragraph_s
