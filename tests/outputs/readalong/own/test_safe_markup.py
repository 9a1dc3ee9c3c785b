"""Only what is known to be safe is copied from a foreign page, and its words stay."""

import re

from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from audiomill.inputs.markup.parser import body_of, parse_xhtml
from audiomill.outputs.readalong.own.safe_markup import References, safe_copy
from support.case_files import each_row
from support.examples import few_examples

SHOWN = References(
    link=lambda href: f"chapter.xhtml{href}" if href.startswith("#") else "",
    picture=lambda picture: "p1.png" if picture.get("src") == "mill.png" else "",
    name=lambda name: f"x-{name}",
    keeps_class=lambda one: one.startswith("language-"),
    keeps_alignment=True,
)


def body(markup: str) -> etree._Element:
    return body_of(parse_xhtml(f"<html><body>{markup}</body></html>".encode()))


def copied(markup: str, references: References | None = None) -> str:
    """The copy of what is in a body, without the declarations of namespaces."""
    text = etree.tostring(safe_copy(body(markup), references), encoding="unicode")
    text = re.sub(r' xmlns(:\w+)?="[^"]*"', "", text)
    return text.removeprefix("<div>").removesuffix("</div>").replace("<div/>", "")


@each_row
def test_what_is_known_is_kept(markup):
    given = markup.replace("x-a", "a")
    assert copied(given, SHOWN) == markup


@each_row
def test_what_is_not_safe_is_left_out_or_becomes_words(markup, copy):
    assert copied(markup, SHOWN) == copy


def test_without_references_links_lead_to_the_web_only():
    links = "<a href='https://a.example/b?c=d&amp;e'>f</a><a href='../b'>f</a><img src='b' alt='c'>"
    assert copied(links) == (
        '<a href="https://a.example/b?c=d&amp;e">f</a><a>f</a><span class="picture">c</span>'
    )


NAMES = "p em a img script svg math mi use style iframe object template x-y table td form input"
VALUES = ("javascript:a()", "https://b.example/c", "url(https://b.example/c)", "data:text/html,d")
KEYS = "href src onclick onload style srcset xlink:href background poster fill data formaction"


@st.composite
def markup(draw, depth: int = 3) -> str:
    name = draw(st.sampled_from(NAMES.split()))
    key, value = draw(st.sampled_from(KEYS.split())), draw(st.sampled_from(VALUES))
    inner = st.lists(markup(depth - 1), max_size=3).map("".join) if depth else st.just("w")
    return f"w<{name} {key}='{value}'>{draw(inner)}</{name}>w"


@few_examples(60)
@given(markup())
def test_no_copy_can_run_or_fetch_anything(source):
    copy = safe_copy(body(source))
    for element in copy.iter():
        assert etree.QName(element).localname not in {"script", "style", "iframe", "form", "object"}
        assert not {key for key in element.attrib if key.startswith("on") or key == "style"}
        for key, value in element.attrib.items():
            is_link = etree.QName(element).localname == "a" and key == "href"
            assert value == VALUES[1] if is_link else "://" not in value
            assert "script:" not in value
            assert "data:" not in value


def test_a_page_of_any_depth_is_copied():
    deep = etree.Element("body")
    node = deep
    for _ in range(4000):  # four times as deep as Python calls functions
        node = etree.SubElement(node, "b")
    node.text = "a"
    assert "".join(safe_copy(deep).itertext()) == "a"
