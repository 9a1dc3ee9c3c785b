"""Notes of a run: what it means for files that earlier runs have finished."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from audiomill.flows.pipeline.library.changes import LibraryChanges

MAX_LISTED_FILES = 5  # in a note


def notes_of(changes: LibraryChanges) -> Iterator[str]:
    """A sentence for each kind of change."""
    if changes.first_folder:
        yield (
            f"{changes.first_folder} has this book in another voice or at another speed, and stays"
            f" as it is. This run's files are in {changes.folder}."
        )
    if changes.outdated:
        yield f"Replaced, as made from an earlier text or settings: {_listed(changes.outdated)}."
    if changes.retagged:
        yield (
            "Given other tags, chapter titles or another cover, without encoding:"
            f" {_listed(changes.retagged)}."
        )
    for folder in changes.reused_from:
        yield (
            f"{folder} has the same audio under an earlier name, and stays as it is. Delete it if"
            " you do not want it."
        )
    if changes.stale.removed:
        yield f"Removed, as their chapters are gone or renamed: {_listed(changes.stale.removed)}."
    if changes.stale.kept:
        yield (
            "Their chapters are gone or renamed, but they were changed after they had been made, so"
            f" they stay: {_listed(changes.stale.kept)}."
        )
    if changes.altered:
        yield f"Replaced, as changed after it had been made: {_listed(changes.altered)}."
    if changes.kept_sidecars:
        yield f"Not written, as they are not of an earlier run: {_listed(changes.kept_sidecars)}."
    if outdated := [other.path.name for other in changes.others if other.is_outdated]:
        yield (
            f"In {changes.folder}, but not of this run, and from an earlier text or settings:"
            f" {_listed(outdated)}. Render that format too, or delete what you do not want."
        )


def _listed(names: Sequence[str]) -> str:
    """The first few names, and how many more there are."""
    more = len(names) - MAX_LISTED_FILES
    return ", ".join(names[:MAX_LISTED_FILES]) + (f" and {more} more" if more > 0 else "")
