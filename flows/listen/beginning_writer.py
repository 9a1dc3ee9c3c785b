"""Keeps the beginning of a book that a server renders, with the names of all that decides it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from pathlib import Path
from typing import cast

from audiomill.flows.cluster.choice import ServerChoice
from audiomill.flows.job import Job
from audiomill.flows.listen.beginning_cache import BeginningRequest, CachedBeginning
from audiomill.flows.pipeline.planning.plan import PlannedSegment
from audiomill.flows.setting_sources import places_of_settings
from audiomill.flows.speech.beginning_wire import BEGINNING_PATH, beginning_bytes
from audiomill.inputs.casting.cast import casting_path_of
from audiomill.inputs.metadata.corrections import correction_file_of
from audiomill.inputs.readers.sources import is_epub
from audiomill.renderers.store.store import ShardStore


@dataclass(frozen=True, slots=True)
class BeginningWriter:
    """Keeps the beginning of the book of a job, as a server was asked for it."""

    cache: CachedBeginning
    job: Job
    server: ServerChoice
    key_file: Path | None

    def keep(
        self, chapters: Sequence[Sequence[PlannedSegment]], store: ShardStore, sample_rate: int
    ) -> None:
        """Keep the first segments by chapter. They end with a pause, or with their chapter."""
        body = beginning_bytes(self.job.engine, store.give_identity(), chapters)
        beginning = beginning_at(self.server, self.key_file, sample_rate, body)
        self.cache.keep(beginning, files_of(self.job))


def beginning_at(
    server: ServerChoice, key_file: Path | None, sample_rate: int, body: bytes
) -> BeginningRequest:
    """The beginning that a server is asked for by the body of a request."""
    key_path = str(key_file.absolute()) if key_file else None
    return BeginningRequest(
        f"{server.url}{BEGINNING_PATH}", key_path, sample_rate, json.loads(body)
    )


def files_of(job: Job) -> Iterator[Path]:
    """The files, and folders of files, that decide the sound of a book; some may not be there."""
    yield from places_of_settings()
    yield from _paths_in(replace(job, out=job.source))
    yield from (correction_file_of(job.source), casting_path_of(job.source))
    if job.cast.where:
        yield Path(job.cast.where)
    if not is_epub(job.source):  # which has all in one file
        yield job.source.parent


def _paths_in(value: object) -> Iterator[Path]:
    """All paths in plain data."""
    match value:
        case Path():
            yield value
        case tuple() | list():
            for one in cast("Sequence[object]", value):
                yield from _paths_in(one)
        case Mapping():
            for one in cast("Mapping[object, object]", value).values():
                yield from _paths_in(one)
        case _ if is_dataclass(value):
            for field in fields(value):
                yield from _paths_in(getattr(value, field.name))
        case _:
            pass
