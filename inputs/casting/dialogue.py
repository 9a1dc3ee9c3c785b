"""Finds what is said aloud in the paragraphs of a chapter, and by whom where that is sure.

    quotations ─▶ spoken or only quoted? ─▶ who speaks ─▶ SpeechRange
    paragraphs that a dash opens ─▶ speech and the narrator's parts ─▶ SpeechRange

A quotation is speech if punctuation or a verb of saying sets it off. A quoted word, a title or a
phrase within a sentence is the narrator's.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from audiomill.inputs.casting.dialogue_tags import (
    DASHES,
    SHORT_FORM,
    dash_opens,
    dash_parts,
    has_tag_after,
    has_verb_before,
    inner_parts,
    patterns_of,
    speaker_after,
    speaker_before,
)
from audiomill.inputs.casting.quotations import Quotation, opens, quotations
from audiomill.inputs.languages.codes import primary_subtag
from audiomill.inputs.languages.declaration import DialogueConventions
from audiomill.inputs.languages.en.declaration import DIALOGUE as ENGLISH_DOUBLE
from audiomill.inputs.languages.en.declaration import DIALOGUE_SINGLE as ENGLISH_SINGLE
from audiomill.inputs.languages.registry import dialogue as conventions_of
from audiomill.inputs.model.book import Block, BlockKind, Book, Chapter

MAX_PARAGRAPH_CHARS = 20_000  # a longer text is no paragraph of a novel, and takes too long
WITH_DIALOGUE = frozenset({BlockKind.PARAGRAPH, BlockKind.QUOTE})
_SENTENCE_END = ".!?…"
_MARKS = ".,!?…;:—–-"
_CLOSERS = "\"'”’»“›)]"
_OPENERS = "\"'“‘„«»‹›([¡¿*_ \u00a0\u202f"
_ENDS = re.compile(r"[.!?…]")
# Where quotation marks open speech, double and single ones.
_DOUBLE_SPEECH = re.compile(r"(?:^|[.!?,:—]\s)[“\"](?=\S)", re.MULTILINE)
_SINGLE_SPEECH = re.compile(r"(?:^|[.!?,:—]\s)[‘'](?=[A-Z—…])", re.MULTILINE)
_BRITISH = frozenset(["GB", "IE", "AU", "NZ", "ZA", "IN"])


@dataclass(frozen=True, slots=True)
class SpeechRange:
    """Characters [start, end) of a block that are said aloud. `speaker` is "" if it is not sure."""

    start: int
    end: int
    speaker: str = ""
    is_open: bool = False  # it goes on in the next block


def dialogue_of_book(book: Book) -> Callable[[Chapter], tuple[tuple[SpeechRange, ...], ...]]:
    """Return a function that finds the speeches of each block of a chapter of `book`."""
    texts = (
        block.text
        for chapter in book.chapters
        for block in chapter.blocks
        if block.kind in WITH_DIALOGUE
    )
    english = english_conventions(texts, book.language)
    return lambda chapter: find_dialogue(chapter.blocks, book.language, english)


def english_conventions(texts: Iterable[str], language: str) -> DialogueConventions:
    """The conventions of a book in English: which quotation marks are its outer ones."""
    n_double = n_single = 0
    for text in texts:
        n_double += len(_DOUBLE_SPEECH.findall(text))
        n_single += len(_SINGLE_SPEECH.findall(text))
    if n_double == n_single:
        is_british = bool(_BRITISH & {*language.upper().split("-")[1:]})
        return ENGLISH_SINGLE if is_british else ENGLISH_DOUBLE
    return ENGLISH_SINGLE if n_single > n_double else ENGLISH_DOUBLE


def find_dialogue(
    blocks: Sequence[Block], language: str, english: DialogueConventions
) -> tuple[tuple[SpeechRange, ...], ...]:
    """Return the speeches of each block of a chapter.

    `language` is that of the book; `english` are the conventions of text in English.
    """
    found = list[tuple[SpeechRange, ...]]()
    for index, block in enumerate(blocks):
        own = block.language or language
        conventions = english if primary_subtag(own) == "en" else conventions_of(own)
        is_paragraph = block.kind in WITH_DIALOGUE and len(block.text) <= MAX_PARAGRAPH_CHARS
        if conventions is None or not is_paragraph:
            found.append(())
            continue
        following = blocks[index + 1] if index + 1 < len(blocks) else None
        goes_on = bool(found and found[-1] and found[-1][-1].is_open)
        found.append(tuple(_speeches(block.text, conventions, following, goes_on=goes_on)))
    return tuple(_with_speakers_over_paragraphs(found))


def _speeches(
    text: str, conventions: DialogueConventions, following: Block | None, *, goes_on: bool
) -> Iterator[SpeechRange]:
    if conventions.has_dashes and dash_opens(text):
        yield from _dash_speeches(text, conventions)
        return
    may_go_on = (
        following is not None
        and following.kind in WITH_DIALOGUE
        and opens(following.text, conventions.pairs)
    )
    marked = [
        one
        for one in quotations(text, conventions.pairs, goes_on=goes_on)
        if not one.is_open or may_go_on
    ]
    speeches = list[SpeechRange]()
    for quotation in marked:
        if _is_speech(text, quotation, conventions, has_spoken=bool(speeches)):
            speeches.append(_attributed(text, quotation, speeches, conventions))
    for speech in speeches:
        yield from _without_tags(text, speech, conventions)


def _dash_speeches(text: str, conventions: DialogueConventions) -> Iterator[SpeechRange]:
    """The speeches of a paragraph that a dash opens; in French another dash is another speaker."""
    turns = [list[tuple[int, int, bool]]()]
    for part in dash_parts(text, conventions):
        if conventions.has_inner_tags and part[0] and text[part[0]] in DASHES:
            turns.append([])
        turns[-1].append(part)
    for turn in turns:
        yield from _turn(text, turn, conventions)


def _turn(
    text: str,
    parts: Sequence[tuple[int, int, bool]],
    conventions: DialogueConventions,
    speaker: str = "",
) -> Iterator[SpeechRange]:
    """What one speaker says, by the first name in the narrator's parts."""
    patterns = patterns_of(conventions)
    named = (speaker_after(text, start, patterns) for start, _, is_speech in parts if not is_speech)
    speaker = speaker or next(filter(None, named), "")
    yield from (SpeechRange(start, end, speaker) for start, end, is_speech in parts if is_speech)


