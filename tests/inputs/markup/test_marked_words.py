"""What elements say about words, with its place in a block: pronunciations, Roman numerals."""

from __future__ import annotations

import pytest

from audiomill.inputs.book import Block
from audiomill.inputs.markup.blocks import to_blocks
from audiomill.inputs.markup.parser import body_of, parse_xhtml

PAGE = (
    '<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"'
    ' xmlns:ssml="http://www.w3.org/2001/10/synthesis"><body>{}</body></html>'
)
ROMAN = '<span epub:type="z3998:roman">{}</span>'.format


def blocks(body: str) -> list[Block]:
    root = parse_xhtml(PAGE.format(body).encode())
    found = to_blocks(body_of(root), where="ch1.xhtml").blocks
    return [one.block for one in found]


def numerals(block: Block) -> list[str]:
    return [block.text[start:end] for start, end in block.numerals]


@pytest.mark.parametrize(
    ("body", "text", "marked"),
    [
        (f"<p>Of Charles {ROMAN('I')} and {ROMAN(' V ')}.</p>", "Of Charles I and V .", ["I", "V"]),
        ('<h2 epub:type="ordinal z3998:roman">L</h2>', "L", ["L"]),
        (f"<h2>{ROMAN('C')}<br/>Leg and Arm</h2>", "C: Leg and Arm", ["C"]),
        (f"<h2>{ROMAN('C.')}<br/>Leg and Arm</h2>", "C. Leg and Arm", ["C."]),
        (
            '<hgroup><h2 epub:type="ordinal z3998:roman">L</h2><p epub:type="title">A Boat</p>'
            "</hgroup>",
            "L: A Boat",
            ["L"],
        ),
        (
            f'<h3 epub:type="title">Chapter {ROMAN("XVI")}</h3>',
            "Chapter XVI",
            ["XVI"],
        ),
        (f"<p>{ROMAN('')}Empty {ROMAN('<b>X</b>I')}</p>", "Empty XI", ["XI"]),
        ('<p>plain <span class="roman">I</span></p>', "plain I", []),
        # A part of a page may have the type of its heading.
        ('<section epub:type="z3998:roman"><p>I saw.</p></section>', "I saw.", []),
    ],
)
def test_numerals_are_marked(body: str, text: str, marked: list[str]) -> None:
    (block,) = blocks(body)
    assert (block.text, numerals(block)) == (text, marked)


def test_each_block_has_its_own() -> None:
    first, second = blocks(
        f"<p>One {ROMAN('II')} <span ssml:ph='wˈɪn'>Nguyen</span></p><p>Two {ROMAN('IV')}</p>"
    )
    assert (numerals(first), numerals(second)) == (["II"], ["IV"])
    (pronounced,) = first.pronunciations
    assert first.text[pronounced.start : pronounced.end] == "Nguyen"
    assert pronounced.phonemes == "wˈɪn"


def test_lines_of_a_stanza_keep_theirs() -> None:
    verse = "".join(f'<p class="line">Louis {ROMAN(one)}</p>' for one in ("V", "X"))
    joined = blocks(f'<div class="poem">{verse}</div>')
    assert [one for block in joined for one in numerals(block)] == ["V", "X"]
