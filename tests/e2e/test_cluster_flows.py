"""Prefect outside, the cluster inside: flow runs whose windows go to workers."""

import pytest

from support.cluster import BRIEF, own_book, report_of, running_cluster
from support.feed_rules import published
from support.home import Home
from support.prefect_api import artifacts_of, put_database, running_server, runs_of, using_api
from support.process_data import wait_until
from support.show_data import publish_articles, show_file
from support.web_server import serving_site

pytestmark = pytest.mark.prove


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    path = tmp_path_factory.mktemp("cluster")
    variables = BRIEF | {"AUDIOMILL_TEST_PACE": "25", "AUDIOMILL_WINDOW_S": "15"}
    with running_cluster(Home(path, variables), "one", "two") as cluster:
        yield cluster


def progress_of(url: str) -> list[str]:
    """What the pages of all runs show of their progress."""
    found = [artifacts_of(url, run).get("render-progress", []) for run in runs_of(url)]
    return [str(artifact["description"]) for artifacts in found for artifact in artifacts]


def test_books_are_flow_runs_whose_pages_show_the_workers(cluster, tmp_path):
    put_database(tmp_path / "prefect")
    with running_server(tmp_path / "prefect") as (url, _):
        home = using_api(cluster.home, url)
        books = [own_book(cluster, f"Page{number}", n_sentences=200) for number in range(2)]
        words = ("--executor", "dask", "--format", "flac", "--json")
        process = home.start("render", *books, *words)
        shown = wait_until(
            lambda: [line for line in progress_of(url) if "(one " in line or "(two " in line],
            process,
        )
        report, _ = report_of(process)
        assert "rendering" in shown[0]
        assert len(report["books"]) == 2
        assert [run["state_type"] for run in runs_of(url)] == ["COMPLETED"] * 2
        assert progress_of(url) == ["done"] * 2


def test_articles_of_a_podcast_are_rendered_by_workers(cluster):
    with serving_site() as site:
        publish_articles(site, ["Flood", "Bridge", "Mill"])
        path = show_file(cluster.home.path, f'[[sources]]\nfeed = "{site.url}/feed"')
        path.write_text(path.read_text().replace('"tone"', '"card"'))
        home = cluster.home.with_variables(
            AUDIOMILL_EXECUTOR="dask", AUDIOMILL_ARTICLES__ALLOWED_HOSTS="127.0.0.1"
        )
        n_before = len(cluster.logged("ends"))
        run = home.run("podcast", "run", path)
    assert run.returncode == 0, run.stderr
    assert len(published(cluster.home.path / "out")) == 3
    workers = {process.pid for name in cluster.workers for process in cluster.processes(name)}
    renderers = {pid for pid, _ in cluster.logged("ends")[n_before:]}
    assert renderers
    assert renderers <= workers
