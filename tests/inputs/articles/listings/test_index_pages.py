"""Index pages: which links are those of articles, on pages as several kinds of sites have them."""

from datetime import UTC, datetime

import pytest

from audiomill.inputs.articles.listings.entries import Listing, NotAListing
from audiomill.inputs.articles.listings.links import is_same_site, web_address, why_no_article
from audiomill.inputs.articles.listings.listing import parse_listing
from audiomill.inputs.articles.page import Fetched
from support.case_files import each_row

BASE = "https://www.quay.example/news/"
AROUND = """<header><a href="/">The Quay Times</a>
<nav><ul><li><a href="/news/sport/all-the-results-of-today">Sport and all its results</a></li></ul>
</nav></header>"""
FOOTER = """<div class="sidebar"><h3><a href="/2026/10/most-read">Most read of all</a></h3></div>
<footer><a href="/2020/01/our-long-history-since-1890">Our history since 1890</a>
<a href="/privacy">Privacy policy of this site</a></footer>"""
NEWS = """<main><h1>News</h1>
<article><a href="/2026/11/mill"><img src="m.jpg" alt="The mill"></a>
<a href="/news/culture">Culture</a><h2><a href="/2026/11/mill">The mill turns</a></h2>
<time datetime="2026-11-23T07:30:00+01:00">today</time><p>By <a href="/jan">Jan M.</a></p>
<a href="/2026/11/mill#comments">12 comments</a></article>
<article><a href="/2026/11/flour"><h2>Flour</h2><p>Forty sacks of it were found.</p></a></article>
<article><h3>Rope</h3><a href="https://quay.example/2026/11/rope">Read more</a></article>
<a class="next" rel="next" href="/news/page/2/">Older posts</a></main>"""
BLOG = """<div id="content" class="has-sidebar"><h1>A blog of bread</h1>
<div class="post"><h2><a href="/rye?utm=1">On rye</a></h2>
<p>As I said in <a href="/2019/05/sourdough-for-the-very-patient">that old text about sourdough</a>
there is more to rye than most bakers think, and more than I knew when I began to bake.</p>
<a href="/tag/rye">rye</a></div>
<div class="post"><h2><a href="/spelt">On spelt</a></h2></div>
<div class="post no-comments"><h2><a href="/oats">On oats</a></h2></div></div>"""
PLAIN = """<h1>Essays</h1><ul>
<li>2026-11-02 <a href="essays/why-mills-stand-still.html">Why mills stand still</a></li>
<li>2026-10-01 <a href="essays/gears.html">Gears, and what they are good for</a></li>
<li><a href="essays/notes-on-old-rope.html">Old rope</a></li>
<li><a href="essays/scan.pdf">A scan of the whole book</a></li>
<li><a href="#top">Back to the top of it</a></li><li><a href="me.html">Me</a></li>
<li><a href="https://elsewhere.example/a-long-title-of-it">A text on another site</a></li></ul>"""
TABLES = """<table><tr><td><a href="thread?id=41">The harbour wants a new crane</a> (port.example)
</td></tr><tr><td><a href="user?id=jan">jan</a> | <a href="thread?id=41">17 comments</a></td></tr>
<tr><td><a href="thread?id=42">Show: a program that counts gulls</a></td></tr></table>"""
JAPANESE = """<ul class="list"><li><a href="/a/101">港の風車が十一年ぶりに回る</a></li>
<li><a href="/a/102">パン屋に四十袋の粉</a></li><li><a href="/about">会社概要</a></li></ul>"""
SITES = {
    "news": (NEWS, ["The mill turns|/2026/11/mill", "Flour|/2026/11/flour", "Rope|/2026/11/rope"]),
    "blog": (BLOG, ["On rye|/rye?utm=1", "On spelt|/spelt", "On oats|/oats"]),
    "plain list": (
        PLAIN,
        [
            "Why mills stand still|/news/essays/why-mills-stand-still.html",
            "Gears, and what they are good for|/news/essays/gears.html",
            "Old rope|/news/essays/notes-on-old-rope.html",
        ],
    ),
    "tables": (
        TABLES,
        [
            "The harbour wants a new crane|/news/thread?id=41",
            "Show: a program that counts gulls|/news/thread?id=42",
        ],
    ),
    "Japanese": (JAPANESE, ["港の風車が十一年ぶりに回る|/a/101", "パン屋に四十袋の粉|/a/102"]),
}


