"""What cannot work is refused in one line: no scheduler, no worker, another code, another store."""

import signal
import socket

import psutil
import pytest
from distributed import Client

from audiomill.flows.cluster.choice import scheduler_address
from audiomill.flows.cluster.connection import SchedulerUnreachable
from audiomill.flows.cluster.worker import WorkerService, loopback_of
from audiomill.flows.cluster.worker_slots import WorkerSlot
from audiomill.flows.errors import UsageError
from audiomill.renderers.engine.options import EngineOptions
from support.case_files import each_row
from support.cluster import BRIEF, ON_CLUSTER, own_book, refusal, report_of, running_cluster
from support.documents import documented
from support.home import Home
from support.process_data import wait_until
from support.s3_server import BUCKET, client_variables, serving_s3


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    """A scheduler, and no workers yet."""
    with running_cluster(Home(tmp_path_factory.mktemp("cluster"), BRIEF)) as cluster:
        yield cluster


def test_a_scheduler_that_is_not_there_is_named(cluster):
    home = cluster.home.with_variables(AUDIOMILL_DASK_SCHEDULER="tcp://127.0.0.1:9")
    message = refusal(home.run("render", own_book(cluster, "Book"), *ON_CLUSTER))
    assert "No Dask scheduler answers at tcp://127.0.0.1:9. Start one there" in message


def test_a_port_that_is_no_scheduler_is_named(cluster):
    """It takes connections, and never says a word."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"tcp://127.0.0.1:{silent.getsockname()[1]}"
        home = cluster.home.with_variables(AUDIOMILL_DASK_SCHEDULER=address)
        message = refusal(home.run("render", own_book(cluster, "Book"), *ON_CLUSTER))
        assert f"No Dask scheduler answers at {address}" in message


def test_a_run_that_no_worker_comes_for_ends(cluster):
    home = cluster.home.with_variables(AUDIOMILL_WORKERS_WITHIN_S="0.5")
    run = home.run("render", own_book(cluster, "Book"), *ON_CLUSTER)
    command = f"audiomill worker --scheduler {cluster.address}"
    assert run.stderr.count(f"Waiting for a worker: {command}") == 1
    assert command in refusal(run)


@pytest.mark.prove
def test_a_cluster_that_grows_on_demand_sees_a_demand(cluster):
    """By this figure, Dask's own ways to start workers are told how many there should be."""
    cluster.stop_workers()
    with cluster.home.start("render", own_book(cluster, "Demand"), *ON_CLUSTER) as process:
        with Client(cluster.address, set_as_default=False) as client:
            ask = client.scheduler.adaptive_target
            assert wait_until(lambda: client.sync(ask, target_duration="1s"), process) >= 1
        process.send_signal(signal.SIGINT)
        process.communicate()
    assert process.returncode == 130


@pytest.mark.prove
def test_a_worker_waits_for_a_scheduler_and_can_be_stopped_meanwhile(cluster):
    cluster.start_worker("early", "--scheduler", "tcp://127.0.0.1:9")
    log = cluster.log_of("early")
    wait_until(lambda: "No scheduler answers at tcp://127.0.0.1:9" in log.read_text())
    cluster.workers["early"].send_signal(signal.SIGTERM)
    assert cluster.workers.pop("early").wait() == 0
    assert "Traceback" not in log.read_text()


@pytest.mark.prove
def test_a_worker_waits_until_its_name_is_free(cluster):
    cluster.start_worker("twin", "--engine", "tone")
    cluster.wait_for("twin")
    first = cluster.workers.pop("twin")
    cluster.start_worker("twin", "--engine", "tone")
    log = cluster.log_of("twin")
    wait_until(lambda: "has a worker called twin. Waiting" in log.read_text())
    first.send_signal(signal.SIGTERM)
    assert first.wait() == 0
    wait_until(lambda: log.read_text().count("has joined") == 2)
    second = cluster.workers.pop("twin")
    second.send_signal(signal.SIGTERM)
    assert second.wait() == 0


def test_a_cluster_without_an_address_is_wrong_usage(home):
    run = home.run("render", "book.md", "--engine", "tone", "--executor", "dask")
    assert run.returncode == 2
    assert "AUDIOMILL_DASK_SCHEDULER" in run.stderr


def test_a_budget_is_not_given_to_each_of_many_workers(cluster):
    """Each would have the whole of it to spend."""
    variables = {"OPENAI_API_KEY": "k", "AUDIOMILL_OPENAI__MODEL": "tts-1"}
    home = cluster.home.with_variables(**variables, AUDIOMILL_OPENAI__URL="http://127.0.0.1:9/v1")
    options = ("--engine", "openai", "--budget", "5", *ON_CLUSTER)
    run = home.run("render", own_book(cluster, "Paid"), *options)
    assert run.returncode == 2
    assert "Add --executor threads, which renders here" in run.stdout
    home = home.with_variables(AUDIOMILL_OPENAI__BUDGET="5")
    assert home.run("render", own_book(cluster, "Set"), *options[:2], *ON_CLUSTER).returncode == 2


def test_a_priority_without_a_cluster_is_wrong_usage(home):
    run = home.run("render", "book.md", "--engine", "tone", "--priority", "1")
    assert run.returncode == 2
    assert "Add --executor dask" in run.stderr


@pytest.mark.prove
def test_workers_of_a_scheduler_on_loopback_are_reached_from_this_machine_only(cluster):
    cluster.start_worker("near", "--engine", "tone")
    cluster.wait_for("near")
    processes = [psutil.Process(cluster.workers["near"].pid), *cluster.processes("near")]
    open_at = {
        connection.laddr.ip
        for process in processes
        for connection in process.net_connections("tcp")
        if connection.status == psutil.CONN_LISTEN
    }
    cluster.stop_workers()
    assert open_at == {"127.0.0.1"}


