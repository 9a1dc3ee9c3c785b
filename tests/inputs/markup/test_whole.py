"""Whatever the elements and their nesting, no character, no order and no id of a page is lost."""

from __future__ import annotations

import unicodedata
from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from audiomill.inputs.book import BlockKind
from audiomill.inputs.markup.blocks import DocumentBlocks, to_blocks
from audiomill.inputs.markup.semantics import text_within
from audiomill.inputs.markup.text import INVISIBLE

NAMES = """
div p span b h1 h3 blockquote ul ol li dl dt dd table tr td th caption pre figure figcaption
br hr a sup aside section nav script ruby rt math svg text img q table tr td
"""
TAGS = st.sampled_from(NAMES.split())
ATTRIBUTES = st.sampled_from(
    [{}] * 8
    + [
        {"id": "x"},
        {"class": "poem"},
        {"class": "stanza"},
        {"class": "pagenum"},
        {"class": "footnote"},
        {"epub:type": "pagebreak"},
        {"role": "doc-noteref"},
        {"role": "heading"},
        {"hidden": ""},
        {"lang": "fr"},
        {"href": "#n1"},
        {"name": "y"},
    ]
)
WORDS = st.text(alphabet="ab1*#—\u00ad\u200b \u00a0\n漢é[.", max_size=12)


@st.composite
def trees(draw: st.DrawFn, plain: bool = False) -> etree._Element:
    """A body of elements in any order and nesting, legal or not."""
    root = etree.Element("body")
    nodes = [root]
    for _ in range(draw(st.integers(0, 25))):
        parent = nodes[draw(st.integers(0, len(nodes) - 1))]
        if not plain and draw(st.integers(0, 12)) == 0:
            node = etree.Comment("unsaid")
            parent.append(node)
        else:
            tag = draw(st.sampled_from(["div", "p", "b", "li", "h2"]) if plain else TAGS)
            attributes = {} if plain else draw(ATTRIBUTES)
            node = etree.SubElement(parent, tag)
            for name, value in attributes.items():
                name = name.replace("epub:", "{http://www.idpf.org/2007/ops}")
                node.set(name, value)
            node.text = draw(WORDS)
            if tag not in {"br", "hr", "img"}:
                nodes.append(node)
        node.tail = draw(WORDS)
    root.text = draw(WORDS)
    return root


def letters(text: str) -> Counter[str]:
    """The characters that a reader sees; what parts cells and raises digits is ours."""
    seen = unicodedata.normalize("NFKC", text)
    return Counter(c for c in seen if not c.isspace() and c not in INVISIBLE and c not in ";^")


def everything(result: DocumentBlocks) -> str:
    said = "".join(a.block.text for a in result.blocks)
    return said + "".join(skipped.text for skipped in result.skipped)


def seen(root: etree._Element) -> str:
    """What is on the page: void elements show nothing that lies inside them."""
    for node in root.iter("br", "hr", "img"):
        node.text = None
    return text_within(root)


@given(trees())
@settings(max_examples=300, deadline=None)
def test_every_character_is_in_a_block_or_listed_as_skipped(root: etree._Element) -> None:
    expected = letters(seen(root))
    spoken_for = sum(1 for _ in root.iter("math"))  # "formula" stands for the notation
    result = to_blocks(root, where="x")
    found = letters(everything(result))
    assert expected - found == Counter()
    extra = found - expected
    if next(root.iter("ol"), None) is not None:  # items have numbers
        extra -= Counter(dict.fromkeys("0123456789.", sum(extra.values())))
    assert sum(extra.values()) <= spoken_for * len("formula")


@given(trees(plain=True))
@settings(max_examples=200, deadline=None)
def test_blocks_come_in_the_order_of_the_page(root: etree._Element) -> None:
    said = "".join(a.block.text for a in to_blocks(root, where="x").blocks)
    page = text_within(root)
    assert [c for c in said if letters(c)] == [c for c in page if letters(c)]


@given(trees())
@settings(max_examples=200, deadline=None)
def test_blocks_are_normalised_and_no_id_is_lost(root: etree._Element) -> None:
    result = to_blocks(root, where="x")
    kept = {BlockKind.VERSE, BlockKind.TABLE, BlockKind.CODE}
    for anchored in result.blocks:
        block = anchored.block
        assert block.text or block.kind is BlockKind.SCENE_BREAK
        if block.kind not in kept:
            assert block.text == " ".join(block.text.split())
        assert not set(block.text) & set(INVISIBLE)
    ids = Counter(i for a in result.blocks for i in a.ids) + Counter(result.end_ids)
    names = Counter(node.get("id") for node in root.iter() if node.get("id"))
    names += Counter(node.get("name") for node in root.iter("a") if node.get("name"))
    assert ids == names
