"""Cuts a book into segments, the units of synthesis, with voices and pauses. Knows no audio.

A segment is one sentence, or several joined sentences if the engine prefers longer segments. A
sentence that is too long for the engine becomes several segments, cut at its clauses, with the
pause of the mark before each cut. No segment crosses the end of a block, of a line of verse or of a
table row, so an edit to a sentence changes only segments of its paragraph.

A scene break is not spoken: it becomes a pause, and its "* * *" is listed as skipped. All other
blocks are spoken; what of a book is read has been decided before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from audiomill.inputs.casting.cast import Cast
from audiomill.inputs.casting.dialogue import SpeechRange, dialogue_of_book
from audiomill.inputs.casting.voiced_ranges import VoicedRange, voiced_ranges
from audiomill.inputs.lexicons.lexicon import Lexicon, override_edits
from audiomill.inputs.model.book import (
    Block,
    BlockKind,
    Book,
    Chapter,
    Manuscript,
    Pronunciation,
    Rewording,
    Segment,
    Skipped,
    SkipReason,
    Span,
)
from audiomill.inputs.segmentation.chunking import CHUNKINGS, CuttableText, chunks
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
    first_chunking: str = ""  # that of the first words of a book, if it is another one
    cast: Cast = field(default_factory=Cast)  # voices of other parts than the narrator's
    # A voice of the cast as it pronounces a language (BCP 47).
    cast_voice_in: Callable[[str, str], str] = lambda voice, _language: voice
    lexicon: Lexicon = field(default_factory=Lexicon)
    # A voice that makes no pause between sentences. Each of them is a segment of its own.
    joins_sentences: Callable[[str], bool] = lambda _voice: False

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

    def chunking_at(self, block: Span, at: int) -> str:
        """The strategy for a part of a block, from character `at` on."""
        is_first = (block.chapter, block.block, at) == (0, 0, 0)
        return self.first_chunking if self.first_chunking and is_first else self.chunking


@dataclass(frozen=True, slots=True)
class PendingSegment:
    """A segment without its pause, and its position in the chapter."""

    kind: BlockKind
    span: Span
    text: str
    uncut: str  # the same with a word in the place of what is said as a whole
    spoken: str
    sentences: tuple[tuple[int, int], ...]
    printed: tuple[tuple[int, int], ...]
    voice: str
    pronunciations: tuple[Pronunciation, ...]
    n_reworded: int
    rewordings: tuple[Rewording, ...]
    language: str
    speaker: str
    section: int  # the number of scene breaks before it
    line: int  # the index of its line in the block
    first_sentence: int  # the index in its line of the sentence in which it begins
    last_sentence: int  # the index of the sentence in which it ends
    voiced_range: int  # the index in the block of the range of one voice in which it lies


def no_listener(_segments: Sequence[Segment]) -> None:
    """For books of which nothing is needed before all is cut."""


def segment_book(
    book: Book,
    rules: SegmentRules,
    on_chapter: Callable[[Sequence[Segment]], None] = no_listener,
) -> Manuscript:
    """Return every block of `book` as segments or as skipped text, in order.

    `on_chapter` gets the segments of each chapter that has some, before the next one is cut. No
    text raises an error; errors of `rules.voice_for`, `rules.length`, `rules.lexicon` and
    `on_chapter` pass through.
    """
    rules = replace(rules, voice_for=lru_cache(maxsize=None)(rules.voice_for))
    segments, skipped = list[Segment](), list(book.skipped)
    dialogue = dialogue_of_book(book) if rules.cast.has_dialogue else None
    n_spoken = 0  # chapters with something to speak, by which a cast counts them
    for number, chapter in enumerate(book.chapters):
        narrator = rules.cast.narrator_of(n_spoken + 1, chapter.title)
        voices = ChapterVoices(rules, narrator, dialogue(chapter) if dialogue else ())
        cut = list(_cut_chapter(chapter, number, book.language, rules, voices))
        skipped += [one for one in cut if isinstance(one, Skipped)]
        pending = [one for one in cut if isinstance(one, PendingSegment)]
        if pending:
            n_spoken += 1
            of_chapter = list(_with_pauses(pending, number, rules.pauses))
            segments += of_chapter
            on_chapter(of_chapter)
    return Manuscript(book, tuple(segments), tuple(skipped))


def _with_pauses(
    pending: Sequence[PendingSegment], chapter: int, pauses: Pauses
) -> Iterator[Segment]:
    """The segments of the chapter with this index: each with the pause before the next one."""
    pairs = zip(pending, (*pending[1:], None), strict=True)
    for index, (segment, following) in enumerate(pairs):
        yield Segment(
            id=f"{chapter:04}-{index:05}",
            kind=segment.kind,
            text=segment.text,
            spoken=segment.spoken,
            voice=segment.voice,
            language=segment.language,
            pause_after_s=_pause_s(segment, following, pauses),
            span=segment.span,
            sentences=segment.sentences,
            printed=segment.printed,
            sentence_pauses_s=_sentence_pauses_s(segment, pauses),
            pronunciations=segment.pronunciations,
            n_reworded=segment.n_reworded,
            speaker=segment.speaker,
            rewordings=segment.rewordings,
        )


@dataclass(frozen=True, slots=True)
class ChapterVoices:
    """Who reads the blocks of one chapter."""

    rules: SegmentRules
    narrator: str | None  # of this chapter, if it has one of its own
    speeches: Sequence[Sequence[SpeechRange]]  # of each block; () if nobody else says them

    def ranges(self, index: int, block: Block, language: str) -> tuple[VoicedRange, ...]:
        """The ranges of the block with this index, whose language is `language`."""
        speeches = self.speeches[index] if self.speeches else ()
        return voiced_ranges(block, speeches, language, self.rules.cast, self._voice_in)

    def _voice_in(self, voice: str | None, language: str) -> str:
        voice = voice or self.narrator
        return (
            self.rules.voice_for(language)
            if voice is None
            else self.rules.cast_voice_in(voice, language)
        )


def _cut_chapter(
    chapter: Chapter, number: int, language: str, rules: SegmentRules, voices: ChapterVoices
) -> Iterator[PendingSegment | Skipped]:
    section = 0
    for index, block in enumerate(chapter.blocks):
        section += block.kind is BlockKind.SCENE_BREAK
        if block.kind is not BlockKind.SCENE_BREAK:
            whole = Span(number, index, 0, len(block.text))
            ranges = voices.ranges(index, block, block.language or language)
            yield from _cut_block(block, whole, block.language or language, section, rules, ranges)
        elif block.text.strip():
            yield Skipped(SkipReason.NOT_SPEAKABLE, block.text, block.where)


def _cut_block(
    block: Block,
    whole: Span,
    language: str,
    section: int,
    rules: SegmentRules,
    ranges: Sequence[VoicedRange],
) -> Iterator[PendingSegment | Skipped]:
    lines = block.text.split("\n") if block.kind in _LINED else [block.text]
    at = 0
    for line, text in enumerate(lines):
        uncut = _cuttable_text(text, block, at, ranges[0].voice, language, rules)
        for number, voiced, first, last in _parts_of_line(ranges, at, len(text)):
            part = _part(uncut, voiced, first, last, block, at, language, rules)
            for start, end in chunks(part, rules.chunking_at(whole, at + first)):
                spoken, spans = part.spoken(start, end)
                if not is_speakable(spoken):
                    text_left_out = text[first + start : first + end]
                    yield Skipped(SkipReason.NOT_SPEAKABLE, text_left_out, block.where)
                    continue
                first_sentence, last_sentence = uncut.sentence_range(first + start, first + end)
                yield PendingSegment(
                    kind=block.kind,
                    span=replace(whole, start=at + first + start, end=at + first + end),
                    text=text[first + start : first + end],
                    uncut=part.text[start:end],
                    spoken=spoken,
                    sentences=spans,
                    printed=part.printed(start, end),
                    pronunciations=part.pronunciations(start, end),
                    n_reworded=part.line.n_reworded(start, end),
                    rewordings=part.rewordings(start, end),
                    voice=voiced.voice,
                    language=voiced.language,
                    speaker=voiced.speaker,
                    section=section,
                    line=line,
                    first_sentence=first_sentence,
                    last_sentence=last_sentence,
                    voiced_range=number,
                )
        at += len(text) + 1


def _parts_of_line(
    ranges: Sequence[VoicedRange], at: int, length: int
) -> Iterator[tuple[int, VoicedRange, int, int]]:
    """Each range that has characters of the line at `at`: its index, and its place in the line."""
    for number, one in enumerate(ranges):
        first, last = max(0, one.start - at), min(length, one.end - at)
        if first < last or (length == 0 and number == 0):
            yield number, one, first, last


def _part(
    whole: CuttableText,
    voiced: VoicedRange,
    first: int,
    last: int,
    block: Block,
    at: int,
    language: str,
    rules: SegmentRules,
) -> CuttableText:
    """A part of a whole line. One in another language is read by that one's rules."""
    text = whole.line.text
    if voiced.language != language:
        return _cuttable_text(
            text[first:last], block, at + first, voiced.voice, voiced.language, rules
        )
    if (first, last) == (0, len(text)):
        return whole
    return replace(
        whole.part(first, last),
        length=_length(voiced.voice, rules),
        best_length=_best_length(voiced.voice, rules),
    )


