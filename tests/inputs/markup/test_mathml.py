"""Formulas in MathML become words that a listener can follow."""

from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from audiomill.inputs.markup.formula_words import formula_words
from audiomill.inputs.markup.parser import parse_xhtml, parse_xml
from support.case_files import each_row


@each_row
def test_a_formula_in_latex_is_said_as_one_in_mathml(tex, said):
    tex = tex.replace("&", "&amp;").replace(">", "&gt;")
    assert words_of(f'<annotation encoding="application/x-tex">{tex}</annotation>') == said


def words_of(content, language="en"):
    text = f"<html><body><p><math>{content}</math></p></body></html>"
    (math,) = parse_xhtml(text.encode()).iter("{*}math")
    return formula_words(math, language)


@each_row
def test_a_formula_is_said_in_words(content, said):
    assert words_of(content) == said


def test_a_reference_that_the_page_declares_is_left_out():
    text = (
        '<!DOCTYPE html [<!ENTITY mill "y">]><html xmlns="http://www.w3.org/1999/xhtml"><body>'
        "<math><mi>x</mi><mo>=</mo><mi>&mill;</mi></math></body></html>"
    )
    (math,) = parse_xml(text.encode()).iter("{*}math")
    assert [formula_words(math, "en") for _ in range(2)] == ["x ="] * 2


@each_row
def test_it_is_said_in_the_language_of_the_text(language, said):
    content = "<msup><mi>x</mi><mn>2</mn></msup><mo>=</mo><mfrac><mn>1</mn><mn>2</mn></mfrac>"
    assert words_of(content, language) == said


@each_row
def test_another_formula_is_named_as_one(content):
    assert words_of(content) == "formula"
    assert words_of(content, "de") == "Formel"


ELEMENTS = st.recursive(
    st.sampled_from(["<mi>x</mi>", "<mn>1</mn>", "<mo>+</mo>", "<mo>∑</mo>", "<mspace/>", ""]),
    lambda inner: st.builds(
        lambda name, parts: f"<{name}>{''.join(parts)}</{name}>",
        st.sampled_from(
            [
                *("mrow", "mfrac", "msup", "msub", "msubsup", "munderover", "mover", "msqrt"),
                *("mroot", "mfenced", "mtable", "mtr", "mtd", "semantics", "maction", "munder"),
            ]
        ),
        st.lists(inner, max_size=3),
    ),
    max_leaves=12,
)


_TEX_PARTS = r"""
\frac \sqrt \left( \right) \begin{matrix} \end{matrix} \begin{cases} { } ( ) | \{ \} x
ab 1 + ^ _ & \\ \text{ \hat \foo \sum \lim \limits \substack \genfrac \over \middle| \label{a}
% ~ ' \, \mathrm{ab} $ #
"""


@given(st.lists(st.sampled_from(_TEX_PARTS.split()), max_size=12))
def test_any_latex_has_words(parts):
    node = etree.Element("annotation", encoding="application/x-tex")
    node.text = " ".join(parts)
    said = words_of(etree.tostring(node, encoding="unicode"))
    assert said == " ".join(said.split()) != ""


@given(ELEMENTS)
def test_any_formula_has_words(content):
    said = words_of(content)
    assert said == " ".join(said.split()) != ""
