"""Workers measure and encode parts of a book. The files are the same; what they cannot is done."""

import os
import pickle
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import imageio_ffmpeg
import psutil
import pytest
from distributed import Client

from audiomill.flows.cluster import task_pool
from audiomill.flows.cluster.cluster import Cluster
from audiomill.flows.cluster.connection import SchedulerConnection
from audiomill.flows.cluster.task_pool import HERE, MAX_FAULTS, ClusterPool, TaskPlaces
from audiomill.flows.cluster.worker_card import own_ffmpeg
from audiomill.flows.execution.executor import ThreadExecutor
from audiomill.flows.execution.run_context import RunContext
from audiomill.flows.pipeline.pipeline import run_pipeline
from audiomill.outputs.ffmpeg.find_ffmpeg import ffmpeg_build
from audiomill.outputs.formats.aac_regions import EncodedRegion
from audiomill.outputs.types import EncoderFailed, MeasuredChapter
from audiomill.renderers.host.process_pool import ProcessPool
from audiomill.renderers.store.store import open_store
from support import pool_tasks
from support.book_data import rendered, short_regions, source_job, write_book
from support.cluster import running_cluster
from support.home import Home
from support.process_data import wait_until

pytestmark = pytest.mark.prove  # workers that are processes, and their faults


class Unwanted(Exception):
    """The task is not wanted any more."""


def never() -> None:
    """A check that stops nothing."""


@contextmanager
def one_encoder(folder):
    """A cluster with one worker, which encodes one region at a time."""
    with running_cluster(Home(folder, {})) as cluster:
        cluster.start_worker("encoding", "--engine", "tone", "--encoders", "1")
        cluster.wait_for("encoding")
        yield cluster


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    """For tests that leave its worker as it is: they may run in any order."""
    with one_encoder(tmp_path_factory.mktemp("cluster")) as cluster:
        yield cluster


@pytest.fixture
def own_cluster(tmp_path):
    folder = tmp_path / "cluster"
    folder.mkdir()
    with one_encoder(folder) as cluster:
        yield cluster


@contextmanager
def connected(cluster, notices=None):
    with SchedulerConnection(cluster.address, print) as connection:
        yield TaskPlaces(connection, {}, print if notices is None else notices.append)


@pytest.fixture
def places(cluster, monkeypatch):
    """Those of a machine with one core, and of a worker with one encoder."""
    monkeypatch.setattr(task_pool, "usable_cores", lambda: 1)
    with connected(cluster) as places:
        wait_until(lambda: places.n_elsewhere() == 1)
        yield places


def order(task, argument) -> bytes:
    return pickle.dumps((task, argument))


def test_the_files_are_those_of_a_run_without_a_cluster(cluster, tmp_path, monkeypatch):
    short_regions(monkeypatch, n_cores=1)
    monkeypatch.setattr(task_pool, "usable_cores", lambda: 1)
    answers = []
    answer = TaskPlaces.answer
    monkeypatch.setattr(
        TaskPlaces, "answer", lambda *words: answers.append(answer(*words)) or answers[-1]
    )
    book = write_book(tmp_path / "book.md", 3, 8)
    near, far = (
        source_job(book, tmp_path / name, formats=["m4b", "flac"]) for name in ("near", "far")
    )
    with Cluster(cluster.address, 60.0, print) as place, ThreadExecutor() as threads:
        report = run_pipeline(far, place.executor(threads), RunContext())
    expected = rendered(near)
    for ours, theirs in zip(report.files, expected.files, strict=True):
        assert ours.path.read_bytes() == theirs.path.read_bytes()
    assert not [one.refusal for one in answers if one.refusal]
    assert {type(one.result) for one in answers} == {MeasuredChapter, EncodedRegion}


def test_a_task_runs_here_first_and_at_a_worker_while_this_machine_is_busy(places, tmp_path):
    has_begun = tmp_path / "begun"
    is_over = []

    def stop():
        if is_over:
            raise Unwanted

    with ClusterPool(ProcessPool(1), places) as pool, ThreadPoolExecutor() as threads:
        assert pool.n_elsewhere == 1
        here = parent_of(pool.do(pool_tasks.where, None, never)[0])
        busy = threads.submit(pool.do, pool_tasks.run_forever, has_begun, stop)
        wait_until(has_begun.exists)
        there = parent_of(pool.do(pool_tasks.where, None, never)[0])
        is_over.append(True)
        with pytest.raises(Unwanted):
            busy.result()
        again = parent_of(pool.do(pool_tasks.where, None, never)[0])
    assert (here, again) == (os.getpid(), os.getpid())
    assert there != os.getpid()


def parent_of(pid):
    """The process that had started a child, which still runs."""
    return psutil.Process(pid).ppid()


