"""Takes the notes out of the documents of a book; `markup/notes.py` finds them."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Sequence
from dataclasses import replace

from audiomill.inputs.choices.rules import ReadingRules
from audiomill.inputs.epub.documents import Document
from audiomill.inputs.epub.package import resolve
from audiomill.inputs.markup.notes import NotePage, separate_notes
from audiomill.inputs.model.book import Skipped


def take_notes(
    documents: Sequence[Document], find: Callable[[str], str | None], rules: ReadingRules
) -> tuple[list[Document], list[Skipped]]:
    """Return (the documents without their notes, the notes that are not read).

    `find` is `Archive.find`. A document of only notes is left out.
    """

    def target(path: str, href: str) -> tuple[str, str] | None:
        """(path, fragment) of a link in the file `path`; None if it does not lead to an id."""
        linked_path, fragment = resolve(posixpath.dirname(path), href)
        target_path = find(linked_path) if linked_path else path
        return (target_path, fragment) if target_path and fragment else None

    pages = [NotePage(one.path, one.blocks, one.note_links, one.end_ids) for one in documents]
    remaining, skipped = separate_notes(pages, target, rules)
    kept = [
        replace(document, blocks=page.blocks, end_ids=page.end_ids)
        for document, page in zip(documents, remaining, strict=True)
        if page.blocks
    ]
    return kept, skipped
