"""`audiomill serve show.toml --cron …`: a podcast on a schedule, on a real Prefect server."""

import signal

import httpx
import pytest

from support.documents import documented
from support.feed_reading import parsed_feed, published
from support.prefect_api import artifacts_of, free_port, get, log_of
from support.process_data import TIMEOUT_S
from support.served import Served
from support.show_data import publish_articles, show_file
from support.web_server import serving_site

TOKEN = "a-token-that-nobody-guesses"  # noqa: S105


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
        assert httpx.get(f"http://127.0.0.1:{port}/feed.xml").status_code == 404
        feed = httpx.get(f"http://127.0.0.1:{port}/{TOKEN}/feed.xml").content
        (entry,) = parsed_feed(feed).entries
        (enclosure,) = entry.enclosures
        audio = httpx.get(enclosure.href)
        assert len(audio.content) == int(enclosure.length)
        assert audio.headers["content-type"] == enclosure.type
        process.send_signal(signal.SIGTERM)
        out, rest = process.communicate(timeout=TIMEOUT_S)
    assert process.returncode == 0
    assert TOKEN not in out + told + rest + made.stdout + made.stderr


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["show.toml"], "--cron"),
        (["--listen", "0.0.0.0:8080"], "need a podcast's file"),
        (["show.toml", "--listen", "8080"], "write it like 0.0.0.0:8080"),
        (["--cron", "0 6 * * *"], "need a podcast's file"),
        (["none.toml", "--cron", "0 6 * * *"], "podcast init none.toml"),
    ],
)
def test_what_cannot_be_served_is_told_at_once(home, arguments, told):
    run = home.run("serve", *arguments)
    assert (run.returncode, told in run.stderr) == (2, True)


def test_a_show_in_a_bucket_is_not_served_from_here(home):
    path = show_file(home.path, '[[sources]]\nfeed = "https://example.org/feed"')
    path.write_text(path.read_text().replace('"out"', '"s3://bucket/pod"'))
    run = home.run("serve", path, "--listen", "127.0.0.1:8080")
    assert (run.returncode, "s3://bucket/pod is none" in run.stderr) == (2, True)
