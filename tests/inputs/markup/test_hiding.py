"""What style sheets hide: the cascade, selectors, media, and sheets that no author writes."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from audiomill.inputs.markup import hiding
from audiomill.inputs.markup.cascade import StyleRule, applies_on_screen, parse_sheet, rules_of
from audiomill.inputs.markup.hiding import PROPERTIES, hiding_rules
from audiomill.inputs.markup.parser import parse_xhtml
from audiomill.inputs.markup.selectors import UnknownSelector, parse_selectors
from support.case_files import each_row

PAGE = """<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops">
<body id="body"><div id="a" class="x y"><p id="b" class="x">b</p><!-- c --><p id="c" lang="en-GB">c
<span id="d" epub:type="pagebreak z3998:roman">d</span></p></div><p id="e" title="It's {odd}">e</p>
</body></html>"""


def rules_in(css: str) -> list[StyleRule]:
    return list(rules_of(parse_sheet(css).text, PROPERTIES))


def hidden_by(css: str, page: str = PAGE) -> list[str]:
    """The ids of the elements that a style sheet hides."""
    root = parse_xhtml(page.encode())
    rules = hiding_rules(rules_in(css))
    if rules is not None:
        rules.hide(root)
    return [node.get("id", "") for node in root.iter() if node.get("hidden") is not None]


@each_row
def test_a_selector_finds_its_elements(selector, hidden):
    assert hidden_by(f"{selector} {{ display: none }}") == hidden


@each_row
def test_the_cascade_decides(css, hidden):
    assert hidden_by(css) == hidden


def test_a_style_attribute_wins_over_rules_that_are_not_important():
    page = "<div><p id='a' style='display: block'>a</p><p id='b'>b</p></div>"
    assert hidden_by("p { display: none }", page) == ["b"]
    assert hidden_by("p { display: none !important }", page) == ["a", "b"]


@each_row
def test_rules_count_where_they_certainly_apply(css):
    expected = [] if css.endswith("none") else ["d"]
    assert hidden_by(css) == expected


@pytest.mark.parametrize("media", ["", "all", "screen", "only screen", "NOT print", "print, all"])
def test_media_of_every_screen(media):
    assert applies_on_screen(media.lower())


@pytest.mark.parametrize("media", ["print", "not screen", "amzn-mobi", "screen and (color)"])
def test_other_media(media):
    assert not applies_on_screen(media)


@pytest.mark.parametrize(
    "css", ["", "p { color: red }", "p { display: block }", "p:hover{display:none}"]
)
def test_sheets_that_hide_nothing_have_no_rules_to_match(css):
    assert hiding_rules(rules_in(css)) is None


def test_imports_are_found_with_their_media():
    sheet = parse_sheet("@import 'a.css'; @import url( b.css ) screen; @import url('c.css') print;")
    assert sheet.imports == ("a.css", "b.css")


def test_selectors_that_take_too_long_hide_nothing(monkeypatch):
    monkeypatch.setattr(hiding, "MAX_COMPARISONS", 20_000)
    root = node = etree.Element("div")
    for _ in range(200):
        node = etree.SubElement(node, "div")
    etree.SubElement(node, "p", id="b")
    page = etree.tostring(root).decode()
    assert hidden_by("a div div div div div p { display: none }", page) == []
    assert hidden_by("div div > div p { display: none }", page) == ["b"]


@given(st.text(alphabet="ap.#*:[]()=~'\"{};@>+ ,\\|!/-\n", max_size=80))
def test_any_text_is_a_style_sheet(text):
    assert "body" not in hidden_by(f"{text} p {{ display: none }} {text}")
    with suppress(UnknownSelector):
        parse_selectors(text)
