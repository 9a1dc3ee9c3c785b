"""When an engine begins, and how many batches it gets at a time."""

import subprocess
import sys
import threading
from copy import copy
from dataclasses import replace

import numpy as np
import pytest

from audiomill.flows.execution import windows
from audiomill.flows.execution.run_context import RunContext
from audiomill.flows.execution.windows import render_window, window_tasks
from audiomill.flows.job import Job
from audiomill.flows.pipeline.early_start import EarlyStart
from audiomill.flows.pipeline.planning.manuscript import read_manuscript
from audiomill.flows.pipeline.planning.plan import make_plan
from audiomill.renderers.engine import registry
from audiomill.renderers.engine.declaration import Engine
from audiomill.renderers.engine.errors import EngineFailed, PartlyRendered
from audiomill.renderers.engine.protocol import Rendered
from audiomill.renderers.engine.registry import open_renderer
from audiomill.renderers.host.waiting import UNATTENDED
from audiomill.renderers.kokoro.options import KokoroOptions
from audiomill.renderers.store.store import open_store
from audiomill.renderers.tone.renderer import ToneRenderer
from support.book_data import book_job, rendered, write_book
from support.kokoro_reference import folder
from support.paths import ROOT
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


BOOK = "# One\n\nThe mill.\n\nThe sea.\n\n# Two\n\nThe ferry.\n"


class NotingRenderer(ToneRenderer):
    """Notes the texts that it is to prepare."""

    def __init__(self):
        self.prepared = []

    def prefetch(self, requests):
        self.prepared += [one.spoken for one in requests]


@pytest.fixture
def engine(monkeypatch):
    renderer = NotingRenderer()
    declared = Engine("noting", lambda _: renderer, missing="")
    monkeypatch.setitem(registry.ENGINES, "noting", declared)
    registry._loaded.cache_clear()
    yield renderer
    registry._loaded.cache_clear()


def job_with(tmp_path, **choices) -> Job:
    return replace(book_job(tmp_path, BOOK, **choices), engine="noting")


def prepared_while_read(job: Job, engine: NotingRenderer) -> list[str]:
    engine.prepared.clear()
    read_manuscript(job, EarlyStart(job))
    return engine.prepared


def test_the_beginning_is_prepared_while_the_rest_is_read(tmp_path, engine):
    job, seen = job_with(tmp_path), []
    start = EarlyStart(job)

    def on_chapter(book, segments):
        start(book, segments)
        seen.append([*engine.prepared])

    read_manuscript(job, on_chapter)
    assert seen == [["One", "The mill.", "The sea."]] * 2


def test_what_the_store_has_is_not_prepared(tmp_path, engine):
    job = job_with(tmp_path)
    rendered(job)
    elsewhere = replace(job, out=tmp_path / "elsewhere")
    assert prepared_while_read(elsewhere, engine) == []
    assert prepared_while_read(replace(elsewhere, speed=2.0), engine)


def test_a_finished_book_is_not_prepared_where_the_store_is_empty(tmp_path, engine):
    job = job_with(tmp_path)
    rendered(job)
    emptied = replace(job, store=str(tmp_path / "empty"))
    assert prepared_while_read(emptied, engine) == []
    assert prepared_while_read(replace(emptied, out=tmp_path / "new"), engine)


def test_a_store_that_cannot_be_used_is_told_where_it_is_needed(tmp_path):
    job = replace(book_job(tmp_path, BOOK), store=f"{tmp_path}/book.md/no-folder")
    assert read_manuscript(job, EarlyStart(job)).segments


@pytest.mark.prove
def test_a_small_first_window_changes_no_shard(tmp_path):
    job = replace(book_job(tmp_path, "", speed=4.0), source=write_book(tmp_path / "long.md", 3, 12))
    job = replace(job, window_s=10.0)
    early = replace(
        job, first_window_s=0.0, out=tmp_path / "early", store=str(tmp_path / "early-store")
    )
    reports = [rendered(one) for one in (job, early)]
    shards = [
        {path.name: path.read_bytes() for path in (tmp_path / name).rglob("*") if path.is_file()}
        for name in ("store", "early-store")
    ]
    assert shards[0] == shards[1]
    assert reports[0].files[0].sha256 == reports[1].files[0].sha256
    first, *others = reports[1].result.windows
    assert (first.rendered, len(others) > 3) == (1, True)


@pytest.mark.prove
def test_kokoro_loads_nothing_for_a_book_that_the_store_has(tmp_path):
    settings = {"kokoro": KokoroOptions(weights=folder("narrow"))}
    job = book_job(tmp_path, BOOK, engine="kokoro", settings=settings)
    renderer, store = open_renderer("kokoro", job.options), open_store(job.store)
    plan = make_plan(read_manuscript(job), job, renderer)
    tone = Rendered(0.1 * np.sin(np.arange(12_000, dtype=np.float32) / 20))
    with store.session():
        for window in plan.windows:
            for request in window.requests:
                store.put(request.key, tone, sample_rate=renderer.sample_rate, bits=16)
    program = (
        "import sys\n"
        "from audiomill.flows.cli.main import main\n"
        f"sys.argv = ['audiomill', 'render', {str(job.source)!r}, '--out', {str(job.out)!r},\n"
        f"  '--store', {job.store!r}, '--engine', 'kokoro', '--no-prefect', '--format', 'flac']\n"
        "assert main() == 0\n"
        "assert not {'torch', 'misaki', 'spacy'} & set(sys.modules)\n"
        # Nor does any run load what serves and plays speech.
        "assert not {'starlette', 'uvicorn', 'httpx'} & set(sys.modules)\n"
        "assert not [one for one in sys.modules if one.startswith('audiomill.flows.speech')]\n"
    )
    variables = {"AUDIOMILL_KOKORO__WEIGHTS": str(folder("narrow")), "PATH": ""}
    variables["HOME"] = str(tmp_path)
    subprocess.run([sys.executable, "-c", program], check=True, cwd=ROOT, env=variables)
