"""`audiomill serve show.toml --cron …`: a podcast on a schedule, on a real Prefect server."""

import pytest

from support.documents import documented
from support.feed_reading import published
from support.prefect_api import artifacts_of, get, log_of
from support.served import Served
from support.show_data import publish_articles, show_file
from support.web_server import serving_site


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
