"""The picture shows the numbers it was given, and any title as text."""

import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from audiomill.outputs.pages.curves import Envelope, measure_curves
from audiomill.outputs.pages.picture import (
    LEFT,
    N_COLUMNS,
    WIDTH,
    Plot,
    columns_of,
    plot_bytes,
    ticks,
)
from audiomill.outputs.pages.plot_names import PlotMark
from audiomill.outputs.pages.svg import fitting, width_of
from support.examples import few_examples
from support.signals_data import RATE, silence, sine

SVG = {"s": "http://www.w3.org/2000/svg"}
TONE = measure_curves([sine(997, 20, level=0.5)[:, None]], RATE)
ISOLATES = re.compile("[\u2066-\u2069]")


def plot(**changed) -> Plot:
    return replace(Plot("A Book", TONE, (), -19.0, -1.5), **changed)


def tree_of(one: Plot) -> etree._Element:
    return etree.fromstring(plot_bytes(one))


def texts(tree: etree._Element, path: str) -> list[str]:
    return [ISOLATES.sub("", "".join(one.itertext())) for one in tree.xpath(path, namespaces=SVG)]


def numbers(tree: etree._Element, path: str) -> list[float]:
    return [float(one) for one in tree.xpath(path, namespaces=SVG)]


def marks(*starts: float) -> tuple[PlotMark, ...]:
    return tuple(PlotMark(f"Chapter {n}", at) for n, at in enumerate(starts, 1))


def test_marks_stand_where_their_chapters_begin():
    tree = tree_of(plot(marks=marks(0, 5, 15)))
    expected = [LEFT + share * N_COLUMNS for share in (0, 0.25, 0.75)]
    assert numbers(tree, "//s:line[@class='mark']/@x1") == expected
    assert texts(tree, "//s:tspan[@class='name']") == ["Chapter 1", "Chapter 2", "Chapter 3"]
    assert numbers(tree, "//s:text[@class='names']/@x") == expected
    # All are named in full there, so there is no list of them.
    assert texts(tree, "//s:text[@class='number']") == []


def test_a_hundred_chapters_are_listed_and_their_numbers_do_not_collide():
    tree = tree_of(plot(marks=marks(*np.arange(0, 20, 0.2))))
    assert texts(tree, "//s:text[@class='number']") == [str(n) for n in range(1, 101)]
    assert texts(tree, "//s:text[@class='name']") == [f"Chapter {n}" for n in range(1, 101)]
    places = numbers(tree, "//s:text[@class='names']/@x")
    shown = texts(tree, "//s:tspan[@class='number']")
    ends = [x + width_of(words, 12) for x, words in zip(places, shown, strict=True)]
    assert all(end < x for end, x in zip(ends, places[1:], strict=False))
    assert len(tree.xpath("//s:line[@class='mark']", namespaces=SVG)) == 100


def test_very_many_chapters_make_no_endless_picture():
    tree = tree_of(plot(marks=marks(*np.linspace(0, 19.9, 2000))))
    assert texts(tree, "//s:text[@class='tick']")[-1] == "and 1700 more"
    assert len(etree.tostring(tree)) < 1_000_000


def test_the_envelope_is_as_high_as_the_samples():
    """A tone at half of full scale fills half of the panel, in every column."""
    (path,) = tree_of(plot()).xpath("//s:path[@class='wave']/@d", namespaces=SVG)
    bars = re.findall(r"M([\d.]+) ([\d.]+)V([\d.]+)", path)
    assert len(bars) == N_COLUMNS
    (panel,) = numbers(tree_of(plot()), "//s:rect[@class='panel'][1]/@height")[:1]
    heights = np.array([float(bottom) - float(top) for _, top, bottom in bars])
    assert heights == pytest.approx(panel / 2, abs=0.3)
    assert [float(x) for x, _, _ in bars] == [LEFT + 0.5 + n for n in range(N_COLUMNS)]


