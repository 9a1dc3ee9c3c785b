"""What is said for a text: edits of the printed text, and the way back to it. Knows no language.

    printed   It was  1914, and  it rained.
    edits             [1914 ─▶ nineteen fourteen]
    spoken    It was nineteen fourteen, and it rained.

An edit replaces characters of the printed text; all others are spoken as they are, without those
that have no sound.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, replace

from audiomill.inputs.model.book import Pronunciation, Rewording

# Control characters separate words. Lone surrogates and noncharacters are removed (`_SILENT`).
_SEPARATORS = re.compile(r"[\s\x00-\x1f\x7f-\x9f]+")
# Soft hyphen, zero-width space, marks of direction, fillers, variation selectors, tags. Joiners
# stay next to letters from Arabic to Khmer, where they change the word.
_SILENT = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\uffa0\ufe00-\ufe0f\ufeff\ufff0-\ufffb\ufdd0-\ufdef\ufffe\uffff"
    "\U000e0000-\U000e0fff\ud800-\udfff]+"
    "|[\u200c\u200d](?:(?![\u0600-\u17ff])|(?<![\u0600-\u17ff][\u200c\u200d]))"
)


@dataclass(frozen=True, slots=True)
class Edit:
    """What is said instead of characters [start, end) of the printed text; "" is silent."""

    start: int
    end: int
    spoken: str
    kind: str  # the name of the rule: "year", "money"
    phonemes: str = ""  # that say it; "": the engine knows how


@dataclass(frozen=True, slots=True)
class SpokenPart:
    """Characters [start, end) of the spoken text, and [first, last) of the printed text."""

    start: int
    end: int
    first: int
    last: int
    kind: str  # of the edit; "" if it is spoken as it is printed


@dataclass(frozen=True, slots=True)
class SpokenLine:
    """A printed text and the edits that make it what is spoken, in order, without overlap."""

    text: str
    edits: tuple[Edit, ...] = ()

    def between(self, start: int, end: int) -> str:
        """What is said for characters [start, end).

        It has single spaces and no line breaks, control characters, characters of zero width or
        surrogates. An edit that the range cuts in two is left out.
        """
        return clean("".join(spoken for spoken, *_ in self._parts(start, end)))

    @property
    def uncut(self) -> str:
        """The printed text with a word of the same length in the place of each edit."""
        parts, at = list[str](), 0
        for edit in self.edits:
            parts += [self.text[at : edit.start], "x" * (edit.end - edit.start)]
            at = edit.end
        return "".join([*parts, self.text[at:]])

    def part(self, start: int, end: int) -> SpokenLine:
        """Characters [start, end), with the edits that lie within them."""
        inside = (edit for edit in self.edits if start <= edit.start and edit.end <= end)
        moved = (replace(edit, start=edit.start - start, end=edit.end - start) for edit in inside)
        return SpokenLine(self.text[start:end], tuple(moved))

    def n_reworded(self, start: int, end: int) -> int:
        """How many letters and digits of [start, end) are in edits: something else is said."""
        inside = (edit for edit in self.edits if start <= edit.start and edit.end <= end)
        texts = (self.text[edit.start : edit.end] for edit in inside)
        return sum(character.isalnum() for text in texts for character in text)

    def pieces(self, start: int, end: int) -> tuple[SpokenPart, ...]:
        """Where each part of `between(start, end)` comes from. Spaces between parts are in none."""
        return tuple(one for one in self._places(start, end) if one.start < one.end)

    def rewordings(self, start: int, end: int) -> Iterator[Rewording]:
        """The edits in [start, end), in order: their places in `between(start, end)`, and here.

        An edit of which nothing is heard has an empty place.
        """
        for one in self._places(start, end):
            if one.kind:
                yield Rewording(one.start, one.end, one.first, one.last)

    def _places(self, start: int, end: int) -> Iterator[SpokenPart]:
        """Where each part of `between(start, end)` comes from; a silent one has an empty place."""
        spoken, at = self.between(start, end), 0
        for part, first, last, kind in self._parts(start, end):
            said = clean(part)
            at = spoken.index(said, at)
            yield SpokenPart(at, at + len(said), first, last, kind)
            at += len(said)

    def pronunciations(self, start: int, end: int) -> tuple[Pronunciation, ...]:
        """The phonemes that are given for parts of `between(start, end)`, without a full stop."""
        phonemes = {edit.start: edit.phonemes for edit in self.edits if edit.phonemes}
        if not phonemes:
            return ()
        spoken, pieces = self.between(start, end), self.pieces(start, end)
        return tuple(
            Pronunciation(one.start, one.end - (spoken[one.end - 1] == "."), phonemes[one.first])
            for one in pieces
            if one.kind and one.first in phonemes
        )

    def _parts(self, start: int, end: int) -> Iterator[tuple[str, int, int, str]]:
        """What is said for each part of [start, end), its range in the text, and its kind."""
        at = start
        for index in range(bisect_left(self.edits, start, key=_start), len(self.edits)):
            edit = self.edits[index]
            if edit.end > end:
                break
            if at < edit.start:
                yield self.text[at : edit.start], at, edit.start, ""
            yield edit.spoken, edit.start, edit.end, edit.kind
            at = edit.end
        if at < end:
            yield self.text[at:end], at, end, ""


def _start(edit: Edit) -> int:
    return edit.start


def clean(text: str) -> str:
    """Return `text` with single spaces, and without characters that have no sound."""
    return _SEPARATORS.sub(" ", _SILENT.sub("", text)).strip()
