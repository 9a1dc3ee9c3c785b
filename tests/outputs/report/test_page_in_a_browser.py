"""The page in a real browser: nothing overflows, nothing is asked for, all can be read."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from audiomill.outputs.plot.chapter_names import PlotMark
from audiomill.outputs.plot.curves import measure_curves
from audiomill.outputs.plot.picture import Plot, plot_bytes
from audiomill.outputs.report.page import Figure, report_page
from support.chromium import BROWSER, LEAST_CONTRAST, Tab, browsing
from support.report_data import content_of
from support.signals_data import RATE, png_cover, voice

pytestmark = pytest.mark.skipif(BROWSER is None, reason="no Chromium is installed")
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
