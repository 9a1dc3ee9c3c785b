"""The page in Chromium, Firefox and WebKitGTK, as their users work it: by keys and clicks."""

import json
import mimetypes
import shutil
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from support.browsers import UserTab
from support.process_data import wait_until
from support.readalong_pages import (
    IS_AWAY,
    KEEPS_PLACES,
    LIT,
    NEEDS_NO_SOUND_CARD,
    PLACE,
    TEXT,
    VOICE,
    WORD,
    middle_of,
    page_of,
)
from support.web_server import Page, serving_site

pytestmark = pytest.mark.prove
OPEN_DIALOG = "document.querySelector('dialog[open]')?.id ?? ''"
LISTENER = Path(__file__).with_name("complaints.js")


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """The page of a short book, with one script more, which keeps what it complains of."""
    folder = page_of(tmp_path_factory.mktemp("book"), TEXT)
    shutil.copy(LISTENER, folder)
    page = folder / "index.html"
    markup = page.read_text(encoding="utf-8")
    listener = f'<script src="{LISTENER.name}"></script>'
    page.write_text(markup.replace("<script", f"{listener}<script", 1), encoding="utf-8")
    return folder


@pytest.fixture
def tab(browser, folder) -> Iterator[UserTab]:
    """The page, opened for the first time. It asks for nothing outside, and has no complaints."""
    # A page that is left remembers its place; this one no more.
    open_page(browser, folder.as_uri())
    browser.value("(localStorage.clear(), Storage.prototype.setItem = () => {}, 1)")
    open_page(browser, folder.as_uri())
    yield browser
    assert browser.value("complaints") == []


def open_page(tab: UserTab, address: str) -> None:
    tab.open(f"{address}/index.html")
    tab.value(NEEDS_NO_SOUND_CARD)
    until(tab, LIT)


def until(tab: UserTab, expression: str) -> object:
    """The value of an expression, as soon as it is true."""
    return wait_until(lambda: tab.value(f"{expression} || ''"))


def click_word(tab: UserTab, span: str, first: int) -> None:
    tab.click(*tab.value(middle_of(span, first)))


def test_it_plays_from_the_word_that_is_clicked(tab):
    tab.value(KEEPS_PLACES)
    click_word(tab, "s2", len("The mill "))
    until(tab, f"{VOICE}.currentTime > 0 && marked.at(-1).startsWith('s2 night')")
    played = [place for place in tab.value("marked") if place.startswith("s2")]
    assert played[0] == "s2 turned"
    tab.press(" ")
    assert tab.value(f"{VOICE}.paused")


def test_the_next_chapter_follows_from_its_own_file(tab):
    tab.press("]")
    until(tab, f"{LIT} === 's26'")
    tab.press("ArrowLeft")
    until(tab, f"{LIT} === 's25'")
    tab.value(KEEPS_PLACES)
    tab.press(" ")
    until(tab, "marked.some((one) => one.startsWith('s27 '))")
    assert tab.value("document.querySelector('[aria-current]').textContent") == "Two"


def test_the_place_and_the_looks_survive_a_reload(tab):
    tab.value("(document.querySelector('[name=theme][value=dark]').click(), 1)")
    tab.press("+")
    click_word(tab, "s4", len("The mill "))
    until(tab, f"{VOICE}.currentTime > 0")
    tab.press(" ")
    until(tab, f"{VOICE}.paused")
    place = tab.value(PLACE)
    tab.reload()
    until(tab, f"{PLACE} === '{place}'")
    assert tab.value("document.documentElement.dataset.theme") == "dark"
    assert tab.value(f"{VOICE}.playbackRate") == 1.1


def test_keys_reach_all(tab):
    for key, lit in (("ArrowRight", "s1"), ("ArrowRight", "s2"), ("ArrowLeft", "s1")):
        tab.press(key)
        until(tab, f"{LIT} === '{lit}'")
    tab.press("ArrowRight", "Shift")  # by words
    until(tab, f"{WORD} === 'The'")
    for key, name in {"c": "contents", "/": "search", "a": "looks", "t": "sleep"}.items():
        tab.press(key)
        assert tab.value(OPEN_DIALOG) == f"{name}-dialog"
        tab.press("Escape")
        assert tab.value(OPEN_DIALOG) == ""
    for _ in range(5):
        tab.press("+")
    assert tab.value(f"{VOICE}.playbackRate") == 1.5
    assert tab.value(f"{VOICE}.preservesPitch")


def test_all_controls_are_reached_by_tab(tab):
    seen = set()
    for _ in range(40):
        tab.press("Tab")
        seen.add(tab.value("document.activeElement.dataset.does ?? document.activeElement.id"))
    assert {"contents", "search", "looks", "help", "play", "position"} <= seen


def test_it_scrolls_along_until_the_reader_scrolls(tab):
    tab.press(" ")
    for _ in range(13):
        tab.press("ArrowRight")
    until(tab, "scrollY > 300 && document.querySelector('.lit').getBoundingClientRect().top < 420")
    assert not tab.value(IS_AWAY)
    tab.press("Home")
    until(tab, f"{IS_AWAY} && scrollY < 50")
    word = tab.value(WORD)
    until(tab, f"{WORD} !== {json.dumps(word)}")
    assert tab.value("scrollY") < 50  # the voice goes on, the page stays
    tab.press("v")
    until(tab, "scrollY > 300")
    assert not tab.value(IS_AWAY)


def test_search_is_blind_to_case_and_accents(tab):
    tab.press("/")
    for character in "CAFES in lodz":
        tab.press(character)
    until(tab, "document.querySelector('#results mark')?.textContent === 'Cafés in Łódź'")
    assert tab.value("document.getElementById('found').textContent") == "1 place"
    tab.value(KEEPS_PLACES)
    tab.press("ArrowDown")
    tab.press("Enter", "Shift")  # play from there
    until(tab, "marked.includes('s27 Cafés')")
    assert tab.value("[...CSS.highlights.get('found')].join()") == "Cafés in Łódź"


def test_it_asks_a_server_for_its_own_files_alone(browser, folder):
    with serving_site() as site:
        for file in filter(Path.is_file, folder.rglob("*")):
            kind = mimetypes.guess_type(file.name)[0] or ""
            path = f"/{file.relative_to(folder).as_posix()}"
            site.pages[path] = Page(file.read_bytes(), headers={"Content-Type": kind})
        open_page(browser, site.url)
        browser.press(" ")
        until(browser, f"{VOICE}.currentTime > 0")
        urls = browser.value("performance.getEntriesByType('resource').map((one) => one.name)")
        assert browser.value("complaints") == []
        browser.open("about:blank")
        assert {urlsplit(url).path.rpartition("/")[0] for url in urls} >= {"/reader", "/times"}
        assert all(url.startswith((site.url, f"blob:{site.url}", "data:")) for url in urls)
        assert set(site.asked) <= set(site.pages)
