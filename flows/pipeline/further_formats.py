"""What a finished book could still get without rendering: its files in other formats.

    plan ─▶ every file that could be made ─┬─ recorded in the library ─▶ what is finished
                                           └─ the others ─▶ what could be made of it
    keys of the plan ─▶ the store ─▶ how many segments would be rendered after all

Nothing is written, no file of the library is read but its records, and no shard is read.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from itertools import chain
from typing import get_args

from audiomill.flows.job import Job
from audiomill.flows.options import Follow
from audiomill.flows.pipeline.library.places import Place, PlaceSearch, places
from audiomill.flows.pipeline.library.records import Edition, Origin, Records, edition_of
from audiomill.flows.pipeline.library.reusable import recorded_editions
from audiomill.flows.pipeline.music import digest_music
from audiomill.flows.pipeline.planning.cuts import cut_keys, cuts_fit, with_cuts
from audiomill.flows.pipeline.planning.fingerprints import ContentDigests, book_digests
from audiomill.flows.pipeline.planning.output_specs import (
    OutputSpec,
    asking_for_all,
    output_specs,
    possible_specs,
    readalong_specs,
)
from audiomill.flows.pipeline.planning.plan import Plan
from audiomill.inputs.model.book import Book
from audiomill.outputs.formats.registry import (
    FORMATS,
    PLOT,
    READALONG_AUDIO,
    READALONGS,
    TRANSCRIPTS,
)
from audiomill.renderers.engine.errors import StoreError
from audiomill.renderers.engine.protocol import Renderer
from audiomill.renderers.store.store import open_store

N_LOOKUPS = 32  # at once, in a store on the network


@dataclass(frozen=True, slots=True)
class FinishedBook:
    """The finished files of an edition, and what else could be made of what is there."""

    folder: str
    engine: str
    voice: str  # of the narrator
    speed: float
    split: bool  # a file for each chapter
    formats: tuple[str, ...]  # that are finished
    without_encoding: tuple[str, ...]  # formats that need neither rendering nor encoding
    with_encoding: tuple[str, ...]  # formats for which the book would be encoded, once for all
    segments_to_render: int | None  # those that the store lacks; None: it does not answer
    command: str = ""  # that makes all of `without_encoding`; "" if there is nothing


def further_formats(job: Job, plan: Plan, renderer: Renderer) -> FinishedBook | None:
    """What could be made of a finished edition; None if the library has none of this text.

    What is finished is as the records say: a file that was changed is found by a run. Raises
    UsageError, UnknownVoice, OSError.
    """
    edition, music = edition_of(job, plan.book, renderer), digest_music(job)
    digests = book_digests(plan, job, music)
    place = _place(job, plan.book, edition, possible_specs(plan, job, digests))
    if place is None:
        return None
    records = place.load()
    cuts = cut_keys(plan, job, music, renderer.limits).cuts(records.cuts)
    if cuts_fit(plan, cuts):
        plan = with_cuts(plan, cuts)
    for split in (False, True):
        specs = _every_spec(plan, replace(job, split=split), digests, place.ending)
        there = _finished_formats(specs, place, records)
        if not there.isdisjoint(FORMATS):
            found = edition.engine, edition.voice, edition.speed, split, _ordered(there)
            return FinishedBook(str(place.folder), *found, *_missing(there), _n_lacking(job, plan))
    return None


def recorded_edition(job: Job, source_id: str) -> Edition | None:
    """The edition of a source that the library has, of several the last one that was used.

    One with a cast counts only if the job has one, too. Raises OSError.
    """
    origin = Origin(str(job.source.resolve()), source_id)
    editions = recorded_editions(job.out, origin)
    return next((one for one in editions if one.is_cast == job.cast.has_voices), None)


def _place(job: Job, book: Book, edition: Edition, specs: Iterable[OutputSpec]) -> Place | None:
    """The folder that the edition has in the library; None if it has none."""
    origin = Origin(str(job.source.resolve()), book.source_id)
    search = PlaceSearch(origin, edition, frozenset(spec.fingerprint for spec in specs))
    for first, beside in places(book, edition, job.out):
        if chosen := search.choose(first, beside):
            return None if chosen.is_free() else chosen
    return None


def _every_spec(plan: Plan, job: Job, digests: ContentDigests, ending: str) -> list[OutputSpec]:
    """Every file that could be made, of which books with their sound may follow anything."""
    job = asking_for_all(job)
    specs = output_specs(plan, job, digests, ending)
    variants = (
        replace(job, formats=(sound,), follow=follow)
        for sound in READALONG_AUDIO
        for follow in get_args(Follow)
    )
    books = (readalong_specs(plan, one, digests, specs, ending) for one in variants)
    return [*specs, *chain(*books)]


def _finished_formats(
    specs: Iterable[OutputSpec], place: Place, records: Records
) -> frozenset[str]:
    """The formats of which all files are there. Of books with their sound one is enough."""
    n_wanted, n_there = Counter[str](), Counter[str]()
    for spec in specs:
        record = records.files.get(spec.name)
        is_recorded = record is not None and record.fingerprint == spec.fingerprint
        n_wanted[spec.format] += 1
        n_there[spec.format] += is_recorded and (place.folder / spec.name).is_file()
    n_wanted.update({name: 1 - n_wanted[name] for name in READALONGS})
    return frozenset(name for name, n in n_wanted.items() if n_there[name] >= n)


def _missing(there: Collection[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The formats that are not there: those that need no encoding, and those that need one."""
    has_sound = any(name in there for name in READALONG_AUDIO)
    written = (*(READALONGS if has_sound else ()), *TRANSCRIPTS, PLOT)
    encoded = (*FORMATS, *(() if has_sound else READALONGS))
    return (
        tuple(name for name in written if name not in there),
        tuple(name for name in encoded if name not in there),
    )


def _ordered(formats: Collection[str]) -> tuple[str, ...]:
    every = (*FORMATS, *READALONGS, *TRANSCRIPTS, PLOT)
    return tuple(name for name in every if name in formats)


def _n_lacking(job: Job, plan: Plan) -> int | None:
    """How many segments the store lacks; None if it does not answer."""
    keys = {request.key for window in plan.windows for request in window.requests}
    try:
        store = open_store(job.store)
        if store.is_remote:
            with ThreadPoolExecutor(N_LOOKUPS) as threads:
                return sum(not found for found in threads.map(store.has, keys))
        return sum(not store.has(key) for key in keys)
    except StoreError:
        return None