def listing_of(body: str, head: str = "", url: str = BASE) -> Listing:
    page = f"<!DOCTYPE html><html lang='en-GB'><head><title>Quay</title>{head}</head>"
    return parse_listing(Fetched(url, f"{page}<body>{body}</body></html>".encode(), "", ""))


@pytest.mark.parametrize("site", SITES)
def test_the_articles_of_a_page_in_its_order(site):
    page, expected = SITES[site]
    entries = listing_of(f"{AROUND}{page}{FOOTER}").entries
    found = [f"{entry.title}|/{entry.url.split('/', 3)[3]}" for entry in entries]
    assert found == expected
    assert {entry.language for entry in entries} == {"en-GB"}


def test_the_date_of_a_teaser():
    first, second, _ = listing_of(NEWS).entries
    assert first.published == datetime(2026, 11, 23, 6, 30, tzinfo=UTC)
    assert second.published is None


def test_the_feeds_that_a_page_names():
    head = """<link rel="alternate" type="application/rss+xml" href="/feed.xml">
<link rel="ALTERNATE nofollow" type="application/atom+xml; charset=utf-8" href="atom">
<link rel="alternate" hreflang="de" href="/de/"><link rel="stylesheet" href="/a.css">
<link rel="alternate" type="application/feed+json" href="https://feeds.example/quay.json">"""
    listing = listing_of("<p>Nothing yet.</p>", head)
    assert listing.entries == ()
    assert listing.further == (
        "https://www.quay.example/feed.xml",
        "https://www.quay.example/news/atom",
        "https://feeds.example/quay.json",
    )


def test_links_begin_where_the_page_says():
    listing = listing_of(PLAIN, "<base href='/old/'>")
    assert (
        listing.entries[0].url == "https://www.quay.example/old/essays/why-mills-stand-still.html"
    )


@pytest.mark.parametrize(
    "body", ["", "<p>A text without links.</p>", AROUND + FOOTER, "<a href='/x'>short</a>"]
)
def test_a_page_without_articles_is_no_listing(body):
    with pytest.raises(NotAListing, match="no links to articles"):
        listing_of(body)


ADDRESSES = {
    "/": "the first page of a site",
    "/de/": "the first page of a site",
    "/index.html": "the first page of a site",
    "/?p=41": "",
    "/?s=mill": "the first page of a site",
    "/2026/11/the-mill": "",
    "/de/2026/11/die-muehle": "",
    "/p/the-mill?s=r": "",
    "/archives/41": "",
    "/archives/": "a list of articles",
    "/tag/mills/": "a list of articles",
    "/en/category/mills": "a list of articles",
    "/author/jan": "a list of articles",
    "/news/page/3": "a list of articles",
    "/search?q=mill": "a list of articles",
    "/feed/": "a feed or a sitemap",
    "/mills/rss.xml": "a feed or a sitemap",
    "/comments/feed": "a feed or a sitemap",
    "/about": "a page about the site, or a form",
    "/en/login": "a page about the site, or a form",
    "/mill.JPG": "a file, not a page",
    "/media/mill.mp3?x=1": "a file, not a page",
    "/mp3-players-of-old": "",
    "/the-author-of-mills": "",
}


@pytest.mark.parametrize("path", ADDRESSES)
def test_what_addresses_say_of_themselves(path):
    assert why_no_article(f"https://quay.example{path}") == ADDRESSES[path]


LINKS = {
    "/a b": "https://quay.example/a%20b",
    "/a\u00a0b\u2028": "https://quay.example/a%C2%A0b",
    "//other.example/x": "https://other.example/x",
    " HTTPS://Quay.example/A ": "https://Quay.example/A",
    "../x?y=ä#z": "https://quay.example/x?y=ä#z",
    "mailto:jan@quay.example": "",
    "javascript:void(0)": "",
    "data:text/html,x": "",
    "https://jan:pw@quay.example/": "",
    "https://": "",
    "https://quay.example:port/": "",
    "https://[::1": "",
    "https://a b/": "",
}


@pytest.mark.parametrize("link", LINKS)
def test_addresses_of_links(link):
    found = web_address(link, "https://quay.example/news/")
    assert found.replace("HTTPS", "https") == LINKS[link]


@each_row
def test_what_one_site_is(one, other, same):
    assert is_same_site(one, other) is same
    assert is_same_site(other, one) is same
