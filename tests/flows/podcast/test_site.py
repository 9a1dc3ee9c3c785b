"""A show of a site with articles of all kinds, and of servers that misbehave, in three runs."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from audiomill.flows.podcast.run import ShowRun
from audiomill.inputs.articles.web import connections, fetching
from audiomill.renderers.host.waiting import UNATTENDED
from audiomill.renderers.tone.renderer import ToneRenderer
from support.article_site import FAILURES, TEMPORARY, ArticleSite, Clock, build
from support.show_data import episodes, run, show_file
from support.web_server import serving_site

pytestmark = (
    pytest.mark.prove
)  # each fault by itself: tests/inputs/articles and test_hostile_articles

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
        with recorded() as said:
            self.runs.append(run(path))
        self.said.append(said)
        self.asked.append(dict(site.site.requests))
        self.feeds.append(episodes(path))


@contextmanager
def recorded() -> Iterator[list[str]]:
    """What the engine is given."""
    said = list[str]()

    def render(self, batch, waiter=UNATTENDED):
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
        clock = Clock()
        for module in (connections, fetching):
            patch.setattr(module, "time", clock)
        site, told = build(server, away, folder, clock), Told(folder)
        more = "at_once = 1\n[episodes]\nkeep = 100\nattempts = 2\n"
        path = show_file(folder, site.sources, more)
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


def test_what_cannot_be_read_is_told_with_its_reason(site_and_runs):
    _, told = site_and_runs
    reasons = {name_of(one.url): one.reason for one in told.runs[0].failed}
    assert reasons.keys() == FAILURES.keys()
    for name, reason in FAILURES.items():
        assert reason in reasons[name]
        assert "\n" not in reasons[name]
    shown = (told.out / "index.html").read_text()
    assert all(f"/{name}" in shown for name in FAILURES)


def test_sources_with_faults_are_told(site_and_runs):
    _, told = site_and_runs
    lines = [*told.runs[0].problems, *told.runs[0].warnings]
    names = {name_of(line.partition(": ")[0]) for line in lines}
    assert {"broken", "gone", "empty", "bomb"} <= names
    assert all("\n" not in line for line in lines)


def test_a_second_run_renders_nothing(site_and_runs):
    _, told = site_and_runs
    assert told.said[0]
    assert (told.runs[1].made, told.said[1]) == ((), [])
    assert told.feeds[1] == told.feeds[0]


def test_a_second_run_asks_for_changes_only(site_and_runs):
    """All but the pages whose server tells no version of them, and those that failed."""
    site, told = site_and_runs
    versioned = {
        path
        for path, answer in site.site.pages.items()
        if getattr(answer, "status", 0) == 200 and "ETag" in answer.headers
    }
    asked = told.asked[1]
    assert len(versioned & asked.keys()) > 30
    for path in versioned & asked.keys():
        assert "If-None-Match" in asked[path], path


def test_a_third_run_makes_what_is_new_or_changed(site_and_runs):
    _, told = site_and_runs
    assert sorted(told.runs[2].made) == ["barge", "code"]
    assert told.feeds[2].keys() - told.feeds[1].keys() == {"barge"}
    assert changed(told.feeds[1], told.feeds[2]) == {"code"}
    assert told.feeds[2]["code"].id == told.feeds[1]["code"].id


def test_of_a_changed_article_only_what_is_changed_is_said_again(site_and_runs):
    _, told = site_and_runs
    new_words = {"barge."}  # of the new article; another one says the rest of it too
    assert sorted(told.said[2]) == sorted({SENTENCE, *new_words})


def test_what_failed_is_tried_again_up_to_the_limit(site_and_runs):
    _, told = site_and_runs
    attempts = [{name_of(one.url): one.attempts for one in run.failed} for run in told.runs]
    assert set(attempts[0].values()) == {1}
    assert set(attempts[1].values()) == {2}
    given_up = {name for name, number in attempts[2].items() if number == 2}
    assert given_up == FAILURES.keys() - TEMPORARY
    assert {attempts[2][name] for name in TEMPORARY} == {3}
    assert "/missing" in told.asked[1]
    assert "/missing" not in told.asked[2]


def test_what_a_server_does_not_want_is_not_asked_for(site_and_runs):
    _, told = site_and_runs
    assert not any({"/forbidden", "/whole"} & asked.keys() for asked in told.asked)


def changed(old: dict[str, dict], new: dict[str, dict]) -> set[str]:
    """The titles of episodes that have another file."""
    return {title for title in old if old[title].enclosures != new[title].enclosures}


def name_of(url: str) -> str:
    return url.rpartition("/")[2]
