"""Hostile addresses are refused before anything is sent: only public servers are reached."""

import json
import re
import socket
from html import escape
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audiomill.inputs.articles.addresses import NetworkPolicy, is_public
from audiomill.inputs.articles.entries import NotAListing
from audiomill.inputs.articles.fetching import Fetcher
from audiomill.inputs.articles.listing import parse_listing
from audiomill.inputs.articles.page import Fetched, FetchError, Refused
from support.case_files import each_of, rows_of
from support.web_server import Page

CASES = Path(__file__).with_name("cases") / "addresses.txt"
HOSTILE = [url for (url,) in rows_of(CASES, "HOSTILE")]


PRIVATE_NAMES = {
    "localhost": ["127.0.0.1", "::1"],
    "localhost.localdomain": ["127.0.0.1"],
    "metadata.google.internal": ["169.254.169.254"],
}


def resolver(host: str, port: int) -> list[str]:
    """As the system's, for every way to write an address; names are not asked for outside."""
    if host in PRIVATE_NAMES:
        return PRIVATE_NAMES[host]
    found = socket.getaddrinfo(host, port, flags=socket.AI_NUMERICHOST, type=socket.SOCK_STREAM)
    return [address[0] for *_, address in found]


FETCHER = Fetcher(resolver=resolver)


@each_of([(url,) for url in HOSTILE])
def test_a_hostile_address_is_refused(url):
    with pytest.raises(FetchError) as error:
        FETCHER.fetch(url)
    assert "\n" not in str(error.value)
    assert isinstance(error.value, Refused)


@each_of([(url,) for url in HOSTILE if not re.search(r"^/(?!/)|^http://(?:/|$)|[\r\n]", url)])
def test_a_redirect_to_it_is_refused(site, url):
    site.requests.clear()
    # Headers are sent byte by byte, as hostile servers send them.
    site.pages["/a"] = Page(status=302, headers={"Location": url.encode().decode("latin-1")})
    policy = NetworkPolicy(frozenset(["mill.example"]))
    start = site.url.replace("127.0.0.1", "mill.example")

    def of_site(host: str, port: int) -> list[str]:
        return ["127.0.0.1"] if host == "mill.example" else resolver(host, port)

    with pytest.raises(Refused):
        Fetcher(policy, resolver=of_site).fetch(f"{start}/a")
    assert site.asked == ["/a"]


def test_a_name_that_leads_to_this_machine_is_refused(site):
    start = site.url.replace("127.0.0.1", "mill.example")
    for addresses in (["127.0.0.1"], ["93.184.215.14", "10.0.0.1"], ["::1"]):
        fetcher = Fetcher(resolver=lambda *_, found=addresses: found)
        with pytest.raises(Refused, match="not of the public internet"):
            fetcher.fetch(f"{start}/a")


def test_what_the_registries_set_apart_is_not_public():
    """The first and last address of each range; those beside it are.

    Whatever year the table of this Python's `ipaddress` is from.
    """
    for section, expected in (("NOT_PUBLIC", False), ("PUBLIC", True)):
        addresses = [one for (line,) in rows_of(CASES, section) for one in line.split()]
        assert [one for one in addresses if is_public(one) != expected] == []


NAMES = {
    "rebound.example": ["127.0.0.1"],
    "v6.example": ["::1"],
    "cloud.example": ["fd00:ec2::254"],
}


def listing_of(kind: str, url: str) -> str:
    """A feed, a JSON feed or a sitemap that names an address."""
    url = f"{url}2026/mill" if url.endswith("/") else url  # no first page of a site
    told = escape(url, quote=True)
    return {
        "rss": f"<rss><channel><title>x</title><item><link>{told}</link></item></channel></rss>",
        "atom": f'<feed xmlns="http://www.w3.org/2005/Atom"><entry><link href="{told}"/></entry>'
        "</feed>",
        "json": json.dumps({"version": "https://jsonfeed.org/version/1.1",
                            "items": [{"id": "1", "url": url}]}),
        "sitemap": f"<urlset><url><loc>{told}</loc></url></urlset>",
        "sitemaps": f"<sitemapindex><sitemap><loc>{told}</loc></sitemap></sitemapindex>",
    }[kind]  # fmt: skip


@pytest.mark.parametrize("kind", ["rss", "atom", "json", "sitemap", "sitemaps"])
def test_what_a_listing_names_is_refused_as_well(kind):
    """It is either no address of a listing, or refused when it is fetched."""
    fetched = [Fetched("https://quay.example/list", listing_of(kind, url).encode(), "", "utf-8")
               for url in HOSTILE]  # fmt: skip
    named = [url for one in fetched for url in _named(one)]
    assert len(named) > 20  # those that look like addresses are named, as no name is asked for
    for url in named:
        with pytest.raises(FetchError) as error:
            FETCHER.fetch(url)
        assert "\n" not in str(error.value)


def _named(fetched: Fetched) -> list[str]:
    try:
        listing = parse_listing(fetched)
    except NotAListing:
        return []
    found = [*(entry.url for entry in listing.entries), *listing.further]
    return [url for url in found if urlsplit(url).hostname != "quay.example"]


@pytest.mark.parametrize("host", NAMES)
def test_a_name_that_changes_between_two_fetches_is_refused_again(host):
    """It led to a public address before. What counts is where it leads now."""
    answers = iter([["192.0.2.1", "10.0.0.1"], NAMES[host]])
    fetcher = Fetcher(resolver=lambda *_: next(answers))
    for _ in range(2):
        with pytest.raises(Refused, match="not of the public internet"):
            fetcher.fetch(f"https://{host}/")


@given(st.ip_addresses(v=4))
def test_an_address_within_another_is_as_public_as_itself(address):
    number = int(address)
    mapped, nat64 = f"::ffff:{address}", f"64:ff9b::{address}"
    six_to_four = f"2002:{number >> 16:x}:{number & 0xFFFF:x}::1"
    assert {is_public(mapped), is_public(nat64), is_public(six_to_four)} == {
        is_public(str(address))
    }
