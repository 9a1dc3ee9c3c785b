"""A site with a feed of articles, a podcast's file for it, and its runs in this process."""

import os
from pathlib import Path

from audiomill.flows.execution.executor import ThreadExecutor
from audiomill.flows.execution.run_context import RunContext
from audiomill.flows.podcast.run import ShowRun, run_show
from audiomill.flows.settings import ArticleSettings, Settings
from support.article_data import PARAGRAPHS, article_page
from support.feed_rules import published
from support.web_server import Page, Site

RSS = """<?xml version="1.0"?><rss version="2.0"><channel><title>The Quay Times</title>
<link>{url}/</link><description>News</description>{items}</channel></rss>"""


def publish_articles(
    site: Site, titles: list[str], paragraphs: tuple[str, ...] = PARAGRAPHS[:2]
) -> None:
    """A feed of these articles, the newest last, and their pages."""
    for title in titles:
        site.pages[f"/{title}"] = Page(article_page(f"The {title}", paragraphs).encode())
    items = "".join(
        f"<item><title>The {title}</title><link>{site.url}/{title}</link>"
        f"<pubDate>Mon, 02 Mar 2026 {minute // 60:02}:{minute % 60:02}:00 GMT</pubDate></item>"
        for minute, title in enumerate(titles)
    )
    rss = RSS.format(url=site.url, items=items).encode()
    site.pages["/feed"] = Page(rss, headers={"Content-Type": "application/rss+xml"})


def show_file(folder: Path, sources: str, more: str = "") -> Path:
    """A podcast's file that reads by tones, fast, as sound is encoded, and waits for no server."""
    path = folder / "show.toml"
    path.write_text(
        'title = "Morning"\naddress = "https://pod.example.org/m/"\nfolder = "out"\n'
        f'{sources}\n[speech]\nengine = "tone"\nspeed = 12\n[fetching]\nwait_s = 0\n{more}'
    )
    return path


def feed_show(site: Site, folder: Path, titles: list[str], more: str = "") -> Path:
    """A podcast's file for a feed of these articles, which is published."""
    publish_articles(site, titles)
    return show_file(folder, f'[[sources]]\nfeed = "{site.url}/feed"', more)


def run(path: Path) -> ShowRun:
    """A run of the podcast, with a store beside its file. Loopback is allowed."""
    settings = Settings(store=str(path.parent / "store"), articles=ArticleSettings(("127.0.0.1",)))
    with ThreadExecutor() as executor:
        return run_show(path, settings, executor, RunContext())


def episodes(path: Path) -> dict[str, dict]:
    """The feed's entries by their title, all of which are whole."""
    return {entry.title: entry for entry in published(path.parent / "out").values()}


NEWEST_S = 1_772_000_000  # February 2026
FOLDER = '[[sources]]\nfolder = "to-read"\n'
DIGEST = '[digest]\ntitle = "{show} of the day"\nintro = "{count} articles."\n'


def put_articles(folder: Path, **texts: str) -> None:
    """Articles in the folder to read, by their names; the first is the newest."""
    (folder / "to-read").mkdir(exist_ok=True)
    for age_s, (name, text) in enumerate(texts.items()):
        path = folder / "to-read" / f"{name}.md"
        path.write_text(f"# The {name}\n\n{text}\n")
        os.utime(path, (NEWEST_S - age_s, NEWEST_S - age_s))


def digest_show(folder: Path, more: str = "", sources: str = FOLDER) -> Path:
    (folder / "to-read").mkdir(exist_ok=True)
    return show_file(folder, sources, DIGEST + more)


def file_of(path: Path, entry: dict, suffix: str) -> Path:
    """The file of an episode with this suffix."""
    audio = entry.enclosures[0].href.rpartition("/")[2]
    return (path.parent / "out" / audio).with_suffix(suffix)
