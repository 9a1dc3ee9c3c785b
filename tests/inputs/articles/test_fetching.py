"""Fetching: what is sent and received, and what is cut off. A real server on loopback."""

import gzip
import time
import zlib
from email.utils import formatdate
from functools import partial

import brotli
import pytest

from audiomill.inputs.articles.addresses import NetworkPolicy
from audiomill.inputs.articles.fetching import Fetcher, FetchLimits
from audiomill.inputs.articles.page import NotThere, Refused, Seen, Unavailable
from support.web_server import (
    Page,
    always_continuing,
    cut_off,
    dripping_body,
    dripping_headers,
    endless,
    endless_headers,
    shorter_than_told,
)

TEXT = ("A short tale of a mill. " * 9000).encode()  # which packs into a few bytes
LIMITS = FetchLimits(max_bytes=1 << 20, connect_s=5, read_s=5, total_s=20)
LOOPBACK = NetworkPolicy(frozenset(["127.0.0.1", "localhost", "mill.example"]))


@pytest.fixture
def fetcher():
    return Fetcher(LOOPBACK, LIMITS)


def raw_deflate(data: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    return packer.compress(data) + packer.flush()


brotli_quickly = partial(brotli.compress, quality=1)


@pytest.mark.parametrize(
    ("encoding", "pack"),
    [
        ("identity", bytes),
        ("gzip", gzip.compress),
        ("gzip", lambda data: gzip.compress(data[:99]) + gzip.compress(data[99:])),
        ("gzip", lambda data: gzip.compress(data) + bytes(100)),
        ("deflate", zlib.compress),
        ("deflate", raw_deflate),
        ("br", brotli.compress),
        ("BR ", brotli.compress),
    ],
)
def test_content_is_unpacked(site, fetcher, encoding, pack):
    site.pages["/a"] = Page(pack(TEXT), headers={"Content-Encoding": encoding})
    assert fetcher.fetch(f"{site.url}/a").content == TEXT


def test_a_page_without_a_length_comes_in_pieces(site, fetcher):
    def chunked(request) -> None:
        request.begin_chunks()
        for piece in (TEXT[:99], TEXT[99:], b""):
            request.chunk(piece)

    site.pages["/a"] = chunked
    assert fetcher.fetch(f"{site.url}/a").content == TEXT


def test_what_the_server_tells_is_kept(site, fetcher):
    told = {"Content-Type": "Text/HTML; charset=ISO-8859-1", "ETag": '"7"', "Last-Modified": "x"}
    site.pages["/a"] = Page(TEXT, headers=told)
    fetched = fetcher.fetch(f"{site.url}/a#part", frozenset(["text/html"]))
    assert (fetched.media_type, fetched.charset) == ("text/html", "iso-8859-1")
    assert (fetched.url, fetched.seen) == (f"{site.url}/a", Seen('"7"', "x", f"{site.url}/a"))


def test_unchanged_content_is_not_sent_again(site, fetcher):
    site.pages["/a"] = Page(status=304)
    seen = Seen('"7"', "x", f"{site.url}/a")
    assert fetcher.fetch(f"{site.url}/a", seen=seen).content is None
    headers = site.requests[0][1]
    assert (headers["If-None-Match"], headers["If-Modified-Since"]) == ('"7"', "x")


def test_only_the_address_that_the_content_came_from_is_asked_for_changes(site, fetcher):
    """Another one could find that it has not changed since, whatever it is."""
    site.pages["/a"] = Page(status=302, headers={"Location": "/b"})
    site.pages["/b"] = Page(TEXT, headers={"ETag": '"7"'})
    seen = fetcher.fetch(f"{site.url}/a").seen
    site.pages["/a"] = Page(status=302, headers={"Location": "/c"})
    site.pages["/c"] = Page(TEXT)
    assert fetcher.fetch(f"{site.url}/a", seen=seen).content == TEXT
    assert not any("If-None-Match" in headers for _, headers in site.requests)
    fetcher.fetch(f"{site.url}/b", seen=seen)
    assert site.requests[-1][1]["If-None-Match"] == '"7"'


def test_a_server_that_calls_unchanged_what_was_never_seen(site, fetcher):
    site.pages["/a"] = Page(status=304)
    with pytest.raises(NotThere, match="304"):
        fetcher.fetch(f"{site.url}/a")


def test_redirects_are_followed(site, fetcher):
    site.pages["/a"] = Page(status=301, headers={"Location": "b/c"})
    site.pages["/b/c"] = Page(status=307, headers={"Location": f"{site.url}/d?x=1"})
    site.pages["/d?x=1"] = Page(TEXT)
    fetched = fetcher.fetch(f"{site.url}/a")
    assert (fetched.url, fetched.content) == (f"{site.url}/d?x=1", TEXT)


def test_cookies_are_not_kept(site, fetcher):
    site.pages["/a"] = Page(TEXT, headers={"Set-Cookie": "id=7; Path=/"})
    fetcher.fetch(f"{site.url}/a")
    fetcher.fetch(f"{site.url}/a")
    assert all("Cookie" not in headers for _, headers in site.requests)


@pytest.mark.parametrize("status", [404, 410, 401, 403, 451, 400])
def test_what_is_not_there(site, fetcher, status):
    site.pages["/a"] = Page(b"no", status)
    with pytest.raises(NotThere, match=str(status)):
        fetcher.fetch(f"{site.url}/a")


@pytest.mark.parametrize("status", [429, 500, 502, 503])
def test_what_may_be_there_later(site, fetcher, status):
    site.pages["/a"] = Page(b"no", status, {"Retry-After": "120"})
    with pytest.raises(Unavailable, match=str(status)) as error:
        fetcher.fetch(f"{site.url}/a")
    assert error.value.retry_after_s == 120


def test_retry_after_a_date(site, fetcher):
    site.pages["/a"] = Page(b"no", 503, {"Retry-After": formatdate(time.time() + 1000)})
    with pytest.raises(Unavailable) as error:
        fetcher.fetch(f"{site.url}/a")
    assert 900 < error.value.retry_after_s <= 1001


@pytest.mark.parametrize(
    ("encoding", "pack"),
    [("gzip", gzip.compress), ("deflate", zlib.compress), ("br", brotli_quickly)],
)
def test_a_decompression_bomb_is_cut_off(site, fetcher, encoding, pack):
    bomb = pack(bytes(8 << 20))
    assert len(bomb) < LIMITS.max_bytes
    site.pages["/a"] = Page(bomb, headers={"Content-Encoding": encoding})
    with pytest.raises(Refused, match="larger than 1 MiB"):
        fetcher.fetch(f"{site.url}/a")


def test_an_endless_page_is_cut_off(site, fetcher):
    site.pages["/a"] = endless
    with pytest.raises(Refused, match="larger than 1 MiB"):
        fetcher.fetch(f"{site.url}/a")


@pytest.mark.parametrize("fault", [cut_off, shorter_than_told])
def test_a_connection_that_dies(site, fetcher, fault):
    site.pages["/a"] = fault
    with pytest.raises(Unavailable, match="cannot be reached"):
        fetcher.fetch(f"{site.url}/a")


@pytest.mark.parametrize(
    ("encoding", "body", "fault"),
    [
        ("gzip", gzip.compress(TEXT, mtime=0)[:-20], "cut short"),
        ("gzip", b"\x1f\x8b" + b"no gzip at all", "damaged"),
        ("br", brotli.compress(TEXT)[:-5], "cut short"),
        ("br", b"\xff\xff\xff no brotli", "damaged"),
        ("zstd", TEXT, "not known"),
    ],
)
def test_damaged_content(site, fetcher, encoding, body, fault):
    site.pages["/a"] = Page(body, headers={"Content-Encoding": encoding})
    with pytest.raises(Refused, match=fault):
        fetcher.fetch(f"{site.url}/a")


def test_what_is_no_text(site, fetcher):
    site.pages["/a"] = Page(TEXT, headers={"Content-Type": "video/mp4"})
    with pytest.raises(Refused, match="video/mp4"):
        fetcher.fetch(f"{site.url}/a", frozenset(["text/html"]))


def test_a_server_that_says_nothing(site):
    def silent(request) -> None:
        request.connection.recv(1)  # until the client gives up

    site.pages["/a"] = silent
    limits = FetchLimits(read_s=0.2)
    with pytest.raises(Unavailable, match="in time"):
        Fetcher(LOOPBACK, limits).fetch(f"{site.url}/a")


@pytest.mark.parametrize("dripping", [dripping_headers, dripping_body, always_continuing])
def test_a_server_that_never_ends_is_left(site, dripping):
    """Each piece comes in time, but there is always another."""
    site.pages["/a"] = dripping
    limits = FetchLimits(read_s=30, total_s=0.3)
    with pytest.raises(Unavailable, match=r"not done after 0\.3 s"):
        Fetcher(LOOPBACK, limits).fetch(f"{site.url}/a")


def test_endless_headers_are_cut_off(site, fetcher):
    site.pages["/a"] = endless_headers
    with pytest.raises(Unavailable, match="cannot be reached"):
        fetcher.fetch(f"{site.url}/a")


def test_endless_redirects_to_new_addresses_end(site, fetcher):
    for number in range(9):
        site.pages[f"/{number}"] = Page(status=302, headers={"Location": f"/{number + 1}"})
    with pytest.raises(Refused, match="more than 5 redirects"):
        fetcher.fetch(f"{site.url}/0")
    assert site.asked == [f"/{number}" for number in range(6)]


def test_the_connection_goes_to_the_address_that_was_checked(site):
    """A name that leads elsewhere when it is asked for again leads nowhere else."""
    port = int(site.url.rpartition(":")[2])
    answers = iter([["127.0.0.1"], ["192.0.2.1"]])
    site.pages["/a"] = Page(TEXT)
    fetcher = Fetcher(LOOPBACK, LIMITS, lambda _host, _port: next(answers))
    assert fetcher.fetch(f"http://mill.example:{port}/a").content == TEXT
    assert site.requests[0][1]["Host"] == f"mill.example:{port}"
    assert next(answers) == ["192.0.2.1"]  # asked for once


def test_another_address_is_tried(site):
    port = int(site.url.rpartition(":")[2])
    site.pages["/a"] = Page(TEXT)
    fetcher = Fetcher(LOOPBACK, LIMITS, lambda *_: ["127.1.1.1", "127.0.0.1"])
    assert fetcher.fetch(f"http://mill.example:{port}/a").content == TEXT
