"""What Chromium alone tells of the page: requests, frames, touches, the screen, and contrast."""

import shutil
import time
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from support.chromium import BROWSER, LEAST_CONTRAST, Tab, browsing
from support.epub_data import PNG
from support.readalong_data import word_starts
from support.readalong_pages import IS_AWAY, LIT, TEXT, VOICE, WORD, middle_of, page_of

pytestmark = [pytest.mark.prove, pytest.mark.skipif(BROWSER is None, reason="no Chromium")]
MARKS = f"""new Promise((done) => {{
  const seen = [], words = new Set();
  const look = () => {{
    const [word] = CSS.highlights.get('word');
    const span = word?.startContainer.parentElement;
    if (span) seen.push([{VOICE}.currentTime * 1000, {VOICE}.src, span.id, word.startOffset]);
    words.add(String(word));
    words.size < 8 ? requestAnimationFrame(look) : done(seen);
  }};
  look();
}})"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """The page of a short book, and the files beside it."""
    return page_of(tmp_path_factory.mktemp("book"), TEXT)


@pytest.fixture(scope="module")
def browser(tmp_path_factory) -> Iterator[Tab]:
    with browsing(tmp_path_factory.mktemp("profile")) as tab:
        tab.set_screen(800, 600)
        yield tab


@pytest.fixture
def tab(browser, folder) -> Iterator[Tab]:
    """The page, opened for the first time. It stays in its folder, and the console empty."""
    # A page that is left remembers its place, so another file forgets it.
    browser.open(next(folder.glob("reader/*.css")).as_uri())
    browser.value("localStorage.clear()")
    open_page(browser, folder)
    yield browser
    assert all(url.startswith((folder.as_uri(), "data:")) for url in browser.requested)
    assert browser.complaints == []


def open_page(tab: Tab, folder: Path, fragment: str = "") -> None:
    tab.open(f"{folder.as_uri()}/index.html{fragment}")
    until(tab, f"{LIT} || document.getElementById('problem').textContent")


def until(tab: Tab, expression: str) -> object:
    """The value of an expression, as soon as it is true."""
    look = f"is = {expression}; is || !tries-- ? done(is) : setTimeout(look, 5)"
    script = f"let is, tries = 4000; const look = () => {{ {look} }}; look()"
    value = tab.value(f"new Promise((done) => {{ {script} }})")
    assert value, (expression, tab.value(f"[{LIT}, {WORD}, scrollY]"), tab.complaints)
    return value


def click_word(tab: Tab, span: str, first: int) -> None:
    tab.click(*tab.value(middle_of(span, first)))


@pytest.mark.parametrize(("held_s", "lit"), [(0.1, "s5"), (1.0, "s0")])
def test_a_tap_plays_and_a_long_press_is_left_to_the_selection(tab, held_s, lit):
    tab.send("Emulation.setTouchEmulationEnabled", enabled=True)
    x, y = tab.value(
        "(() => { const span = document.getElementById('s5'); isOver = false;"
        "addEventListener('click', () => requestAnimationFrame(() => { isOver = true }));"
        "span.scrollIntoView({block: 'center'}); const [box] = span.getClientRects();"
        "return [box.left + 20, box.top + 5] })()"
    )
    at_s = time.time()
    for kind, points, when_s in (("Start", [{"x": x, "y": y}], at_s), ("End", [], at_s + held_s)):
        tab.send(
            "Input.dispatchTouchEvent", type=f"touch{kind}", touchPoints=points, timestamp=when_s
        )
    until(tab, "isOver")
    assert tab.value(LIT) == lit


@pytest.mark.parametrize("speed", [1, 3])
def test_the_marked_word_is_the_one_that_sounds(tab, folder, speed):
    starts = word_starts(folder)
    for _ in range(10 * (speed - 1)):
        tab.press("+")
    tab.press(" ")
    until(tab, WORD)
    seen = tab.value(MARKS)
    for (before_ms, *_), (now_ms, url, span, place) in pairwise(seen):
        begun = [at for (file, *_), at in starts.items() if file == url and at <= before_ms]
        # Between two frames the page has looked once.
        assert max(begun, default=0) <= starts[url, span, place] <= now_ms + 5


def test_the_wheel_leads_away_from_the_voice(tab):
    tab.press(" ")
    for _ in range(13):
        tab.press("ArrowRight")
    until(tab, "scrollY > 300")
    while tab.value("scrollY") > 50:
        wheel = {"type": "mouseWheel", "x": 400, "y": 300, "deltaX": 0, "deltaY": -300}
        tab.send("Input.dispatchMouseEvent", **wheel)
    until(tab, IS_AWAY)


def test_an_address_is_stronger_than_the_place_that_is_remembered(tab, folder):
    click_word(tab, "s4", len("The mill "))
    until(tab, f"{WORD} === 'all'")
    tab.press(" ")
    before = tab.value(f"[{LIT}, {WORD}, {VOICE}.paused]")
    open_page(tab, folder)
    assert tab.value(f"[{LIT}, {WORD}, {VOICE}.paused]") == before
    open_page(tab, folder, "#s26")
    assert tab.value(LIT) == "s26"


def test_a_reload_goes_on_where_the_voice_was_not_where_its_address_points(tab):
    tab.press("c")
    tab.value("document.querySelectorAll('#contents a')[1].click()")
    until(tab, f"{LIT} === 's26' && location.hash")
    tab.press("ArrowRight")
    until(tab, f"{LIT} === 's27'")
    tab.reload()
    assert until(tab, LIT) == "s27"


def test_the_place_is_found_where_a_corrected_book_has_it(tab, tmp_path):
    click_word(tab, "s27", len("Cafés "))
    until(tab, f"{LIT} === 's27' && {WORD}")
    tab.press(" ")
    corrected = TEXT.replace("## One", "## One\n\nThis was left out. It was all a dream.")
    open_page(tab, page_of(tmp_path, corrected))
    assert tab.value(LIT) == "s29"
    assert tab.value("document.querySelector('.lit').textContent") == "Cafés in Łódź were shut."
    tab.events.clear()  # it is in another folder


def test_a_picture_is_lit_and_plays_from_a_click(browser, tmp_path):
    (tmp_path / "sea.png").write_bytes(PNG)
    text = "# A Book\n\nRain fell.\n\n![Boats sank.](sea.png)\n\nGulls cried."
    open_page(browser, page_of(tmp_path, text, read="everything"))
    box = "document.querySelector('[data-clip]').getBoundingClientRect()"
    browser.click(*browser.value(f"[{box}.x + {box}.width / 2, {box}.y + {box}.height / 2]"))
    until(browser, f"document.querySelector('img.lit[data-clip]') && {VOICE}.currentTime > 0")
    until(browser, f"['Gulls', 'cried'].includes({WORD})")
    assert not browser.value("document.querySelector('img.lit')")


def test_the_system_is_told_the_position_after_each_change(tab):
    tab.value("void (navigator.mediaSession.setPositionState = (one) => { window.told = one })")
    elapsed = "Number(document.getElementById('elapsed').textContent.split(':')[1])"
    is_told = f"window.told && Math.abs(told.position - {elapsed}) <= 1 && told.playbackRate"
    click_word(tab, "s2", len("The mill "))
    until(tab, f"!{VOICE}.paused && {is_told} === 1")
    tab.press(" ")
    until(tab, f"{VOICE}.paused && navigator.mediaSession.playbackState === 'paused'")
    before = tab.value("told.position")
    tab.press("ArrowRight", "Shift")  # shift: a word on, in the same sentence
    until(tab, f"told.position > {before} && {is_told}")
    tab.press("+")
    until(tab, f"{is_told} === 1.1")


def test_keys_can_be_turned_off(tab):
    tab.press("?")
    tab.value("document.querySelector('[name=keys]').click()")
    tab.press("Escape")
    tab.press("c")
    assert not tab.value("document.querySelector('dialog[open]')")


@pytest.mark.parametrize("theme", ["light", "sepia", "dark"])
@pytest.mark.parametrize("width", [360, 1280])
def test_it_fits_its_screen_and_can_be_read(browser, folder, theme, width):
    browser.set_screen(width, 740)
    open_page(browser, folder, "#s3")
    browser.value(f"document.querySelector('[name=theme][value={theme}]').click()")
    assert browser.value("document.documentElement.scrollWidth") <= width
    assert browser.value(LEAST_CONTRAST) >= 4.5  # WCAG 2.2, 1.4.3
    browser.set_screen(800, 600)


def test_enlarged_to_400_percent_the_text_has_most_of_the_screen(browser, folder):
    browser.set_screen(320, 256)  # 1280 by 1024 pixels; WCAG 2.2, 1.4.10
    open_page(browser, folder, "#s3")
    bars = "['.top', '.player'].map((one) => document.querySelector(one).getBoundingClientRect())"
    top, bottom = browser.value(f"(([top, player]) => [top.bottom, player.top])({bars})")
    assert bottom - max(top, 0) >= 150
    browser.value("document.getElementById('position').focus()")
    box = browser.value("document.getElementById('position').getBoundingClientRect().toJSON()")
    assert box["top"] > bottom - 60
    assert box["bottom"] < 256
    assert box["width"] > 100
    browser.set_screen(800, 600)


def test_a_missing_file_is_told_and_tried_again(browser, folder, tmp_path):
    shutil.copytree(folder, tmp_path / "page")
    audio = tmp_path / "page" / "audio"
    audio.rename(tmp_path / "elsewhere")
    open_page(browser, tmp_path / "page")
    until(browser, "document.getElementById('problem').textContent.includes('“audio”')")
    (tmp_path / "elsewhere").rename(audio)
    browser.press(" ")
    until(browser, f"{VOICE}.currentTime > 0")
    assert browser.value("document.getElementById('problem').textContent") == ""
