"""Feeds and other listings: encodings, hostile ones, and addresses of links."""

import gzip
import json
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audiomill.inputs.articles import feed_items
from audiomill.inputs.articles.entries import Listing, NotAListing
from audiomill.inputs.articles.links import is_same_site, web_address, why_no_article
from audiomill.inputs.articles.listing import parse_listing
from audiomill.inputs.articles.page import Fetched
from audiomill.inputs.model.book import SourceError
from support.case_files import each_row, each_row_apart, rows_of
from support.examples import many_examples

BASE = "https://quay.example/feed.xml"
TITLES = ("The mill & the storm", "Forty sacks of flour")
PAGES = ("https://quay.example/2026/11/mill", "https://quay.example/2026/11/flour")
LONG = " ".join(["The sails went round all night, and nobody knew which lever stopped them."] * 12)
# Feeds of many dialects, as programs write them. Each lists the same two articles first.
FEEDS = {
    file.stem: file.read_text("utf-8").replace("{long}", LONG)
    for file in sorted(Path(__file__).with_name("feeds").iterdir())
}
FEEDS["behind a server's warning"] = (
    "<br />\n<b>Warning</b>: cannot open the cache in <b>/srv/feed.php</b> on line <b>7</b><br />\n"
    + FEEDS["rss-1.0"]
)


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
    assert bool(listing.warnings) == (name == "not-well-formed")


def test_a_date_that_cannot_be_read_is_not_that_of_today():
    (entry,) = listing_of(rss(item("<pubDate>2026. november 23.</pubDate>"))).entries
    assert entry.published is None


@pytest.mark.parametrize("told", ["", "utf-8", "iso-8859-1", "us-ascii", "utf-16", "no-such"])
def test_a_charset_told_wrong_spoils_nothing(told):
    summary = listing_of(FEEDS["rss-0.91"].encode("iso-8859-1"), told).entries[0].summary
    assert summary == "Le café d'à côté."


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32", "utf-16-le"])
def test_other_encodings_of_unicode(encoding):
    text = FEEDS["rss-2.0"].replace("UTF-8", encoding)
    assert listing_of(text.encode(encoding)).entries[0].title == TITLES[0]


@pytest.mark.parametrize("name", ["<rss version='2.0'>", "feed.xml", "file:feed.xml"])
def test_a_name_of_a_file_is_not_opened(tmp_path, monkeypatch, name):
    """feedparser opens what it takes for the name of a file, also bytes."""
    monkeypatch.chdir(tmp_path)
    Path(name.removeprefix("file:")).write_text(FEEDS["rss-2.0"])
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


CASES = Path(__file__).with_name("cases") / "feeds.txt"
PIECES = [piece for (piece,) in rows_of(CASES, "PIECES")]


URL = "https://quay.example/news/"


def check(listing: Listing) -> None:
    ids = [entry.id for entry in listing.entries]
    assert len(ids) == len(set(ids))
    for url in (*(entry.url for entry in listing.entries), *listing.further):
        assert url.lower().startswith(("http://", "https://"))
        assert not any(character.isspace() for character in url)
    for entry in listing.entries:
        dates = filter(None, (entry.published, entry.updated))
        assert all(date.utcoffset().total_seconds() == 0 for date in dates)
        assert entry.title == " ".join(entry.title.split())
    assert not any("\n" in warning for warning in listing.warnings)


def parse(content: bytes, charset: str = "") -> None:
    try:
        check(parse_listing(Fetched(URL, content, "", charset)))
    except SourceError as error:
        assert str(error).startswith(URL)
        assert "\n" not in str(error)


@given(st.binary(max_size=300), st.sampled_from(["", "utf-8", "utf-16", "x"]))
def test_any_bytes(content, charset):
    parse(content, charset)
    parse(b"\x1f\x8b" + content)
    parse(gzip.compress(content))
    parse(b"<rss><channel><item>" + content)


@many_examples(300)
@given(st.lists(st.sampled_from(PIECES), max_size=25))
def test_any_order_of_what_listings_are_made_of(pieces):
    parse(" ".join(pieces).encode("utf-8", "surrogatepass"))


@given(st.sampled_from(sorted(FEEDS)), st.data())
def test_any_damage_to_a_feed(name, data):
    feed = FEEDS[name].encode()
    start = data.draw(st.integers(0, len(feed)))
    end = data.draw(st.integers(start, min(start + 40, len(feed))))
    parse(feed[:start] + data.draw(st.binary(max_size=20)) + feed[end:])


NAMES = ["id", "url", "title", "authors", "name", "content_html", "date_published"]
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(NAMES), inner, max_size=4)
    ),
    max_leaves=12,
)


@given(st.lists(JSON, max_size=4), JSON)
def test_any_json_in_a_json_feed(items, authors):
    feed = {"version": "https://jsonfeed.org/version/1", "items": items, "authors": authors}
    parse(json.dumps(feed).encode())


@pytest.mark.parametrize("content", [None, b"", b" \n"])
def test_nothing_is_no_listing(content):
    with pytest.raises(NotAListing, match="empty"):
        parse_listing(Fetched(URL, content, "", ""))


@each_row
def test_what_addresses_say_of_themselves(path, expected):
    assert why_no_article(f"https://quay.example{path}") == expected


@each_row
def test_addresses_of_links(link, expected):
    found = web_address(link, "https://quay.example/news/")
    assert found.replace("HTTPS", "https") == expected


@each_row
def test_what_one_site_is(one, other, same):
    assert is_same_site(one, other) is same
    assert is_same_site(other, one) is same
