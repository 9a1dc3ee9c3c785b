"""Each kind of block is an element of its own on the pages of a book of our own."""

from lxml import etree

from audiomill.inputs.model.book import Block, BlockKind, ForeignPassage, Table
from audiomill.outputs.readalong.own.blocks import block_elements
from support.case_files import each_row
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


@each_row
def test_a_block_is_the_element_of_its_kind(kind, text, options, markup):
    """A table whose cells are said otherwise, or stand under no column, is rows of text."""
    passages = tuple(ForeignPassage(*one) for one in options.get("passages", ()))
    table = Table(*options["table"]) if "table" in options else None
    block = Block(BlockKind(kind), text, **{**options, "passages": passages, "table": table})
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
