"""The page of a run says what the report file says, and holds nothing that could run."""

import hashlib
import re
from base64 import b64encode
from functools import cache
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import html

from audiomill.outputs.pages.curves import measure_curves
from audiomill.outputs.pages.picture import Plot
from audiomill.outputs.pages.plot_names import PlotMark
from audiomill.outputs.pages.report_content import read_content
from audiomill.outputs.pages.report_page import Figure, advice_for, report_page
from audiomill.outputs.pages.report_recordings import size
from audiomill.outputs.pages.report_texts import MAX_ROWS
from audiomill.outputs.text import line
from support.case_files import each_row
from support.examples import few_examples
from support.html_pages import found, policy_of, tree_of
from support.report_data import content_of, report_json
from support.signals_data import RATE, png_cover, sine

EVIL = '</title></svg><script>alert(1)</script><img src=x onerror=alert(2)>"\' onload="x'
TRICKS = (EVIL, "\0\x1b", "\ud800", "\uffff", "שלום", "</style>", "<!--", "]]>", "&amp;", "\u202e")
ANYTHING = st.lists(st.one_of(st.sampled_from(TRICKS), st.text(st.characters()))).map(" ".join)
CURVES = measure_curves([sine(997, 5, level=0.1)[:, None]], RATE)


def pictures(title: str) -> list[Figure]:
    return [Figure(title, Plot(title, CURVES, (PlotMark(title, 0),), -19.0, -1.5))]


def rows(tree: html.HtmlElement, name: str) -> list[list[str]]:
    return [found(row, "./td | ./th") for row in tree.xpath(f"//*[@id='{name}']//tbody/tr")]


@each_row
def test_the_page_says_what_the_report_says(path, expected):
    tree = tree_of(report_page(content_of("The Mill"), png_cover(), pictures("The Mill")))
    assert found(tree, path) == expected


def test_lengths_and_speed_are_rounded_and_there_is_one_picture():
    long = [{"path": "/x/a.mp3", "format": "mp3", "duration_s": 895.7, "chapters": 1}]
    assert rows(tree_of(report_page(content_of(files=long))), "files")[0][3] == "14:56"
    spoken_anew = tree_of(report_page(content_of(rendered=12, cached=0)))
    assert found(spoken_anew, "//header/div/p")[1].endswith("made in 10 s (18x real time)")
    tree = tree_of(report_page(content_of(), png_cover(), pictures("word")))
    assert len(tree.xpath("//*[@id='sound']//*[local-name()='svg']")) == 1


def test_only_what_does_not_say_so_is_marked_as_credits():
    named = rows(tree_of(report_page(content_of("Opening credits"))), "chapters")
    assert named[0][1] == "Opening credits"


@each_row
def test_chapters_are_indented_under_chapters_and_not_under_credits(levels, classes):
    report = report_json()
    for chapter, level in zip(report["work"]["chapters"], levels, strict=True):
        chapter["level"] = level
    tree = tree_of(report_page(read_content(report)))
    assert tree.xpath("//*[@id='chapters']//span[starts-with(@class, 'level')]/@class") == classes


def test_a_picture_has_no_length():
    report = report_json()
    report["files"].append({**report["files"][0], "path": "/x/A Book.svg", "format": "svg"})
    tree = tree_of(report_page(read_content(report)))
    assert rows(tree, "files")[2] == ["A Book.svg", "svg", "31.4 MB", "", ""]


def test_times_open_the_recording_there():
    tree = tree_of(report_page(content_of()))
    assert tree.xpath("//*[@id='suspects']//a/@href") == ["A%20Book.m4b#t=61.250"]
    assert tree.xpath("//*[@id='chapters']//a/@href")[2] == "A%20Book.m4b#t=120.000"


def test_what_to_do_names_its_part_of_the_page():
    tree = tree_of(report_page(content_of()))
    targets = [one.removeprefix("#") for one in tree.xpath("//*[@id='next']//a/@href")]
    assert targets == ["suspects", "remarks", "warnings", "files"]
    assert all(len(tree.xpath(f"//section[@id='{one}']")) == 1 for one in targets)


def test_where_nothing_is_to_be_done_it_says_so():
    quiet = {"suspects": [], "remarks": [], "warnings": [], "skipped_text": [], "other_files": []}
    content = content_of(**quiet)
    assert list(advice_for(content)) == []
    tree = tree_of(report_page(content))
    assert found(tree, "//*[@id='next']/p")[0].startswith("Nothing")
    assert not tree.xpath("//*[@id='suspects' or @id='remarks' or @id='skipped']")


def test_notes_are_offered_unless_all_is_read():
    skipped = [{"reason": "footnote or endnote", "where": "a", "text": "b"}]
    quiet = {"suspects": [], "remarks": [], "warnings": [], "other_files": []}
    (advice,) = advice_for(content_of(skipped_text=skipped, **quiet))
    assert advice.section == "skipped"
    everything = content_of(skipped_text=skipped, settings={"read": "everything"}, **quiet)
    assert list(advice_for(everything)) == []


