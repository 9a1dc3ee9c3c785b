"""JSON Feed 1 and 1.1."""

import json
from datetime import UTC, datetime

import pytest

from audiomill.inputs.articles.listings.entries import Listing, NotAListing
from audiomill.inputs.articles.listings.listing import parse_listing
from audiomill.inputs.articles.page import Fetched
from support.feed_data import LONG

BASE = "https://quay.example/feed.json"


def listing_of(items, **about) -> Listing:
    feed = {"version": "https://jsonfeed.org/version/1.1", "title": "Quay", "items": items, **about}
    return parse_listing(Fetched(BASE, json.dumps(feed).encode(), "application/json", ""))


def test_what_it_says_of_an_entry():
    listing = listing_of(
        [
            {
                "id": "41",
                "url": "/2026/11/mill",
                "external_url": "https://other.example/",
                "title": "The mill & the <storm>",
                "content_html": f"<p>{LONG}</p>",
                "summary": "It turned.",
                "date_published": "2026-11-23T07:30:00+01:00",
                "date_modified": "2026-11-23T08:00:00Z",
                "authors": [{"name": "Jan Mertens"}, {"url": "https://quay.example/hb"}],
                "language": "de",
            }
        ],
        language="en-US",
        next_url="/feed.json?page=2",
    )
    [entry] = listing.entries
    assert (listing.title, listing.warnings) == ("Quay", ())
    assert listing.further == ("https://quay.example/feed.json?page=2",)
    assert (entry.id, entry.url) == ("41", "https://quay.example/2026/11/mill")
    assert (entry.title, entry.summary) == ("The mill & the <storm>", "It turned.")
    assert entry.published == datetime(2026, 11, 23, 6, 30, tzinfo=UTC)
    assert entry.updated == datetime(2026, 11, 23, 8, 0, tzinfo=UTC)
    assert (entry.authors, entry.language) == (("Jan Mertens",), "de")
    assert entry.content == f"<p>{LONG}</p>"


def test_what_an_entry_does_not_say():
    [entry] = listing_of([{"url": "https://quay.example/1"}], language="en").entries
    assert (entry.id, entry.title, entry.authors) == (entry.url, "", ())
    assert (entry.published, entry.updated, entry.summary, entry.content) == (None, None, "", "")
    assert entry.language == "en"


def test_version_1_has_one_author_for_all():
    about = {"version": "https://jsonfeed.org/version/1", "author": {"name": "The desk"}}
    listing = listing_of([{"id": 7, "external_url": "https://other.example/a-b"}], **about)
    [entry] = listing.entries
    assert (entry.id, entry.url) == ("7", "https://other.example/a-b")
    assert entry.authors == ("The desk",)


def test_text_becomes_html():
    text = f"{LONG}\n\nA <b> & more.\n"
    [entry] = listing_of([{"id": "https://quay.example/1", "content_text": text}]).entries
    assert entry.content == f"<p>{LONG}</p><p>A &lt;b&gt; &amp; more.</p>"
    assert entry.url == "https://quay.example/1"
    assert entry.summary.startswith("The sails went round")


def test_values_of_wrong_types_count_as_not_told():
    wrong = {"url": "https://quay.example/1", "title": 7, "authors": "Jan", "summary": ["x"]}
    dates = {"date_published": 2026, "language": None, "content_html": {}}
    listing = listing_of(["no item", None, {**wrong, **dates}], title={"a": 1})
    assert [entry.url for entry in listing.entries] == ["https://quay.example/1"]
    assert listing.warnings == ("2 entries left out: no address",)


@pytest.mark.parametrize(
    "content",
    [b"{", b'{"a": 1}', b'{"version": "https://jsonfeed.org/version/1.1"}', b'{"items": []}',
     b'{"version": 1, "items": []}', b"{" * 50_000, b'{"a":' * 50_000],
)  # fmt: skip
def test_other_json_is_no_listing(content):
    with pytest.raises(NotAListing, match=r"feed\.json: .*JSON") as error:
        parse_listing(Fetched(BASE, content, "application/json", ""))
    assert "\n" not in str(error.value)
