"""A show of all kinds of sources, of which most articles fail, in three runs."""

from collections.abc import Iterator
from hashlib import sha256
from itertools import count
from pathlib import Path

import pytest

from audiomill.flows.podcast.run import ShowRun
from support.article_data import PARAGRAPHS, article_page
from support.letter_data import letter, mbox
from support.show_data import RSS, run, show_file
from support.web_server import Page, Site, cut_off, serving_site

pytestmark = pytest.mark.prove  # each fault by itself: tests/inputs/articles

# Why each of these fails.
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
READABLE = {"The mill, №1: “a storm”", "moved", "dynamic", "before-the-fault"}
VERSIONED = {"/feed", "/elsewhere", "/before-the-fault"}


def tagged(content: str) -> Page:
    """A page that its server can tell to be unchanged."""
    return Page(content.encode(), headers={"ETag": f'"{sha256(content.encode()).hexdigest()}"'})


def feed(site: Site, *titles: str) -> Page:
    links = (f"<title>{one}</title><link>{site.url}/{one}</link>" for one in titles)
    items = "".join(f"<item>{one}</item>" for one in links)
    return tagged(RSS.format(url=site.url, items=items))


def fill(site: Site, away: Site, folder: Path) -> str:
    """Fill two servers and a folder. The sources of the show."""
    marks = count()
    site.pages |= {
        "/elsewhere": tagged(article_page("moved")),
        "/before-the-fault": tagged(article_page("before-the-fault")),
        # Another mark in each answer, as for a form, and the same text.
        "/dynamic": lambda asked: Page(
            article_page("dynamic").replace("</head>", f"<!--{next(marks)}--></head>").encode()
        )(asked),
        "/moved": Page(status=302, headers={"Location": f"{site.url}/elsewhere"}),
        "/to-front": Page(status=302, headers={"Location": "/"}),
        "/to-file": Page(status=302, headers={"Location": "file:///etc/passwd"}),
        "/": tagged(article_page("The Quay Times")),
        "/cut": cut_off,
        "/gone-for-good": Page(b"", 410),
        "/forbidden": tagged(article_page("forbidden")),
        "/paywall": tagged(
            article_page("paywall", (PARAGRAPHS[0], "Subscribe now to continue reading."), PAYWALL)
        ),
        "/robots.txt": Page(b"User-agent: *\nDisallow: /forbidden\n"),
        "/feed": feed(site, "moved", "dynamic", *PAGES),
        "/broken": feed(site, "before-the-fault", "R & <b>"),
    }
    away.pages["/robots.txt"] = Page(b"", 503, {"Retry-After": "3600"})
    (folder / "letters.mbox").write_bytes(mbox(letter(1, text="\n\n".join(PARAGRAPHS)).as_bytes()))
    lines = [f'feed = "{site.url}/{name}"' for name in ("feed", "broken", "gone")]
    lines += [f'page = "{away.url}/away"', 'mailbox = "letters.mbox"']
    return "".join(f"[[sources]]\n{line}\nnewest = 50\n" for line in lines)


Runs = list[tuple[ShowRun, dict[str, dict[str, str]]]]


@pytest.fixture(scope="module")
def runs(tmp_path_factory) -> Iterator[Runs]:
    """What each run did, and what it asked the site for, with the headers."""
    folder = tmp_path_factory.mktemp("show")
    with pytest.MonkeyPatch.context() as patch, serving_site() as site, serving_site() as away:
        patch.setenv("XDG_CACHE_HOME", str(folder / "cache"))
        limits = "at_once = 1\n[episodes]\nattempts = 2\n"
        path, told = show_file(folder, fill(site, away, folder), limits), Runs()
        for _ in range(3):
            site.requests.clear()
            told.append((run(path), dict(site.requests)))
        yield told


def test_what_can_be_read_is_made_once(runs):
    assert [sorted(run.made) for run, _ in runs] == [sorted(READABLE), [], []]


def test_what_cannot_be_read_is_told_with_its_reason(runs):
    reasons = {name_of(one.url): one.reason for one in runs[0][0].unmade_articles}
    assert reasons.keys() == FAILURES.keys()
    for name, reason in FAILURES.items():
        assert reason in reasons[name]
        assert "\n" not in reasons[name]
    shown = Path(runs[0][0].feed).with_name("index.html").read_text()
    assert all(f"/{name}" in shown for name in FAILURES)


def test_sources_with_faults_are_told(runs):
    lines = [*runs[0][0].unread_sources, *runs[0][0].warnings]
    names = {name_of(line.partition(": ")[0]) for line in lines}
    assert {"broken", "gone"} <= names
    assert all("\n" not in line for line in lines)


def test_a_second_run_asks_for_changes_only(runs):
    """Of pages whose server tells their version."""
    asked = runs[1][1]
    assert {path for path in asked if "If-None-Match" in asked[path]} >= VERSIONED


def test_what_failed_is_tried_again_up_to_the_limit(runs):
    attempts = [{name_of(one.url): one.attempts for one in run.unmade_articles} for run, _ in runs]
    at_the_limit = dict.fromkeys(FAILURES, 2)
    away_again = dict.fromkeys(TEMPORARY, 3)
    assert attempts == [dict.fromkeys(FAILURES, 1), at_the_limit, at_the_limit | away_again]
    assert ["/missing" in asked for _, asked in runs] == [True, True, False]


def test_what_a_server_does_not_want_is_not_asked_for(runs):
    assert not any("/forbidden" in asked for _, asked in runs)


def name_of(url: str) -> str:
    return url.rpartition("/")[2]
