"""Index pages: which links are those of articles, on pages as several kinds of sites have them."""

import pytest

from audiomill.inputs.articles.listings.links import is_same_site, web_address, why_no_article
from support.case_files import each_row

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
