"""Feeds, of XML and JSON: encodings, and what hostile ones do."""

from contextlib import suppress
from pathlib import Path

import pytest

from audiomill.inputs.articles import feed_items
from audiomill.inputs.articles.entries import Listing, NotAListing
from audiomill.inputs.articles.listing import parse_listing
from audiomill.inputs.articles.page import Fetched
from support.case_files import each_row_apart
from support.feed_data import BASE, FEEDS, PAGES, RSS_091, RSS_20, TITLES


def listing_of(feed: str | bytes, charset: str = "", media_type: str = "text/xml") -> Listing:
    content = feed if isinstance(feed, bytes) else feed.encode()
    return parse_listing(Fetched(BASE, content, media_type, charset))


def rss(items: str) -> str:
    return f'<rss version="2.0"><channel><title>Quay</title>{items}</channel></rss>'


def item(inner: str, number: int = 1) -> str:
    return f"<item><title>T{number}</title><link>https://q.example/{number}</link>{inner}</item>"


@pytest.mark.parametrize("name", FEEDS)
def test_each_dialect_lists_its_articles(name):
    encoding = "iso-8859-1" if "ISO-8859-1" in FEEDS[name] else "utf-8"
    listing = listing_of(FEEDS[name].encode(encoding))
    assert [entry.title for entry in listing.entries] == list(TITLES)
    assert [entry.url for entry in listing.entries] == list(PAGES)
    assert bool(listing.warnings) == (name == "not well-formed")


@pytest.mark.parametrize("told", ["", "utf-8", "iso-8859-1", "us-ascii", "utf-16", "no-such"])
def test_a_charset_told_wrong_spoils_nothing(told):
    summary = listing_of(RSS_091.encode("iso-8859-1"), told).entries[0].summary
    assert summary == "Le café d'à côté."


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32", "utf-16-le"])
def test_other_encodings_of_unicode(encoding):
    text = RSS_20.replace("UTF-8", encoding)
    assert listing_of(text.encode(encoding)).entries[0].title == TITLES[0]


@pytest.mark.parametrize("name", ["<rss version='2.0'>", "feed.xml", "file:feed.xml"])
def test_a_name_of_a_file_is_not_opened(tmp_path, monkeypatch, name):
    """feedparser opens what it takes for the name of a file, also bytes."""
    monkeypatch.chdir(tmp_path)
    Path(name.removeprefix("file:")).write_text(RSS_20)
    with suppress(NotAListing):
        assert listing_of(name).entries == ()


LAUGHS = (
    "<!DOCTYPE rss [<!ENTITY a 'ha'>"
    + "".join(
        f"<!ENTITY {y} '{f'&{x};' * 10}'>" for x, y in zip("abcdefgh", "bcdefghi", strict=True)
    )
    + "]>"
)


def test_entities_are_not_expanded(tmp_path):
    secret = tmp_path / "secret"
    secret.write_text("the secret")
    file = f"<!DOCTYPE rss [<!ENTITY i SYSTEM 'file://{Path(secret)}'>]>"
    for doctype in (LAUGHS, file):
        feed = f"<?xml version='1.0'?>{doctype}{rss(item('<description>&i;</description>'))}"
        [entry] = listing_of(feed).entries
        assert len(entry.summary) < 20
        assert "secret" not in entry.summary


HOSTILE = {
    "attributes": "<rss " + " ".join(f'a{n}="1"' for n in range(200_000)) + "/>",
    "categories": rss(item("".join(f"<category>{n}</category>" for n in range(4_000)))),
    "keywords": rss(
        item(f"<itunes:keywords>{','.join(map(str, range(20_000)))}</itunes:keywords>")
    ),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_feed_does_no_harm(name):
    with suppress(NotAListing):
        assert len(listing_of(HOSTILE[name]).entries) <= 1


@each_row_apart
def test_what_is_repeated_in_a_feed_does_no_harm(before, inner, after):
    with suppress(NotAListing):
        assert len(listing_of(f"{before}{rss(item(inner))}{after}").entries) <= 1


def test_of_hundreds_of_authors_the_first_ones_are_kept():
    names = [f"Ann {n} &amp; Söhne" for n in range(300)]
    [entry] = listing_of(
        rss(item(f"<author>{', '.join(names)}</author><category>x</category>"))
    ).entries
    assert entry.authors[0].startswith("Ann 0 & Söhne, Ann 1 & Söhne, ")
    assert entry.authors[0].endswith(" & Söhne") and len(entry.authors[0]) <= 500


def test_entries_after_the_last_that_is_listed_are_not_parsed(monkeypatch):
    monkeypatch.setattr(feed_items, "MAX_ENTRIES", 2)
    items = "".join(f"<item><link>https://a.example/{n}</link></item>" for n in range(3))
    for broken in ("", "<item><title>" + "<b>" * 1000 + "</item>"):
        listing = listing_of(rss(items + broken))
        assert [one.url[-1] for one in listing.entries] == ["0", "1"]
        assert listing.warnings == ()


JSON_FEED = "https://quay.example/feed.json"


@pytest.mark.parametrize(
    "content",
    [b"{", b'{"a": 1}', b'{"version": "https://jsonfeed.org/version/1.1"}', b'{"items": []}',
     b'{"version": 1, "items": []}', b"{" * 50_000, b'{"a":' * 50_000],
)  # fmt: skip
def test_other_json_is_no_listing(content):
    with pytest.raises(NotAListing, match=r"feed\.json: .*JSON") as error:
        parse_listing(Fetched(JSON_FEED, content, "application/json", ""))
    assert "\n" not in str(error.value)
