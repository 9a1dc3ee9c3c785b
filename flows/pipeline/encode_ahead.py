"""Encodes a long book while it is rendered: what is measured of it, at the predicted level.

    chapters, once measured ─▶ predicted level ─▶ regions ─▶ encoded ─▶ the cache of regions
                                                                                 │
    all chapters ─▶ the book's level ─▶ `encode_recordings` ◀── those of that level

A saving and nothing else: the key of a cached region covers all that decides its bytes, so what
was encoded at another level, or cut elsewhere, is not used. What goes wrong here fails no run: the
run meets the same error when it encodes. Files that are levelled by themselves have their exact
level as soon as their own chapters are measured. The encoders give way to the engine.

Lossless files are left out: their regions are large, and mastering them takes little time.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from contextvars import copy_context
from dataclasses import replace
from itertools import chain
from pathlib import Path
from threading import Event, Thread

from audiomill.flows.execution.run_context import Interrupted
from audiomill.flows.execution.shard_source import shard_source_of
from audiomill.flows.pipeline.chapter_audio import EncodeRegion, recording_regions
from audiomill.flows.pipeline.encode_recordings import audio_region, target_of
from audiomill.flows.pipeline.levelling import FileLevel, Levelling, plan_levels
from audiomill.flows.pipeline.measured_so_far import MeasuredSoFar, NoMore
from audiomill.flows.pipeline.music import chapters_with_ends
from audiomill.flows.pipeline.planning.output_specs import OutputSpec
from audiomill.flows.pipeline.planning.plan import ChapterPlan
from audiomill.flows.pipeline.planning.recordings import Recording
from audiomill.flows.pipeline.predicted_levels import (
    PredictedLevels,
    is_encoded_while_rendering,
    n_predicting_chapters,
    predict_levels,
)
from audiomill.flows.pipeline.render_book import measure_limiter_loss
from audiomill.flows.pipeline.run_state import Run
from audiomill.outputs.audio.file_sound import file_regions
from audiomill.outputs.audio.mastering import MasterPlan
from audiomill.outputs.audio.music_places import RecordingMusic
from audiomill.outputs.formats.pending_file import Target
from audiomill.outputs.formats.region_tasks import RegionTask, cache_region
from audiomill.outputs.formats.registry import FORMATS
from audiomill.outputs.formats.thread_group import EncodeContext, ThreadGroup
from audiomill.outputs.types import MeasuredChapter, OutputError
from audiomill.renderers.engine.errors import RenderError, StoreError
from audiomill.renderers.host.threads import Future, MadeOnce, map_in_order
from audiomill.renderers.store.store import ShardStore

_FAILURES = (NoMore, Interrupted, OutputError, RenderError, StoreError, OSError)


class EncodeAhead:
    """Encodes the missing files of a run from the chapters that it is given.

    `predicted` are the levels by which it does so, once they are known; None for files that are
    levelled by themselves.
    """

    def __init__(
        self,
        run: Run,
        store: ShardStore,
        specs: Sequence[OutputSpec],
        missing: Sequence[OutputSpec],
    ) -> None:
        """`specs` are all files of the run."""
        self._run, self._store = run, store
        self._specs, self._missing = specs, missing
        self._measured = MeasuredSoFar()
        self._own_levels = MadeOnce(self._exact_levels)
        self._stop = Event()
        self.predicted: PredictedLevels | None = None

    def put(self, index: int, plan: ChapterPlan, chapter: MeasuredChapter) -> None:
        """Implement `OnMeasured`."""
        self._measured.put(index, plan, chapter)

    @contextmanager
    def running(self) -> Generator[None]:
        """Encode while the block runs. Regions that are not finished then are given up.

        On a busy machine nobody should wait for what gives way to everybody.
        """
        thread = Thread(target=copy_context().run, args=[self._encode], name="encode ahead")
        thread.start()
        try:
            yield
        finally:
            self._stop.set()
            self._measured.end()
            thread.join()

    def _encode(self) -> None:
        cache = self._run.library_entry.region_cache
        with suppress(*_FAILURES):
            if not cache.prepare():
                return
            if not self._run.job.mastering.per_file:
                self.predicted = self._predict()
            context = EncodeContext(self._run.ahead_pool, self._check, region_cache=cache)
            with self._run.ahead_pool, ThreadGroup(context) as threads:
                passes = _passes(self._missing)
                started = [threads.start_pass(self._pass, threads, one) for one in passes]
                for one in started:
                    one.result()

    def _check(self) -> None:
        if self._stop.is_set():
            raise Interrupted
        self._run.context.check()

    def _predict(self) -> PredictedLevels:
        """The levels of all files, by the first chapters. Raises NoMore, and as measuring does."""
        job, plan = self._run.job, self._run.plan
        found = [self._measured.of(index) for index in range(n_predicting_chapters(job, plan))]
        measured = [chapter for _, chapter in found]
        # With the gains of voices, which were not known before.
        plan = replace(plan, chapters=tuple(chapter for chapter, _ in found))
        return predict_levels(job, plan, self._specs, measured, self._loss_db)

    def _exact_levels(self, recording: Recording) -> Levelling:
        """The levels of files that are levelled by themselves. Raises as `_predict` does."""
        job = self._run.job
        found = [self._measured.of(index) for index in range(recording.first, recording.last)]
        chapters = chapters_with_ends(job, [chapter for _, chapter in found])
        music = {recording: RecordingMusic(tuple(chapters))}
        plans = [plan for plan, _ in found]
        regions = {recording: tuple(recording_regions(job.delivery, plans, music[recording]))}
        specs, missing = (
            [spec for spec in all_of if spec.recording == recording]
            for all_of in (self._specs, self._missing)
        )
        return plan_levels(job, music, specs, missing, regions, self._loss_db)

    def _loss_db(
        self, sample: Sequence[EncodeRegion], sample_s: float, master: MasterPlan
    ) -> float:
        run = self._run
        return measure_limiter_loss(run.job, self._store, sample, sample_s, master, run.context)

    def _pass(self, threads: ThreadGroup, specs: Sequence[OutputSpec]) -> None:
        """Encode the files, one after the other, until nothing more is to begin."""

        def start(task: RegionTask) -> Future[None]:
            self._measured.require_more()
            return threads.start(cache_region, threads, task)

        tasks = chain.from_iterable(self._tasks(spec) for spec in specs)
        with suppress(NoMore):
            for _ in map_in_order(start, tasks, threads.n + 1):
                pass

    def _tasks(self, spec: OutputSpec) -> Iterator[RegionTask]:
        """The tasks of a file, each as soon as its chapters are measured. Raises NoMore."""
        run, codec = self._run, FORMATS[spec.format].load_codec()
        target = target_of(spec, run.library_entry.folder, self._level(spec))
        sound = target.sound(run.plan.sample_rate)
        settings = codec.settings(run.ffmpeg.path, sound, target.options, target.path)
        reader = shard_source_of(run.job, self._store, run.context).reader()
        regions = (
            audio_region(reader, region, run.plan.sample_rate)
            for region in self._measured.regions_of(run.job, spec.recording)
        )
        yield from codec.tasks(file_regions(regions, sound), settings)

    def _level(self, spec: OutputSpec) -> FileLevel:
        if self.predicted is not None:
            return self.predicted[spec.format]
        return self._own_levels.of(spec.recording)[spec.recording, spec.format]


def _passes(missing: Sequence[OutputSpec]) -> list[list[OutputSpec]]:
    """The files that are to be encoded, without those of which another is the same stream."""
    passes = dict[object, dict[Recording, OutputSpec]]()
    for spec in missing:
        codec = FORMATS[spec.format].load_codec()
        options = Target(spec.format, Path(), spec.encoding).options
        passes.setdefault((codec, codec.pass_options(options)), {}).setdefault(spec.recording, spec)
    return [list(specs.values()) for specs in passes.values()]


def files_encoded_ahead(run: Run, missing: Iterable[OutputSpec]) -> list[OutputSpec]:
    """The `missing` files that are encoded while the book is rendered; none of a short book."""
    return [spec for spec in missing if _is_encoded_ahead(spec)] if _is_predictable(run) else []


def _is_encoded_ahead(spec: OutputSpec) -> bool:
    """Whether it is a file of the book, and none without loss."""
    return spec.is_audio and FORMATS[spec.format].is_lossy and not spec.recording.is_sample


def _is_predictable(run: Run) -> bool:
    """Whether what is measured first tells how a long book is encoded.

    Chapters that are listened to may be rendered again.
    """
    job, plan = run.job, run.plan
    if run.recogniser or not is_encoded_while_rendering(job, plan):
        return False
    return job.mastering.per_file or n_predicting_chapters(job, plan) > 0
