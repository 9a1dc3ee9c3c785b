"""Cuts a book into segments, the units of synthesis, with voices and pauses. Knows no audio.

A segment is one sentence, or several joined sentences if the engine prefers longer segments. A
sentence that is too long for the engine becomes several segments, cut at its clauses, with the
pause of the mark before each cut. No segment crosses the end of a block, of a line of verse or of a
table row, so an edit to a sentence changes only segments of its paragraph.

A scene break is not spoken: it becomes a pause, and its "* * *" is listed as skipped. All other
blocks are spoken; what of a book is read has been decided before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
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
from audiomill.inputs.segmentation.lengths import is_speakable, n_characters
from audiomill.inputs.segmentation.pauses import Pauses
from audiomill.inputs.segmentation.spoken_sentences import spoken_sentences

_LINED = frozenset({BlockKind.VERSE, BlockKind.TABLE, BlockKind.CODE})


@dataclass(frozen=True, slots=True)
class SegmentRules:
    """The requirements of the engine and of the user."""

    voice_for: Callable[[str], str]  # the voice that speaks a language (BCP 47)
    max_length: int  # of one segment, in the unit of `length`
    pauses: Pauses = field(default_factory=Pauses)
    length: Callable[[str, str], int] = n_characters  # (spoken text, voice) ─▶ length
    best_length: tuple[int, int] | None = None  # (least, most); None: one sentence per segment
    chunking: str = "planned"  # one of `CHUNKINGS`

    def __post_init__(self) -> None:
        """Raise ValueError for rules that no segment can fulfil."""
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
    """A segment without its voice and pause, and its position in the chapter."""

    kind: BlockKind
    span: Span
    text: str
    spoken: str
    sentences: tuple[tuple[int, int], ...]
    printed: tuple[tuple[int, int], ...]
    language: str
    section: int  # the number of scene breaks before it
    line: int  # the index of its line in the block
    first_sentence: int  # the index in its line of the sentence in which it begins
    last_sentence: int  # the index of the sentence in which it ends


def segment_book(book: Book, rules: SegmentRules) -> Manuscript:
    """Return every block of `book` as segments or as skipped text, in order.

    No text raises an error; errors of `rules.voice_for` and `rules.length` pass through.
    """
    rules = replace(rules, voice_for=lru_cache(maxsize=None)(rules.voice_for))
    segments, skipped = list[Segment](), list(book.skipped)
    for number, chapter in enumerate(book.chapters):
        cut = list(_cut_chapter(chapter, number, book.language, rules))
        skipped += [one for one in cut if isinstance(one, Skipped)]
        pending = [one for one in cut if isinstance(one, PendingSegment)]
        for index, segment in enumerate(pending):
            following = pending[index + 1] if index + 1 < len(pending) else None
            segments.append(
                Segment(
                    id=f"{number:04}-{index:05}",
                    kind=segment.kind,
                    text=segment.text,
                    spoken=segment.spoken,
                    voice=rules.voice_for(segment.language),
                    language=segment.language,
                    pause_after_s=_pause_s(segment, following, rules.pauses),
                    span=segment.span,
                    sentences=segment.sentences,
                    printed=segment.printed,
                )
            )
    return Manuscript(book, tuple(segments), tuple(skipped))


def _cut_chapter(
    chapter: Chapter, number: int, language: str, rules: SegmentRules
) -> Iterator[PendingSegment | Skipped]:
    section = 0
    for index, block in enumerate(chapter.blocks):
        section += block.kind is BlockKind.SCENE_BREAK
        if block.kind is not BlockKind.SCENE_BREAK:
            whole = Span(number, index, 0, len(block.text))
            yield from _cut_block(block, whole, block.language or language, section, rules)
        elif block.text.strip():
            yield Skipped(SkipReason.NOT_SPEAKABLE, block.text, block.where)


def _cut_block(
    block: Block, whole: Span, language: str, section: int, rules: SegmentRules
) -> Iterator[PendingSegment | Skipped]:
    lines = block.text.split("\n") if block.kind in _LINED else [block.text]
    at = 0
    for line, text in enumerate(lines):
        passage = _passage(text, block.kind, language, rules)
        for start, end in chunks(passage, rules.chunking):
            spoken, sentences = passage.spoken(start, end)
            if is_speakable(spoken):
                span = replace(whole, start=at + start, end=at + end)
                printed = passage.printed(start, end)
                first_sentence, last_sentence = passage.sentence_range(start, end)
                yield PendingSegment(
                    kind=block.kind,
                    span=span,
                    text=text[start:end],
                    spoken=spoken,
                    sentences=sentences,
                    printed=printed,
                    language=language,
                    section=section,
                    line=line,
                    first_sentence=first_sentence,
                    last_sentence=last_sentence,
                )
            else:
                yield Skipped(SkipReason.NOT_SPEAKABLE, text[start:end], block.where)
        at += len(text) + 1


def _passage(text: str, kind: BlockKind, language: str, rules: SegmentRules) -> Passage:
    cut_text, line, sentences = spoken_sentences(text, language, kind, rules.max_length)
    # `voice_for` is called only to measure, so not for text that is never spoken.
    return Passage(
        cut_text,
        line,
        sentences,
        lambda spoken: rules.length(spoken, rules.voice_for(language)),
        rules.max_length,
        rules.best_length,
    )


def _pause_s(segment: PendingSegment, following: PendingSegment | None, pauses: Pauses) -> float:
    """The silence between a segment and the next one of its chapter (None: it is the last)."""
    if following is None:
        return pauses.chapter_s
    if segment.span.block != following.span.block:
        pause_s = pauses.between_s(segment.kind, following.kind)
        return (
            pause_s if segment.section == following.section else max(pause_s, pauses.scene_break_s)
        )
    if segment.line != following.line:
        return pauses.line_s
    if segment.last_sentence == following.first_sentence:
        return pauses.in_sentence_s(segment.text)
    return pauses.sentence_s
