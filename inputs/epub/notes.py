"""Takes notes that no markup identifies out of the documents of a book."""

from __future__ import annotations

import posixpath
from collections.abc import Callable
from dataclasses import replace

from audiomill.inputs.book import BlockKind, Skipped, SkipReason
from audiomill.inputs.epub.documents import Document
from audiomill.inputs.epub.package import resolve
from audiomill.inputs.markup.blocks import AnchoredBlock

NOTE_KINDS = frozenset((BlockKind.PARAGRAPH, BlockKind.LIST_ITEM, BlockKind.QUOTE))


def remove_notes(
    documents: list[Document], find: Callable[[str], str | None]
) -> tuple[list[Document], list[Skipped]]:
    """Return (the documents without notes that no markup identifies, these notes).

    A block is such a note if a note reference leads to it and it begins with a link of the same
    kind. The ids of a note pass to the next block. `find` is `Archive.find`.
    """
    targets = {
        target
        for document in documents
        for href in document.note_links
        if (target := _target(document.path, href, find))
    }
    remaining: list[Document] = []
    skipped: list[Skipped] = []
    for document in documents:
        blocks: list[AnchoredBlock] = []
        pending_ids: tuple[str, ...] = ()
        for anchored in document.blocks:
            if _is_note(document.path, anchored, targets):
                block = anchored.block
                skipped.append(Skipped(SkipReason.NOTE, block.text, block.where))
                pending_ids += anchored.ids
            else:
                blocks.append(replace(anchored, ids=pending_ids + anchored.ids))
                pending_ids = ()
        if blocks:
            end_ids = pending_ids + document.end_ids
            remaining.append(replace(document, blocks=tuple(blocks), end_ids=end_ids))
    return remaining, skipped


def _is_note(path: str, anchored: AnchoredBlock, targets: set[tuple[str, str]]) -> bool:
    return (
        bool(anchored.opening_link)
        and anchored.block.kind in NOTE_KINDS
        and any((path, name) in targets for name in anchored.ids)
    )


def _target(path: str, href: str, find: Callable[[str], str | None]) -> tuple[str, str] | None:
    """(path, fragment) of a link in the file `path`; None if it does not lead to an id."""
    linked_path, fragment = resolve(posixpath.dirname(path), href)
    target_path = find(linked_path) if linked_path else path
    return (target_path, fragment) if target_path and fragment else None