def test_what_a_worker_cannot_do_is_done_here(places):
    """One of two at the same time goes to the worker, which is no parent of the pool's children."""
    with ClusterPool(ProcessPool(1), places) as pool, ThreadPoolExecutor(2) as threads:
        done = threads.map(
            lambda _: pool.do(pool_tasks.only_in_parent, os.getpid(), never), range(2)
        )
        assert [pid for pid, *_ in done] == [os.getpid()] * 2
        with pytest.raises(EncoderFailed, match="ffmpeg gave up"):
            pool.do(pool_tasks.fail, "ffmpeg gave up", never)


def test_a_worker_that_can_do_nothing_gets_no_more(cluster):
    notices = []
    with connected(cluster, notices) as places:
        wait_until(lambda: places.n_elsewhere() == 1)
        address = address_of_worker(cluster)
        for n_faults in range(MAX_FAULTS):
            assert places.n_elsewhere() == 1, n_faults
            answer = places.answer(address, order(pool_tasks.fail, "ffmpeg gave up"), never)
            assert answer.refusal == "ffmpeg gave up"
        assert places.n_elsewhere() == 0
    assert len(notices) == 1
    assert "encoding" in notices[0]
    assert "encodes nothing of this run: ffmpeg gave up." in notices[0]


def test_one_success_forgives_what_failed(cluster, places):
    address = address_of_worker(cluster)
    for _ in range(MAX_FAULTS):
        assert places.answer(address, order(pool_tasks.fail, "no"), never).is_fault
        assert places.answer(address, order(pool_tasks.where, None), never).result[2] == 45
    assert places.n_elsewhere() == 1


def address_of_worker(cluster) -> str:
    with Client(cluster.address, set_as_default=False) as client:
        (address,) = client.scheduler_info()["workers"]
    return address


def test_what_cannot_be_unpickled_there_is_a_fault(cluster, places):
    assert places.answer(address_of_worker(cluster), b"no pickle", never).is_fault


def test_a_worker_with_another_store_does_nothing(cluster, tmp_path):
    """What it has under the same keys may sound otherwise."""
    store = open_store(str(tmp_path))
    stores = {store.absolute_location: "another one"}
    with SchedulerConnection(cluster.address, print) as connection:
        places = TaskPlaces(connection, stores, print)
        answer = places.answer(address_of_worker(cluster), order(pool_tasks.where, None), never)
    assert "no store there" in answer.refusal


def test_encoders_that_others_use_are_no_fault(cluster, places, tmp_path):
    address, has_begun = address_of_worker(cluster), tmp_path / "begun"

    def stop():
        if has_begun.exists():
            raise Unwanted

    with pytest.raises(Unwanted):
        places.answer(address, order(pool_tasks.run_until_gone, has_begun), stop)
    answer = places.answer(address, order(pool_tasks.where, None), never)
    assert answer.refusal == "all encoders are busy"
    assert not answer.is_fault
    has_begun.unlink()
    wait_until(
        lambda: not places.answer(address, order(pool_tasks.where, None), never).refusal,
    )


def test_a_task_whose_worker_leaves_is_done_here(own_cluster, tmp_path, monkeypatch):
    monkeypatch.setattr(task_pool, "usable_cores", lambda: 0)
    has_begun = tmp_path / "begun"
    with connected(own_cluster) as places, ThreadPoolExecutor() as threads:
        wait_until(lambda: places.n_elsewhere() == 1)
        address = places.take("", never)
        task = order(pool_tasks.run_forever, has_begun)
        running = threads.submit(places.answer, address, task, never)
        wait_until(has_begun.exists)
        own_cluster.stop_workers()
        assert running.result().refusal
        assert not running.result().is_fault
        wait_until(lambda: places.n_elsewhere() == 0)


def test_workers_with_another_ffmpeg_measure_only(own_cluster, tmp_path, monkeypatch):
    own_cluster.stop_workers()
    other = tmp_path / "ffmpeg"
    real = imageio_ffmpeg.get_ffmpeg_exe()
    other.write_text(f'#!/bin/sh\n[ "$1" = -version ] && echo another\nexec {real} "$@"\n')
    other.chmod(0o755)
    home = own_cluster.home.with_variables(IMAGEIO_FFMPEG_EXE=other)
    own_cluster.start_worker("other", "--engine", "tone", "--encoders", "2", home=home)
    own_cluster.wait_for("other")
    monkeypatch.setattr(task_pool, "usable_cores", lambda: 0)
    with connected(own_cluster) as places:
        wait_until(lambda: places.n_elsewhere() == 2)
        assert places.take("", never) != HERE
        with pytest.raises(Unwanted):
            places.take(own_ffmpeg(), after_a_second())
        assert places.take(ffmpeg_build(str(other)), never) != HERE
    found = own_cluster.home.run("doctor", "--cluster")
    assert "2 encoders (their ffmpeg is another one: they only measure)" in found.stdout


def after_a_second():
    """A check that stops what is waited for, after some looks."""
    looks = iter(range(4))

    def check():
        if next(looks, None) is None:
            raise Unwanted

    return check
