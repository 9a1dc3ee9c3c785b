"""`audiomill serve show.toml --cron …`: a podcast on a schedule, on a real Prefect server."""

import asyncio
import json
import queue
import signal
import subprocess
import sys
import threading
from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from markdown_it import MarkdownIt
from prefect.server.schemas import schedules

from audiomill.flows.file_lock import FileLock
from audiomill.flows.podcast.state import SUFFIX
from audiomill.flows.prefect import missed_runs
from audiomill.flows.prefect import podcast as podcast_flow
from support import patient_http
from support.case_files import each_row_apart
from support.documents import blocks, documented
from support.feed_rules import parsed_feed, published
from support.loopback import Handler, answering
from support.prefect_api import (
    artifacts_of,
    ask,
    free_port,
    get,
    log_of,
    put_database,
    states_of,
    using_api,
)
from support.process_data import TIMEOUT_S, wait_until
from support.served import Served
from support.show_data import publish_articles, show_file
from support.web_server import Page, serving_site

DEPLOYMENT = "article-podcast/show"
COOKIE = "c00kie-of-mine"
KEEP_COOKIE = f"""
from prefect.blocks.system import Secret
Secret(value="{COOKIE}").save("news")
"""
HOURLY = ("show.toml", "--cron", "0 * * * *", "--timezone", "UTC")


@pytest.fixture
def site():
    with serving_site() as served:
        publish_articles(served, ["mill"])
        yield served


@pytest.fixture
def serve(home, site):
    """Serves a podcast of the site's feed, with the arguments that it gets."""
    put_database(home.path / "prefect")
    show_file(home.path, f'[[sources]]\nfeed = "{site.url}/feed"')
    served = []

    def start(*arguments: str) -> Served:
        allowed = home.with_variables(AUDIOMILL_ARTICLES__ALLOWED_HOSTS="127.0.0.1")
        served.append(Served(allowed, None, arguments, DEPLOYMENT))
        return served[-1]

    yield start
    for one in served:
        one.end()


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
            assert run["state"]["name"] == missed_runs.LEFT_OUT
            assert run["state"]["message"].startswith("Left out: the run “")


def kill_all(served: Served) -> None:
    """As a power cut."""
    for word in ("serve", "engine", "server"):
        for process in served.processes(word):
            process.kill()
    served.process.communicate()
    wait_until(lambda: not served.processes("server"))


