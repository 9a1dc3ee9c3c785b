"""Secrets of a podcast's sources: where they come from, and that they stay there."""

import re

import pytest

from audiomill.flows.errors import UsageError
from audiomill.flows.podcast.secrets import credentials_of
from audiomill.flows.podcast.show_file import read_show
from audiomill.inputs.articles.addresses import Endpoint
from support.article_data import article_page
from support.case_files import each_row_apart
from support.feed_rules import published
from support.show_data import RSS, run, show_file
from support.web_server import Page, serving_site

KEY, COOKIE = "7d1f9caa3b", "c00kie-of-mine"
FEED = "https://example.org/feed"


@pytest.fixture(autouse=True)
def secrets(monkeypatch):
    monkeypatch.setenv("FEED_KEY", f"{KEY}\n")
    monkeypatch.setenv("NEWS_COOKIE", COOKIE)
    monkeypatch.setenv("SHORT", "abc")
    monkeypatch.setenv("ODD", "one\ntwo\nthree")
    monkeypatch.delenv("PREFECT_API_URL", raising=False)


def credentials(folder, *sources: str):
    return credentials_of(
        read_show(show_file(folder, "".join(map("[[sources]]\n{}\n".format, sources))))
    )


def test_what_each_server_gets(tmp_path):
    found = credentials(
        tmp_path,
        f'feed = "{FEED}?key={{env:FEED_KEY}}"',
        'page = "https://example.org/a"\nlogin = "me:{env:FEED_KEY}"',
        'index = "http://b.example:8080/"\nheaders = {cookie = "s={env:NEWS_COOKIE}"}',
        'page = "https://c.example/"',
    )
    first, second = (
        found[Endpoint("https", "example.org", 443)],
        found[Endpoint("http", "b.example", 8080)],
    )
    assert len(found) == 2
    assert first.sent_path(b"/feed?key={env:FEED_KEY}") == f"/feed?key={KEY}".encode()
    assert first.sent_headers()["Authorization"].startswith("Basic ")
    assert second.sent_headers() == {"Cookie": f"s={COOKIE}"}


@each_row_apart
def test_what_is_wrong_is_told_with_its_line_and_no_secret(tmp_path, source, told):
    with pytest.raises(UsageError, match=re.escape(told)) as caught:
        credentials(tmp_path, source)
    assert re.search(r"show\.toml:[456]: ", str(caught.value))
    assert not re.search("abc|one|word@|:word|7d1f", str(caught.value).replace("password", ""))


@each_row_apart
def test_what_cannot_be_had_is_told_before_anything_is_fetched(tmp_path, sources, told):
    with pytest.raises(UsageError, match=told):
        credentials(tmp_path, *sources)


def test_a_private_podcast_is_made_and_no_file_has_a_secret(tmp_path, monkeypatch, caplog, capfd):
    """The feed's own links have the key, as those of paid feeds have; one article is not there."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    with serving_site() as site:
        items = "".join(
            f"<item><title>The {title}</title>"
            f"<link>{site.url}/{title}?key={KEY}&amp;n=1</link></item>"
            for title in ("mill", "gone")
        )
        rss = RSS.format(url=f"{site.url}?key={KEY}", items=items).encode()
        told = {"Content-Type": "application/rss+xml"}
        site.pages[f"/feed?key={KEY}"] = Page(rss, headers=told)
        site.pages[f"/mill?key={KEY}&n=1"] = Page(article_page("The mill").encode())
        source = (
            f'[[sources]]\nfeed = "{site.url}/feed?key={{env:FEED_KEY}}"\n'
            'headers = {Cookie = "s={env:NEWS_COOKIE}"}'
        )
        path = show_file(tmp_path, source)
        done = run(path)
        assert {headers["Cookie"] for _, headers in site.requests} == {f"s={COOKIE}"}
    assert (done.made, [one.title for one in done.unmade_articles]) == (("The mill",), ["The gone"])
    (entry,) = published(tmp_path / "out").values()
    assert entry.link == f"{site.url}/mill?n=1"
    files = [one for one in tmp_path.rglob("*") if one.is_file()]
    assert len(files) > 10
    shown = caplog.text + "".join(capfd.readouterr()) + repr(done)
    for secret in (KEY, COOKIE):
        assert [one for one in files if secret.encode() in one.read_bytes()] == []
        assert secret not in shown
