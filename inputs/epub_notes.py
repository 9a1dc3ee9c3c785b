"""Notes that no markup names: found because a mark in the text and a mark before them agree.

… said so.<a id="r3" href="notes.html#n3"><sup>3</sup></a>      in a chapter
<p id="n3"><a href="ch1.html#r3">3</a> In a letter to his aunt.</p>      somewhere else
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable
from dataclasses import replace

from inputs.book import BlockKind, Skipped, SkipReason
from inputs.epub_documents import Document
from inputs.epub_package import resolve
from inputs.markup import AnchoredBlock

NOTE_KINDS = frozenset((BlockKind.PARAGRAPH, BlockKind.LIST_ITEM, BlockKind.QUOTE))


def without_notes(
    documents: list[Document], find: Callable[[str], str | None]
) -> tuple[list[Document], list[Skipped]]:
    """The documents without such notes, and the notes; their ids pass to what follows them."""
    targets = {
        target
        for document in documents
        for href in document.note_links
        if (target := _target(document.path, href, find))
    }
    kept: list[Document] = []
    skipped: list[Skipped] = []
    for document in documents:
        blocks: list[AnchoredBlock] = []
        waiting: tuple[str, ...] = ()
        for anchored in document.blocks:
            if _is_note(document.path, anchored, targets):
                block = anchored.block
                skipped.append(Skipped(SkipReason.NOTE, block.text, block.where))
                waiting += anchored.ids
            else:
                blocks.append(replace(anchored, ids=waiting + anchored.ids))
                waiting = ()
        if blocks:
            end_ids = waiting + document.end_ids
            kept.append(replace(document, blocks=tuple(blocks), end_ids=end_ids))
    return kept, skipped


def _is_note(path: str, anchored: AnchoredBlock, targets: set[tuple[str, str]]) -> bool:
    """True for a block that a mark leads to and that begins with a mark of its own."""
    return (
        bool(anchored.opening_link)
        and anchored.block.kind in NOTE_KINDS
        and any((path, name) in targets for name in anchored.ids)
    )


def _target(path: str, href: str, find: Callable[[str], str | None]) -> tuple[str, str] | None:
    to, fragment = resolve(posixpath.dirname(path), href)
    found = find(to) if to else path
    return (found, fragment) if found and fragment else None
