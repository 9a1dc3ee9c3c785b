"""An engine gets as many batches at a time as its limits allow, and no more."""

import threading
from copy import copy
from dataclasses import replace

import pytest

from audiomill.flows.execution import windows
from audiomill.flows.execution.run_context import RunContext
from audiomill.flows.execution.windows import render_window, window_tasks
from audiomill.flows.pipeline.planning.manuscript import read_manuscript
from audiomill.flows.pipeline.planning.plan import make_plan
from audiomill.renderers.engine.errors import EngineFailed, PartlyRendered
from audiomill.renderers.host.waiting import UNATTENDED
from audiomill.renderers.store.store import open_store
from audiomill.renderers.tone.renderer import ToneRenderer
from support.book_data import book_job
from support.process_data import TIMEOUT_S


class BarrierRenderer(ToneRenderer):
    """Renders only once `n_at_once` calls, of two sentences each, run at the same time."""

    def __init__(self, n_at_once):
        super().__init__()
        self.limits = replace(ToneRenderer().limits, n_at_once=n_at_once, max_rows=2)
        self.barrier = threading.Barrier(n_at_once)
        self.n_running, self.most_running, self.failing = 0, 0, False
        self.lock = threading.Lock()

    def render(self, batch, waiter=UNATTENDED):
        with self.lock:
            self.n_running += 1
            self.most_running = max(self.most_running, self.n_running)
        self.barrier.wait(TIMEOUT_S)
        if self.failing:
            raise EngineFailed("The engine broke.")
        with self.lock:
            self.n_running -= 1
        return super().render(batch, waiter)


@pytest.fixture
def rendering(monkeypatch, tmp_path):
    """Makes a function that renders a window of eight batches with a given engine."""

    def make(renderer, n_batches=8):
        text = "# T\n\n" + " ".join(f"Word{letter}." for letter in "abcdefghijklmno")
        job = book_job(tmp_path, text)
        monkeypatch.setattr(windows, "open_renderer", lambda *_: renderer)
        plan = make_plan(read_manuscript(job), job, renderer)
        (task,) = window_tasks(job, plan.windows, "T")
        assert len(task.window.batches) == n_batches
        return lambda: render_window(task, open_store(job.store), RunContext())

    return make


@pytest.mark.parametrize("n_at_once", [1, 2, 4])
def test_the_engine_gets_as_many_batches_at_a_time_as_it_allows(rendering, n_at_once):
    renderer = BarrierRenderer(n_at_once)
    render = rendering(renderer)
    assert render().rendered == 16
    assert renderer.most_running == n_at_once
    assert render().cached == 16


def test_an_engine_that_fails_ends_the_window_and_not_only_one_call(rendering):
    renderer = BarrierRenderer(2)
    render = rendering(renderer)
    renderer.failing = True
    with pytest.raises(EngineFailed, match="broke"):
        render()


class PartRenderer(ToneRenderer):
    """Fails with one of the sentences of each batch as long as `failing`."""

    def __init__(self):
        super().__init__()
        self.limits = replace(ToneRenderer().limits, max_rows=4)
        self.failing, self.n_rendered = True, 0

    def render(self, batch, waiter=UNATTENDED):
        self.n_rendered += len(batch.requests)
        rendered = super().render(batch, waiter)
        if not self.failing:
            return rendered
        done = zip(batch.requests[1:], rendered[1:], strict=True)
        raise PartlyRendered("One is broken.", {request.key: one for request, one in done})


def test_what_is_done_of_a_batch_is_kept_when_the_rest_fails(rendering):
    renderer = PartRenderer()
    render = rendering(renderer, n_batches=4)
    with pytest.raises(EngineFailed, match="One is broken"):
        render()
    renderer.failing, renderer.n_rendered = False, 0
    result = render()
    assert result.cached >= 3
    assert result.rendered == renderer.n_rendered == 16 - result.cached


def test_another_process_gets_the_reason_only():
    error = copy(PartlyRendered("One is broken.", {"key": None}))  # as pickle does
    assert (type(error), str(error)) == (EngineFailed, "One is broken.")
