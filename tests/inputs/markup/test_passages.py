"""Passages that elements mark as being in another language keep their places in the text."""

import pytest

from audiomill.inputs.decoding import repair_book
from audiomill.inputs.markup.blocks import to_blocks
from audiomill.inputs.markup.parser import body_of, parse_xhtml
from support.segments_data import book


def passages(html, language="en-US"):
    page = f'<html lang="{language}"><body>{html}</body></html>'
    blocks = to_blocks(body_of(parse_xhtml(page.encode())), where="p", language=language).blocks
    return [
        [(block.text[one.start : one.end], one.language) for one in block.passages]
        for block in (anchored.block for anchored in blocks)
    ]


CASES = {
    '<p>He said <i lang="fr">allons  \n <b>les</b> enfants</i> and left.</p>': [
        [("allons les enfants", "fr")]
    ],
    '<p>A <i lang="fr">un</i> <i lang="de">eins</i> <i lang="fr">deux</i>.</p>': [
        [("un", "fr"), ("eins", "de"), ("deux", "fr")]
    ],
    # A region's form of the language, and none that is known, are not foreign.
    '<p>He <i lang="en-GB">queued</i> <i lang="">here</i> <i lang="und">now</i>.</p>': [[]],
    '<p>He <i lang="eng">queued</i>.</p>': [[]],
    # A block in one language has that language.
    '<p><i lang="fr">Allons !</i></p>': [[]],
    '<p lang="fr">Il dit <i lang="en">never</i>.</p>': [[("never", "en")]],
    '<p>One<br/>two <a id="x"/><i lang="la">tres</i><br/><br/>four <i lang="la">quinque</i></p>': [
        [("tres", "la")],
        [("quinque", "la")],
    ],
    '<div class="poem"><p>One <i lang="la">duo</i></p><p><i lang="la">Tres</i> four</p></div>': [
        [("duo", "la"), ("Tres", "la")]
    ],
    '<p>Soft\u00ad\u200b <i lang="fr">ca\u00adfé</i> bar</p>': [[("café", "fr")]],
    '<p><img alt="T"/>he <i lang="de">Hund</i> ran</p>': [[("Hund", "de")]],
    # The colon after the number is not on the page.
    '<h2>II<br/><i lang="fr">Les Misérables</i> and more</h2>': [[("Les Misérables", "fr")]],
    '<p>One <i lang="la">duo</i><br/><br/><i lang="la">tres</i> four</p>': [
        [("duo", "la")],
        [("tres", "la")],
    ],
    '<table><tr><td>A</td><td><i lang="fr">un</i></td></tr></table>': [[]],
}


@pytest.mark.parametrize("html", CASES)
def test_passages_in_other_languages(html):
    assert passages(html) == CASES[html]


def test_passages_survive_the_repair_of_a_text():
    page = '<p>He said <i lang="fr">oui</i> twice</p>'
    (anchored,) = to_blocks(body_of(parse_xhtml(page.encode())), where="p", language="en").blocks
    repaired = repair_book(book([anchored.block]))
    assert repaired.chapters[0].blocks == (anchored.block,)
