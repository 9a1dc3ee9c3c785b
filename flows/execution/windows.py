"""A window of a book as plain data that any machine can render, and the stage that does it.

    WindowTask ─▶ look up ─▶ render what is missing ─▶ store ─▶ WindowResult
                  └── each for another batch, at the same time ──┘

Audio stays in the store: the result only tells what was done.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from audiomill.flows.execution.run_context import RunContext, Step
from audiomill.flows.execution.shard_source import (
    N_STORE_THREADS,
    BatchResult,
    ShardSource,
    StoreLookup,
)
from audiomill.flows.execution.stage_times import Interval
from audiomill.flows.job import Job
from audiomill.renderers.engine.faults import Finding
from audiomill.renderers.engine.options import EngineOptions
from audiomill.renderers.engine.planning import estimate_s
from audiomill.renderers.engine.protocol import Batch, Remark, ShardInfo, Usage, Window, total_usage
from audiomill.renderers.engine.registry import open_renderer
from audiomill.renderers.host.threads import map_in_order
from audiomill.renderers.host.waiting import OUTAGE_S
from audiomill.renderers.store.store import ShardStore


@dataclass(frozen=True, slots=True)
class WindowTask:
    """A window to render, by an engine with its options."""

    of: str  # what it is a part of, for people: a book's title
    n_windows: int  # of that
    window: Window
    engine: str
    options: EngineOptions
    has_transcript: bool  # whether the result tells when words sound
    outage_s: float = OUTAGE_S  # for so long what does not answer is waited for

    @property
    def title(self) -> str:
        """Its work, for people."""
        return f"render window {self.window.index + 1}/{self.n_windows} of {self.of}"


@dataclass(frozen=True, slots=True)
class WindowResult:
    """The time and the work of rendering one window. The audio itself is in the store."""

    index: int
    rendered: int  # segments that the engine rendered
    cached: int  # segments that the store already had
    damaged: tuple[str, ...]  # a sentence for each damaged shard
    render_intervals: tuple[Interval, ...]  # when the engine was rendering a batch
    remarks: Mapping[str, tuple[Remark, ...]]  # by shard key
    findings: Mapping[str, tuple[Finding, ...]]  # by shard key: faults that no take was without
    shards: Mapping[str, ShardInfo]  # by shard key, for transcripts; empty if there will be none
    digests: Mapping[str, str]  # of the shards, by their keys
    usage: Usage  # of the rendered segments


def shards_by_key(windows: Iterable[WindowResult]) -> dict[str, ShardInfo]:
    """What is told of the shards of all windows, for transcripts."""
    return {key: shard for window in windows for key, shard in window.shards.items()}


def window_tasks(job: Job, windows: Sequence[Window], of: str) -> tuple[WindowTask, ...]:
    """The tasks that render these windows of `of` as `job` says."""
    return tuple(
        WindowTask(
            of,
            len(windows),
            window,
            job.engine,
            job.options,
            bool(job.transcripts or job.readalongs),
            job.outage_s,
        )
        for window in windows
    )


def joined_results(parts: Sequence[WindowResult]) -> WindowResult:
    """The results of the parts of one window, as one."""
    return WindowResult(
        index=parts[0].index,
        rendered=sum(part.rendered for part in parts),
        cached=sum(part.cached for part in parts),
        damaged=tuple(words for part in parts for words in part.damaged),
        render_intervals=tuple(one for part in parts for one in part.render_intervals),
        remarks={key: remarks for part in parts for key, remarks in part.remarks.items()},
        findings={key: found for part in parts for key, found in part.findings.items()},
        shards={key: shard for part in parts for key, shard in part.shards.items()},
        digests={key: digest for part in parts for key, digest in part.digests.items()},
        usage=total_usage(part.usage for part in parts),
    )


def render_window(task: WindowTask, store: ShardStore, context: RunContext) -> WindowResult:
    """Render those segments of a window that the store lacks, and store them.

    Looking up, rendering and storing overlap, each for another batch. Raises RenderError,
    StoreError, Interrupted.
    """
    renderer = open_renderer(task.engine, task.options)
    source = ShardSource(renderer, store, context, task.outage_s)
    limits = source.renderer.limits
    results: list[BatchResult] = []
    with (
        ThreadPoolExecutor(N_STORE_THREADS) as writers,
        ThreadPoolExecutor(limits.n_at_once) as render_threads,
    ):
        rendered = map_in_order(
            lambda lookup: render_threads.submit(source.render_missing, lookup, writers),
            _look_up_ahead(source, context.until_cancelled(task.window.batches), writers),
            limits.n_at_once,
        )
        for batch, result in zip(task.window.batches, rendered, strict=True):
            results.append(result)
            if len(results) > 1:
                # Memory then holds two batches, and those being rendered.
                results[-2].wait_until_stored()
            missing = result.lookup.missing
            rendered_s, all_s = (
                sum(estimate_s(request, limits) for request in requests)
                for requests in (missing, batch.requests)
            )
            if len(missing) < len(batch.requests):  # the rest was there, and took no time
                context.progress.extend(Step.RENDER, rendered_s - all_s)
            if missing:
                context.progress.advance(Step.RENDER, rendered_s)
        return _window_result(task, results)


def _look_up_ahead(
    source: ShardSource, batches: Iterable[Batch], readers: ThreadPoolExecutor
) -> Iterator[StoreLookup]:
    """Look up each batch while the engine still renders the one before."""
    previous: StoreLookup | None = None
    for batch in batches:
        lookup = source.look_up(batch, readers)
        if previous:
            yield previous
        previous = lookup
    if previous:
        yield previous


def _window_result(task: WindowTask, results: Sequence[BatchResult]) -> WindowResult:
    """The batches' results in one, once their shards are stored. Raises StoreError."""
    return window_result(
        task,
        [shard for result in results for shard in result.wait_until_stored()],
        n_rendered=sum(len(result.lookup.missing) for result in results),
        damaged=tuple(words for result in results for words in result.lookup.damaged),
        intervals=tuple(result.render_interval for result in results if result.render_interval),
        usage=total_usage(result.usage for result in results),
    )


def window_result(
    task: WindowTask,
    shards: Sequence[ShardInfo],
    *,
    n_rendered: int,
    damaged: tuple[str, ...],
    intervals: tuple[Interval, ...],
    usage: Usage,
) -> WindowResult:
    """The result of a window whose shards are stored, of which so many were rendered for it."""
    return WindowResult(
        index=task.window.index,
        rendered=n_rendered,
        cached=len(shards) - n_rendered,
        damaged=damaged,
        render_intervals=intervals,
        remarks={shard.key: shard.remarks for shard in shards if shard.remarks},
        findings={shard.key: shard.findings for shard in shards if shard.findings},
        shards={shard.key: shard for shard in shards if task.has_transcript},
        digests={shard.key: shard.digest for shard in shards},
        usage=usage,
    )
