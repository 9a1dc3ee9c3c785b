"""Show notes keep their words and a few elements; nothing in them can run or ask a server."""

from hypothesis import given
from hypothesis import strategies as st
from lxml import html

from audiomill.outputs.podcast.page_parts import safe_html
from support.case_files import each_row

KEPT = {"p", "a", "em", "strong", "ul", "ol", "li", "blockquote", "code"}
PIECES = ("<p>", "</p>", "<script>", "</script>", "<a href='javascript:x'>", "<a href=//b.example>")
PIECES += ("<img src=x onerror=y>", "<!--", "-->", "<svg><style>", "</svg>", "<math><mtext>", "x")
PIECES += ("<b>", "</b>", "<p onclick=z style='a'>", "<noscript>", "<![CDATA[", "&lt;i&gt;", "\0")
PIECES += ("<iframe srcdoc='<script>'>", "<title>", "<textarea>", "<table><td>", "<form action=/>")
PIECES += ("<html><head>", "<body onload=x>", "<?php", "\ud800", "<base href=//c.example>", "<")


@each_row
def test_only_allowed_elements_are_left(given_, safe):
    assert safe_html(given_) == safe


@given(st.lists(st.sampled_from(PIECES), max_size=20).map("".join))
def test_whatever_is_given_only_allowed_elements_are_left(text):
    safe = safe_html(text)
    tree = html.fragment_fromstring(safe, create_parent="section")
    for element in tree.iterdescendants():
        assert element.tag in KEPT
        if element.tag == "a":
            assert element.get("href").startswith(("https://", "http://"))
            assert set(element.keys()) == {"href", "rel"}
        else:
            assert not element.keys()
    assert safe_html(safe).split() == safe.split()