@each_row
def test_workers_listen_where_their_scheduler_is(scheduler, host):
    assert loopback_of(scheduler) == host


@pytest.mark.parametrize(
    "address", ["10.0.0.1", "tcp://10.0.0.1", "http://10.0.0.1:8786", "tcp://a b:1", "", "tcp://:9"]
)
def test_what_is_no_address_is_told(address):
    with pytest.raises(UsageError, match="scheduler"):
        scheduler_address(address)


@pytest.mark.parametrize(
    "address", ["10.0.0.1:8786", "tcp://gpu-1.lan:8786", "tls://[::1]:8786", "ws://a:80"]
)
def test_an_address_is_one(address):
    assert scheduler_address(address) == address


@pytest.mark.parametrize("address", ["tls://127.0.0.1:9", "ucx://127.0.0.1:9"])
def test_a_protocol_that_dask_is_not_set_up_for_is_told(address):
    service = WorkerService(address, "tone", (WorkerSlot("a", "cpu", {}, EngineOptions()),), 0, 1.0)
    with pytest.raises(SchedulerUnreachable, match=f"Dask is not set up here for {address}"):
        service.run(lambda: False)


@pytest.mark.prove
def test_workers_of_another_version_or_engine_are_refused_with_the_reason(cluster):
    cluster.stop_workers()
    other = cluster.home.with_variables(AUDIOMILL_TEST_CODE="0123456789abcdef")
    cluster.start_worker("old", home=other)
    cluster.start_worker("tones", "--engine", "tone")
    cluster.wait_for("old", "tones")
    run = cluster.home.run("render", own_book(cluster, "Book"), *ON_CLUSTER)
    message = refusal(run)
    assert f"No worker of {cluster.address} can render this" in message
    assert "its audiomill is another one (0.1.0, 0123456789ab; here 0.1.0, " in message
    assert "it renders with tone, not card" in message
    assert f"audiomill worker --scheduler {cluster.address} --engine card" in message
    assert "Waiting" not in run.stderr
    run = cluster.home.run(*documented("audiomill doctor --cluster")[1:])
    assert run.returncode == 4
    assert "0 of 2 workers can render card" in run.stdout
    assert "cannot be used: its audiomill is another one" in run.stdout


@pytest.mark.prove
def test_a_worker_with_another_store_gets_no_windows(cluster):
    """Its S3 is another one, under the same name."""
    cluster.stop_workers()
    folder = cluster.home.path
    with serving_s3() as ours, serving_s3() as theirs:
        store = {"AUDIOMILL_STORE": f"s3://{BUCKET}/shards"}
        home = cluster.home.with_variables(**client_variables(ours, folder), **store)
        lost = cluster.home.with_variables(**client_variables(theirs, folder), **store)
        cluster.start_worker("lost", home=lost)
        cluster.wait_for("lost")
        run = home.run("render", own_book(cluster, "Book"), *ON_CLUSTER)
        assert "s3://books/shards is no store there" in refusal(run)
        found = home.run("doctor", "--cluster")
        assert "s3://books/shards is no store there" in found.stdout
        cluster.start_worker("good", home=home)
        cluster.wait_for("good")
        assert home.render(own_book(cluster, "Book"), *ON_CLUSTER)["rendered"] > 20
        assert not any(path.endswith(".shard") for path in theirs.objects)
        assert home.run("doctor", "--cluster").returncode == 0


def test_an_engine_that_is_not_there_ends_the_worker(cluster):
    home = cluster.home.with_variables(AUDIOMILL_KOKORO__WEIGHTS=cluster.home.path / "none")
    run = home.run("worker", "--engine", "kokoro")
    assert run.returncode == 4
    assert run.stderr.startswith("audiomill: ")
    assert run.stderr.count("\n") <= 2


@pytest.mark.prove
def test_an_engine_that_fails_at_once_ends_the_worker(cluster):
    """What only a worker process can find out, for example that the GPU has no memory left."""
    run = cluster.home.with_variables(AUDIOMILL_TEST_FAILS="1").run("worker")
    assert run.returncode == 4
    assert run.stderr == "audiomill: The card is not there.\n"


@pytest.mark.prove
def test_a_worker_that_cannot_reach_the_store_leaves_its_windows_to_others(cluster):
    """Within seconds: the flow has just used the store, so it is not the store that is away."""
    cluster.stop_workers()
    folder = cluster.home.path
    with serving_s3() as server:
        store = {"AUDIOMILL_STORE": f"s3://{BUCKET}/reached"}
        variables = client_variables(server, folder)
        home = cluster.home.with_variables(**variables, **store)
        cut_off = home.with_variables(AWS_ENDPOINT_URL="http://127.0.0.1:9")
        cluster.start_worker("cut-off", home=cut_off)
        cluster.wait_for("cut-off")
        process = home.start("render", own_book(cluster, "Reach"), *ON_CLUSTER)
        cluster.start_worker("reaching", home=home)
        report, told = report_of(process)
        assert "gets no windows for a minute: " in told
        assert report["rendered"] > 20


@pytest.mark.prove
def test_a_worker_whose_disk_is_full_leaves_its_windows_to_others(cluster):
    cluster.stop_workers()
    cluster.start_worker("full", home=cluster.home.with_variables(AUDIOMILL_TEST_FULL="1"))
    cluster.wait_for("full")
    process = cluster.home.start("render", own_book(cluster, "Full"), *ON_CLUSTER)
    cluster.start_worker("roomy")
    report, told = report_of(process)
    assert "No space left on device" in told
    assert report["rendered"] > 20
