"""Decides whether text that a reader would leave out is read, and the reverse.

The settings decide by kind. The file beside a book (`reading_file.py`) decides about single texts,
and wins. Pure.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from audiomill.inputs.chapters.reading_choices import Reading
from audiomill.inputs.markup.text import comparison_key
from audiomill.inputs.model.book import SkipReason


@dataclass(frozen=True, slots=True)
class PlacedText:
    """A piece of text and where it stands, as a decision looks at it."""

    text: str
    where: str  # as in `Skipped.where`: "OEBPS/ch2.xhtml#n1"
    kinds: frozenset[str]  # values of `BlockKind` and `SkipReason`
    chapter: str = ""  # its title; "" while the chapters are not known


@dataclass(frozen=True)
class Decision:
    """An entry of the file beside a book. A place must match every field that is not ""."""

    read: bool
    chapter: str = ""  # the title
    where: str = ""  # "OEBPS/ch2.xhtml", "OEBPS/ch2.xhtml#n1"
    starts: str = ""  # the first words of the text
    kind: str = ""  # a value of `BlockKind` or `SkipReason`

    def matches(self, place: PlacedText) -> bool:
        """Whether it decides about the text at `place`."""
        if self.kind and self.kind not in place.kinds:
            return False
        if self.where and not _is_at(place.where, self.where):
            return False
        if self._chapter and comparison_key(place.chapter) != self._chapter:
            return False
        beginning = place.text[: 2 * len(self.starts) + 100]  # spaces and marks do not count
        return not self._starts or comparison_key(beginning).startswith(self._starts)

    # Compared without case and punctuation, so that a corrected comma breaks no decision.
    @cached_property
    def _chapter(self) -> str:
        return comparison_key(self.chapter)

    @cached_property
    def _starts(self) -> str:
        return comparison_key(self.starts)


@dataclass(frozen=True, slots=True)
class ReadingRules:
    """All that decides what of one book is read. Of several matching decisions the last wins."""

    reading: Reading = field(default_factory=Reading)
    decisions: tuple[Decision, ...] = ()

    def reads(self, reason: SkipReason, text: str, where: str) -> bool:
        """Whether text is read that a reader would leave out for `reason`."""
        if self.decisions:
            decided = self.decided(PlacedText(text, where, frozenset((reason,))))
            if decided is not None:
                return decided
        return self.reading.reads(reason)

    def decided(self, place: PlacedText) -> bool | None:
        """Whether the file beside the book has the text read; None if it does not decide."""
        matching = [one.read for one in self.decisions if one.matches(place)]
        return matching[-1] if matching else None


def _is_at(where: str, wanted: str) -> bool:
    """True for the same place, or for any place in a document if no id is wanted."""
    return where == wanted or ("#" not in wanted and where.partition("#")[0] == wanted)
