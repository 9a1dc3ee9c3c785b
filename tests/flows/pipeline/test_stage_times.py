"""The times of a run's stages: each second counts once, however many windows render at a time."""

import json
import threading
from dataclasses import asdict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audiomill.flows.execution.run_context import busy_s, compute_stage_times
from audiomill.flows.job import Job
from audiomill.renderers.engine import registry
from audiomill.renderers.engine.declaration import Engine
from audiomill.renderers.host.waiting import UNATTENDED
from audiomill.renderers.tone.renderer import ToneRenderer
from support.book_data import rendered, write_book
from support.process_data import TIMEOUT_S

INTERVALS = st.lists(
    st.tuples(st.integers(0, 50), st.integers(0, 20)).map(lambda pair: (pair[0], sum(pair)))
)


@given(INTERVALS)
def test_a_second_is_busy_if_any_batch_was_being_rendered(intervals):
    seconds = {second for start, end in intervals for second in range(start, end)}
    assert busy_s(intervals) == len(seconds)


def test_waiting_for_an_engine_that_takes_one_batch_at_a_time_is_not_counted():
    """The second batch is submitted at 1 s and waits until 4 s."""
    assert busy_s([(0.0, 4.0), (1.0, 8.0)]) == 8.0


@given(INTERVALS, st.integers(0, 9), st.integers(0, 9), st.integers(0, 9))
def test_the_stages_add_up_to_the_run(intervals, before, after, encoding):
    measured = max((end for _, end in intervals), default=0) + after
    times = compute_stage_times(-before, 0, intervals, measured, measured + encoding)
    assert times.wall_s == before + measured + encoding
    assert min(asdict(times).values()) >= 0
    assert 0 <= times.busy_share <= 1


class OneBatchRenderer(ToneRenderer):
    """Takes one batch at a time. The first ends only once another one waits."""

    def __init__(self):
        self.lock, self.n_calls, self.two_called = threading.Lock(), 0, threading.Event()

    def render(self, batch, waiter=UNATTENDED):
        self.n_calls += 1
        if self.n_calls == 2:
            self.two_called.set()
        with self.lock:
            assert self.two_called.wait(TIMEOUT_S)
            return super().render(batch, waiter)


class ParallelRenderer(OneBatchRenderer):
    """Takes several batches at a time, as espeak does. The first ends only once there are two."""

    def render(self, batch, waiter=UNATTENDED):
        self.n_calls += 1
        if self.n_calls == 2:
            self.two_called.set()
        assert self.two_called.wait(TIMEOUT_S)
        return ToneRenderer.render(self, batch, waiter)


@pytest.mark.prove
@pytest.mark.parametrize("renderer_class", [OneBatchRenderer, ParallelRenderer])
def test_two_windows_at_a_time_count_once(tmp_path, monkeypatch, renderer_class):
    engine = renderer_class()
    monkeypatch.setitem(registry.ENGINES, "patient", Engine("patient", lambda _options: engine))
    registry._loaded.cache_clear()
    book = write_book(tmp_path / "book.md", 2, 8)
    store = str(tmp_path / "store")
    job = Job(book, tmp_path / "library", store, "patient", formats=("flac",), window_s=20)
    report = rendered(job)
    registry._loaded.cache_clear()
    assert report.result
    intervals = [pair for window in report.result.windows for pair in window.render_intervals]
    times = report.result.stage_times
    assert sum(end - start for start, end in intervals) > times.synthesis_s > 0
    assert times.synthesis_s == busy_s(intervals)
    assert times.synthesis_s < times.wall_s <= report.wall_s
    saved = json.loads(report.path.read_text())["work"]
    assert saved["engine_busy_share"] == pytest.approx(times.busy_share, abs=1e-3)
    assert sum(saved["spent"].values()) == pytest.approx(times.wall_s, abs=0.01)


def test_segments_in_the_store_take_no_engine_time(tmp_path):
    book = write_book(tmp_path / "book.md", 1, 4)
    jobs = [
        Job(book, tmp_path / library, str(tmp_path / "store"), "tone", formats=("flac",))
        for library in ("one", "two")
    ]
    reports = [rendered(job) for job in jobs]
    assert [report.result.stage_times.synthesis_s > 0 for report in reports] == [True, False]
    assert reports[1].result.stage_times.waiting_s == 0
