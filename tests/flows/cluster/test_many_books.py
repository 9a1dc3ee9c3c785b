"""Many books on one cluster: they share it fairly, and one that fails stops no other."""

import json
import re

import pytest

from support.cluster import BRIEF, BROKEN, ON_CLUSTER, own_book, report_of, running_cluster
from support.home import Home


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    path = tmp_path_factory.mktemp("cluster")
    variables = BRIEF | {"AUDIOMILL_TEST_PACE": "100", "AUDIOMILL_WINDOW_S": "10"}
    with running_cluster(Home(path, variables), "one", "two") as cluster:
        yield cluster


def order_of_ends(stderr: str) -> list[str]:
    """The titles of books in the order in which they were done."""
    return re.findall(r"^(\w+): \d:\d\d:\d\d of audio", stderr, re.MULTILINE)


@pytest.mark.prove
def test_short_books_are_done_before_a_long_one_that_began_earlier(cluster):
    long = own_book(cluster, "Long", n_sentences=400)
    short = [own_book(cluster, f"Short{number}", n_sentences=20) for number in range(4)]
    run = cluster.home.run("render", long, *short, *ON_CLUSTER)
    assert run.returncode == 0, run.stderr
    assert order_of_ends(run.stderr)[-1] == "Long"
    books = json.loads(run.stdout)["books"]
    kinds = ("rendered", "repeated", "cached")  # a few short sentences are in several books
    assert all(sum(one[kind] for kind in kinds) == one["segments"] for one in books)
    assert [book["files"][0]["path"].split("/")[-1] for book in books] == [
        "Long.flac",
        *(f"Short{number}.flac" for number in range(4)),
    ]


@pytest.mark.prove
def test_a_book_that_fails_stops_no_other(cluster):
    books = [
        own_book(cluster, "Good"),
        own_book(cluster, "Bad", f"This is the {BROKEN} of it."),
        cluster.home.path / "missing.md",
        own_book(cluster, "Better"),
    ]
    run = cluster.home.run("render", *books, *ON_CLUSTER)
    assert run.returncode == 4  # that of the first failure
    result = json.loads(run.stdout)
    assert [error["exit_code"] for error in result["errors"]] == [4, 3]
    assert sorted(order_of_ends(run.stderr)) == ["Better", "Good"]
    assert all(book["rendered"] > 0 for book in result["books"])


@pytest.mark.prove
def test_a_higher_priority_goes_first(cluster):
    """Two runs of the program share the cluster; only the scheduler knows both."""
    long = own_book(cluster, "Patient", n_sentences=300)
    patient = cluster.home.start("render", long, *ON_CLUSTER)
    cluster.home.render(own_book(cluster, "Urgent"), *ON_CLUSTER, "--priority", "5")
    assert patient.poll() is None
    report, _ = report_of(patient)
    assert report["rendered"] > 100
