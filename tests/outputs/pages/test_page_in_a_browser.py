"""The page in a real browser: nothing overflows, nothing is asked for, all can be read."""

import wave
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from audiomill.outputs.pages.curves import measure_curves
from audiomill.outputs.pages.picture import Plot, plot_bytes
from audiomill.outputs.pages.plot_names import PlotMark
from audiomill.outputs.pages.report_page import Figure, report_page
from support.chromium import BROWSER, LEAST_CONTRAST, Tab, browsing
from support.report_data import content_of, report_json
from support.signals_data import RATE, png_cover, voice

pytestmark = [pytest.mark.prove, pytest.mark.skipif(BROWSER is None, reason="no Chromium")]
EVIL = "<script>fetch('https://spy.example/')</script><img src=https://spy.example/x onerror=y>"
LONG = f"{EVIL} {'Donaudampfschifffahrt' * 12} שלום"


@pytest.fixture(scope="module")
def tab(tmp_path_factory) -> Iterator[Tab]:
    with browsing(tmp_path_factory.mktemp("profile")) as tab:
        yield tab


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """A page with long words and texts that try to run something, and its picture."""
    folder = tmp_path_factory.mktemp("report")
    curves = measure_curves([voice(30)[:, None]], RATE)
    marks = tuple(PlotMark(LONG, at) for at in np.arange(0, 30, 0.3))
    plot = Plot(LONG, curves, marks, -19.0, -1.5)
    page = report_page(content_of(LONG, n_chapters=40), png_cover(), [Figure(LONG, plot)])
    (folder / "report.html").write_bytes(page)
    (folder / "a.svg").write_bytes(plot_bytes(plot))
    return folder


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("dark", [False, True])
def test_the_page_fits_its_screen_and_can_be_read(tab, folder, width, dark):
    tab.set_screen(width, 800, dark=dark)
    tab.open(f"{folder.as_uri()}/report.html")
    tab.value("document.querySelectorAll('details').forEach((one) => { one.open = true })")
    assert tab.value("document.documentElement.scrollWidth") <= width
    assert tab.value(LEAST_CONTRAST) >= 4.5  # WCAG 2.2, 1.4.3
    assert tab.value("document.querySelector('img.cover').naturalWidth") > 0
    # Style and pictures are in the page, and no policy had to forbid anything.
    own = (f"{folder.as_uri()}/report.html", "data:")
    assert all(url.startswith(own) for url in tab.requested)
    assert tab.complaints == []


@pytest.mark.parametrize("dark", [False, True])
def test_the_picture_alone_can_be_read(tab, folder, dark):
    tab.set_screen(1280, 800, dark=dark)
    tab.open(f"{folder.as_uri()}/a.svg")
    assert tab.requested == [f"{folder.as_uri()}/a.svg"]
    assert tab.complaints == []
    paper, ink = (
        tab.value(f"getComputedStyle(document.querySelector('{one}')).fill")
        for one in ("rect.paper", "text.title")
    )
    light = [sum(map(int, one[4:-1].split(","))) > 380 for one in (paper, ink)]
    assert light == [not dark, dark]
    # No text runs out of the picture, for all its long titles.
    assert tab.value(
        "(() => { const all = document.documentElement.getBoundingClientRect();"
        "return [...document.querySelectorAll('text')].every((one) =>"
        " one.getBoundingClientRect().right <= all.right) })()"
    )


# The widths of the cells of texts, of all tables, in pixels.
NARROWEST = """Math.min(...[...document.querySelectorAll("tbody th[scope]")].map(
  (one) => one.getBoundingClientRect().width))"""
WIDEST = """Math.max(...[...document.querySelectorAll("table")].map((one) => one.scrollWidth))"""


def test_on_a_phone_words_are_neither_squeezed_nor_make_tables_wide(tab, folder):
    """A long word is broken; a column of texts keeps room for words, and the table scrolls."""
    tab.set_screen(390, 800)
    tab.open(f"{folder.as_uri()}/report.html")
    tab.value("document.querySelectorAll('details').forEach((one) => { one.open = true })")
    assert tab.value(NARROWEST) >= 120
    assert tab.value(WIDEST) < 3 * 390


def test_a_page_is_printed_light_and_not_cut(tab, folder):
    """Also where the screen is dark, and without the room that scrolling would give."""
    tab.set_screen(720, 1000, dark=True)
    tab.open(f"{folder.as_uri()}/report.html")
    dark = {"name": "prefers-color-scheme", "value": "dark"}
    tab.send("Emulation.setEmulatedMedia", media="print", features=[dark])
    tab.value("document.querySelectorAll('details').forEach((one) => { one.open = true })")
    paper, wave, ink = (
        tab.value(f"getComputedStyle(document.querySelector('{one}')).{what}")
        for one, what in (("body", "backgroundColor"), (".wave", "stroke"), ("h1", "color"))
    )
    assert (paper, wave, ink) == ("rgb(255, 255, 255)", "rgb(159, 182, 196)", "rgb(0, 0, 0)")
    assert tab.value(WIDEST) <= 720
    assert tab.value("document.documentElement.scrollWidth") <= 720


PLAYED_FROM = """new Promise(done => {
  const audio = document.querySelector("audio");
  audio.addEventListener("timeupdate", () => done([audio.duration, audio.currentTime]));
  document.querySelectorAll("#chapters a")[1].click();
})"""


def test_a_chapter_is_played_on_the_page(tab, folder):
    """Led to the file itself, a browser that does not know `.m4b` would save it."""
    with wave.open(str(folder / "A Book.m4b"), "wb") as file:
        file.setparams((1, 2, 8000, 0, "NONE", ""))
        file.writeframes(b"\0\0" * 8000 * 62)
    tab.open(f"{folder.as_uri()}/report.html")
    duration_s, at_s = tab.value(PLAYED_FROM)
    assert (duration_s, tab.value("location.hash")) == (62, "")
    assert 60 <= at_s < 62
    assert tab.complaints == []


def test_a_long_book_is_folded_until_it_is_opened(tab, tmp_path):
    report = content_of(
        n_chapters=714,
        warnings=["word"] * 250,
        remarks=report_json()["remarks"] * 250,
        suspects=report_json()["suspects"] * 250,
    )
    (tmp_path / "report.html").write_bytes(report_page(report))
    tab.set_screen(390, 800)
    tab.open(f"{tmp_path.as_uri()}/report.html")
    assert tab.value("document.documentElement.scrollHeight") < 5000
    texts = "[...document.querySelectorAll('summary')].map((one) => one.textContent)"
    assert tab.value(texts)[:4] == ["714 chapters", "200 places", "200 places", "200 warnings"]
    assert tab.value("document.querySelectorAll('#chapters tbody tr').length") == 714
