"""Blocks of a page that no file of cases can tell."""

from lxml import etree

from audiomill.inputs.markup.blocks import to_blocks
from audiomill.inputs.markup.parser import body_of, parse_xhtml
from audiomill.inputs.model.surrogates import repair_book
from support.segments_data import book
from support.sentences import split_sentences


def test_three_thousand_nested_elements_are_read():
    root = node = etree.Element("body")
    for _ in range(3_000):
        node = etree.SubElement(node, "div")
    node.text = "deep"
    root[0].tail = "after"
    blocks = to_blocks(root, where="", language=None).blocks
    assert [a.block.text for a in blocks] == ["deep", "after"]


def test_a_single_element_is_converted():
    root = etree.fromstring("<span>a<b>b</b></span>")
    assert [a.block.text for a in to_blocks(root, where="").blocks] == ["ab"]


def test_a_numbered_item_begins_with_one_sentence():
    for text in ("1. First do this.", "12. Then do that.", "b. Or this.", "IV. And that."):
        assert split_sentences(text, "en") == ((0, len(text)),)


def test_passages_survive_the_repair_of_a_text():
    page = '<p>He said <i lang="fr">oui</i> twice</p>'
    (anchored,) = to_blocks(body_of(parse_xhtml(page.encode())), where="p", language="en").blocks
    repaired = repair_book(book([anchored.block]))
    assert repaired.chapters[0].blocks == (anchored.block,)
