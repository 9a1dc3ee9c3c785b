"""Fifty kills of workers, scheduler and flow at random moments: the same samples, nothing lost.

The store is on S3: our own stand-in, or the server at AUDIOMILL_TEST_S3, which has a bucket
`books`. What is rendered twice is counted. It may only be what was in flight: begun, and not in
the store. One kill of each of them is in test_cluster_losses.py.
"""

import os
import random
import shutil
from itertools import count, cycle
from pathlib import Path

import pytest

from support.cluster import BRIEF, ON_CLUSTER, own_book, report_of, running_cluster
from support.home import Home
from support.process_data import children, wait_until
from support.s3_server import BUCKET, client_variables, serving_s3
from support.stopped_runs import decoded

WORKERS = ("one", "two", "three", "four")


class Victims:
    """A book rendered over and over on a cluster whose parts are killed."""

    def __init__(self, cluster, s3, n_wanted, seed):
        self.n_wanted = n_wanted
        self.cluster = cluster
        self.s3 = s3
        self.random = random.Random(seed)
        self.victims = cycle(("worker", "scheduler", "worker", "flow", "worker"))
        self.n_kills = dict.fromkeys(("worker", "scheduler", "flow"), 0)
        self.n_in_flight = 0  # at all kills, and when a killed flow began anew
        self.n_repeated = 0

    def round(self, number, source, expected):
        """Render the book into a new store, with kills on the way."""
        self.cluster.rendered_log.write_text("")
        home = self.cluster.home.with_variables(AUDIOMILL_STORE=f"s3://{BUCKET}/{number}")
        shutil.rmtree(home.library, ignore_errors=True)
        process = self._flow(home, source)
        while process.poll() is None and sum(self.n_kills.values()) < self.n_wanted:
            self._wait_for_some(process)
            if process.poll() is None:
                process = self._kill(process, home, source, number)
        report, _ = report_of(process)
        assert decoded(report) == expected
        keys = self.cluster.rendered_keys()
        assert len(set(keys)) == report["segments"] - report["repeated"]
        self.n_repeated += len(keys) - len(set(keys))

    def _flow(self, home, source):
        return home.start("render", source, *ON_CLUSTER)

    def _wait_for_some(self, process):
        """Until a few more segments are rendered, or the run has ended."""
        wanted = len(self.cluster.logged("begins")) + self.random.randint(1, 60)
        wait_until(
            lambda: process.poll() is not None or len(self.cluster.logged("begins")) >= wanted,
            every_s=0.05,
        )

    def _kill(self, process, home, source, number):
        """Kill something, and see to what a person would: start scheduler or flow again."""
        victim = next(self.victims)
        self.n_kills[victim] += 1
        self._count_in_flight(number)
        if victim == "worker":
            for child in self.cluster.processes(self.random.choice(WORKERS)):
                child.kill()
        elif victim == "scheduler":
            self.cluster.stop_scheduler()
            self.cluster.start_scheduler()
        else:
            process.kill()
            process.communicate()
            self._count_in_flight(number)
            return self._flow(home, source)
        return process

    def _count_in_flight(self, number):
        """How many segments are begun and not stored."""
        begun = {key for _, key in self.cluster.logged("begins")}
        self.n_in_flight += len(begun - self.s3.keys(number))


class OwnStore:
    """What the stand-in for S3 has."""

    def __init__(self, server):
        self._server = server

    def keys(self, number):
        """The keys of the shards in a store."""
        return {Path(path).stem for path in [*self._server.objects] if f"/{number}/" in path}


class ForeignStore:
    """What another server of S3 has."""

    def __init__(self, variables):
        from s3fs import S3FileSystem

        self._files = S3FileSystem(
            key=variables["AWS_ACCESS_KEY_ID"],
            secret=variables["AWS_SECRET_ACCESS_KEY"],
            endpoint_url=variables["AWS_ENDPOINT_URL"],
            use_listings_cache=False,
        )

    def keys(self, number):
        return {Path(path).stem for path in self._files.find(f"{BUCKET}/{number}")}


@pytest.fixture
def s3(tmp_path):
    """What a server has, and the variables of its clients."""
    with serving_s3() as server:
        variables = client_variables(server, tmp_path)
        store = OwnStore(server)
        if foreign := os.environ.get("AUDIOMILL_TEST_S3"):
            variables["AWS_ENDPOINT_URL"] = foreign
            store = ForeignStore(variables)
        yield store, variables


@pytest.mark.prove_long
def test_kills_change_no_sample_and_cost_only_what_was_in_flight(
    tmp_path, s3, record_testsuite_property
):
    n_kills = 50
    store, variables = s3
    variables |= BRIEF | {"AUDIOMILL_TEST_PACE": "100", "AUDIOMILL_WINDOW_S": "25"}
    home = Home(tmp_path, variables)
    with running_cluster(home, *WORKERS) as cluster:
        source = own_book(cluster, "Book", n_sentences=400)
        near = cluster.home.with_variables(
            AUDIOMILL_TEST_PACE="1e9", AUDIOMILL_STORE=tmp_path / "s"
        )
        words = ("--no-prefect", "--format", "flac", "--out", tmp_path / "near")
        expected = decoded(near.render(source, *words))
        victims = Victims(cluster, store, n_kills, seed=1)
        numbers = (f"{tmp_path.name}-{number}" for number in count())
        while sum(victims.n_kills.values()) < n_kills:
            victims.round(next(numbers), source, expected)
    record_testsuite_property("kills", str(victims.n_kills))
    record_testsuite_property("repeated", victims.n_repeated)
    record_testsuite_property("in flight", victims.n_in_flight)
    assert victims.n_repeated <= victims.n_in_flight
    assert all(victims.n_kills.values())
    assert children() == []
