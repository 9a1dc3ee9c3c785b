"""Notes of a run: what it means for files that earlier runs have finished."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from audiomill.flows.job import Job
from audiomill.flows.pipeline.library.changes import LibraryChanges, listed_names
from audiomill.outputs.formats.registry import FORMATS
from audiomill.outputs.types import OutputFile


def notes_of(changes: LibraryChanges) -> Iterator[str]:
    """A sentence for each kind of change."""
    if changes.first_folder:
        yield (
            f"{changes.first_folder} has this book in another voice or at another speed, and stays"
            f" as it is. This run's files are in {changes.folder}."
        )
    if changes.outdated:
        names = listed_names(changes.outdated)
        yield f"Replaced, as made from an earlier text or settings: {names}."
    if changes.retagged:
        yield (
            "Given other tags, chapter titles or names, or another cover, without encoding:"
            f" {listed_names(changes.retagged)}."
        )
    for folder in changes.renamed_from:
        yield (
            f"{folder} has this book under another name, and stays as it is. Delete it if you do"
            " not want it, and nothing in it is yours."
        )
    if changes.stale.removed:
        names = listed_names(changes.stale.removed)
        yield f"Removed, as this text and these settings make them no more: {names}."
    if changes.stale.kept:
        yield (
            "This text and these settings make them no more, but they were changed after they had"
            f" been made, so they stay: {listed_names(changes.stale.kept)}."
        )
    if changes.changed:
        yield (
            "Left as they are, as they were changed after they had been made:"
            f" {listed_names(changes.changed)}. Move away what is to be made again."
        )
    if changes.kept_beside:
        names = listed_names(changes.kept_beside)
        yield f"Left as they are, as no run wrote them so: {names}. Move them away to get ours."
    if outdated := [other.path.name for other in changes.others if other.is_outdated]:
        yield (
            f"In {changes.folder}, but not of this run, and from an earlier text or settings:"
            f" {listed_names(outdated)}. Make them again with the same options, or delete"
            " what you do not want."
        )


def check_notes(job: Job) -> Iterator[str]:
    """A note for a run that has made nothing, so that it has checked nothing either."""
    if job.check_speech:
        yield (
            "The speech was not checked, as all files are finished. Delete one to have it checked"
            " when it is made again."
        )


def server_notes(job: Job, made: Iterable[OutputFile], changes: LibraryChanges) -> Iterator[str]:
    """A note if there is more than one copy of the book in a folder that a server scans."""
    if job.chapters or "metadata.json" not in job.delivery.sidecars:
        return
    copies = {(one.format, job.split): one.path.name for one in made}
    for other in changes.others:
        copies.setdefault((other.format, other.is_split), other.path.name)
    names = [name for (file_format, _), name in copies.items() if file_format in FORMATS]
    if len(names) > 1:
        yield (
            f"A server like Audiobookshelf plays all audio of {changes.folder} one after the other,"
            f" so the book more than once: {listed_names(names)}. Keep one of them there, and give"
            " the others a place of their own with --out."
        )
