"""A long book is joined and encoded by processes beside this one, and nobody can tell."""

import logging
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from audiomill.flows.job import Job
from audiomill.flows.make_job import make_job
from audiomill.flows.pipeline import pipeline as mill_room
from audiomill.flows.pipeline.pipeline import run_pipeline
from audiomill.flows.pipeline.plan import ChapterPlan
from audiomill.flows.pipeline.report import Report
from audiomill.flows.pipeline.run_context import Interrupted, RunContext, Step, ThreadExecutor
from audiomill.flows.settings import Settings
from audiomill.outputs.encoding import parallel_aac as pieces
from audiomill.renderers.host import threads as hands
from audiomill.renderers.host.child_process import ChildProcess
from support.book_data import write_book
from support.process_data import children

PROCESSES_FROM_S = mill_room.PROCESSES_FROM_S


@pytest.fixture(autouse=True)
def at_once(monkeypatch):
    """Every book is long enough for the annex, and for several pieces, on two cores."""
    monkeypatch.setattr(mill_room, "PROCESSES_FROM_S", 0.0)
    monkeypatch.setattr(mill_room, "CHUNK_S", 20.0)
    monkeypatch.setattr(mill_room, "usable_cores", lambda: 2)
    monkeypatch.setattr(hands, "usable_cores", lambda: 2)
    monkeypatch.setattr(pieces, "CHUNK_S", 20.0)


@pytest.fixture
def asked(monkeypatch):
    """What was asked of the annex."""
    works = []
    do = ChildProcess.do

    def noted(self, work, order, check):
        works.append(work.__name__)
        return do(self, work, order, check)

    monkeypatch.setattr(ChildProcess, "do", noted)
    return works


def job_in(folder: Path, **choices) -> Job:
    settings = Settings(library=folder / "library", store=str(folder / "store"))
    book = write_book(folder / "book.md", 3, 8)
    return make_job(settings, book, **{"engine": "tone", "formats": ["m4b", "flac"]} | choices)


def milled(job: Job, watch: RunContext | None = None) -> Report:
    with ThreadExecutor() as crew:
        return run_pipeline(job, crew, watch or RunContext())


@pytest.fixture(scope="module")
def by_itself(tmp_path_factory):
    """What one process makes of the book: its files' bytes, and how they measured."""
    folder = tmp_path_factory.mktemp("alone")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(mill_room, "PROCESSES_FROM_S", float("inf"))
        patch.setattr(pieces, "CHUNK_S", 20.0)
        return outcome(milled(job_in(folder)))


def outcome(report: Report) -> tuple[list[bytes], list[object]]:
    told = report.full()["work"]
    levels = [told[name] for name in ("loudness_before_lufs", "loudness_lufs", "true_peak_dbtp")]
    return [file.path.read_bytes() for file in report.files], [*levels, told["chapters"]]


def test_the_book_is_the_same(tmp_path, by_itself, asked, caplog):
    assert outcome(milled(job_in(tmp_path))) == by_itself
    assert asked.count("measure_chapter_audio") == 3
    assert asked.count("encode_chunk") > 3
    assert not caplog.text
    assert not children()


def test_a_short_book_needs_no_processes(tmp_path, asked, monkeypatch):
    monkeypatch.setattr(mill_room, "PROCESSES_FROM_S", PROCESSES_FROM_S)
    report = milled(job_in(tmp_path))
    assert 0 < report.audio_s < PROCESSES_FROM_S
    assert not asked


@pytest.mark.parametrize("n_cores", [1, 64])
def test_there_are_no_more_processes_than_there_is_work(tmp_path, monkeypatch, n_cores):
    monkeypatch.setattr(mill_room, "usable_cores", lambda: n_cores)
    made = []
    annex = mill_room.ProcessPool
    monkeypatch.setattr(mill_room, "ProcessPool", lambda n, _modules: made.append(n) or annex(n))
    report = milled(job_in(tmp_path))
    n_pieces = report.audio_s / 20
    assert n_cores == 1 or 1 < made[0] < n_pieces < 12
    assert made[0] <= n_cores


def test_what_is_damaged_meanwhile_is_rendered_anew(tmp_path, by_itself, monkeypatch):
    """Where it is found there is no engine, so the work comes back."""
    finish = mill_room.finish_chapter

    def after_damage(job: Job, chapter: ChapterPlan, *more):
        key = chapter.parts[3].request.key
        (shard,) = (tmp_path / "store").rglob(f"{key}.shard")
        shard.write_bytes(shard.read_bytes()[:-100])
        return finish(job, chapter, *more)

    monkeypatch.setattr(mill_room, "finish_chapter", after_damage)
    report = milled(job_in(tmp_path))
    assert outcome(report) == by_itself
    assert len([words for words in report.warnings if "rendered anew" in words]) >= 1


def test_a_store_that_only_this_process_sees_will_do(tmp_path, by_itself, request):
    bucket = replace(job_in(tmp_path), store=f"memory://{request.node.name}")
    assert outcome(milled(bucket)) == by_itself


class Meddler:
    """Progress, at whose first news of encoding something is done."""

    def __init__(self, meddle) -> None:
        self._meddle = meddle

    def begin(self, step: Step, total_s: float) -> None:
        pass

    def advance(self, step: Step, _audio_s: float) -> None:
        if step is Step.ENCODE and self._meddle:
            meddle, self._meddle = self._meddle, None
            meddle()


def kill_the_annex() -> None:
    for child in psutil.Process().children():
        with suppress(psutil.Error):  # an encoder may just have ended
            if "audiomill.renderers.host.child_process" in " ".join(child.cmdline()):
                child.kill()


def test_processes_that_are_killed_cost_time_only(tmp_path, by_itself, caplog):
    caplog.set_level(logging.WARNING)
    report = milled(job_in(tmp_path, formats=["m4b"]), RunContext(Meddler(kill_the_annex)))
    assert report.files[0].path.read_bytes() == by_itself[0][0]
    assert "its work is done here" in caplog.text


def test_a_run_that_is_stopped_leaves_no_process(tmp_path, by_itself):
    watch = RunContext()
    with pytest.raises(Interrupted):
        milled(job_in(tmp_path), watch.with_progress(Meddler(watch.stop.set)))
    assert not children()
    assert not list(tmp_path.rglob("*.part"))
    assert outcome(milled(job_in(tmp_path))) == by_itself
