"""Hostile addresses are refused before anything is sent: only public servers are reached."""

import re
import socket

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audiomill.inputs.articles.addresses import NetworkPolicy, is_public
from audiomill.inputs.articles.errors import FetchError, Refused
from audiomill.inputs.articles.fetching import Fetcher
from support.web_server import Page, serving_site

HOSTILE = [
    "http://127.0.0.1/",
    "http://127.1/",
    "http://2130706433/",
    "http://0x7f000001/",
    "http://0x7f.0.0.1/",
    "http://0177.0.0.1/",
    "http://017700000001/",
    "http://127.0.0.1.:80/",
    "http://0.0.0.0/",
    "http://0/",
    "http://[::1]/",
    "http://[::]/",
    "http://[0:0:0:0:0:0:0:1]/",
    "http://[::ffff:127.0.0.1]/",
    "http://[::ffff:7f00:1]/",
    "http://[::ffff:169.254.169.254]/",
    "http://[::127.0.0.1]/",
    "http://[64:ff9b::127.0.0.1]/",
    "http://[64:ff9b::a9fe:a9fe]/",
    "http://[2002:7f00:1::]/",
    "http://[2002:a9fe:a9fe::1]/",
    "http://[2001:0:7f00:1::80ff:fffe]/",
    "http://[fe80::1]/",
    "http://[fe80::1%25eth0]/",
    "http://[fc00::1]/",
    "http://[fd00:ec2::254]/",
    "http://[ff02::1]/",
    "http://10.0.0.1/",
    "http://172.16.0.1/",
    "http://192.168.1.1/",
    "http://100.64.0.1/",
    "http://169.254.169.254/latest/meta-data/",
    "http://198.18.0.1/",
    "http://192.0.2.1/",
    "http://224.0.0.1/",
    "http://240.0.0.1/",
    "http://255.255.255.255/",
    "http://localhost/",
    "http://LOCALHOST./",
    "http://①②⑦.⓪.⓪.①/",
    "http://example.org@127.0.0.1/",
    "http://example.org:80@127.0.0.1/",
    "http://user:word@example.org/",
    "http://127.0.0.1#@example.org/",
    "http://127.0.0.1\\@example.org/",
    "http://example.org:22/",
    "http://example.org:25/",
    "file:///etc/passwd",
    "ftp://example.org/a",
    "gopher://example.org/",
    "data:text/html,hello",
    "javascript:alert(1)",
    "//127.0.0.1/",
    "/etc/passwd",
    "http:///a",
    "http://",
    "https://[",
    "http://exa mple.org/",
]


def resolver(host: str, port: int) -> list[str]:
    """As the system's, for every way to write an address; names are not asked for outside."""
    if host == "localhost":
        return ["127.0.0.1", "::1"]
    found = socket.getaddrinfo(host, port, flags=socket.AI_NUMERICHOST, type=socket.SOCK_STREAM)
    return [address[0] for *_, address in found]


FETCHER = Fetcher(resolver=resolver)


@pytest.fixture(scope="module")
def site():
    with serving_site() as site:
        yield site


@pytest.mark.parametrize("url", HOSTILE)
def test_a_hostile_address_is_refused(url):
    with pytest.raises(FetchError) as error:
        FETCHER.fetch(url)
    assert "\n" not in str(error.value)
    assert isinstance(error.value, Refused)


@pytest.mark.parametrize(
    "url", [url for url in HOSTILE if not re.match(r"/(?!/)|http://(?:/|$)", url)]
)
def test_a_redirect_to_it_is_refused(url, site):
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


@pytest.mark.parametrize(
    "address",
    ["93.184.215.14", "8.8.8.8", "2606:2800:21f:cb07:6820:80da:af6b:8b2c", "2002:808:808::1"],
)
def test_public_addresses(address):
    assert is_public(address)


@given(st.ip_addresses(v=4))
def test_an_address_within_another_is_as_public_as_itself(address):
    number = int(address)
    mapped, nat64 = f"::ffff:{address}", f"64:ff9b::{address}"
    six_to_four = f"2002:{number >> 16:x}:{number & 0xFFFF:x}::1"
    assert {is_public(mapped), is_public(nat64), is_public(six_to_four)} == {
        is_public(str(address))
    }