class HeldPage:
    """A page whose server takes its time, until it is let go."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self.asked, self.let_go = threading.Event(), threading.Event()

    def __call__(self, request: Handler) -> None:
        self.asked.set()
        self.let_go.wait(TIMEOUT_S)
        self._page(request)


TOKEN = "a-token-that-nobody-guesses"  # noqa: S105


def kill_all_once_more_are_missed(served: Served, n_runs: int) -> None:
    """As if so many runs had been due while `serve` was away: it sees none of them."""
    served.process.send_signal(signal.SIGSTOP)
    let_runs_be_missed(served.url, n_runs)
    kill_all(served)


def require_one_makes_up_for_all(served: Served) -> None:
    """Once `serve` is back, one run makes the episode."""
    served.start()
    wait_until(lambda: all_ended(served.url), served.process, 0.5)
    require_one_made(served.url)
    assert len(published(served.home.path / "out")) == 1


@pytest.mark.prove
def test_runs_that_were_missed_are_made_up_for_by_one(serve):
    served = serve(*HOURLY)
    assert due_runs(served.url) == []  # nothing was missed before the first start
    kill_all_once_more_are_missed(served, 5)
    require_one_makes_up_for_all(served)
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
    kill_all_once_more_are_missed(served, 4)
    held.let_go.set()
    require_one_makes_up_for_all(served)


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
    require_left_out_beside_another_program(served)


def require_left_out_beside_another_program(served: Served) -> None:
    """As beside `podcast run` on the command line."""
    with FileLock(served.home.path / f"show.toml{SUFFIX}.lock") as lock:
        assert lock.try_acquire()
        state = served.wait_for_end(served.create_run())["state"]
    assert (state["type"], state["name"]) == ("CANCELLED", missed_runs.LEFT_OUT)
    assert "Another run of show.toml is under way" in state["message"]


@pytest.fixture(scope="module")
def receiver():
    """A webhook on loopback: its URL, and what was sent to it."""
    received = queue.Queue()

    class Receiver(Handler):
        def do_POST(self) -> None:
            received.put(json.loads(self.body()))
            self.reply(200)

    with answering(Receiver) as server:
        yield f"{server.url}/", received


@pytest.mark.prove
def test_a_podcast_on_a_schedule_tells_what_it_made_and_a_person_what_failed(serve, site, receiver):
    """Its schedule, state and artifacts are read back; the docs' webhook gets the message."""
    publish_articles(site, ["mill", "light"])
    site.pages["/light"] = Page(b"<html><body><p>Subscribe to go on reading.</p></body></html>")
    _, _, *arguments = documented('audiomill serve show.toml --cron "0 6 * * *"')
    served = serve(*arguments, "--timezone", "Europe/Berlin")
    address, received = receiver
    set_up_notifications(served, address)
    run_python(served, KEEP_COOKIE)
    show_file(
        served.home.path,
        f'[[sources]]\nfeed = "{site.url}/feed"\nheaders = {{Cookie = "s={{block:news}}"}}',
    )
    run = served.wait_for_end(served.create_run())
    assert run["state"]["type"] == "COMPLETED", log_of(served.url, run)
    told = "1 new or changed episode, 1 article failed."
    assert (run["state"]["name"], run["state"]["message"]) == (podcast_flow.INCOMPLETE, told)
    assert received.get(timeout=TIMEOUT_S) == {"text": f"Morning is Incomplete: {told}"}
    tasks = ask(served.url, "task_runs/filter", flow_runs={"id": {"any_": [run["id"]]}})
    ends = {task["name"]: task["state"]["name"] for task in tasks}
    assert ends["The light: read the book"] == "Unreadable"
    assert ends["The mill: read the book"] == "Completed"
    assert not [line for line in log_of(served.url, run) if "Traceback" in line]
    (entry,) = published(served.home.path / "out").values()
    (schedule,) = get(served.url, f"deployments/name/{DEPLOYMENT}")["schedules"]
    assert schedule["schedule"]["cron"] == "0 6 * * *"
    assert schedule["schedule"]["timezone"] == "Europe/Berlin"
    artifacts = artifacts_of(served.url, run)
    assert [one["data"] for one in artifacts["render-progress"]] == [100]
    (report,) = artifacts["render-report"]
    page = entry.enclosures[0].href.removesuffix(".mp3") + ".html"
    html = MarkdownIt().render(report["data"])
    assert f'<a href="{page}">The mill</a>' in html
    assert '<a href="https://pod.example.org/m/feed.xml">' in html
    assert "no article was found" in html
    assert {headers["Cookie"] for _, headers in site.requests} == {f"s={COOKIE}"}
    shown = json.dumps([artifacts, run, log_of(served.url, run)]) + served.log.read_text()
    assert COOKIE not in shown
    line = f"Morning is Incomplete: {told}"
    wait_until(lambda: line in served.log.read_text(), served.process)  # the run's process ends
    assert served.stop() == 0
    assert served.log.read_text().count(line) == 1
    assert served.log.read_text().count("Failed 1x: The light: ") == 1


def set_up_notifications(served: Served, address: str) -> None:
    """As docs/schedules.md says."""
    (program,) = (one for one in blocks("python") if "prefect" in one)
    run_python(served, program, WEBHOOK_URL=address)


def run_python(served: Served, program: str, **variables: str) -> None:
    home = using_api(served.home, served.url).with_variables(**variables)
    subprocess.run([sys.executable, "-c", program], env=home.environment, check=True)


