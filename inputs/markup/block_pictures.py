"""Keeps the words for the pictures in a block until it ends: then they are read, or listed."""

from __future__ import annotations

from collections.abc import Iterator

from audiomill.inputs.book import Block, BlockKind, Skipped, SkipReason
from audiomill.inputs.choices.rules import ReadingRules
from audiomill.inputs.markup.parser import Element
from audiomill.inputs.markup.pictures import alternative_text, is_badge, is_placeholder


class BlockPictures:
    """The pictures of the current block of a page."""

    def __init__(self, rules: ReadingRules) -> None:
        self._rules = rules
        self._pending: list[Skipped] = []  # as they would be listed

    def add(self, picture: Element, where: str, *, in_heading: bool) -> Skipped | None:
        """Keep the words for a picture. Returns them if they are to be listed at once.

        Those in a heading are kept: they are its text if it has no other.
        """
        text = alternative_text(picture)
        reason = SkipReason.BADGE if is_badge(picture) else SkipReason.ALTERNATIVE_TEXT
        listed = Skipped(reason, text, where)
        is_wanted = in_heading or self._rules.reads(reason, text, where)
        if is_wanted and text and reason is not SkipReason.BADGE and not is_placeholder(text):
            self._pending.append(listed)
            return None
        return listed if text else None

    def take_heading(self) -> str:
        """Return the words for the first picture, which a heading without text is; "" if none."""
        return self._pending.pop(0).text if self._pending else ""

    def end_block(self, language: str | None) -> Iterator[Block | Skipped]:
        """Yield the pictures of a block that has ended, as blocks after it or as listed."""
        pending, self._pending = self._pending, []
        for one in pending:
            is_read = self._rules.reads(one.reason, one.text, one.where)
            yield Block(BlockKind.IMAGE, one.text, language, where=one.where) if is_read else one
