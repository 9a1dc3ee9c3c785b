"""Workers, scheduler and flow go away in the middle of a book, or of texts, and come back."""

import os
import signal
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path

import psutil
import pytest

from audiomill.flows.execution.run_context import RunContext
from audiomill.flows.settings import Settings
from audiomill.flows.speech.server import speech_app
from audiomill.flows.speech.speaking import TextSpeaker
from audiomill.flows.web_server.connections import ConnectionLimits
from audiomill.flows.web_server.listening import serving
from support import patient_http
from support.cluster import (
    BRIEF,
    ON_CLUSTER,
    LoopbackCluster,
    own_book,
    report_of,
    running_cluster,
)
from support.documents import documented
from support.home import Home, files_below
from support.process_data import wait_until
from support.stopped_runs import decoded

pytestmark = pytest.mark.longest
# Segments that one worker may have in flight: it renders two windows at once. Each has a batch of
# eight on the card, and one on its way to the store.
IN_FLIGHT = 2 * 2 * 8
PACE = "60"  # so that a book takes seconds
TEXTS = [f"Here is number {n}. It is followed by number {n + 1}." for n in range(20)]
N_CLIENTS = 8
SERVE = documented(
    "AUDIOMILL_DASK_SCHEDULER=tcp://127.0.0.1:8786 audiomill serve --speech --executor dask"
)[2:]


@pytest.fixture(scope="module")
def lasting(tmp_path_factory):
    """One cluster for all tests here: to start it takes as long as to render a book."""
    variables = BRIEF | {
        "AUDIOMILL_TEST_PACE": PACE,
        "AUDIOMILL_WINDOW_S": "15",
        "DASK_DISTRIBUTED__SCHEDULER__WORKER_TTL": "1 day",  # Dask itself takes back no window
    }
    with running_cluster(Home(tmp_path_factory.mktemp("cluster"), variables)) as cluster:
        yield cluster


@pytest.fixture
def cluster(lasting, tmp_path):
    """It, with two workers, which have rendered nothing yet. The processes that a test has ended,
    or had ended, are started anew.
    """
    lasting.home = lasting.home.with_variables(
        AUDIOMILL_STORE=tmp_path / "store", AUDIOMILL_LIBRARY=tmp_path / "library"
    )
    lasting.rendered_log.write_text("")
    lasting.have_workers("one", "two")
    return lasting


@pytest.fixture(scope="module")
def expected(tmp_path_factory):
    """What a run without a cluster makes of the book."""
    near = LoopbackCluster(Home(tmp_path_factory.mktemp("near"), BRIEF))  # which is never started
    return decoded(near.home.render(book_in(near), "--no-prefect", "--format", "flac"))


def book_in(cluster) -> Path:
    return own_book(cluster, "Book", n_sentences=80)


def started(cluster, n_before: int = 0):
    """The run, once some of the book is rendered."""
    process = cluster.home.start("render", book_in(cluster), *ON_CLUSTER)
    wait_until(lambda: len(cluster.rendered_keys()) > n_before + IN_FLIGHT, process)
    return process


def n_repeated(cluster) -> int:
    keys = cluster.rendered_keys()
    return len(keys) - len(set(keys))


@pytest.mark.prove
def test_a_killed_worker_process_costs_what_was_in_flight(cluster, expected):
    process = started(cluster)
    for victim in cluster.processes("one"):
        victim.kill()
    assert decoded(report_of(process)[0]) == expected
    assert n_repeated(cluster) <= IN_FLIGHT


@pytest.mark.prove
def test_a_worker_that_is_told_to_leave_ends_its_batch_and_goes(cluster, expected):
    process = started(cluster)
    cluster.workers["one"].send_signal(signal.SIGTERM)
    assert cluster.workers["one"].wait() == 0
    assert decoded(report_of(process)[0]) == expected
    assert n_repeated(cluster) == 0
    assert "other workers take their windows" in cluster.log_of("one").read_text()


@pytest.mark.prove
def test_ctrl_c_ends_a_worker_in_order_while_it_starts_and_once_it_has_joined(cluster):
    cluster.start_worker("late")
    wait_until(lambda: cluster.processes("late"))
    for name in ("late", "one"):  # the terminal sends it to all processes of the group
        os.killpg(cluster.workers[name].pid, signal.SIGINT)
        assert cluster.workers[name].wait() == 0
        assert "Traceback" not in cluster.log_of(name).read_text()