def _cuttable_text(
    text: str, block: Block, at: int, voice: str, language: str, rules: SegmentRules
) -> CuttableText:
    """A line of `block`, or a part of one, that begins at character `at`."""
    overrides = override_edits(text, language, rules.lexicon, block, at)
    numerals = {start - at: end - at for start, end in block.numerals if start >= at}
    cut_text, line, sentences = spoken_sentences(
        text, language, block.kind, rules.max_length, overrides, numerals
    )
    length, best = _length(voice, rules), _best_length(voice, rules)
    return CuttableText(cut_text, line, sentences, length, rules.max_length, best)


def _best_length(voice: str, rules: SegmentRules) -> tuple[int, int] | None:
    return None if rules.joins_sentences(voice) else rules.best_length


def _length(voice: str, rules: SegmentRules) -> Callable[[str], int]:
    return lambda spoken: rules.length(spoken, voice)


def _pause_s(segment: PendingSegment, following: PendingSegment | None, pauses: Pauses) -> float:
    """The silence between a segment and the next one of its chapter (None: it is the last)."""
    if following is None:
        return pauses.chapter_end_s
    return pauses.varied_s(_unvaried_pause_s(segment, following, pauses), segment.spoken)


def _unvaried_pause_s(segment: PendingSegment, following: PendingSegment, pauses: Pauses) -> float:
    if segment.span.block != following.span.block:
        pause_s = pauses.block_pause_s(segment.kind, following.kind)
        return (
            pause_s if segment.section == following.section else max(pause_s, pauses.scene_break_s)
        )
    if segment.line != following.line:
        return pauses.line_s
    if segment.last_sentence == following.first_sentence:
        is_apart = segment.span.end < following.span.start
        pause_s = pauses.in_sentence_s(segment.uncut, following.text, is_apart=is_apart)
        is_same = segment.voiced_range == following.voiced_range
        # Between a quotation and “she said”, an exclamation mark is no end.
        return pause_s if is_same else min(pause_s, pauses.comma_s)
    return pauses.sentence_s


def _sentence_pauses_s(segment: PendingSegment, pauses: Pauses) -> tuple[float, ...]:
    """The silence after each sentence that ends inside the segment."""
    return tuple(
        pauses.varied_s(pauses.sentence_s, segment.spoken[start:end])
        for start, end in segment.sentences[:-1]
    )
