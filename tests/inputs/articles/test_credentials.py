"""Secrets in requests: who gets them, and that nothing of an answer holds one."""

import base64
import logging

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audiomill.inputs.articles.addresses import Endpoint, NetworkPolicy
from audiomill.inputs.articles.credentials import Credentials, public_address
from audiomill.inputs.articles.fetching import Fetcher
from audiomill.inputs.articles.page import FetchError
from support.case_files import each_row
from support.web_server import Page, Site

KEY = "7d1f 9c/aa+3b=é".replace("é", "e")
SECRETS = {"{env:KEY}": KEY, "{env:COOKIE}": "c00kie-of-mine"}
GIVEN = Credentials(SECRETS, {"Cookie": "session={env:COOKIE}"})
SENT_KEY = "7d1f%209c%2Faa%2B3b%3De"


def fetch(site: Site, path: str, credentials: Credentials = GIVEN):
    """What the site answers; only its own endpoint has credentials."""
    port = int(site.url.rpartition(":")[2])
    policy = NetworkPolicy(frozenset(["127.0.0.1", "localhost"]))
    own = {Endpoint("http", "127.0.0.1", port): credentials}
    kinds = frozenset(["text/html"])
    return Fetcher(policy, credentials=own).fetch(f"{site.url}{path}", kinds)


@pytest.fixture
def echoing(site):
    """A site that sends what it got in each place that a message could show."""

    def echo(page):
        def answer(request):
            login = request.headers["Authorization"]
            coded = login.removeprefix("Basic ")
            told = {"login": login, "coded": coded, "secret": "c00kie-of-mine"}
            request.send_response_only(
                page.get("status", 200), page.get("reason", "").format(**told)
            )
            for name, value in page.get("headers", {}).items():
                request.send_header(name, value.format(**told))
            request.send_header("Connection", "close")
            request.end_headers()

        return answer

    site.pages |= {
        "/reason": echo({"status": 401, "reason": "no {login}"}),
        "/busy": echo({"status": 503, "reason": "{secret}"}),
        "/type": echo({"headers": {"Content-Type": "text/{secret}"}}),
        "/coding": echo({"headers": {"Content-Encoding": "{coded}"}}),
        "/host": echo({"status": 302, "headers": {"Location": "http://x{secret}.example:0/"}}),
        "/scheme": echo({"status": 302, "headers": {"Location": "{secret}://quay.example/"}}),
        "/header": echo({"headers": {"X {secret}\x01": "y", "Content-Length": "{secret}"}}),
    }
    return site


@pytest.mark.parametrize(
    "path", ["/reason", "/busy", "/type", "/coding", "/host", "/scheme", "/header"]
)
def test_a_secret_that_is_sent_back_is_in_no_message(echoing, path):
    own = Credentials(SECRETS, {"Cookie": "session={env:COOKIE}"}, "me:{env:KEY}")
    with pytest.raises(FetchError) as error:
        fetch(echoing, path, own)
    coded = base64.b64encode(f"me:{KEY}".encode()).decode()
    causes = repr((error.value, error.value.__cause__))
    assert not any(one[:10] in causes for one in (KEY, "c00kie-of-mine", coded))


@pytest.mark.parametrize("path", ["/feed?key={env:KEY}&n=1", "/feed?key=%7Benv:KEY%7D&n=1"])
def test_a_server_gets_its_secrets(site, path):
    site.pages[f"/feed?key={SENT_KEY}&n=1"] = Page(b"news")
    fetched = fetch(site, path)
    assert fetched.content == b"news"
    assert "9c" not in fetched.url
    assert site.requests[0][1]["Cookie"] == "session=c00kie-of-mine"


def test_a_secret_may_be_a_part_of_the_path(site):
    site.pages[f"/{SENT_KEY}/feed"] = Page(b"news")
    assert fetch(site, "/{env:KEY}/feed").content == b"news"


