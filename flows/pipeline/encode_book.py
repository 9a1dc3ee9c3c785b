"""Levels and encodes a rendered book: the files that the library lacks."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import chain

from audiomill.flows.console import say
from audiomill.flows.execution.executor import stop_stages_on_error
from audiomill.flows.execution.stage_times import StageTimes
from audiomill.flows.execution.windows import WindowResult
from audiomill.flows.pipeline.chapter_audio import EncodeRegion, recording_regions
from audiomill.flows.pipeline.companion_files import make_transcripts
from audiomill.flows.pipeline.encode_recordings import encode_recordings
from audiomill.flows.pipeline.levelling import Levelling, MeasureLoss, plan_levels, sample_levels
from audiomill.flows.pipeline.music import add_music, chapters_with_ends
from audiomill.flows.pipeline.planning.output_specs import OutputSpec
from audiomill.flows.pipeline.planning.recordings import Recording, chapter_places
from audiomill.flows.pipeline.predicted_levels import (
    chosen_levels,
    n_predicting_chapters,
    predict_levels,
)
from audiomill.flows.pipeline.render_book import (
    RenderedBook,
    measure_limiter_loss,
    require_speech,
    silent_segments,
)
from audiomill.flows.pipeline.retail_sample import retail_sample
from audiomill.flows.pipeline.run_state import Run, RunResult
from audiomill.flows.pipeline.suspects import Suspect, find_suspects
from audiomill.outputs.audio.mastering import MasterPlan
from audiomill.outputs.audio.music import MusicUse
from audiomill.outputs.audio.music_places import RecordingMusic
from audiomill.outputs.types import EncodedOutput, MeasuredChapter
from audiomill.renderers.engine.protocol import Request, Samples
from audiomill.renderers.engine.registry import open_renderer
from audiomill.renderers.host.waiting import RunWaiter
from audiomill.renderers.store.store import Miss, ShardStore, StoredShard, open_store


@dataclass(frozen=True, slots=True)
class ToMake:
    """The files that a run is asked for, and those of them that are to be made."""

    specs: tuple[OutputSpec, ...]  # of the book
    samples: tuple[OutputSpec, ...]  # the retail sample
    missing: tuple[OutputSpec, ...]  # of both


@dataclass(frozen=True, slots=True)
class _Recordings:
    """The recordings to encode, and how."""

    music: Mapping[Recording, RecordingMusic]
    regions: Mapping[Recording, tuple[EncodeRegion, ...]]
    levelling: Levelling


@contextmanager
def run_store(run: Run) -> Generator[ShardStore]:
    """The store of a run, and its processes, while it makes files. An error stops all stages.

    Raises StoreError, OSError.
    """
    waiter = RunWaiter(run.context.check, say, run.job.outage_s)
    store_session = open_store(run.job.store, waiter).session()
    with store_session as store, run.pool, stop_stages_on_error(run.executor, run.context):
        yield store


def encode_book(
    run: Run,
    store: ShardStore,
    book: RenderedBook,
    pieces: Mapping[MusicUse, Samples],
    to_make: ToMake,
    times: Callable[[float], StageTimes],
) -> RunResult:
    """Level and encode a rendered book. `times` tells the stages of a run that ends at a time.

    Raises RenderError, StoreError, OutputError, Interrupted.
    """
    run = replace(run, plan=book.plan)  # with the voices' gains
    silent = silent_segments(run.plan, book.chapters)
    require_speech(run.plan, silent)
    music = add_music(run.job, run.plan, pieces, to_make.specs, book.chapters)
    chapters = tuple(chain.from_iterable(one.chapters for one in music.values()))
    audio = [spec for spec in to_make.missing if spec.is_audio]
    of_book = _recordings_of_book(run, store, book, music, audio, to_make)
    with_sample = _with_sample(run, store, book, of_book, to_make)
    encoded = encode_recordings(
        run, store, audio, with_sample.music, with_sample.regions, with_sample.levelling
    )
    return RunResult(
        windows=book.windows,
        chapters=chapters,
        silent=silent,
        suspects=_suspects(run, store, book.windows, music, chapters),
        gains_db=book.gains_db,
        music=music,
        levelling=with_sample.levelling,
        recorded=_select(encoded, is_sample=False),
        samples=_select(encoded, is_sample=True),
        transcripts=make_transcripts(run, to_make.missing, book.windows, chapters),
        warnings=tuple(run.context.warnings),
        usages=tuple(run.context.usages),
        stage_times=times(time.perf_counter()),
    )


def _recordings_of_book(
    run: Run,
    store: ShardStore,
    book: RenderedBook,
    music: Mapping[Recording, RecordingMusic],
    audio: Sequence[OutputSpec],
    to_make: ToMake,
) -> _Recordings:
    """Cut into regions and levelled; `audio` are the files to make. Raises as `encode_book`."""
    regions = {
        one: tuple(recording_regions(run.job.delivery, run.plan.chapters[one.chapters], placed))
        for one, placed in music.items()
    }
    levelling = plan_levels(
        run.job, music, to_make.specs, audio, regions, _measure_loss(run, store)
    )
    if audio:
        levelling = _predicted_or_exact(run, store, book, to_make, levelling)
    return _Recordings(music, regions, levelling)


def _predicted_or_exact(
    run: Run, store: ShardStore, book: RenderedBook, to_make: ToMake, exact: Levelling
) -> Levelling:
    """The `exact` levels, or those that the beginning predicted where these are near enough.

    Raises RenderError, StoreError.
    """
    n_chapters = n_predicting_chapters(run.job, run.plan)
    if not n_chapters:
        return exact
    first = book.chapters[:n_chapters]
    predicted = book.predicted or predict_levels(
        run.job, run.plan, to_make.specs, first, _measure_loss(run, store)
    )
    chosen = chosen_levels(exact, predicted)
    if book.predicted and chosen == exact:
        say("The book is louder or softer than its beginning, so that is encoded again.")
    return chosen


def _with_sample(
    run: Run, store: ShardStore, book: RenderedBook, of_book: _Recordings, to_make: ToMake
) -> _Recordings:
    """The recordings of the book, and the retail sample if it is missing. It has no music."""
    if not any(spec.recording.is_sample for spec in to_make.missing):
        return of_book
    sample, recording = retail_sample(run, store, book), to_make.samples[0].recording
    music = {recording: RecordingMusic(tuple(chapters_with_ends(run.job, sample.chapters)))}
    regions = {
        recording: tuple(recording_regions(run.job.delivery, sample.plans, music[recording]))
    }
    levelling = sample_levels(
        run.job, music, to_make.samples, regions, of_book.levelling, _measure_loss(run, store)
    )
    return _Recordings(
        {**of_book.music, **music},
        {**of_book.regions, **regions},
        {**of_book.levelling, **levelling},
    )


def _select(
    encoded: Mapping[tuple[OutputSpec, ...], EncodedOutput], *, is_sample: bool
) -> dict[tuple[OutputSpec, ...], EncodedOutput]:
    """The samples among the encoded recordings, or the others."""
    return {
        specs: one for specs, one in encoded.items() if specs[0].recording.is_sample is is_sample
    }


def _suspects(
    run: Run,
    store: ShardStore,
    windows: Iterable[WindowResult],
    recordings: Iterable[Recording],
    chapters: Sequence[MeasuredChapter],
) -> tuple[Suspect, ...]:
    """The segments whose audio is probably faulty, with their places in the `recordings`.

    Raises StoreError.
    """
    limits = open_renderer(run.job.engine, run.job.options).limits
    findings = {key: found for window in windows for key, found in window.findings.items()}
    places = chapter_places(recordings, chapters)

    def stored(request: Request) -> StoredShard | Miss:
        return store.get(request.key)

    return find_suspects(
        run.plan.chapters, chapters, limits, findings, places, stored, is_remote=store.is_remote
    )


def _measure_loss(run: Run, store: ShardStore) -> MeasureLoss:
    """The function that measures the limiter's loss. It raises RenderError, StoreError."""

    def loss_db(sample: Sequence[EncodeRegion], sample_s: float, master: MasterPlan) -> float:
        return run.executor.submit(
            "level the recordings",
            measure_limiter_loss,
            run.job,
            store,
            sample,
            sample_s,
            master,
            run.context,
        ).result()

    return loss_db
