"""A show of a site with articles of all kinds, and servers that misbehave: three runs, one story."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest

from audiomill.flows.pipeline.run_context import RunContext, ThreadExecutor
from audiomill.flows.podcast.run import ShowRun, run_show
from audiomill.flows.settings import ArticleSettings, Settings
from audiomill.inputs.articles import fetching
from audiomill.renderers.tone import ToneRenderer
from support.article_site import FAILURES, ArticleSite, build
from support.feed_reading import published
from support.show_data import show_file
from support.web_server import serving_site

SENTENCE = "The council has voted to sell the mill to the baker."


class Told:
    """Three runs of the show: what each of them did, asked for, and had the engine say."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.out = folder, folder / "out"
        self.runs: list[ShowRun] = []
        self.asked: list[dict[str, dict[str, str]]] = []
        self.said: list[list[str]] = []
        self.feeds: list[dict[str, dict]] = []

    def run(self, path: Path, site: ArticleSite) -> None:
        site.site.requests.clear()
        settings = Settings(
            store=str(self.folder / "store"), articles=ArticleSettings(("127.0.0.1",))
        )
        with recorded() as said, ThreadExecutor() as executor:
            self.runs.append(run_show(path, settings, executor, RunContext()))
        self.said.append(said)
        self.asked.append(dict(site.site.requests))
        self.feeds.append({entry.title: entry for entry in published(self.out).values()})


@contextmanager
def recorded() -> Iterator[list[str]]:
    """What the engine is given."""
    said = list[str]()

    def render(self, batch):
        said.extend(request.spoken for request in batch.requests)
        return original(self, batch)

    original = ToneRenderer.render
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ToneRenderer, "render", render)
        yield said


@pytest.fixture(scope="module")
def site_and_runs(tmp_path_factory) -> Iterator[tuple[ArticleSite, Told]]:
    folder = tmp_path_factory.mktemp("show")
    with pytest.MonkeyPatch.context() as patch, serving_site() as server, serving_site() as away:
        patch.setenv("XDG_CACHE_HOME", str(folder / "cache"))
        limits = partial(fetching.FetchLimits, total_s=0.5)
        patch.setattr(fetching, "FetchLimits", limits)
        site, told = build(server, away, folder), Told(folder)
        path = show_file(folder, site.sources, "[episodes]\nkeep = 100\nattempts = 2\n")
        told.run(path, site)
        told.run(path, site)
        site.add("barge")
        site.change("code", SENTENCE)
        told.run(path, site)
        yield site, told


def test_what_can_be_read_is_made(site_and_runs):
    site, told = site_and_runs
    assert len(site.readable) + len(FAILURES) >= 50
    assert set(told.feeds[0]) == site.readable
    assert sorted(told.runs[0].made) == sorted(site.readable)