@pytest.mark.prove
def test_a_worker_that_is_stopped_loses_its_windows_to_others(cluster, expected):
    process = started(cluster)
    stopped = cluster.processes("one")
    for one in stopped:
        one.suspend()
    try:
        report, told = report_of(process)
    finally:
        for one in stopped:
            with suppress(psutil.NoSuchProcess):  # the cluster may have ended it meanwhile
                one.resume()
    assert decoded(report) == expected
    assert "gives no sign of life" in told


@pytest.mark.prove
def test_a_worker_that_comes_later_helps(cluster, expected):
    process = started(cluster)
    others = [*cluster.processes("one"), *cluster.processes("two")]
    for other in others:  # or they would be done before it has started, on a slow machine
        other.suspend()
    cluster.start_worker("three")
    cluster.wait_for("three")
    (late,) = cluster.processes("three")
    wait_until(lambda: late.pid in (pid for pid, _ in cluster.logged("ends")), process)
    for other in others:
        other.resume()
    assert decoded(report_of(process)[0]) == expected


@pytest.mark.prove
def test_a_scheduler_that_comes_back_is_used_again(cluster, expected):
    process = started(cluster)
    cluster.stop_scheduler()
    cluster.start_scheduler()
    assert decoded(report_of(process)[0]) == expected
    assert n_repeated(cluster) <= 2 * IN_FLIGHT


@pytest.mark.prove
def test_a_flow_that_is_killed_goes_on_elsewhere(cluster, expected):
    with started(cluster) as process:
        process.kill()
        process.communicate()
    elsewhere = cluster.home.with_variables(AUDIOMILL_LIBRARY=cluster.home.path / "elsewhere")
    report = elsewhere.render(cluster.home.path / "Book.md", *ON_CLUSTER)
    assert report["cached"] > 0
    assert decoded(report) == expected
    assert n_repeated(cluster) <= 2 * IN_FLIGHT


@pytest.mark.prove
def test_ctrl_c_frees_the_workers(cluster, expected):
    with started(cluster) as process:
        process.send_signal(signal.SIGINT)
        process.communicate()
    assert process.returncode == 130
    n_rendered = len(cluster.rendered_keys())
    report = cluster.home.render(cluster.home.path / "Book.md", *ON_CLUSTER)
    assert decoded(report) == expected
    assert report["cached"] >= n_rendered - 2 * IN_FLIGHT
    assert n_repeated(cluster) <= 2 * IN_FLIGHT


@contextmanager
def served_here(store: Path):
    """The address of a server of speech with the tones of the card, rendered in this process."""
    speed = float(BRIEF["AUDIOMILL_SPEED"])
    settings = Settings(engine="tone", speed=speed, store=str(store), library=store)
    with (
        TextSpeaker(settings, RunContext(), 1) as speaker,
        serving(speech_app(speaker), "127.0.0.1", 0, ConnectionLimits()) as port,
    ):
        yield f"http://127.0.0.1:{port}"


def asked(url: str, text: str, model: str = ""):
    body = {"input": text, "response_format": "pcm", "model": model}
    return patient_http.post(f"{url}/v1/audio/speech", json=body)


def said(url: str, text: str) -> bytes:
    return asked(url, text).raise_for_status().content


@pytest.mark.prove
def test_texts_are_exact_though_a_worker_is_killed_and_the_scheduler_goes(cluster, tmp_path):
    late = " ".join(f"This is late text number {n}." for n in range(20))
    with cluster.serving_speech(*SERVE) as url, ThreadPoolExecutor(N_CLIENTS) as clients:
        heard = clients.map(partial(said, url), TEXTS)
        cluster.kill_at_work()
        sounds = [*heard]
        heard_late = clients.submit(said, url, late)
        cluster.stop_scheduler()
        cluster.start_scheduler()
        sounds.append(heard_late.result())
        refused = asked(url, "Who says this?", model="tone")
    begun = [f"{key}.shard" for _, key in cluster.logged("begins")]
    assert len(begun) > len(set(begun))  # again, by another worker
    assert refused.status_code == 503
    assert "it renders with card, not tone" in refused.json()["error"]["message"]
    with served_here(tmp_path / "here") as url:
        assert [said(url, text) for text in (*TEXTS, late)] == sounds
    there, here = (
        {one.name for one in files_below(tmp_path / name, ".shard")} for name in ("store", "here")
    )
    assert there > here == set(begun)  # there is also the name of the store