@pytest.mark.parametrize(
    "shift", [datetime(2026, 3, 29, 1, tzinfo=UTC), datetime(2026, 10, 25, 1, tzinfo=UTC)]
)
def test_a_run_at_half_past_two_is_due_once_a_day_when_clocks_change(shift):
    """Whenever in these days the schedule is looked at, but while clocks show an hour again."""
    schedule = schedules.CronSchedule(cron="30 2 * * *", timezone="Europe/Berlin")
    found = set()
    for half_hours in range(-96, 96):
        start = shift + timedelta(minutes=30 * half_hours)
        if not shift <= start < shift + timedelta(minutes=30):
            found |= {one.astimezone(UTC) for one in asyncio.run(schedule.get_dates(3, start))}
    local = sorted(one.astimezone(ZoneInfo("Europe/Berlin")) for one in found)
    days = [one.date() for one in local]
    assert days == [days[0] + timedelta(days=number) for number in range(len(days))]
    assert {one.time() for one in local if one.date() != shift.date()} == {time(2, 30)}


def test_a_feed_behind_a_token_is_served_and_each_of_its_addresses_works(home):
    port = free_port()
    with serving_site() as site:
        publish_articles(site, ["mill"])
        path = show_file(home.path, f'[[sources]]\nfeed = "{site.url}/feed"')
        address = f"http://127.0.0.1:{port}/{{token}}/"
        path.write_text(path.read_text().replace("https://pod.example.org/m/", address))
        home = home.with_variables(
            AUDIOMILL_ARTICLES__ALLOWED_HOSTS="127.0.0.1", AUDIOMILL_PODCAST_TOKEN=TOKEN
        )
        made = home.run("podcast", "run", path, "--json")
    assert made.returncode == 0, made.stderr
    _, *arguments = documented("audiomill serve show.toml --listen 0.0.0.0:8080")
    with home.start(*(one.replace("8080", str(port)) for one in arguments)) as process:
        told = process.stderr.readline()
        assert f"Serving the feed {address}feed.xml" in told
        assert patient_http.get(f"http://127.0.0.1:{port}/feed.xml").status_code == 404
        feed = patient_http.get(f"http://127.0.0.1:{port}/{TOKEN}/feed.xml").content
        (entry,) = parsed_feed(feed).entries
        (enclosure,) = entry.enclosures
        part = patient_http.get(enclosure.href, headers={"Range": "bytes=100-199"})
        assert (part.status_code, len(part.content)) == (206, 100)
        audio = patient_http.get(enclosure.href)
        assert len(audio.content) == int(enclosure.length)
        assert audio.headers["content-type"] == enclosure.type
        process.send_signal(signal.SIGTERM)
        out, rest = process.communicate(timeout=TIMEOUT_S)
    assert process.returncode == 0
    assert TOKEN not in out + told + rest + made.stdout + made.stderr


@pytest.mark.prove
def test_without_a_token_it_is_served_on_this_machine_alone(home):
    port = free_port()
    path = show_file(home.path, '[[sources]]\npage = "https://example.org/"')
    path.write_text(
        path.read_text().replace("https://pod.example.org/m/", f"http://localhost:{port}/")
    )
    _, *arguments = documented("audiomill serve show.toml --listen 127.0.0.1:8000")
    with home.start(*(one.replace("8000", str(port)) for one in arguments)) as process:
        assert f"Serving the feed http://localhost:{port}/feed.xml" in process.stderr.readline()
        assert patient_http.get(f"http://127.0.0.1:{port}/feed.xml").status_code == 404
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=TIMEOUT_S)
    assert process.returncode == 0


@pytest.mark.prove  # Prefect is imported
@each_row_apart
def test_a_schedule_that_cannot_be_is_told_at_once(home, arguments, told):
    test_what_cannot_be_served_is_told_at_once(home, arguments, told)


@each_row_apart
def test_what_cannot_be_served_is_told_at_once(home, arguments, told):
    show_file(home.path, '[[sources]]\nfeed = "https://example.org/feed"')
    words = home.refused(2, "serve", *arguments)
    assert told in words
    assert "Starting" not in words
    assert "Serving" not in words


def test_a_show_in_a_bucket_is_not_served_from_here(home):
    path = show_file(home.path, '[[sources]]\nfeed = "https://example.org/feed"')
    path.write_text(path.read_text().replace('"out"', '"s3://bucket/pod"'))
    assert "s3://bucket/pod is elsewhere" in home.refused(
        2, "serve", path, "--listen", "127.0.0.1:8080"
    )