def test_a_login_is_sent_as_basic_authentication(site):
    site.pages["/feed"] = Page(b"news")
    fetch(site, "/feed", Credentials(SECRETS, login="me:{env:KEY}"))
    kind, _, sent = site.requests[0][1]["Authorization"].partition(" ")
    assert (kind, base64.b64decode(sent).decode()) == ("Basic", f"me:{KEY}")


def test_no_other_server_gets_them_by_a_redirect(site):
    """Neither headers, nor what the server itself puts into the address."""
    port = site.url.rpartition(":")[2]
    other = f"http://localhost:{port}/b"
    site.pages[f"/a?key={SENT_KEY}"] = Page(
        status=302, headers={"Location": f"{other}?key={SENT_KEY}"}
    )
    site.pages["/b?key={env:KEY}"] = Page(b"news")
    fetch(site, "/a?key={env:KEY}")
    (_, first), (asked, second) = site.requests
    assert "Cookie" in first
    assert "Cookie" not in second
    assert asked == "/b?key={env:KEY}"


def test_a_redirect_on_the_same_server_keeps_them(site):
    site.pages[f"/a?key={SENT_KEY}"] = Page(status=302, headers={"Location": f"/b?key={SENT_KEY}"})
    site.pages[f"/b?key={SENT_KEY}"] = Page(b"news")
    fetched = fetch(site, "/a?key={env:KEY}")
    assert (fetched.content, "9c" in fetched.url) == (b"news", False)


def test_a_page_cannot_ask_for_the_secrets_of_others(site):
    """A placeholder in a link of a server that has no such secret is sent as it stands."""
    site.pages["/a?key={env:HOME}"] = Page(b"news")
    assert fetch(site, "/a?key={env:HOME}").content == b"news"
    site.requests.clear()
    site.pages["/a?key={env:KEY}"] = Page(b"news")
    assert fetch(site, "/a?key={env:KEY}", Credentials()).content == b"news"


def test_addresses_in_an_answer_have_placeholders_again(site):
    text = f'<a href="/x?key={SENT_KEY}">x</a> https://e.org/{SENT_KEY}/y?k={KEY}&amp;z'
    site.pages["/a"] = Page(text.encode())
    content = fetch(site, "/a").content
    assert content.count(b"{env:KEY}") == 3
    assert b"9c" not in content


def test_a_password_that_is_a_word_is_left_in_the_text(site):
    site.pages["/a"] = Page(b"<a href='/b?p=harbour'>The harbour</a>, a harbour-side inn")
    content = fetch(site, "/a", Credentials({"{env:P}": "harbour"})).content
    assert content == b"<a href='/b?p={env:P}'>The harbour</a>, a harbour-side inn"


def test_nothing_is_logged_and_no_error_tells_one(site, caplog):
    site.pages["/gone"] = Page(status=302, headers={"Location": f"http://[{SENT_KEY}/"})
    caplog.set_level(logging.INFO)  # httpcore's DEBUG has what servers answer
    logging.getLogger("httpx").info("This is read.")
    with pytest.raises(FetchError) as caught:
        fetch(site, "/gone?key={env:KEY}")
    with pytest.raises(FetchError) as other:
        site.pages[f"/gone?key={SENT_KEY}"] = site.pages["/gone"]
        fetch(site, "/gone?key={env:KEY}")
    assert "This is read." in caplog.text
    for text in (caplog.text, repr(caught.value), repr(other.value), repr(GIVEN)):
        assert "9c" not in text
        assert "c00kie" not in text


@given(st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=4))
def test_what_is_put_into_a_path_is_taken_out_of_it_again(secret):
    given_ = Credentials({"{env:KEY}": secret})
    sent = given_.sent_path(b"/feed?key=%7Benv:KEY%7D&n=1")
    assert given_.masked(sent) == b"/feed?key={env:KEY}&n=1"


@each_row
def test_people_see_the_address_without_what_needs_a_secret(url, shown):
    assert public_address(url) == shown
