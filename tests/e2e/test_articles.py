"""`audiomill render https://…`: an article from the web, from its server to its files."""

import json

import pytest

from support.article_data import PARAGRAPHS, article_page
from support.case_files import each_row_apart
from support.documents import documented
from support.web_server import Page, serving_site

NETWORK = {"AUDIOMILL_ARTICLES__ALLOWED_HOSTS": "wiki.lan, 127.0.0.1"}


@pytest.fixture
def site():
    with serving_site() as site:
        site.pages["/mill.html"] = Page(article_page().encode())
        yield site


def render(home, address: str) -> dict:
    _, command, _ = documented("audiomill render https://example.org/article")
    return home.json(command, address, "--engine", "tone", "--speed", "4", "--format", "mp3")


def test_an_article_becomes_a_file_and_only_what_has_changed_is_rendered(home, site):
    home = home.with_variables(**NETWORK)
    address = f"{site.url}/mill.html"
    first = render(home, address)
    (file,) = first["files"]
    assert "Jan Mertens/The Mill That Turned by Itself" in file["path"]
    changed = (*PARAGRAPHS[:-1], "The council has decided that the mill will be repaired in May.")
    site.pages["/mill.html"] = Page(article_page(paragraphs=changed).encode())
    third = render(home, address)
    assert third["rendered"] == 1
    assert [one["path"] for one in third["files"]] == [file["path"]]
    site.pages["/mill.html"] = Page(b"", 503)
    away = render(home, address)
    assert any("as it was fetched before" in warning for warning in away["warnings"])
    report = json.loads((home.path / file["path"]).with_name("report.json").read_text())
    assert report["source"] == address


def test_what_of_a_page_is_read_can_be_inspected(home, site):
    run = home.with_variables(**NETWORK).run("inspect", f"{site.url}/mill.html", "--engine", "tone")
    assert run.returncode == 0, run.stderr
    assert "Fish prices fall again" in run.stdout


@each_row_apart
def test_an_address_that_is_not_fetched_is_named(home, address, reason):
    for command in ("render", "inspect"):
        words = home.refused_in_a_line(3, command, address, "--engine", "tone")
        assert address in words
        assert reason in words


def test_a_password_in_an_address_is_neither_sent_nor_printed(home):
    words = home.refused(3, "render", "https://user:word@example.org/a", "--engine", "tone")
    assert "name or password" in words
    assert "word@" not in words
    assert "user" not in words
