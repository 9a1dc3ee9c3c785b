"""Only what is known to be safe is copied from a foreign page, and its words stay."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from audiomill.inputs.markup.parser import body_of, parse_xhtml
from audiomill.outputs.readalong.own.safe_markup import References, safe_copy
from support.examples import few_examples

SHOWN = References(
    link=lambda href: f"chapter.xhtml{href}" if href.startswith("#") else "",
    picture=lambda picture: "p1.png" if picture.get("src") == "mill.png" else "",
    name=lambda name: f"x-{name}",
    keeps_class=lambda one: one.startswith("language-"),
    keeps_alignment=True,
)
KEPT = (
    '<p>a <em>b</em> <code class="language-py">c</code> <sub>d</sub><sup>e</sup></p>',
    '<p><ruby>水<rt>みず</rt></ruby> <q lang="fr" xml:lang="fr">oui</q></p>',
    '<p><abbr title="et al.">a</abbr></p>',
    '<ol start="3" reversed="reversed"><li value="9">a</li></ol>',
    '<table><tr><th scope="col" colspan="2">a</th></tr></table>',
    "<p><math><mfrac><mn>1</mn><mi>x</mi></mfrac></math></p>",
    '<svg viewBox="0 0 1 1"><circle r="1" fill="url(#x-a)" id="x-a"/><text>a</text></svg>',
)


def body(markup: str) -> etree._Element:
    return body_of(parse_xhtml(f"<html><body>{markup}</body></html>".encode()))


def copied(markup: str, references: References | None = None) -> str:
    """The copy of what is in a body, without the declarations of namespaces."""
    text = etree.tostring(safe_copy(body(markup), references), encoding="unicode")
    text = re.sub(r' xmlns(:\w+)?="[^"]*"', "", text)
    return text.removeprefix("<div>").removesuffix("</div>").replace("<div/>", "")


@pytest.mark.parametrize("markup", KEPT)
def test_what_is_known_is_kept(markup: str):
    given = markup.replace("x-a", "a")
    assert copied(given, SHOWN) == markup


@pytest.mark.parametrize(
    ("markup", "copy"),
    [
        ("a<script>b</script>c<style>d</style><iframe>e</iframe>f", "acf"),
        ("<p onclick='a()' style='color:red' class='b' data-c='d'>e</p>", "<p>e</p>"),
        ("<p style='color:red; text-align: Right'>a</p><td align='center'>b</td>",
         '<p style="text-align:right">a</p><td style="text-align:center">b</td>'),
        ("<p style='text-align:url(b)'>a</p>", "<p>a</p>"),
        ("<blink>a<b>c</b>d</blink>e<x-y>f</x-y>", "a<b>c</b>def"),
        ("<center><font color='red'>a</font></center>", "<div>a</div>"),
        ("<a href='javascript:a()'>b</a>", "<a>b</a>"),
        ("<a href=' JAVASCRIPT:a()'>b</a>", "<a>b</a>"),
        ("<a href='#n'>b</a>", '<a href="chapter.xhtml#n">b</a>'),
        ("<a name='n'>b</a>", '<a id="x-n">b</a>'),
        ("<img src='mill.png' onerror='a()' alt='A mill' width='9'>",
         '<img src="p1.png" alt="A mill" width="9"/>'),
        ("<img src='https://a.example/b.png' alt='A mill'>", '<span class="picture">A mill</span>'),
        ("<img src='https://a.example/b.png'>", ""),
        ("<p id='a' role='doc-footnote'>b</p>", '<p id="x-a" role="doc-footnote">b</p>'),
        ("<p role='button' hidden=''>b</p>", '<p hidden="hidden">b</p>'),
        ("<td colspan='99999'>a</td>", "<td>a</td>"),
        ("<svg><script>a</script><circle r='1' onload='a()' fill='url(https://b/c)'/>"
         "<image href='https://b/c'/><use href='https://b/c'/><a href='b'><path d='M0'/></a></svg>",
         '<svg><circle r="1"/><use/></svg>'),
        ("<math><semantics><mi>x</mi><annotation encoding='application/x-tex'>\\xi</annotation>"
         "</semantics></math>", '<math alttext="\\xi"><mi>x</mi></math>'),
        ("<math><mi href='javascript:a()'>x</mi><mo>+</mo></math>",
         "<math><mi>x</mi><mo>+</mo></math>"),
        ("<math><apply><plus/><ci>x</ci></apply></math>", "<span>x</span>"),
        ("<math><annotation encoding='application/x-tex'>x^2</annotation></math>",
         '<math alttext="x^2"><mrow><msup><mi>x</mi><mn>2</mn></msup></mrow></math>'),
        ("<math><annotation encoding='application/x-tex'>\\foo{</annotation></math>",
         "<code>\\foo{</code>"),
    ],
)  # fmt: skip
def test_what_is_not_safe_is_left_out_or_becomes_words(markup: str, copy: str):
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
def test_no_copy_can_run_or_fetch_anything(source: str):
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
