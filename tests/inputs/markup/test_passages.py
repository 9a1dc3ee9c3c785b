"""Passages that elements mark as being in another language keep their places in the text."""

from audiomill.inputs.markup.blocks import to_blocks
from audiomill.inputs.markup.parser import body_of, parse_xhtml
from audiomill.inputs.readers.decoding import repair_book
from support.segments_data import book


def test_passages_survive_the_repair_of_a_text():
    page = '<p>He said <i lang="fr">oui</i> twice</p>'
    (anchored,) = to_blocks(body_of(parse_xhtml(page.encode())), where="p", language="en").blocks
    repaired = repair_book(book([anchored.block]))
    assert repaired.chapters[0].blocks == (anchored.block,)
