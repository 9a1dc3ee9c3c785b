"""Each kind of block is an element of its own on the pages of a book of our own."""

import pytest
from lxml import etree

from audiomill.inputs.model.book import Block, BlockKind, ForeignPassage, Table
from audiomill.outputs.readalong.own.blocks import block_elements
from support.reading_data import convert

K = BlockKind
DECLARATIONS = (
    ' xmlns="http://www.w3.org/1999/xhtml"',
    ' xmlns:epub="http://www.idpf.org/2007/ops"',
)


def markup_of(*blocks: Block, language: str = "en") -> list[str]:
    """The elements of the blocks, without the declarations of namespaces."""
    found = []
    for element in block_elements(blocks, language):
        text = etree.tostring(element, encoding="unicode")
        for declaration in DECLARATIONS:
            text = text.replace(declaration, "")
        found.append(text)
    return found


@pytest.mark.parametrize(
    ("block", "markup"),
    [
        (Block(K.HEADING, "Sea", level=2), "<h2>Sea</h2>"),
        (Block(K.HEADING, "Sea", level=9), "<h6>Sea</h6>"),
        (Block(K.PARAGRAPH, "a < b"), "<p>a &lt; b</p>"),
        (Block(K.PARAGRAPH, "Nuit.", language="fr"), '<p lang="fr" xml:lang="fr">Nuit.</p>'),
        (
            Block(K.PARAGRAPH, "He: שלום!", passages=(ForeignPassage(4, 8, "he"),)),
            '<p>He: <span lang="he" xml:lang="he" dir="rtl">שלום</span>!</p>',
        ),
        (Block(K.VERSE, "Roses\nare red"), '<p class="verse">Roses<br/>are red</p>'),
        (Block(K.CAPTION, "A mill"), '<p class="caption">A mill</p>'),
        (Block(K.IMAGE, "A mill"), '<p class="picture">A mill</p>'),
        (Block(K.SCENE_BREAK, ""), "<hr/>"),
        (Block(K.SCENE_BREAK, "* * *"), '<p class="ornament">* * *</p>'),
        (
            Block(K.NOTE, "An ell."),
            '<div class="note" epub:type="footnote" role="doc-footnote"><p>An ell.</p></div>',
        ),
        (Block(K.TABLE, "a; b\n1"), '<p class="rows">a; b<br/>1</p>'),
        (
            Block(K.TABLE, "a; b\n1", table=Table((("a", "b"), ("", "1")), True, False)),
            '<table><thead><tr><th scope="col">a</th><th scope="col">b</th></tr></thead>'
            "<tbody><tr><td></td><td>1</td></tr></tbody></table>",
        ),
        (
            Block(
                K.TABLE,
                "ja; ja",
                passages=(ForeignPassage(4, 6, "de"),),
                table=Table((("ja", "ja"),), False, False),
            ),
            '<table><tbody><tr><td>ja</td><td><span lang="de" xml:lang="de">ja</span></td></tr>'
            "</tbody></table>",
        ),
        (  # The cells are said otherwise, or under no column.
            Block(K.TABLE, "b: 1", table=Table((("a", "b"), ("", "1")), True, False)),
            '<p class="rows">b: 1</p>',
        ),
        (
            Block(K.TABLE, "a; b", table=Table((("a", "b"),), False, True)),
            '<p class="rows">a; b</p>',
        ),
    ],
)
def test_a_block_is_the_element_of_its_kind(block: Block, markup: str):
    assert markup_of(block) == [markup]


def test_a_table_that_is_read_row_by_row_has_its_cells():
    rows = "<tr><th>Item</th><th>Found</th></tr><tr><td>Cats; grey</td><td></td></tr>"
    (anchored,) = convert(f"<table>{rows}</table>").blocks
    assert anchored.block.text == "Item; Found\nCats; grey"
    (table,) = markup_of(anchored.block)
    assert table.endswith("<tbody><tr><td>Cats; grey</td><td></td></tr></tbody></table>")


def test_code_keeps_its_lines_and_its_direction():
    code = Block(K.CODE, "a\n  b")
    assert markup_of(code, language="he") == ['<pre dir="ltr"><code>a\n  b</code></pre>']


def test_quotes_in_a_row_are_one():
    quotes = (Block(K.QUOTE, "One."), Block(K.QUOTE, "Two.", language="de"))
    assert markup_of(*quotes) == [
        '<blockquote><p>One.</p><p lang="de" xml:lang="de">Two.</p></blockquote>'
    ]


def test_list_items_stand_in_each_other_by_level():
    texts = [("1. a", 2), ("b", 4), ("c", 3), ("d", 1), ("i. e", 2)]
    items = [Block(K.LIST_ITEM, text, level=level) for text, level in texts]
    assert markup_of(*items) == [
        '<ul class="numbered"><li class="numbered">1. a<ul><li>b</li><li>c</li></ul></li>'
        '<li>d</li><li class="numbered">i. e</li></ul>'
    ]