def test_a_report_of_before_the_page_can_be_shown():
    """Its chapters had no words and no places, its files no sizes, its remarks no times."""
    old = report_json()
    for name in ("authors", "language", "settings", "extra_takes"):
        del old[name]
    for chapter in old["work"]["chapters"]:
        del chapter["words"], chapter["recording"], chapter["at_s"], chapter["loudness_lufs"]
    for one in (*old["remarks"], *old["suspects"]):
        del one["recording"]
    del old["remarks"][0]["at_s"], old["files"][0]["bytes"]
    tree = tree_of(report_page(read_content(old)))
    assert rows(tree, "chapters")[1] == ["1:00", "word", "1:00", "", ""]
    assert rows(tree, "remarks") == [["", "spelled out", "word", "word"]]


def test_a_book_of_700_chapters_stays_a_page():
    long = "A rather long title of a chapter, as some novels have them" * 2
    skipped = [{"reason": "code", "where": f"x{n}", "text": "y" * 5000} for n in range(5000)]
    page = report_page(content_of(long, n_chapters=714, skipped_text=skipped))
    assert len(page) < 1_000_000
    tree = tree_of(page)
    assert len(rows(tree, "chapters")) == 714
    assert found(tree, "//*[@id='chapters']//summary") == ["714 chapters"]
    assert not tree.xpath("//details[@open]")
    assert len(rows(tree, "skipped")) == MAX_ROWS
    assert found(tree, "//*[@id='skipped']//details/p") == ["4,800 more are in the report file."]


def test_tables_have_headings_and_regions_have_names():
    tree = tree_of(report_page(content_of(), png_cover(), pictures("x")))
    for one in tree.xpath("//table"):
        assert one.xpath("./thead/tr/th[@scope='col']")
        assert all(len(row.xpath("./th[@scope='row']")) == 1 for row in one.xpath("./tbody/tr"))
        n_columns = len(one.xpath("./thead/tr/th"))
        assert {len(row) for row in one.xpath("./tbody/tr")} == {n_columns}
    assert all(tree.xpath("//*[@role='region']/@aria-label"))
    ids = tree.xpath("//@id")
    assert len(ids) == len(set(ids))
    assert set(tree.xpath("//@aria-labelledby")) <= set(ids)
    landmarks = ["header", "main", "footer", "script"]
    assert [one.tag for one in tree.xpath("/html/body/*")] == landmarks
    assert tree.xpath("//img/@alt") == ["Cover of word"]
    levels = [int(one.tag[1]) for one in tree.iter("h1", "h2", "h3")]
    assert levels[0] == 1
    assert all(b <= a + 1 for a, b in pairwise(levels))


def test_only_the_pages_own_style_and_script_may_run():
    page = report_page(content_of(EVIL), png_cover(), pictures(EVIL))
    rules = policy_of(tree_of(page))
    assert rules["default-src"] == "'none'"
    for kind in ("style", "script"):
        (own,) = re.findall(rf"<{kind}>(.*?)</{kind}>".encode(), page, re.DOTALL)
        digest = b64encode(hashlib.sha256(own).digest()).decode()
        assert rules[f"{kind}-src"] == f"'sha256-{digest}'"
    (style,) = re.findall(rb"<style>(.*?)</style>", page, re.DOTALL)
    assert b"url(" not in style
    assert b"@import" not in style


@cache
def plain_tree() -> html.HtmlElement:
    return tree_of(report_page(content_of(), png_cover(), pictures("word")))


@few_examples(20)
@given(text=ANYTHING)
def test_any_text_is_text(text):
    """It makes no element and no attribute, and nothing that is asked of another server."""
    page = report_page(content_of(text), png_cover(), pictures(text))
    tree = tree_of(page)
    plain = plain_tree()
    assert {one.tag for one in tree.iter("*")} == {one.tag for one in plain.iter("*")}
    assert tree.xpath("//script/text()") == plain.xpath("//script/text()")
    assert not tree.xpath("//@style | //@onload | //@onerror | //iframe | //object")
    addresses = tree.xpath("//@src | //@href")
    assert all(re.match(r"#|data:|A%20Book\.", one) for one in addresses)
    assert found(tree, "//h1") == [" ".join((line(text) or "Untitled").split())]


@pytest.mark.parametrize(
    ("n_bytes", "shown"),
    [(None, ""), (12, "12 bytes"), (1500, "1.5 kB"), (31.4e6, "31.4 MB"), (4.2e9, "4.2 GB")],
)
def test_sizes_are_read_at_a_glance(n_bytes, shown):
    assert size(n_bytes) == shown
