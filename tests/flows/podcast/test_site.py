"""A show of all kinds of sources, of which some articles fail, in three runs."""

from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from itertools import count
from pathlib import Path

import pytest

from audiomill.flows.podcast.run import ShowRun
from audiomill.renderers.host.waiting import UNATTENDED
from audiomill.renderers.tone.renderer import ToneRenderer
from support.article_data import PARAGRAPHS, article_page
from support.letter_data import letter, mbox
from support.show_data import RSS, episodes, run, show_file
from support.web_server import Page, Site, cut_off, serving_site

pytestmark = pytest.mark.prove  # each fault by itself: tests/inputs/articles

SENTENCE = "The council has voted to sell the mill to the baker."
BODIES = {
    "code": "<p>The gears are described by a short program:</p><pre><code>for gear in gears:\n"
    "    gear.turn()\n</code></pre><p>It has run for eleven years without a fault.</p>",
    "table": "<table><tr><th>Day</th><th>Sacks</th></tr><tr><td>Sunday</td><td>40</td></tr>"
    "<tr><td>Monday</td><td>12</td></tr></table><p>So the baker counted them in the end.</p>",
    "quotes": "<blockquote><p>It was a groan, like a ship that is pushed off a sandbank, and then"
    " the whole house began to shake.</p></blockquote><p>Nobody has asked her since.</p>",
    "lists": "<ul><li>one sack of oats for the horses of the mail</li><li>forty sacks of flour for"
    " the baker at the corner</li></ul><p>That is all that the loft had held.</p>",
    "notes": '<p>The brake is of oak.<sup><a href="#fn1">1</a></sup> It was made in the town.</p>'
    '<section><p id="fn1">1. Some say of ash.</p></section>',
}
# Why each of the others fails.
FAILURES = {
    "to-front": "which is no article",
    "to-file": "only http and https are fetched",
    "cut": "cannot be reached",
    "missing": "404",
    "gone-for-good": "410",
    "forbidden": "robots.txt",
    "paywall": "only the beginning is free",
    "away": "robots.txt cannot be read now",
}
PAGES = sorted(FAILURES.keys() - {"away"})  # of the site itself
TEMPORARY = {"cut", "away"}
PAYWALL = '<script type="application/ld+json">{"isAccessibleForFree": false}</script>'
LETTERS = {f"The mill, №{number}: “a storm”" for number in (1, 2)}
READABLE = {*BODIES, *LETTERS, "moved", "dynamic", "note", "before-the-fault"}


def tagged(content: str) -> Page:
    """A page that its server can tell to be unchanged."""
    return Page(content.encode(), headers={"ETag": f'"{sha256(content.encode()).hexdigest()}"'})


def article(title: str, more: str = "") -> str:
    return article_page(title).replace("<figure>", f"{more}<figure>", 1)


def feed(site: Site, *titles: str) -> Page:
    links = (f"<title>{one}</title><link>{site.url}/{one}</link>" for one in titles)
    items = "".join(f"<item>{one}</item>" for one in links)
    return tagged(RSS.format(url=site.url, items=items))


def fill(site: Site, away: Site, folder: Path) -> str:
    """Fill two servers and a folder. The sources of the show."""
    site.pages |= {f"/{title}": tagged(article(title, body)) for title, body in BODIES.items()}
    marks = count()
    site.pages |= {
        "/elsewhere": tagged(article("moved")),
        "/before-the-fault": tagged(article("before-the-fault")),
        # Another mark in each answer, as for a form, and the same text.
        "/dynamic": lambda asked: Page(
            article("dynamic").replace("</head>", f"<!--{next(marks)}--></head>").encode()
        )(asked),
        "/moved": Page(status=302, headers={"Location": f"{site.url}/elsewhere"}),
        "/to-front": Page(status=302, headers={"Location": "/"}),
        "/to-file": Page(status=302, headers={"Location": "file:///etc/passwd"}),
        "/": tagged(article("The Quay Times")),
        "/cut": cut_off,
        "/gone-for-good": Page(b"", 410),
        "/forbidden": tagged(article("forbidden")),
        "/paywall": tagged(
            article_page("paywall", (PARAGRAPHS[0], "Subscribe now to continue reading."), PAYWALL)
        ),
        "/robots.txt": Page(b"User-agent: *\nDisallow: /forbidden\n"),
        "/feed": feed(site, *BODIES, "moved", "dynamic", *PAGES),
        "/broken": feed(site, "before-the-fault", "R & <b>"),
    }
    away.pages["/robots.txt"] = Page(b"", 503, {"Retry-After": "3600"})
    letters = [letter(number, text="\n\n".join(PARAGRAPHS)).as_bytes() for number in (1, 2)]
    (folder / "letters.mbox").write_bytes(mbox(*letters))
    (folder / "to-read").mkdir()
    (folder / "to-read" / "note.md").write_text(f"# note\n\n{PARAGRAPHS[0]}")
    lines = [f'feed = "{site.url}/{name}"' for name in ("feed", "broken", "gone")]
    lines += [f'page = "{away.url}/away"', 'mailbox = "letters.mbox"', 'folder = "to-read"']
    return "".join(f"[[sources]]\n{line}\nnewest = 50\n" for line in lines)


class Told:
    """Three runs of the show: what each of them did, asked for, and had the engine say."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.out = folder, folder / "out"
        self.runs: list[ShowRun] = []
        self.asked: list[dict[str, dict[str, str]]] = []
        self.said: list[list[str]] = []
        self.feeds: list[dict[str, dict]] = []

    def run(self, path: Path, site: Site) -> None:
        site.requests.clear()
        with recorded() as said:
            self.runs.append(run(path))
        self.said.append(said)
        self.asked.append(dict(site.requests))
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
def site_and_runs(tmp_path_factory) -> Iterator[tuple[Site, Told]]:
    folder = tmp_path_factory.mktemp("show")
    with pytest.MonkeyPatch.context() as patch, serving_site() as site, serving_site() as away:
        patch.setenv("XDG_CACHE_HOME", str(folder / "cache"))
        sources, told = fill(site, away, folder), Told(folder)
        path = show_file(folder, sources, "at_once = 1\n[episodes]\nkeep = 100\nattempts = 2\n")
        told.run(path, site)
        told.run(path, site)
        site.pages["/barge"] = tagged(article("barge"))
        site.pages["/code"] = tagged(article("code", f"{BODIES['code']}<p>{SENTENCE}</p>"))
        site.pages["/feed"] = feed(site, *BODIES, "moved", "dynamic", *PAGES, "barge")
        told.run(path, site)
        yield site, told


def test_what_can_be_read_is_made(site_and_runs):
    _, told = site_and_runs
    assert set(told.feeds[0]) == READABLE
    assert sorted(told.runs[0].made) == sorted(READABLE)


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
    assert {"broken", "gone"} <= names
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
        for path, answer in site.pages.items()
        if getattr(answer, "status", 0) == 200 and "ETag" in answer.headers
    }
    asked = told.asked[1]
    assert len(versioned & asked.keys()) >= len(BODIES)
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
    new_words = {
        "barge, by Jan Mertens."
    }  # of the new article; another one says the rest of it too
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
    assert not any("/forbidden" in asked for asked in told.asked)


def changed(old: dict[str, dict], new: dict[str, dict]) -> set[str]:
    """The titles of episodes that have another file."""
    return {title for title in old if old[title].enclosures != new[title].enclosures}


def name_of(url: str) -> str:
    return url.rpartition("/")[2]
