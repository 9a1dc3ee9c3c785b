"""`audiomill serve show.toml --cron …`: a podcast on a schedule, on a real Prefect server."""

from collections import Counter
from datetime import UTC, datetime, timedelta
from shutil import copytree

import pytest

from audiomill.flows.scheduling.missed_runs import LEFT_OUT
from support.documents import documented
from support.feed_reading import published
from support.prefect_api import artifacts_of, ask, get, log_of, running_server, states_of
from support.process_data import wait_until
from support.served import Served
from support.show_data import publish_articles, show_file
from support.web_server import serving_site

DEPLOYMENT = "article-podcast/show"
HOURLY = ("show.toml", "--cron", "0 * * * *", "--timezone", "UTC")


@pytest.fixture(scope="module")
def database(tmp_path_factory):
    """A Prefect home with a new database, which takes long to create."""
    folder = tmp_path_factory.mktemp("database")
    with running_server(folder):
        return folder


@pytest.fixture
def site():
    with serving_site() as served:
        publish_articles(served, ["mill"])
        yield served


@pytest.fixture
def serve(home, site, database):
    """Serves a podcast of the site's feed, with the arguments that it gets."""
    copytree(database, home.path / "prefect")
    show_file(home.path, f'[[sources]]\nfeed = "{site.url}/feed"')
    served = []

    def start(*arguments: str) -> Served:
        allowed = home.with_variables(AUDIOMILL_ARTICLES__ALLOWED_HOSTS="127.0.0.1")
        served.append(Served(allowed, None, arguments, DEPLOYMENT))
        return served[-1]

    yield start
    for one in served:
        one.process.kill()
        one.process.communicate()
        for process in one.processes("engine"):
            process.kill()


def due_runs(url: str) -> list[dict]:
    """The runs of the podcast that are or were due, the earliest first."""
    found = ask(
        url,
        "flow_runs/filter",
        deployments={"name": {"any_": ["show"]}},
        flow_runs={"expected_start_time": {"before_": datetime.now(UTC).isoformat()}},
    )
    return sorted(found, key=lambda run: run["expected_start_time"])


def let_runs_be_missed(url: str, n_runs: int) -> None:
    """Make the schedule's runs of some hours ago, as the server had them before it was away."""
    deployment = get(url, f"deployments/name/{DEPLOYMENT}")
    now = datetime.now(UTC)
    times = {"start_time": now - timedelta(hours=n_runs), "end_time": now}
    told = {name: time.isoformat() for name, time in times.items()}
    ask(url, f"deployments/{deployment['id']}/schedule", {**told, "min_runs": n_runs})
    assert len(due_runs(url)) >= n_runs


def all_ended(url: str) -> bool:
    runs = due_runs(url)
    return bool(runs) and all(run["state"]["type"] in ("COMPLETED", "CANCELLED") for run in runs)


@pytest.mark.prove
def test_runs_that_were_missed_are_made_up_for_by_one(serve):
    served = serve(*HOURLY)
    assert due_runs(served.url) == []  # nothing was missed before the first start
    served.process.kill()
    served.process.communicate()
    wait_until(lambda: not served.processes("prefect_server"))
    with running_server(served.home.path / "prefect") as (url, _):
        let_runs_be_missed(url, 5)
    served.start()
    wait_until(lambda: all_ended(served.url), served.process, 0.5)
    runs = due_runs(served.url)
    names = Counter(run["state"]["name"] for run in runs)
    told = [(run["name"], run["expected_start_time"], run["start_time"], run["end_time"], run["run_count"], run["state"]["name"], run["state"]["message"], states_of(served.url, run)) for run in runs]
    assert names == {"Completed": 1, LEFT_OUT: len(runs) - 1}, told
    (made,) = (run for run in runs if run["state"]["name"] == "Completed")
    for run in runs:
        if run is not made:
            assert f"“{made['name']}” has begun since" in run["state"]["message"]
            assert run["start_time"] is None
    assert len(published(served.home.path / "out")) == 1
    assert served.stop() == 0
    served.start()
    assert len(due_runs(served.url)) == len(runs)


@pytest.mark.prove
def test_a_served_podcast_is_made_and_its_schedule_and_report_can_be_read_back(home):
    with serving_site() as site:
        publish_articles(site, ["mill", "light"])
        del site.pages["/light"]
        show_file(home.path, f'[[sources]]\nfeed = "{site.url}/feed"')
        home = home.with_variables(AUDIOMILL_ARTICLES__ALLOWED_HOSTS="127.0.0.1")
        _, _, *arguments = documented('audiomill serve show.toml --cron "0 6 * * *"')
        served = Served(
            home, None, (*arguments, "--timezone", "Europe/Berlin"), "article-podcast/show"
        )
        try:
            run = served.wait_for_end(served.create_run())
            assert run["state"]["type"] == "COMPLETED", log_of(served.url, run)
            (entry,) = published(home.path / "out").values()
            assert entry.title == "The mill"
            deployment = get(served.url, "deployments/name/article-podcast/show")
            (schedule,) = deployment["schedules"]
            assert schedule["schedule"]["cron"] == "0 6 * * *"
            assert schedule["schedule"]["timezone"] == "Europe/Berlin"
            (report,) = artifacts_of(served.url, run)["render-report"]
            assert "The mill" in report["data"]
            assert "404" in report["data"]
            assert served.stop() == 0
        finally:
            served.process.kill()
            served.process.communicate()


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["show.toml"], "--cron"),
        (["--cron", "0 6 * * *"], "need a podcast's file"),
        (["none.toml", "--cron", "0 6 * * *"], "podcast init none.toml"),
    ],
)
def test_what_cannot_be_served_is_told_at_once(home, arguments, told):
    run = home.run("serve", *arguments)
    assert (run.returncode, told in run.stderr) == (2, True)
