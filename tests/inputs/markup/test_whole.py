"""For any nesting of elements, no character, order or id of a page is lost."""

import unicodedata
from collections import Counter

from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from audiomill.inputs.markup.blocks import DocumentBlocks, to_blocks
from audiomill.inputs.markup.semantics import text_within
from audiomill.inputs.markup.text import INVISIBLE
from audiomill.inputs.model.book import BlockKind
from support.examples import many_examples

NAMES = """
div p span b h1 h3 blockquote ul ol li dl dt dd table tr td th caption pre figure figcaption
br hr a sup aside section nav script ruby rt math svg text img q table tr td
"""
TAGS = st.sampled_from(NAMES.split())
ATTRIBUTES = """
id=x class=poem class=stanza class=pagenum class=footnote epub:type=pagebreak role=doc-noteref
role=heading hidden= lang=fr href=#n1 name=y
"""
EACH_ATTRIBUTE = [dict([one.split("=")]) for one in ATTRIBUTES.split()]
WORDS = st.text(alphabet="ab1*#—\u00ad\u200b \u00a0\n漢é[.", max_size=12)


@st.composite
def trees(draw: st.DrawFn, plain: bool = False) -> etree._Element:
    """A body of elements in any order and nesting, legal or not."""
    root = etree.Element("body")
    nodes = [root]
    for _ in range(draw(st.integers(0, 25))):
        parent = nodes[draw(st.integers(0, len(nodes) - 1))]
        if not plain and draw(st.integers(0, 12)) == 0:
            node = etree.Comment("comment")
            parent.append(node)
        else:
            tag = draw(st.sampled_from(["div", "p", "b", "li", "h2"]) if plain else TAGS)
            attributes = {} if plain else draw(st.sampled_from([{}] * 8 + EACH_ATTRIBUTE))
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
    """The visible characters, without ";", ":" and "^", which the conversion adds."""
    normalised = unicodedata.normalize("NFKC", text)
    return Counter(
        c for c in normalised if not c.isspace() and c not in INVISIBLE and c not in ";:^"
    )


def all_text(result: DocumentBlocks) -> str:
    spoken = "".join(a.block.text for a in result.blocks)
    return spoken + "".join(skipped.text for skipped in result.skipped)


def visible_text(root: etree._Element) -> str:
    """The visible text of a page: void elements show no content."""
    for node in root.iter("br", "hr", "img"):
        node.text = None
    return text_within(root)


@given(trees())
@many_examples(300)
def test_every_character_is_in_a_block_or_listed_as_skipped(root):
    expected = letters(visible_text(root))
    n_formulas = sum(1 for _ in root.iter("math"))  # each is spoken as "formula"
    result = to_blocks(root, where="x")
    actual = letters(all_text(result))
    assert expected - actual == Counter()
    extra = actual - expected
    if next(root.iter("ol"), None) is not None:  # items have numbers
        extra -= Counter(dict.fromkeys("0123456789.", sum(extra.values())))
    assert sum(extra.values()) <= n_formulas * len("formula")


@given(trees(plain=True))
@many_examples(200)
def test_blocks_keep_the_order_of_the_page(root):
    spoken = "".join(a.block.text for a in to_blocks(root, where="x").blocks)
    page = text_within(root)
    assert [c for c in spoken if letters(c)] == [c for c in page if letters(c)]


@given(trees())
@many_examples(200)
def test_blocks_are_normalised_and_no_id_is_lost(root):
    result = to_blocks(root, where="x")
    with_lines = {BlockKind.VERSE, BlockKind.TABLE, BlockKind.CODE}
    for anchored in result.blocks:
        block = anchored.block
        assert block.text or block.kind is BlockKind.SCENE_BREAK
        if block.kind not in with_lines:
            assert block.text == " ".join(block.text.split())
        assert not set(block.text) & set(INVISIBLE)
    ids = Counter(i for a in result.blocks for i in a.ids) + Counter(result.end_ids)
    names = Counter(node.get("id") for node in root.iter() if node.get("id"))
    names += Counter(node.get("name") for node in root.iter("a") if node.get("name"))
    assert ids == names
