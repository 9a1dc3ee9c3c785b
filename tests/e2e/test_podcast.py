"""`audiomill podcast`: from an empty folder to a feed, and through every kill."""

import json
import random
import re
import signal
import subprocess
import sys
import time
from urllib.request import urlopen

import pytest

from support.documents import documented
from support.feed_reading import published
from support.home import Home
from support.show_data import publish_articles, show_file
from support.web_server import serving_site

N_KILLS = 30
NETWORK = {"AUDIOMILL_ARTICLES__ALLOWED_HOSTS": "127.0.0.1"}


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
    path.write_text(text.replace("# wait_s = 1.0", "wait_s = 0").replace('"espeak"', '"tone"'))
    first = home.run(*run, "--json")
    assert first.returncode == 0, first.stderr
    told = json.loads(first.stdout)
    assert (len(told["made"]), told["failed"], told["n_episodes"]) == (2, [], 2)
    assert len(published(home.path / "podcast")) == 2
    again = home.run(*run)
    assert again.stdout.strip() == str(home.path / "podcast" / "feed.xml")
    assert "0 new or changed, 2 in the feed." in again.stderr


def test_any_web_server_serves_the_folder(home, site):
    publish_articles(site, ["mill"])
    home = home.with_variables(**NETWORK)
    path = show_file(home.path, f'[[sources]]\nfeed = "{site.url}/feed"')
    path.write_text(path.read_text().replace('"out"', '"podcast"'))
    assert home.run("podcast", "run", path).returncode == 0
    _, *server = documented("python -m http.server --directory podcast")
    with subprocess.Popen(
        [sys.executable, "-u", *server, "--bind", "127.0.0.1", "0"],
        cwd=home.path, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
    ) as process:  # fmt: skip
        try:
            port = re.search(r"port (\d+)", process.stdout.readline())[1]
            with urlopen(f"http://127.0.0.1:{port}/feed.xml") as answer:
                assert answer.read() == (home.path / "podcast" / "feed.xml").read_bytes()
        finally:
            process.kill()


def test_wrong_usage_says_what_would_be_right(home):
    missing = home.run("podcast", "run", "show.toml")
    assert (missing.returncode, "podcast init" in missing.stderr) == (2, True)
    (home.path / "show.toml").write_text('title = "x"\ncolour = 1\n')
    wrong = home.run("podcast", "run", "show.toml")
    assert (wrong.returncode, "show.toml:2: there is no “colour”" in wrong.stderr) == (2, True)
    twice = home.run("podcast", "init", "show.toml")
    assert (twice.returncode, "left as it is" in twice.stderr) == (2, True)


@pytest.mark.prove
def test_a_feed_is_whole_after_every_kill(home, site):
    """Every run has new articles to make. It is killed at a random moment of its work."""
    home = home.with_variables(**NETWORK)
    path = show_file(home.path, f'[[sources]]\nfeed = "{site.url}/feed"\nnewest = 500')
    rng, titles, out = random.Random(4), ["mill"], home.path / "out"
    publish_articles(site, titles)
    longest_s = duration_s(home, path)
    for number in range(N_KILLS):
        titles += [f"boat-{number}", f"light-{number}"]
        publish_articles(site, titles)
        killed_after(home, path, rng.uniform(0.2, 1.2) * longest_s)
        if (out / "feed.xml").exists():
            published(out)
    assert home.run("podcast", "run", path).returncode == 0
    assert {one.title for one in published(out).values()} == {
        f"The {title}" for title in titles[-50:]
    }
    assert len(list(out.glob("*.mp3"))) == 50  # episodes are kept


def duration_s(home: Home, path) -> float:
    """How long a run takes that has one article to make."""
    began = time.monotonic()
    assert home.run_program("podcast", "run", path).returncode == 0
    return time.monotonic() - began


def killed_after(home: Home, path, wait_s: float) -> None:
    """A run that is killed after a time, unless it has ended before."""
    with home.start("podcast", "run", path) as process:
        time.sleep(wait_s)
        process.send_signal(signal.SIGKILL)
        process.communicate()