def _without_tags(
    text: str, speech: SpeechRange, conventions: DialogueConventions
) -> Iterator[SpeechRange]:
    """The speech, without tags like “dit-il” inside of it."""
    if not conventions.has_inner_tags:
        yield speech
        return
    parts = list(inner_parts(text, speech.start, speech.end, conventions))
    spoken = list(_turn(text, parts, conventions, speech.speaker))
    yield from spoken[:-1]
    yield from (replace(last, is_open=speech.is_open) for last in spoken[-1:])


def _is_speech(
    text: str, quotation: Quotation, conventions: DialogueConventions, *, has_spoken: bool
) -> bool:
    """True if punctuation or a verb of saying sets the quotation off from the sentence."""
    inside = text[quotation.start + 1 : quotation.end].strip(_CLOSERS + _OPENERS)
    if not any(map(str.isalnum, inside)):
        return False
    patterns = patterns_of(conventions)
    before, after = text[: quotation.start].rstrip(), text[quotation.end :].lstrip("\u00a0\u202f ")
    has_tag = has_tag_after(text, quotation.end, patterns)
    ends = inside[-1] in _MARKS
    is_bounded = quotation.is_open or ends or has_tag or not after or after[0] in ".,!?…;:—–"
    begins_upper = not inside.lstrip(_OPENERS + "—–-…")[:1].islower()
    says = has_verb_before(text, quotation.start, patterns)
    if not before.rstrip(_CLOSERS) or before.rstrip(_CLOSERS)[-1] in _SENTENCE_END + "—–":
        return ends or has_tag or quotation.is_open or not after or _is_set_off(after, conventions)
    if before[-1] in ",:":
        return is_bounded and (begins_upper or has_spoken or says)
    return says and begins_upper and is_bounded


def _is_set_off(after: str, conventions: DialogueConventions) -> bool:
    """True if the mark after a quotation at the start of a sentence sets it off.

    In English a comma belongs inside the marks, or a verb of saying follows it.
    """
    is_english = conventions in (ENGLISH_DOUBLE, ENGLISH_SINGLE)
    return after[0] in (".!?…—–" if is_english else ".,!?…—–")


def _attributed(
    text: str, quotation: Quotation, spoken: Sequence[SpeechRange], conventions: DialogueConventions
) -> SpeechRange:
    patterns = patterns_of(conventions)
    start, end = quotation.start, quotation.end
    speaker = "" if quotation.is_open else speaker_after(text, end, patterns)
    speaker = speaker or speaker_before(text, start, patterns)
    if not speaker and spoken:
        has_tag = has_tag_after(text, end, patterns)
        speaker = _same_speaker(text, spoken[-1], start, has_tag=has_tag)
    return SpeechRange(start, end, speaker, quotation.is_open)


def _same_speaker(text: str, previous: SpeechRange, start: int, *, has_tag: bool) -> str:
    """The speaker of the speech before, if it goes on after a tag inside of its sentence.

    It may also go on after one sentence about the speaker, unless a tag follows.
    """
    between = text[previous.end : start].strip()
    ends = (match.end() for match in _ENDS.finditer(between))
    n_ends = sum(1 for end in ends if not SHORT_FORM.search(between[:end]))
    goes_on = between[-1:] in ",—–:" and n_ends == 0
    is_next = not has_tag and between[-1:] == "." and n_ends == 1
    return previous.speaker if goes_on or is_next else ""


def _with_speakers_over_paragraphs(
    found: Sequence[tuple[SpeechRange, ...]],
) -> Iterator[tuple[SpeechRange, ...]]:
    """The speeches; those that go on over several paragraphs have one speaker."""
    chain, chains = list[tuple[int, int]](), list[list[tuple[int, int]]]()
    for block, speeches in enumerate(found):
        if chain and speeches and speeches[0].start == 0:
            chain.append((block, 0))
        if not speeches or not (chain and len(speeches) == 1 and speeches[0].is_open):
            chains += [chain] if len(chain) > 1 else []
            is_open = bool(speeches) and speeches[-1].is_open
            chain = [(block, len(speeches) - 1)] if is_open else []
    speakers = dict[tuple[int, int], str]()
    for one in chains:
        names = {found[block][at].speaker for block, at in one} - {""}
        if len(names) == 1:
            speakers |= dict.fromkeys(one, names.pop())
    for block, speeches in enumerate(found):
        yield tuple(
            replace(speech, speaker=speakers.get((block, at), speech.speaker))
            for at, speech in enumerate(speeches)
        )
