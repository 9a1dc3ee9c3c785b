"""The sentences of a text and what is said for it, brought into agreement.

    printed     It cost £12 3s. 4d. He paid. She came at 5 p.m. He left.
    edits               [─────────]                 [────]
    sentences   [── no cut inside an edit ─][──────]…

A full stop can both end a sentence and belong to an abbreviation: it is said for the sentence.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from audiomill.inputs.languages.grammars import spoken_line
from audiomill.inputs.model.book import BlockKind
from audiomill.inputs.segmentation.sentences import join_quotations, sentence_starts
from audiomill.inputs.spoken.edits import Edit, SpokenLine

# An edit whose words are longer than this share of a segment could not be placed in any.
_MAX_SHARE = 0.5
# Not of an ellipsis, where a cut is as good as at a comma.
_FULL_STOP = re.compile(r"(?<![.…])\.(?![.…])[\"'”’»)\]]*+\s++")
_CLOSERS = "\"'”’»“›)]}*_ \u00a0\u202f"
_MARKS = ".!?…:;,"
# Kinds of edits that say an abbreviation in full. Amounts and times of day are none of them.
_ABBREVIATED = frozenset(
    (
        *("abbreviation", "title", "latin", "circa", "versus", "century", "place", "name"),
        *("state", "edition"),
    )
)


def spoken_sentences(
    text: str,
    language: str,
    kind: BlockKind,
    max_length: int,
    overrides: Sequence[Edit] = (),
    numerals: Mapping[int, int] = MappingProxyType({}),
) -> tuple[str, SpokenLine, tuple[tuple[int, int], ...]]:
    """The text as a cut may see it, what is said for it, and the spans of its sentences.

    No sentence begins or ends inside an edit. The text for cuts has the same length as `text`,
    with a word in the place of each edit, and of each full stop that does not end a sentence: so
    no cut separates “Mr.” from a name. `max_length` is that of a segment, in characters. The edits
    of `overrides` come before all rules; `numerals` are Roman ones that the source marks.
    """
    line = spoken_line(text, language, kind, overrides, numerals)
    edits = [edit for edit in line.edits if len(edit.spoken) <= _MAX_SHARE * max_length]
    wholes = [(edit.start, edit.end) for edit in edits]
    closed = _notes_closed(text, edits)
    starts = sentence_starts(closed, language, wholes, _abbreviated(text, edits))
    sentences = join_quotations(closed, language, starts)
    said = tuple(_with_full_stop(edit, text, sentences) for edit in edits)
    line = SpokenLine(text, said)
    uncut = _titles_joined(line)
    return _without_inner_stops(uncut, frozenset(starts)), line, sentences


def _notes_closed(text: str, edits: Sequence[Edit]) -> str:
    """The text with brackets in the place of numbers of notes: “the end.12 Then” has two sentences.

    The number after a full stop would hide that a space follows.
    """
    signs = list(text)
    for edit in edits:
        if edit.kind in ("note", "superscript") and not edit.spoken.strip():
            signs[edit.start : edit.end] = "]" * (edit.end - edit.start)
    return "".join(signs)


def _abbreviated(text: str, edits: Sequence[Edit]) -> frozenset[int]:
    """The positions of the full stops of abbreviations that are said in full."""
    return frozenset(
        edit.end - 1
        for edit in edits
        if text[edit.end - 1] == "."
        and (edit.spoken.endswith(" ") or edit.kind in _ABBREVIATED)
        and edit.spoken[-1:] not in _MARKS
    )


def _titles_joined(line: SpokenLine) -> str:
    """The text for cuts, where no cut comes right after a title: “Mr. and Mrs. Bennet”."""
    uncut = line.uncut
    for edit in line.edits:
        if edit.kind == "title" and uncut[edit.end : edit.end + 1].isspace():
            uncut = f"{uncut[: edit.end]}x{uncut[edit.end + 1 :]}"
    return uncut


def _without_inner_stops(text: str, starts: frozenset[int]) -> str:
    def word(match: re.Match[str]) -> str:
        return match[0] if match.end() in starts else "x" * len(match[0])

    return _FULL_STOP.sub(word, text)


def _with_full_stop(edit: Edit, text: str, sentences: Sequence[tuple[int, int]]) -> Edit:
    """The edit; with a full stop if the one that it took ends the sentence, too."""
    if text[edit.end - 1] != "." or edit.spoken[-1:] in _MARKS:
        return edit
    index = bisect_right(sentences, edit.start, key=lambda span: span[0]) - 1
    ends = index >= 0 and not text[edit.end : sentences[index][1]].strip(_CLOSERS)
    return replace(edit, spoken=f"{edit.spoken.rstrip()}.") if ends else edit
