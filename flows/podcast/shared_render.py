"""Renders the segments of many sources in batches that they share, before each is finished alone.

    articles          a: 31 segments   b: 12   c: 40
    alone             [64: a]          [64: b] [64: c]     batches that are half empty
    shared            [64: a b c …] [64: c …]              only the last one is not full

The shards go into the store, where the run of each source finds them. A source that fails here
fails in its own run too, which tells why; so nothing of it is told here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from types import MappingProxyType

from audiomill.flows.console import say
from audiomill.flows.errors import UsageError
from audiomill.flows.execution.executor import Executor, stop_stages_on_error
from audiomill.flows.execution.run_context import RunContext, Step
from audiomill.flows.execution.windows import WindowResult, window_tasks
from audiomill.flows.job import Job
from audiomill.flows.pipeline.planning.manuscript import read_manuscript
from audiomill.flows.pipeline.planning.plan import make_plan, require_segments
from audiomill.inputs.model.book import SourceError
from audiomill.renderers.engine.errors import EngineUnavailable, RenderError
from audiomill.renderers.engine.planning import plan_full_windows, plan_windows
from audiomill.renderers.engine.protocol import NO_USAGE, Request, Usage, Window, total_usage
from audiomill.renderers.engine.registry import open_renderer
from audiomill.renderers.host.waiting import RunWaiter
from audiomill.renderers.store.store import open_store


@dataclass(frozen=True, slots=True)
class SharedRender:
    """The segments rendered for all sources together."""

    rendered: int = 0  # segments that the engine rendered
    cached: int = 0  # segments that the store already had
    usage: Usage = NO_USAGE  # of the rendered ones


def render_shared(
    jobs: Sequence[Job],
    executor: Executor,
    context: RunContext,
    titles: Mapping[Path, str] = MappingProxyType({}),
) -> SharedRender:
    """Render what the store lacks of all sources. Voices and speeds may differ among them.

    Sources of another engine or store have batches of their own. People see `titles` instead of the
    names of files. Raises StoreError, Interrupted.
    """
    results = list(
        chain.from_iterable(
            _render_group(group, executor, context, titles) for group in _groups(jobs)
        )
    )
    return SharedRender(
        sum(one.rendered for one in results),
        sum(one.cached for one in results),
        total_usage(one.usage for one in results),
    )


def _groups(jobs: Iterable[Job]) -> Iterable[Sequence[Job]]:
    """The jobs whose segments one engine can render together, in order."""
    groups: dict[object, list[Job]] = {}
    for job in jobs:
        groups.setdefault((job.engine, job.options, job.store, job.window_s), []).append(job)
    return groups.values()


def failure_of(
    job: Job, executor: Executor, context: RunContext
) -> SourceError | UsageError | RenderError | OSError | None:
    """Why a source cannot be read or rendered; None if it can. Raises StoreError, Interrupted."""
    try:
        renderer = open_renderer(job.engine, job.options)
        windows = plan_windows(_requests_of(job), renderer.limits, window_s=job.window_s)
    except (SourceError, UsageError, RenderError, OSError) as error:
        return error
    return _render_windows(job, windows, 1, executor, context)[1]


def _render_group(
    jobs: Sequence[Job], executor: Executor, context: RunContext, titles: Mapping[Path, str]
) -> Sequence[WindowResult]:
    windows = shared_windows(jobs, executor, titles)
    # The source whose segment cannot be rendered fails in its own run.
    results, _ = _render_windows(jobs[0], windows, len(jobs), executor, context)
    return results


def _render_windows(
    job: Job, windows: Sequence[Window], n_sources: int, executor: Executor, context: RunContext
) -> tuple[Sequence[WindowResult], RenderError | None]:
    """(what was rendered, the error that ended it)."""
    context.progress.begin(Step.RENDER, sum(window.estimated_s for window in windows))
    results: list[WindowResult] = []
    waiter = RunWaiter(context.check, say, job.outage_s)
    session = open_store(job.store, waiter).session()
    with session as store, stop_stages_on_error(executor, context):
        tasks = window_tasks(job, windows, f"{n_sources} sources")
        try:
            results.extend(executor.render_windows(tasks, store, context))
        except RenderError as error:
            executor.wait_all()
            return results, error
    return results, None


def shared_windows(
    jobs: Sequence[Job], executor: Executor, titles: Mapping[Path, str] = MappingProxyType({})
) -> tuple[Window, ...]:
    """The windows of all sources of one engine that can be read, each distinct segment once."""
    job = jobs[0]
    renderer = open_renderer(job.engine, job.options)
    requests = list[Request]()
    with suppress(EngineUnavailable):  # it is waited for once, not for each source
        for one in jobs:
            reader = executor.of(titles.get(one.source, one.source.name))
            requests += reader.submit("read", planned_requests, one).result()
    return plan_full_windows(
        tuple(requests), renderer.limits, window_s=job.window_s, n_shared=executor.n_shared_windows
    )


def planned_requests(job: Job) -> tuple[Request, ...]:
    """The requests of one source, in order; none if it cannot be read.

    Raises EngineUnavailable.
    """
    try:
        return _requests_of(job)
    except EngineUnavailable:
        raise
    except (SourceError, UsageError, RenderError, OSError):
        return ()


def _requests_of(job: Job) -> tuple[Request, ...]:
    plan = make_plan(read_manuscript(job), job, open_renderer(job.engine, job.options))
    require_segments(plan, job)
    return tuple(one.request for chapter in plan.chapters for one in chapter.segments)
