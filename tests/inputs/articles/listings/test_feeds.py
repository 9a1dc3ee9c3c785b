"""Feeds: what each dialect says of its entries, and what broken and hostile ones do."""

from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

import pytest

from audiomill.inputs.articles.listings import feed_items
from audiomill.inputs.articles.listings.entries import Listing, NotAListing
from audiomill.inputs.articles.listings.listing import parse_listing
from audiomill.inputs.articles.page import Fetched
from support.feed_data import ATOM, BASE, FEEDS, LONG, PAGES, RSS_091, RSS_20, TITLES


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


def test_what_rss_says_of_an_entry():
    first, second = listing_of(RSS_20).entries
    assert first.id == "https://quay.example/?p=41"
    assert (first.authors, second.authors) == (("Jan Mertens",), ("Hanna Brink",))
    assert first.published == datetime(2026, 11, 23, 6, 30, tzinfo=UTC)
    assert (first.updated, second.published) == (None, None)
    assert first.summary == "It had not turned for eleven years. […]"
    assert LONG in first.content
    assert (second.summary, second.content) == ("The baker found them.", "")
    assert first.language == "en-GB"


def test_what_atom_says_of_an_entry():
    listing = listing_of(ATOM)
    first, second = listing.entries
    assert listing.title == "The Quay"
    assert first.id == "tag:quay.example,2026:41"
    assert (first.authors, second.authors) == (("Jan Mertens",), ("The desk",))
    assert first.published == datetime(2026, 11, 23, 6, 30, tzinfo=UTC)
    assert second.updated == datetime(2026, 11, 22, tzinfo=UTC)
    assert LONG in first.content
    assert second.summary == "Bread < cake?"


@pytest.mark.parametrize("told", ["", "utf-8", "iso-8859-1", "us-ascii", "utf-16", "no-such"])
def test_a_charset_told_wrong_spoils_nothing(told):
    summary = listing_of(RSS_091.encode("iso-8859-1"), told).entries[0].summary
    assert summary == "Le café d'à côté."


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32", "utf-16-le"])
def test_other_encodings_of_unicode(encoding):
    text = RSS_20.replace("UTF-8", encoding)
    assert listing_of(text.encode(encoding)).entries[0].title == TITLES[0]


@pytest.mark.parametrize("media_type", ["text/html", "text/plain", "application/octet-stream", ""])
def test_the_content_decides_not_the_media_type(media_type):
    assert len(listing_of(RSS_20, media_type=media_type).entries) == 2


TITLE_CASES = {
    "Fish &amp;amp; chips": "Fish & chips",
    "Fish &amp; chips": "Fish & chips",
    "&lt;i&gt;Emma&lt;/i&gt; again": "Emma again",
    "<![CDATA[<i>Emma</i> &#8211; again]]>": "Emma – again",
    "<![CDATA[Fish &hellip; &apos;chips&apos;]]>": "Fish … 'chips'",
    "a &lt; b": "a < b",
    "no &#0;character&#x110000;of &#99999999999999999999;any": "no character of any",
    "&#00000000065;&#x0000042;": "AB",
    " Two\n  lines ": "Two lines",
    "": "",
}


@pytest.mark.parametrize("written", TITLE_CASES)
def test_titles_become_plain_text(written):
    feed = rss(f"<item><title>{written}</title><link>https://q.example/1</link></item>")
    assert listing_of(feed).entries[0].title == TITLE_CASES[written]


def test_a_title_of_atom_is_what_its_type_says():
    entry = "<entry><id>1</id><title{}>Use &lt;b&gt;</title><link href='https://q.example/1'/>"
    for kind, title in ((" type='text'", "Use <b>"), ("", "Use <b>"), (" type='html'", "Use")):
        feed = f"<feed xmlns='http://www.w3.org/2005/Atom'>{entry.format(kind)}</entry></feed>"
        assert listing_of(feed).entries[0].title == title


DATES = {
    "Mon, 23 Nov 2026 07:30:00 +0100": "2026-11-23T06:30",
    "Mon, 23 Nov 2026 07:30:00": "2026-11-23T07:30",  # without a zone
    "Mon, 23 Nov 2026 07:30:00 EST": "2026-11-23T12:30",
    "23 Nov 2026 07:30 GMT": "2026-11-23T07:30",
    "2026-11-23T07:30:00.123-05:00": "2026-11-23T12:30",
    "2026-11-23 07:30": "2026-11-23T07:30",
    "2026-11-23": "2026-11-23T00:00",
    "2026-11": "2026-11-01T00:00",
    "0001-01-01T00:00:00Z": None,
    "Thu, 01 Jan 1970 00:00:00 +0000": None,
    "Mon, 31 Feb 2026 07:30:00 GMT": None,
    "yesterday": None,
    "": None,
}


@pytest.mark.parametrize("written", DATES)
def test_dates(written):
    found = listing_of(rss(item(f"<pubDate>{written}</pubDate>"))).entries[0].published
    assert (found and found.isoformat()[:16]) == DATES[written]
    assert found is None or found.tzinfo is UTC