def test_a_column_has_the_extremes_of_all_its_samples():
    generator = np.random.default_rng(1)
    low, high = -generator.random(5000), generator.random(5000)
    lowest, highest, _ = columns_of(Envelope(low, high, high / 2), 777)
    assert (lowest.min(), highest.max()) == (low.min(), high.max())
    edges = np.arange(778) * 5000 // 777
    for n in (0, 300, 776):
        assert highest[n] == high[edges[n] : edges[n + 1]].max()


def test_the_lines_stand_at_their_levels():
    tree = tree_of(plot(target_lufs=-9.03))
    (top, height) = (
        numbers(tree, f"//s:rect[@class='panel'][2]/@{name}")[0] for name in ("y", "height")
    )
    (path,) = tree.xpath("//s:path[@class='loudness']/@d", namespaces=SVG)
    drawn = [float(one.split()[1]) for one in re.findall(r"[\d.]+ [\d.]+", path)]
    (target,) = numbers(tree, "//s:line[@class='target']/@y1")
    (whole,) = numbers(tree, "//s:line[@class='whole']/@y1")
    # The tone is at -9.03 LUFS, so all three are one line.
    assert np.abs(np.array(drawn) - target).max() < 1
    assert abs(whole - target) < 0.5
    assert top < target < top + height
    assert texts(tree, "//s:text[@class='target-name']") == ["−9.0"]
    first, second = numbers(tree, "//s:line[@class='limit']/@y1")
    (wave_top, wave_height) = (
        numbers(tree, f"//s:rect[@class='panel'][1]/@{name}")[0] for name in ("y", "height")
    )
    assert (second - first) / wave_height == pytest.approx(10 ** (-1.5 / 20), abs=0.002)
    assert (first + second) / 2 == pytest.approx(wave_top + wave_height / 2, abs=0.2)


@pytest.mark.parametrize("seconds", [0.0, 0.01, 1.0])
def test_there_is_a_picture_of_nearly_nothing(seconds):
    blocks = [silence(seconds)[:, None]] if seconds else []
    tree = tree_of(plot(curves=measure_curves(blocks, RATE), marks=marks(0)))
    assert texts(tree, "//s:text[@class='title']") == ["A Book"]
    assert "NaN" not in etree.tostring(tree, encoding="unicode")


@pytest.mark.parametrize(
    "duration_s", [0.4, 1, 7, 59, 61, 600, 3599, 3600, 12345, 108_000, 3_600_000]
)
def test_there_are_some_ticks_and_not_too_many(duration_s):
    found = ticks(duration_s)
    assert 1 <= len(found) <= 13
    assert found[0] == 0
    assert found[-1] <= duration_s
    assert duration_s < 2 or len(found) >= 3


@given(width=st.floats(0, 300), text=st.text(max_size=80))
def test_a_cut_text_fits(width, text):
    found = fitting(text, width, 12)
    assert found == text or width_of(found, 12) <= width
    assert found == text or not found or text.startswith(found[:-1])


TRICKS = ("<script>alert(1)</script>", "]]>", "\0\x1b\u202e", "\ud800", "\uffff", "&amp;", "שלום")


@few_examples(25)
@given(title=st.lists(st.one_of(st.sampled_from(TRICKS), st.text())).map(" ".join))
def test_any_title_is_text(title):
    """It parses as XML, has the elements of any other picture, and asks for nothing."""
    written = plot_bytes(plot(title=title, marks=(PlotMark(title, 0), PlotMark(title, 10))))
    tree = etree.fromstring(written, etree.XMLParser(resolve_entities=False, no_network=True))
    tags = {etree.QName(one).localname for one in tree.iter("*")}
    assert tags <= {"svg", "style", "title", "rect", "text", "tspan", "path", "line", "g"}
    assert not tree.xpath("//@href | //@src | //@onload | //@style")
    assert b"url(" not in written
    assert b"@import" not in written
    (view,) = tree.xpath("/s:svg/@viewBox", namespaces=SVG)
    assert view.startswith(f"0 0 {WIDTH} ")
