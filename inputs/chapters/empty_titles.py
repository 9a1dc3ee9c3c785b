"""Finds titles of lists and notes below which nothing is left: "FOOTNOTES", "INDEX"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest

from audiomill.inputs.chapters.listings import list_reason
from audiomill.inputs.model.book import Block, BlockKind, SkipReason
from audiomill.inputs.segmentation.lengths import is_speakable

_NOTES = frozenset(
    (
        *("footnotes", "endnotes", "notes", "fußnoten", "anmerkungen", "notes de bas de page"),
        *("voetnoten", "note", "notas", "notas al pie", "notas de rodapé"),
    )
)


def reference_reason(heading: str) -> SkipReason | None:
    """Why what stands below a heading may be left out: notes, or a list; None for a text."""
    is_notes = heading.strip(" .:_[]").lower() in _NOTES
    return SkipReason.NOTE if is_notes else list_reason(heading)


def empty_titles(blocks: Sequence[Block]) -> Iterator[tuple[int, SkipReason]]:
    """(index, reason) of each title of notes or a list below which the next chapter begins."""
    spoken = [at for at, block in enumerate(blocks) if is_speakable(block.text)]
    for at, below in zip_longest(spoken, spoken[1:]):
        block, next_one = blocks[at], blocks[below] if below is not None else None
        is_empty = next_one is None or (
            next_one.kind is BlockKind.HEADING and next_one.level <= block.level
        )
        if block.kind is BlockKind.HEADING and is_empty:
            reason = reference_reason(blocks[at].text)
            if reason is not None:
                yield at, reason
