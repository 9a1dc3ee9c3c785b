"""Cuts a block into ranges, each in one voice and one language.

He nodded. “Come in,” said Emma. “Entrez, messieurs, et asseyez-vous.”
[────────] [────────][─────────] [────────────────────────────────────]
narrator   Emma      narrator    Emma, in French
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TypeVar

from audiomill.inputs.casting.cast import Cast
from audiomill.inputs.casting.dialogue import SpeechRange
from audiomill.inputs.model.book import Block, BlockKind, ForeignPassage

# A foreign passage of fewer words, and no sentence, stays in the sentence around it: the cut would
# be heard more than the narrator's accent.
MIN_FOREIGN_WORDS = 4
MAX_MARKS = 8  # at an end of a range, that are looked at
_SENTENCE_END = tuple(".!?…")
_CLOSERS = "\"'”’»«“›‹)]"
_OPENERS = "\"'“‘„«»‹›([¡¿"
_MARKS = ",.;:!?…—–"
_DASHES = tuple("—–-")
# A letter of another script than Latin. Accents are no letters.
_OTHER_LETTER = re.compile("(?=[\u0370-\u1dff\u1f00-\U0010ffff])[^\\W\\d_]")

Marked = TypeVar("Marked", SpeechRange, ForeignPassage)
# The voice of a part (None: the narrator's) as it pronounces a language (BCP 47).
VoiceIn = Callable[[str | None, str], str]


@dataclass(frozen=True, slots=True)
class VoicedRange:
    """Characters [start, end) of a block's text, and who reads them in which language."""

    start: int
    end: int
    voice: str
    language: str  # BCP 47
    speaker: str = ""  # a character of the cast, if all of it is his


def voiced_ranges(
    block: Block, speeches: Sequence[SpeechRange], language: str, cast: Cast, voice_in: VoiceIn
) -> tuple[VoicedRange, ...]:
    """Return the ranges of a block, which together are its text. `language` is the block's."""
    own = {BlockKind.HEADING: cast.heading, BlockKind.QUOTE: cast.quote}.get(block.kind)
    speeches = () if own else speeches
    whole = VoicedRange(0, len(block.text), voice_in(own, language), language)
    if not (speeches or block.passages):
        return (whole,)
    speeches = [_with_marks_after(one, block.text) for one in speeches]
    passages = [_with_marks_around(one, block.text) for one in block.passages]
    passages = [one for one in passages if _is_cut_out(block.text, one)]
    ends = (end for one in (*speeches, *passages) for end in (one.start, one.end))
    ranges = list[VoicedRange]()
    for start, end in pairwise(sorted({0, *ends, len(block.text)})):
        speech, passage = _at(speeches, start), _at(passages, start)
        speaker = cast.character(speech.speaker) if speech else ""
        voice = _voice_of(speaker, cast) if speech else own
        spoken = passage.language if passage else language
        ranges.append(VoicedRange(start, end, voice_in(voice, spoken), spoken, speaker))
    return tuple(_joined(ranges, block.text)) or (whole,)


def _at(ranges: Sequence[Marked], at: int) -> Marked | None:
    index = bisect_right(ranges, at, key=lambda one: one.start) - 1
    return ranges[index] if index >= 0 and at < ranges[index].end else None


def _voice_of(speaker: str, cast: Cast) -> str | None:
    return cast.characters[speaker] if speaker else cast.dialogue


def _with_marks_after(speech: SpeechRange, text: str) -> SpeechRange:
    """The speech with the marks after its closing quotation mark, by which its voice falls."""
    if text[speech.end - 1] not in _CLOSERS:
        return speech
    after = text[speech.end : speech.end + MAX_MARKS]
    return replace(speech, end=speech.end + _n_leading(after, _MARKS))


def _with_marks_around(passage: ForeignPassage, text: str) -> ForeignPassage:
    before = text[max(0, passage.start - MAX_MARKS) : passage.start]
    after = text[passage.end : passage.end + MAX_MARKS]
    n_before, n_after = _n_leading(before[::-1], _OPENERS), _n_leading(after, _MARKS + _CLOSERS)
    return replace(passage, start=passage.start - n_before, end=passage.end + n_after)


def _n_leading(text: str, marks: str) -> int:
    return len(text) - len(text.lstrip(marks))


def _is_cut_out(text: str, passage: ForeignPassage) -> bool:
    """True for a sentence, several words, or a script that few voices read."""
    foreign = text[passage.start : passage.end]
    is_long = len(foreign.split()) >= MIN_FOREIGN_WORDS
    return is_long or _is_sentence(text, passage) or _OTHER_LETTER.search(foreign) is not None


def _is_sentence(text: str, passage: ForeignPassage) -> bool:
    """True for a whole sentence, also in a quotation; not for the last word of one."""
    foreign = text[passage.start : passage.end]
    begins = foreign.lstrip(_OPENERS)[:1].isupper()
    if not (begins and foreign.rstrip(_CLOSERS).endswith(_SENTENCE_END)):
        return False
    before = text[max(0, passage.start - MAX_MARKS) : passage.start].rstrip()
    ends = (*_SENTENCE_END, ":", *_DASHES)
    is_quoted = foreign[:1] in _OPENERS and before.endswith(",")
    return is_quoted or not before or before.rstrip(_CLOSERS).endswith(ends)


def _joined(ranges: Sequence[VoicedRange], text: str) -> Iterator[VoicedRange]:
    """The ranges; those of one voice and language are joined, and those without a word."""
    current: VoicedRange | None = None
    for one in ranges:
        is_silent = not any(map(str.isalnum, text[one.start : one.end]))
        if current is None:
            current = one
        elif not any(map(str.isalnum, text[current.start : current.end])):
            current = replace(one, start=current.start)
        elif is_silent:
            current = replace(current, end=one.end)
        elif (one.voice, one.language) == (current.voice, current.language):
            speaker = current.speaker if current.speaker == one.speaker else ""
            current = replace(current, end=one.end, speaker=speaker)
        else:
            yield current
            current = one
    if current is not None:
        yield current
