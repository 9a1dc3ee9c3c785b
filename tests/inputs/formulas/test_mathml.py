"""Formulas in MathML become words that a listener can follow."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from audiomill.inputs.formulas.mathml import MAX_LEAVES, formula_words
from audiomill.inputs.markup.parser import parse_xhtml
from support.case_files import each_row

TEX_CASES = r"""
x^2 | x squared
\frac{a}{b} | a over b
\frac{\partial L}{\partial w} | ∂ L over ∂ w
\sum_{i=1}^n a_i | the sum from i = 1 to n of a sub i
\prod_i p_i | the product over i of p sub i
\lim_{x \to 0} f(x) | the limit as x approaches 0 of f of x
\arg\max_x f(x) | arg max over x of f of x
O(n \log_2 n) | O of n log base 2 of n
\alpha \le \beta \in \mathbb{R} | α ≤ β ∈ R
\{1, 2, 3\} | the set 1, 2, 3
\{x \mid x > 0\} | the set of x such that x > 0
P(A|B) = 2|x| | P of (A given B) = 2 the absolute value of x
\|x\|_2 + |S| | the norm of x sub 2 + the size of S
\lfloor n/2 \rfloor | the floor of n over 2
\binom{n}{k} | n choose k
\mathbf{x}^\top W x_i^{(t)} | x transpose W x sub i superscript (t)
90^\circ, x_* | 90°, x sub star
\begin{bmatrix} 1 & 2 \\ 3 & y \end{bmatrix} | the matrix 1, 2; 3, y
\begin{align*} x &= 1 \label{a} \\ y &= 2 \end{align*} | x = 1; y = 2
f(x) = \begin{cases} 1 & x > 0 \\ 0 & \text{else} \end{cases} | f of x = 1, x > 0; 0, else
\operatorname*{arg\,max} loss_{max} | arg max loss sub max
x_1, \ldots, x_n = 2s | x sub 1, …, x sub n = 2 ⋅ s
x \sim 100 \stackrel{def}{=} \sin y | x ≈ 100 = sine y
1{,}000 \ce{H2O} | 1000 H2O
\unknown{x} | formula
\frac{1} | formula
"""


@pytest.mark.parametrize("case", TEX_CASES.strip().splitlines())
def test_a_formula_in_latex_is_said_as_one_in_mathml(case):
    tex, said = case.split(" | ")
    tex = tex.replace("&", "&amp;").replace(">", "&gt;")
    assert words_of(f'<annotation encoding="application/x-tex">{tex}</annotation>') == said


def words_of(content, language="en"):
    text = f"<html><body><p><math>{content}</math></p></body></html>"
    (math,) = parse_xhtml(text.encode()).iter("{*}math")
    return formula_words(math, language)


@each_row
def test_a_formula_is_said_in_words(content, said):
    assert words_of(content) == said


@each_row
def test_it_is_said_in_the_language_of_the_text(language, said):
    content = "<msup><mi>x</mi><mn>2</mn></msup><mo>=</mo><mfrac><mn>1</mn><mn>2</mn></mfrac>"
    assert words_of(content, language) == said


@pytest.mark.parametrize(
    "content",
    [
        "",
        "<mi></mi>",
        "<mlongdiv><mn>1</mn></mlongdiv>",
        "<mfrac><mn>1</mn></mfrac>",
        "<mover><mi>x</mi><mo>↔</mo></mover>",
        "<mi>x</mi>" * (MAX_LEAVES + 1),
        "<mrow>" * 2_000 + "<mi>x</mi>" + "</mrow>" * 2_000,
    ],
)
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
