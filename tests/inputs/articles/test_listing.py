"""Any bytes are a listing or an error of a source; addresses of links."""

import gzip
import json
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from audiomill.inputs.articles.entries import Listing, NotAListing
from audiomill.inputs.articles.links import is_same_site, web_address, why_no_article
from audiomill.inputs.articles.listing import parse_listing
from audiomill.inputs.articles.page import Fetched
from audiomill.inputs.model.book import SourceError
from support.case_files import each_row, rows_of
from support.examples import many_examples
from support.feed_data import FEEDS

CASES = Path(__file__).with_name("cases") / "listing.txt"
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


def test_nothing_is_no_listing():
    for content in (None, b"", b" \n"):
        try:
            parse_listing(Fetched(URL, content, "", ""))
        except NotAListing as error:
            assert "empty" in str(error)
        else:
            raise AssertionError


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
