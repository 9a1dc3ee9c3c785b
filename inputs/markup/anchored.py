"""Blocks with the links that lead to them and from them."""

from __future__ import annotations

from dataclasses import dataclass

from audiomill.inputs.book import Block


@dataclass(frozen=True, slots=True)
class AnchoredBlock:
    """A block and the ids at its start or inside it, to which links can lead."""

    block: Block
    ids: tuple[str, ...] = ()
    opening_link: str = ""  # the href of the note mark ("3", "[3]", "*") at its beginning, if any
    note_links: tuple[str, ...] = ()  # the hrefs of note marks in it that were left out
    notes: tuple[Block, ...] = ()  # that are read with it: its marks are the first of theirs
