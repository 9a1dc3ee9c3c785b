"""`audiomill podcast`: from an empty folder to a feed, and through every kill."""

import random

import pytest

from support.article_data import PARAGRAPHS
from support.documents import documented
from support.feed_rules import published
from support.killed_forks import killed_forks
from support.show_data import publish_articles, show_file
from support.web_server import Site, serving_site

N_KILLS = 30
NETWORK = {"AUDIOMILL_ARTICLES__ALLOWED_HOSTS": "127.0.0.1"}
PROGRAM = """
import sys
from audiomill.flows.cli.main import main

def work():
    assert main() == 0

sys.argv = ["audiomill", "podcast", "run", {path!r}]
work()
"""


@pytest.fixture
def site():
    with serving_site() as served:
        yield served


def test_from_an_empty_folder_to_a_feed(home, site):
    publish_articles(site, ["mill", "light"])
    home = home.with_variables(**NETWORK)
    _, *init = documented("audiomill podcast init show.toml")
    _, *run = documented("audiomill podcast run show.toml")
    assert home.run(*init).returncode == 0
    path = home.path / "show.toml"
    text = path.read_text().replace("https://example.org/feed.xml", f"{site.url}/feed")
    path.write_text(text.replace("# wait_s = 1.0", "wait_s = 0").replace('"auto"', '"tone"'))
    told = home.json(*run)
    assert (len(told["made"]), told["failed"], told["n_episodes"]) == (2, [], 2)
    assert len(published(home.path / "podcast")) == 2
    again = home.run(*run)
    assert again.stdout.strip() == str(home.path / "podcast" / "feed.xml")
    assert "0 new or changed, 2 in the feed." in again.stderr


def test_wrong_usage_says_what_would_be_right(home):
    assert "podcast init" in home.refused(2, "podcast", "run", "show.toml")
    (home.path / "show.toml").write_text('title = "x"\ncolour = 1\n')
    wrong = home.refused(2, "podcast", "run", "show.toml")
    assert "show.toml:2: there is no “colour”" in wrong
    assert "left as it is" in home.refused(2, "podcast", "init", "show.toml")


@pytest.mark.prove
def test_a_feed_is_whole_after_every_kill(home, site):
    """Every run has a new article to make. It is killed at a random moment of its work."""
    sources = f'[[sources]]\nfeed = "{site.url}/feed"\nnewest = 500'
    path, out = show_file(home.path, sources, "[episodes]\nkeep = 500\n"), home.path / "out"
    rng, titles, n_killed = random.Random(4), list[str](), 0
    publish(site, titles)
    source = PROGRAM.format(path=str(path))
    with killed_forks(source, home.with_variables(**NETWORK).environment) as run_until:
        publish(site, titles)
        n_operations = int(run_until(0))
        while n_killed < N_KILLS:
            publish(site, titles)
            n_killed += run_until(rng.randint(1, 2 * n_operations)) == "killed"
            assert set(published(out)) <= {f"{site.url}/{title}" for title in titles}
        assert run_until(0) != "killed"
    assert set(published(out)) == {f"{site.url}/{title}" for title in titles}
    assert len(list(out.glob("*.mp3"))) == len(titles)


def publish(site: Site, titles: list[str]) -> None:
    """Publish a short article more."""
    titles.append(f"boat-{len(titles)}")
    publish_articles(site, titles, PARAGRAPHS[:2])
