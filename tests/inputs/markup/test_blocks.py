"""Conversion to blocks: their kinds, and the text that is skipped with its reason."""

from __future__ import annotations

from lxml import etree

from audiomill.inputs.markup.blocks import to_blocks


def test_ten_thousand_nested_elements_are_read() -> None:
    root = node = etree.Element("body")
    for _ in range(10_000):
        node = etree.SubElement(node, "div")
    node.text = "deep"
    root[0].tail = "after"
    blocks = to_blocks(root, where="", language=None).blocks
    assert [a.block.text for a in blocks] == ["deep", "after"]


def test_a_single_element_is_converted() -> None:
    root = etree.fromstring("<span>a<b>b</b></span>")
    assert [a.block.text for a in to_blocks(root, where="").blocks] == ["ab"]
