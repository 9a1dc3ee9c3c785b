"""`audiomill serve show.toml --cron …`: a podcast on a schedule, on a real Prefect server."""

import threading
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler
from shutil import copytree

import pytest

from audiomill.flows.scheduling.missed_runs import LEFT_OUT
from support.documents import documented
from support.feed_reading import published
from support.prefect_api import artifacts_of, ask, get, log_of, running_server, states_of
from support.process_data import TIMEOUT_S, wait_until
from support.served import Served
from support.show_data import publish_articles, show_file
from support.web_server import Page, serving_site

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


def require_one_made(url: str, n_made: int = 1) -> None:
    """All that was due has ended: so many were made, the others say which run made up for them."""
    runs = due_runs(url)
    made = [run for run in runs if run["state"]["name"] == "Completed"]
    assert len(made) == n_made, [states_of(url, run) for run in runs]
    for run in runs:
        if run not in made:
            assert run["state"]["name"] == LEFT_OUT
            assert run["state"]["message"].startswith("Left out: the run “")


def kill_all(served: Served) -> None:
    """As a power cut."""
    for word in ("serve", "engine", "prefect_server"):
        for process in served.processes(word):
            process.kill()
    served.process.communicate()
    wait_until(lambda: not served.processes("prefect_server"))


class HeldPage:
    """A page whose server takes its time, until it is let go."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self.asked, self.let_go = threading.Event(), threading.Event()

    def __call__(self, request: BaseHTTPRequestHandler) -> None:
        self.asked.set()
        self.let_go.wait(TIMEOUT_S)
        self._page(request)


@pytest.mark.prove
def test_runs_that_were_missed_are_made_up_for_by_one(serve):
    served = serve(*HOURLY)
    assert due_runs(served.url) == []  # nothing was missed before the first start
    kill_all(served)
    with running_server(served.home.path / "prefect") as (url, _):
        let_runs_be_missed(url, 5)
    served.start()
    wait_until(lambda: all_ended(served.url), served.process, 0.5)
    require_one_made(served.url)
    assert len(published(served.home.path / "out")) == 1
    n_runs = len(due_runs(served.url))
    assert served.stop() == 0
    served.start()
    assert len(due_runs(served.url)) == n_runs


@pytest.mark.prove
def test_one_run_makes_up_for_a_crash_and_all_that_was_missed_after_it(serve, site):
    held = site.pages["/mill"] = HeldPage(site.pages["/mill"])
    served = serve(*HOURLY)
    let_runs_be_missed(served.url, 1)
    wait_until(held.asked.is_set, served.process)
    kill_all(served)
    held.let_go.set()
    with running_server(served.home.path / "prefect") as (url, _):
        let_runs_be_missed(url, 4)
    served.start()
    wait_until(lambda: all_ended(served.url), served.process, 0.5)
    require_one_made(served.url)
    assert len(published(served.home.path / "out")) == 1


@pytest.mark.prove
def test_a_run_waits_for_one_that_is_under_way(serve, site):
    held = site.pages["/mill"] = HeldPage(site.pages["/mill"])
    served = serve(*HOURLY)
    first = served.create_run()
    wait_until(held.asked.is_set, served.process)
    let_runs_be_missed(served.url, 3)
    second = due_runs(served.url)[0]
    answer = ask(  # as a worker does before it begins a run
        served.url, f"flow_runs/{second['id']}/set_state", state={"type": "PENDING"}
    )
    held.let_go.set()
    assert (answer["status"], answer["state"]["name"]) == ("REJECT", "AwaitingConcurrencySlot")
    wait_until(lambda: all_ended(served.url), served.process, 0.5)
    require_one_made(served.url, 2)
    ended = get(served.url, f"flow_runs/{first['id']}")["end_time"]
    made = [run for run in due_runs(served.url) if run["state"]["name"] == "Completed"]
    assert all(run["start_time"] >= ended for run in made if run["id"] != first["id"])


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
