"""Sitemaps: of pages, of news, of other sitemaps; as XML, as text, compressed."""

import gzip
from datetime import UTC, datetime
from pathlib import Path

import pytest

from audiomill.inputs.articles import listing as listing_module
from audiomill.inputs.articles import sitemaps
from audiomill.inputs.articles.entries import Listing
from audiomill.inputs.articles.listing import parse_listing
from audiomill.inputs.articles.page import Fetched
from audiomill.inputs.model.book import SourceCorrupt, SourceTooLarge

BASE = "https://quay.example/sitemap.xml"
PAGES = (Path(__file__).with_name("cases") / "sitemap.xml").read_text("utf-8")


def listing_of(content: str | bytes) -> Listing:
    data = content if isinstance(content, bytes) else content.encode()
    return parse_listing(Fetched(BASE, data, "application/xml", ""))


@pytest.mark.parametrize("content", [PAGES.encode(), gzip.compress(PAGES.encode())])
def test_pages_but_no_lists_and_files(content):
    listing = listing_of(content)
    assert [(entry.url, entry.updated) for entry in listing.entries] == [
        ("https://quay.example/2026/mill?a=1&b=2", datetime(2026, 11, 23, tzinfo=UTC)),
        ("https://quay.example/2026/flour", datetime(2026, 11, 22, 9, tzinfo=UTC)),
    ]
    assert [entry.title for entry in listing.entries] == ["", ""]
    assert sorted(listing.warnings) == [
        "1 entry left out: a file, not a page",
        "1 entry left out: listed before",
        "1 entry left out: no address",
        "1 entry left out: the first page of a site",
        "2 entries left out: a list of articles",
    ]


def test_no_more_pages_than_the_protocol_allows(monkeypatch):
    monkeypatch.setattr(sitemaps, "MAX_ENTRIES", 100)
    addresses = [f"https://quay.example/a/{n}" for n in range(105)]
    urls = (f"<url><loc>{address}</loc></url>" for address in addresses)
    for content in (f"<urlset>{''.join(urls)}</urlset>", "\n".join(addresses)):
        listing = listing_of(content)
        assert [entry.url for entry in listing.entries] == addresses[:100]
        assert listing.warnings == ("more than 100 addresses; only those were read",)


def test_what_unpacks_to_too_much_is_refused(monkeypatch):
    monkeypatch.setattr(listing_module, "MAX_UNPACKED_BYTES", 1 << 20)
    listing_of(gzip.compress(PAGES.encode() + b" " * 1_000_000))
    with pytest.raises(SourceTooLarge, match="more than 1 MiB"):
        listing_of(gzip.compress(PAGES.encode() + b" " * 1_100_000))


def test_damaged_gzip_is_refused():
    with pytest.raises(SourceCorrupt, match="cut short"):
        listing_of(gzip.compress(PAGES.encode())[:-20])


def test_entities_of_a_sitemap_are_not_expanded(tmp_path):
    secret = tmp_path / "secret"
    secret.write_text("https://quay.example/secret")
    doctype = f"<!DOCTYPE urlset [<!ENTITY i SYSTEM 'file://{secret}'>]>"
    page = "<url><loc>https://quay.example/2026/a</loc></url>"
    listing = listing_of(f"{doctype}<urlset><url><loc>&i;</loc></url>{page}</urlset>")
    assert listing.entries[-1].url == "https://quay.example/2026/a"
    assert not any("secret" in entry.url for entry in listing.entries)
