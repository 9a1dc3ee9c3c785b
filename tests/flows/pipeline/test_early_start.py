"""The engine begins while a book is read if it will have to render, and else not at all."""

import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

from audiomill.flows.job import Job
from audiomill.flows.pipeline.early_start import EarlyStart
from audiomill.flows.pipeline.planning.manuscript import read_manuscript
from audiomill.flows.pipeline.planning.plan import make_plan
from audiomill.renderers.engine import registry
from audiomill.renderers.engine.declaration import Engine
from audiomill.renderers.engine.protocol import Rendered
from audiomill.renderers.engine.registry import open_renderer
from audiomill.renderers.kokoro.options import KokoroOptions
from audiomill.renderers.store.store import open_store
from audiomill.renderers.tone.renderer import ToneRenderer
from support.book_data import book_job, rendered, write_book
from support.kokoro_reference import folder
from support.paths import ROOT

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
