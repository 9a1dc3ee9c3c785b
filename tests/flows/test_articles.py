"""Pages that are kept: fetched once, asked for again, read when their server is away."""

import pytest

from audiomill.flows.articles import page_path, refresh_page
from audiomill.inputs.articles.addresses import NetworkPolicy
from audiomill.inputs.articles.page import load
from audiomill.inputs.model.book import SourceMissing
from support.article_data import article_page
from support.web_server import Page, serving_site

LOOPBACK = NetworkPolicy(frozenset(["127.0.0.1"]))
PAGE = article_page().encode()


@pytest.fixture
def site():
    with serving_site() as site:
        yield site


def test_each_address_has_a_place_of_its_own():
    addresses = [
        "https://a.example/x", "https://a.example/x?p=2", "https://b.example/x",
        "https://a.example/", "https://a.example/%2e%2e/%2f", "https://a.example:8080/x",
        "https://a.example/" + "long/" * 200 + "n" * 500, "https://é.example/日本",
    ]  # fmt: skip
    places = [page_path(address) for address in addresses]
    assert len(set(places)) == len(places)
    root = places[0].parents[1]
    assert all(place.resolve().parents[1] == root.resolve() for place in places)
    assert max(len(place.name) for place in places) < 100


def test_a_page_that_has_not_changed_is_sent_once(site, tmp_path):
    path = tmp_path / "page.article"
    site.pages["/a"] = Page(PAGE, headers={"ETag": '"1"'})
    assert refresh_page(f"{site.url}/a", path, LOOPBACK) == ()
    site.pages["/a"] = Page(status=304)
    assert refresh_page(f"{site.url}/a", path, LOOPBACK) == ()
    assert load(path).content == PAGE
    assert [headers.get("If-None-Match") for _, headers in site.requests] == [None, '"1"']


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (Page(b"", 503), "503.*Try again later"),
        (Page(b"", 404), "404"),
        (Page(b"x", headers={"Content-Type": "application/pdf"}), "application/pdf"),
    ],
)
def test_what_cannot_be_read_leaves_no_file(site, tmp_path, answer, reason):
    path = tmp_path / "page.article"
    site.pages["/a"] = answer
    with pytest.raises(SourceMissing, match=reason) as error:
        refresh_page(f"{site.url}/a", path, LOOPBACK)
    assert str(error.value).startswith(f"{site.url}/a: ")
    assert not path.exists()


def test_a_damaged_file_is_fetched_again(site, tmp_path):
    path = tmp_path / "page.article"
    path.write_bytes(b"\0damaged")
    site.pages["/a"] = Page(PAGE)
    refresh_page(f"{site.url}/a", path, LOOPBACK)
    assert load(path).content == PAGE
