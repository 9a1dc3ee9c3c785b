"""Renders a book's windows. Chapters are measured while later windows render.

Where speech is checked, each window is listened to before its chapters are measured: what is
rendered again has another length.
"""

from __future__ import annotations

from dataclasses import dataclass

from audiomill.flows.execution.run_context import Step
from audiomill.flows.execution.windows import WindowResult, window_tasks
from audiomill.flows.pipeline.planning.level_requests import voice_gains_db
from audiomill.flows.pipeline.planning.plan import Plan, with_gains
from audiomill.flows.pipeline.rendering.measuring import measure_chapter, measure_voices
from audiomill.flows.pipeline.rendering.speech_check import SpeechCheck, tell_effort
from audiomill.flows.pipeline.run import Run
from audiomill.outputs.types import MeasuredChapter
from audiomill.renderers.host.threads import Future
from audiomill.renderers.store.store import ShardStore


@dataclass(frozen=True, slots=True, eq=False)
class RenderedBook:
    """A book whose segments are in the store."""

    plan: Plan  # with the voices' gains
    gains_db: dict[str, float]  # of voices that are louder or softer than the main one
    windows: tuple[WindowResult, ...]
    chapters: tuple[MeasuredChapter, ...]


def render_book(run: Run, store: ShardStore) -> RenderedBook:
    """Render all windows. Measure each chapter as soon as its last window is rendered.

    No chapter is measured before the voices' gains are known. Raises RenderError, StoreError,
    Interrupted.
    """
    plan, gains_db = run.plan, dict[str, float]()
    check = _speech_check(run, store)
    run.context.progress.begin(Step.RENDER, run.plan.estimated_s)
    if check:
        run.context.progress.begin(Step.LISTEN, run.plan.estimated_s)
    run.context.progress.begin(Step.MEASURE, len(run.plan.chapters))
    results: list[WindowResult] = []
    chapters: dict[int, Future[MeasuredChapter]] = {}
    tasks = window_tasks(run.job, plan.windows, plan.book.title)
    for rendered in run.executor.render_windows(tasks, store, run.context):
        result = _checked(run, check, rendered) if check else rendered
        results.append(result)
        if plan.level_requests and result.index == plan.levels_window:
            gains_db = _measured_gains(run, store)
            plan = with_gains(plan, gains_db)
        for index, chapter in enumerate(plan.chapters):
            if index not in chapters and chapter.last_window <= result.index:
                chapters[index] = run.executor.submit(
                    chapter.name,
                    measure_chapter,
                    run.job,
                    store,
                    chapter,
                    run.context,
                    run.pool,
                )
    in_book_order = (chapters[index].result() for index in range(len(plan.chapters)))
    return RenderedBook(plan, gains_db, tuple(results), tuple(in_book_order))


def _speech_check(run: Run, store: ShardStore) -> SpeechCheck | None:
    """What listens to all windows, if that is wanted. Says how long it takes."""
    if run.recogniser is None:
        return None
    tell_effort(run.plan, run.recogniser)
    return SpeechCheck(run, store, run.recogniser)


def _checked(run: Run, check: SpeechCheck, rendered: WindowResult) -> WindowResult:
    """A window that was listened to. Raises RenderError, StoreError, Interrupted."""
    title = f"check window {rendered.index + 1}/{len(run.plan.windows)} of {run.plan.book.title}"
    requests = run.plan.windows[rendered.index].requests
    result = run.executor.submit(title, check.checked, requests, rendered).result()
    if result.usage.n_takes > rendered.usage.n_takes:  # what was encoded before may be of old takes
        run.library_entry.drop_regions()
    return result


def _measured_gains(run: Run, store: ShardStore) -> dict[str, float]:
    """The gains of voices that are louder or softer than the main one. Raises RenderError."""
    levels = run.executor.submit(
        "measure the voices", measure_voices, run.job, store, run.plan.level_requests, run.context
    )
    return voice_gains_db(levels.result())