NO_PAGE = {
    "no address": (
        "<item><title>No link</title></item>",
        "<item><title>No permalink</title><guid isPermaLink='false'>https://q.example/1</guid></item>",
        "<item><title>A number</title><guid>4711</guid></item>",
        "<item><title>A program</title><link>javascript:alert(1)</link></item>",
        "<item><title>A file</title><link>file:///etc/passwd</link></item>",
        "<item><title>A password</title><link>https://jan:secret@q.example/1</link></item>",
        "<item><title>Only sound</title>"
        "<enclosure url='https://q.example/1.mp3' type='audio/mpeg' length='1'/></item>",
    ),
    "a file, not a page": (
        "<item><title>Episode</title><link>https://q.example/1.mp3</link></item>",
        "<item><title>Scan</title><link>https://q.example/scan.PDF?x=1</link></item>",
    ),
}


@pytest.mark.parametrize(
    ("reason", "broken"), [(reason, one) for reason, all_ in NO_PAGE.items() for one in all_]
)
def test_an_entry_without_a_page_is_left_out(reason, broken):
    listing = listing_of(rss(item("") + broken))
    assert [entry.title for entry in listing.entries] == ["T1"]
    assert listing.warnings == (f"1 entry left out: {reason}",)


def test_a_permalink_is_an_address():
    feed = rss("<item><title>T</title><guid>https://q.example/1</guid></item>")
    assert listing_of(feed).entries[0].url == "https://q.example/1"


def test_an_entry_with_sound_and_a_page_is_an_article():
    sound = "<enclosure url='https://q.example/1.mp3' type='audio/mpeg' length='1'/>"
    assert listing_of(rss(item(sound))).entries[0].url == "https://q.example/1"


def test_an_entry_stands_once():
    twice = item("<guid isPermaLink='false'>a</guid>") + item("<guid isPermaLink='false'>b</guid>")
    listing = listing_of(rss(twice + item("", 2) + item("", 2)))
    assert [entry.url for entry in listing.entries] == [
        "https://q.example/1",
        "https://q.example/2",
    ]
    assert listing.warnings == ("2 entries left out: listed before",)


def test_one_id_for_all_entries_loses_none():
    same = "<guid isPermaLink='false'>0</guid>"
    listing = listing_of(rss("".join(item(same, number) for number in range(5))))
    assert len({entry.id for entry in listing.entries}) == 5


WHOLE = f"<p>{LONG}</p><p>{LONG}</p>"
CONTENTS = {
    (f"<p>{LONG}</p>", "content:encoded"): True,
    ("<p>Too short to be all of it.</p>", "content:encoded"): False,
    (f"<p>{LONG} […]</p>", "content:encoded"): False,
    (f"<p>{LONG}</p><a href='/1'>Continue reading →</a>", "content:encoded"): False,
    (f"<p>{LONG}</p><p><a href='/1'>Weiterlesen</a></p>", "content:encoded"): False,
    (WHOLE, "description"): True,
    (f"<p>{LONG}</p>", "description"): False,
    (f"{LONG} {LONG}", "description"): False,
}


@pytest.mark.parametrize(("markup", "element"), CONTENTS)
def test_content_is_only_what_is_whole(markup, element):
    inner = f"<{element}><![CDATA[{markup}]]></{element}>"
    feed = rss(item(inner)).replace(
        "<rss ", '<rss xmlns:content="http://purl.org/rss/1.0/modules/content/" '
    )
    assert listing_of(feed).entries[0].content == (markup if CONTENTS[markup, element] else "")


def test_a_feed_without_entries_is_a_listing():
    assert listing_of(rss("")) == Listing("Quay", ())


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
    "many lines before it": "<?xml version='1.0'?>" + "\n" * 300_000 + rss(item("")),
    "many declarations": "<?xml " + "encoding='" * 20_000 + "?>" + rss(item("")),
    "deep": rss(item("<description>" + "<b>" * 20_000 + "x</description>")),
    "open tags": rss(item("")) + "<item>" * 20_000,
    "open brackets": rss(item("")) + "<" * 100_000,
    "open comments": "<!--" * 50_000 + rss(item("")),
    "open sections": rss(item("")) + "<![CDATA[" * 20_000,
    "attributes": "<rss " + " ".join(f'a{n}="1"' for n in range(200_000)) + "/>",
    "a person": rss(item("<author>" + "n" * 100_000 + "</author>")),
    "a person in pieces": rss(
        item("<dc:creator>" + "nnnnnnnn<![CDATA[n]]>" * 5_000 + "</dc:creator>")
    ),
    "an open person": rss(item("<managingEditor>" + "n" * 100_000)),
    "persons": rss(item("<author>" * 20_000 + "x</author>")),
    "categories": rss(item("".join(f"<category>{n}</category>" for n in range(4_000)))),
    "keywords": rss(
        item(f"<itunes:keywords>{','.join(map(str, range(20_000)))}</itunes:keywords>")
    ),
    "references": rss(item("<description>" + "&amp;" * 100_000 + "</description>")),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_feed_does_no_harm(name):
    with suppress(NotAListing):
        assert len(listing_of(HOSTILE[name]).entries) <= 1


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
